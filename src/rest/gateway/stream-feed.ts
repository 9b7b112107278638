/** The stream as the feeds hear it: messages by type, and the moments after which all must be read again. */

import { filter, map, type Observable } from 'rxjs';
import type { StreamUpdate } from '../stream/stream-event.ts';
import type { StreamLink } from './wiring.ts';

export interface StreamFeed {
  readonly messages$: Observable<StreamUpdate>;
  /** Something may have been missed: the stream replays nothing. */
  readonly resync$: Observable<unknown>;
  subscribe: StreamLink['subscribe'];
}

export function streamFeed(link: StreamLink): StreamFeed {
  return {
    messages$: link.news$.pipe(
      filter((event) => event.kind === 'message'),
      map(({ message }) => message),
    ),
    resync$: link.news$.pipe(filter(({ kind }) => kind === 'resync')),
    subscribe: (type, ids) => link.subscribe(type, ids),
  };
}

export function messagesOf<T extends StreamUpdate['type']>(
  { messages$ }: StreamFeed,
  type: T,
): Observable<Extract<StreamUpdate, { readonly type: T }>> {
  return messages$.pipe(
    filter((message): message is Extract<StreamUpdate, { readonly type: T }> => message.type === type),
  );
}
