/** The view of a run: any of its markets at any instant, played back and forth with own orders in it. */

import { render } from 'preact';
import type { ViewWelcome } from '../pages/view-data.ts';
import { chooseSideWords } from '../words/side-words.ts';
import { openSession } from './parts/session.ts';
import './parts/theme.css';
import './parts/table.css';
import './parts/ladder.css';
import { App } from './view/app.tsx';
import './view/view.css';
import './view/ladder/ladders.css';
import './view/market/beside.css';

void start();

async function start(): Promise<void> {
  chooseSideWords(document.documentElement.dataset['sides']);
  const place = document.getElementById('view');
  if (place === null) return;
  const session = await openSession<ViewWelcome>();
  place.replaceChildren();
  render(<App first={session} />, place);
}
