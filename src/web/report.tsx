/** The report of a run: draws in the page what its text has places for. */

import { type ComponentChild, render } from 'preact';
import { chooseSideWords } from '../words/side-words.ts';
import { pageData } from './parts/page-data.ts';
import './parts/theme.css';
import { runData } from './report/data/run-data.ts';
import { Glance } from './report/glance/glance.tsx';
import { placeIntervalLabels } from './report/interval-labels.ts';
import { Markets } from './report/markets.tsx';
import { Orders } from './report/orders.tsx';
import { Origins } from './report/origins.tsx';
import { Profit } from './report/profit.tsx';
import './report/report.css';

void start();

async function start(): Promise<void> {
  chooseSideWords(document.documentElement.dataset['sides']);
  placeIntervalLabels();
  const file = await pageData('data');
  if (file === undefined) return;
  const data = runData(file);
  into('profit', <Profit data={data} />);
  into('glance-place', <Glance data={data} />);
  into('origins-place', <Origins data={data} />);
  into('markets-place', <Markets data={data} />);
  into('orders-place', <Orders data={data} />);
}

function into(id: string, child: ComponentChild): void {
  const place = document.getElementById(id);
  if (place === null) return;
  place.replaceChildren();
  render(child, place);
}
