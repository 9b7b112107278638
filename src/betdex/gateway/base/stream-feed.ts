/** The stream as the gateway's feeds use it: messages by type, and the moments after which everything must be read again. */

import { auditTime, filter, map, type Observable } from 'rxjs';
import { defined } from '../../../core/checks/assert.ts';
import type { Instant } from '../../../core/number/units.ts';
import type { PricesChoice } from '../../../exchange-live/settings.ts';
import type { Clock } from '../../../time/clock.ts';
import type { StreamEvent, StreamUpdate } from '../../stream/stream-event.ts';
import type { StreamLink } from './gateway-context.ts';

/** An update, and when it was read off the socket, ms on our clock: it may have been held back since. */
export interface HeardUpdate<U extends StreamUpdate = StreamUpdate> {
  readonly message: U;
  readonly receivedAt: Instant;
}

export interface StreamFeed {
  readonly messages$: Observable<HeardUpdate>;
  /**
   * Emits when updates may have been missed and the state must be read over REST: the stream replays nothing, not even the time
   * before a subscription was confirmed. While the stream is down, this emits with each try to connect.
   */
  readonly resync$: Observable<unknown>;
  /** Emits when the stream itself says that updates may have been missed: it was down, or could not be read. */
  readonly lost$: Observable<unknown>;
  subscribe: StreamLink['subscribe'];
  unsubscribe: StreamLink['unsubscribe'];
}

const MISSED: ReadonlySet<StreamEvent['kind']> = new Set(['confirmed', 'resync', 'down']);
/** Confirmations of subscriptions come in bursts: those within this time, ms, cause one reading. */
const TOGETHER_MS = 50;

/**
 * Returns a function that gives the stream to the feeds which are to be streamed, and undefined to the others. It fails if a
 * feed is to be streamed and there is no stream.
 */
export function streamFor(
  link: StreamLink | undefined,
  clock: Clock,
): (choice: PricesChoice) => StreamFeed | undefined {
  const feed = link === undefined ? undefined : streamFeed(link, clock);
  return ({ kind }) => (kind === 'stream' ? defined(feed, 'a feed that is to be streamed needs a stream') : undefined);
}

function streamFeed(link: StreamLink, clock: Clock): StreamFeed {
  return {
    messages$: link.events$.pipe(filter((event) => event.kind === 'message')),
    resync$: link.events$.pipe(
      filter(({ kind }) => MISSED.has(kind)),
      auditTime(TOGETHER_MS, clock),
    ),
    lost$: link.events$.pipe(filter(({ kind }) => kind === 'resync' || kind === 'down')),
    subscribe: (type, ids) => link.subscribe(type, ids),
    unsubscribe: (type, ids) => link.unsubscribe(type, ids),
  };
}

export function messagesOf<T extends StreamUpdate['type']>(feed: StreamFeed, type: T): Observable<UpdateOf<T>> {
  return heardOf(feed, type).pipe(map(({ message }) => message));
}

/** The messages of a type, each with when it was received. */
export function heardOf<T extends StreamUpdate['type']>(
  { messages$ }: StreamFeed,
  type: T,
): Observable<HeardUpdate<UpdateOf<T>>> {
  return messages$.pipe(filter((heard): heard is HeardUpdate<UpdateOf<T>> => heard.message.type === type));
}

type UpdateOf<T extends StreamUpdate['type']> = Extract<StreamUpdate, { readonly type: T }>;
