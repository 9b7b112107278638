/** The events of the stream client, and the codes in them. */

import type { Instant } from '../../core/number/units.ts';
import type { SubscriptionType } from '../wire/basics/enums.ts';
import type { ServerMessage } from '../wire/messages/stream-codec.ts';

/** A message about the exchange's state; replies to our own requests are events of their own. */
export type StreamUpdate = Extract<ServerMessage, { readonly type: SubscriptionType }>;

/** What the stream client reports, by its `kind`. `connection` numbers the client's connections from 0; after a reconnect or a rotation the number stays the same. */
export type StreamEvent =
  /**
   * An update as it came (`message`), and when it was read off the socket (`receivedAt`, ms UTC). Updates are absolute, so receiving one twice changes
   * nothing.
   */
  | { readonly kind: 'message'; readonly message: StreamUpdate; readonly receivedAt: Instant }
  /** Authenticated, under the exchange's own name of the connection (`connectionId`), and each wanted subscription is confirmed or was reported as NOT_CONFIRMED. */
  | { readonly kind: 'up'; readonly connection: number; readonly connectionId: string }
  /** The connection ended or could not be made, for the reason in `code` and `details`; the next try comes after `retryMs`. What it kept up to date is stale now. */
  | {
      readonly kind: 'down';
      readonly connection: number;
      readonly code: StreamEndCode;
      readonly details: string;
      readonly retryMs: number;
    }
  /**
   * Read the state over REST now (`reason` says why): the stream replays nothing (profile section 5), so what was read earlier may have changed
   * without an update. Emitted after each `up`. Price snapshots come by themselves, except after `lost`, where increments may
   * be missing. For an id that is subscribed to later, `confirmed` has the same meaning.
   */
  | { readonly kind: 'resync'; readonly connection: number; readonly reason: ResyncReason }
  /** From now on the exchange sends the updates of this `id` of this `type`. Emitted again after each `down`. */
  | { readonly kind: 'confirmed'; readonly type: SubscriptionType; readonly id: string }
  /** The exchange confirmed that it sends no more of this `id` of this `type`. */
  | { readonly kind: 'unsubscribed'; readonly type: SubscriptionType; readonly id: string }
  /** These `ids` of this `type` are beyond the limits on subscriptions and connections: they were not subscribed to. */
  | { readonly kind: 'refused'; readonly type: SubscriptionType; readonly ids: readonly string[] }
  /** Something went wrong, by `code` and `details`, and the connection stays. */
  | {
      readonly kind: 'trouble';
      readonly connection: number;
      readonly code: StreamTroubleCode;
      readonly details: string;
    };

const RESYNC_REASONS = {
  connected: 'the connection is up for the first time',
  reconnected: 'the connection was down for a while',
  rotated: 'a fresh connection took the place of an old one, without a gap as far as can be told',
  lost: 'a frame or a message in it could not be read, and what it held is lost',
} as const;
/** Why the state must be read over REST. */
export type ResyncReason = keyof typeof RESYNC_REASONS;

/** Why a connection ended, by code. */
const STREAM_ENDS = {
  TOKEN_UNAVAILABLE: 'no access token could be had',
  CONNECT_FAILED: 'no connection could be made',
  CONNECT_TIMEOUT: 'the connection was not made in time',
  NOT_AUTHENTICATED: 'the exchange did not take the token, which it shows by silence',
  NO_PONG: 'nothing came back after a ping',
  OVERSIZED_FRAME: 'a frame is larger than the limit',
  PROTOCOL_ERROR: 'what came is no WebSocket traffic',
  CLOSED: 'the exchange closed the connection',
  CUT: 'the connection ended without a word',
  SEND_BACKLOG: 'the exchange no longer reads what it is sent',
} as const;
/** Why a connection ended or was never made. */
export type StreamEndCode = keyof typeof STREAM_ENDS;

/** What went wrong without ending the connection, by code. */
const STREAM_TROUBLES = {
  BAD_FRAME: 'a frame, or a message in it, is not of the shape the profile gives it; a resync follows',
  UNKNOWN_TYPE: 'a message has a type that is newer than this client',
  PROBLEM: 'the exchange could not make sense of what it was sent',
  NOT_CONFIRMED: 'subscriptions were not confirmed in time; they are asked for again a minute later',
  REQUEST_LIMIT: 'subscriptions wait until the limit of requests a minute lets them through',
  ROTATION_FAILED: 'no fresh connection could take over; the old one stays, and it is tried again',
} as const;
/** What went wrong without ending a connection. */
export type StreamTroubleCode = keyof typeof STREAM_TROUBLES;
