/** The report of a sweep: draws its surface and its trials in the page. */

import { type ComponentChild, render } from 'preact';
import type { SweepFacts } from '../pages/report/sweep-facts.ts';
import { pageData } from './parts/page-data.ts';
import './parts/theme.css';
import { Surface } from './sweep/surface.tsx';
import { Trials } from './sweep/trials.tsx';
import './sweep/sweep.css';

void start();

async function start(): Promise<void> {
  const file = await pageData('data');
  const trials = file?.tables.get('trials');
  if (file === undefined || trials === undefined) return;
  const facts = file.facts as SweepFacts;
  into('surface-place', <Surface facts={facts} trials={trials} />);
  into('trials-place', <Trials facts={facts} trials={trials} />);
}

function into(id: string, child: ComponentChild): void {
  const place = document.getElementById(id);
  if (place === null) return;
  place.replaceChildren();
  render(child, place);
}
