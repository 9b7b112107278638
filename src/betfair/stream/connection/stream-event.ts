/** What the stream of Betfair reports: whole changes, what proves that none is missing, and what becomes of the connection. */

import type { Instant } from '../../../core/number/units.ts';
import type { StreamErrorCode } from '../../wire/stream/messages.ts';

/** What a connection can be subscribed to, once each. */
export type StreamFeed = 'markets' | 'orders';

/** A change as the server made it: one line, or its segments put together. */
export interface WholeChange {
  readonly feed: StreamFeed;
  /** `image`: it replaces all that is known of the feed. `missed`: what happened while we were away, joined. */
  readonly type: 'image' | 'missed' | 'update';
  /** When it was made, by the exchange's clock, and when its last line arrived, by ours. */
  readonly publishedAt: Instant;
  readonly receivedAt: Instant;
  readonly clk: string | undefined;
  /** Market changes (mc) or order changes (oc), unread. */
  readonly changes: readonly unknown[];
  /** Whether the exchange says that it is late itself (status 503). */
  readonly isLate: boolean;
  /** The lines as they came, without their ends. */
  readonly lines: readonly string[];
}

/** Events by their `kind`. Those of the connection have the form of `StreamNews`; there is one connection, 0. */
export type StreamEvent =
  | { readonly kind: 'change'; readonly change: WholeChange }
  /**
   * All that the exchange made of this feed until `publishedAt` by its clock has been told, and so all until `at` by ours.
   * Changes come before what they prove. `latencyMs`: the message took so long from its making to its arrival, by two clocks.
   */
  | {
      readonly kind: 'proven';
      readonly feed: StreamFeed;
      readonly publishedAt: Instant;
      readonly at: Instant;
      readonly latencyMs: number;
    }
  /**
   * Between `from` and `to`, by the exchange's clock, single changes were not told. `image`: what they led to is in a new image.
   * `joined`: it is in one joined change. `late`: the exchange was late in between, and then told all.
   */
  | {
      readonly kind: 'gap';
      readonly feed: StreamFeed;
      readonly from: Instant;
      readonly to: Instant;
      readonly why: 'image' | 'joined' | 'late';
    }
  /** The exchange does not take the subscription of this feed, and the other one goes on. */
  | { readonly kind: 'refused'; readonly feed: StreamFeed; readonly details: string }
  /** Each feed has told what it stands at. */
  | { readonly kind: 'up'; readonly connection: 0; readonly connectionId: string }
  /** `retryMs`: the next try comes after so long; undefined where somebody must change something before. */
  | {
      readonly kind: 'down';
      readonly connection: 0;
      readonly code: StreamEndCode;
      readonly details: string;
      readonly retryMs: number | undefined;
    }
  | { readonly kind: 'trouble'; readonly connection: 0; readonly code: StreamTroubleCode; readonly details: string }
  | {
      readonly kind: 'resync';
      readonly connection: 0;
      readonly reason: 'connected' | 'reconnected' | 'lost';
    };

const STREAM_ENDS = {
  SESSION_UNAVAILABLE: 'no session could be had',
  CONNECT_FAILED: 'no connection could be made',
  CONNECT_TIMEOUT: 'the connection was not made in time',
  NO_ANSWER: 'a request was not answered in time',
  SILENT: 'nothing came for twice the time that the exchange promised',
  BAD_LINE: 'a line is no message of the stream, so that a change may be lost',
  BAD_SEGMENTS: 'the parts of a change came in an order that makes no sense',
  OVERSIZED: 'a line or a change is larger than the limit',
  CUT: 'the connection ended without a word',
} as const;
/** Why a connection ended: the exchange's own code, or ours. */
export type StreamEndCode = keyof typeof STREAM_ENDS | StreamErrorCode | 'REFUSED';

const STREAM_TROUBLES = {
  LATE: 'the exchange says that what it tells is late',
  READS_SLOWLY: 'the exchange joined changes, because we read too slowly',
  UNKNOWN_MESSAGE: 'a message is of a kind that is newer than this client',
  UNREADABLE: 'a document in a change makes no sense; what it is about is not believed until it is told whole',
  NOT_CLOSED: 'a request failed, and the connection goes on',
} as const;
/** What went wrong without ending the connection. */
export type StreamTroubleCode = keyof typeof STREAM_TROUBLES;
