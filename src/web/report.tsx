/** The report of a run: draws in the page what its text has places for. */

import { type ComponentChild, render } from 'preact';
import type { ReportFacts } from '../report/page/report-facts.ts';
import { pageData } from './parts/page-data.ts';
import './parts/theme.css';
import { Markets } from './report/markets.tsx';
import { Profit } from './report/profit.tsx';
import './report/report.css';

void start();

async function start(): Promise<void> {
  const data = await pageData('data');
  if (data === undefined) return;
  const facts = data.facts as ReportFacts;
  const curve = data.tables.get('curve');
  if (curve !== undefined) into('profit', <Profit curve={curve} />);
  into('markets-place', <Markets facts={facts} />);
}

function into(id: string, child: ComponentChild): void {
  const place = document.getElementById(id);
  if (place === null) return;
  place.replaceChildren();
  render(child, place);
}
