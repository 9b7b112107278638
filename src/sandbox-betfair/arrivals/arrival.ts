/** What reaches an exchange from outside, with its time: enough to let the same happen again, and no secret. */

import type { WorldOptions } from '../state/world-options.ts';

/** Times are ms UTC of the exchange's clock. */
export type Arrival = { readonly at: number } & Arrived;

export type Arrived =
  | ({ readonly kind: 'start' } & WorldOptions)
  /** All traffic starts. */
  | { readonly kind: 'traffic' }
  /** Recorded markets wait from now on, for a client or for the exchange, and go on. */
  | { readonly kind: 'hold' | 'go' }
  | ArrivedRequest
  /** A request of the control surface, with the name of its key. */
  | {
      readonly kind: 'control';
      readonly method: string;
      readonly path: string;
      readonly key: string;
      readonly body?: unknown;
    }
  /** A client of the stream, by its connection: it is there, sends a line, or is gone. */
  | { readonly kind: 'connected' | 'gone'; readonly connection: string }
  | { readonly kind: 'line'; readonly connection: string; readonly line: unknown }
  /** Somebody asked for the verdict. */
  | { readonly kind: 'verdict' };

/** Passwords, sessions and application keys have names such as `session-1`. */
export interface ArrivedRequest {
  readonly kind: 'request';
  readonly method: string;
  readonly path: string;
  readonly application?: string;
  readonly session?: string;
  readonly hasCertificate?: true;
  readonly username?: string;
  readonly password?: string;
  /** The JSON of the body; `unreadable` stands for a text that is none. */
  readonly body?: unknown;
}

/** Stands for what is no JSON. */
export const UNREADABLE = 'unreadable';
