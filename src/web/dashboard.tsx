/** The dashboard: a page that shows what a run, a sandbox or several runs do now, and takes commands. */

import { render } from 'preact';
import type { Welcome } from '../pages/panels.ts';
import { chooseSideWords } from '../words/side-words.ts';
import { App } from './dashboard/app.tsx';
import { openSession } from './parts/session.ts';
import './parts/theme.css';
import './parts/table.css';
import './parts/ladder.css';
import './dashboard/dashboard.css';
import './dashboard/money.css';

void start();

async function start(): Promise<void> {
  chooseSideWords(document.documentElement.dataset['sides']);
  const place = document.getElementById('dashboard');
  if (place === null) return;
  const session = await openSession<Welcome>();
  place.replaceChildren();
  render(<App first={session} />, place);
}
