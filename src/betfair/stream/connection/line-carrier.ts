/** What carries lines between us and the stream: a TLS socket, or two functions in a test. */

import type { StreamEndCode } from './stream-event.ts';

/** Its functions are called after `openCarrier` has returned, and none after `ended`. */
export interface CarrierListener {
  opened(): void;
  /** Whole lines, without their ends. */
  lines(lines: readonly string[]): void;
  ended(code: StreamEndCode, details: string): void;
}

export interface LineCarrier {
  /** Sends one line; its end is added. Does nothing once the carrier has ended. */
  send(line: string): void;
  /** Ends it without a word to the listener. */
  drop(): void;
}

export type OpenCarrier = (listener: CarrierListener) => LineCarrier;
