/** Starts the stream of a run, where a feed is streamed, and logs what happens to it. */

import { Subscription } from 'rxjs';
import type { DaemonLog } from '../log/daemon-log.ts';
import { streamLine } from '../log/edge-line.ts';
import type { ExchangeLink } from './exchange-link.ts';

export function followStream({ stream }: ExchangeLink, log: DaemonLog): Subscription {
  if (stream === undefined) return Subscription.EMPTY;
  const following = stream.events$.subscribe((event) => {
    const line = streamLine(event);
    if (line !== undefined) log.write(line);
  });
  stream.start();
  return following;
}
