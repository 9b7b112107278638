/** What the stream tells of markets, as a recorder of native lines wants it. */

import { filter, map, type Observable } from 'rxjs';
import type { NativeNews } from '../../exchange/native-news.ts';
import type { StreamEvent } from './connection/stream-event.ts';

const GAPS = {
  image: 'the stream began anew',
  joined: 'the connection was cut, and the changes since then came as one',
  late: 'the exchange said that it was late',
} as const;

/** Hot like the events themselves. */
export function nativeNews(events$: Observable<StreamEvent>): Observable<NativeNews> {
  return events$.pipe(
    map(newsOf),
    filter((news) => news !== undefined),
  );
}

function newsOf(event: StreamEvent): NativeNews | undefined {
  if (event.kind === 'change' && event.change.feed === 'markets') return { kind: 'message', lines: event.change.lines };
  if (event.kind === 'proven' && event.feed === 'markets') return { kind: 'proven', at: event.publishedAt };
  if (event.kind !== 'gap' || event.feed !== 'markets') return undefined;
  const { from, to, why } = event;
  return { kind: 'gap', from, to, why: GAPS[why] };
}
