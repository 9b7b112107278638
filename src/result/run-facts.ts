/** What a run was configured with, and how its wallets ended. */

import type { Grade } from '../core/market.ts';

/** A tape that the run replayed. */
export interface TapeUsed {
  /** The path as it was given. */
  readonly path: string;
  /** SHA-256 of its content in hexadecimal, which does not depend on the file's name. */
  readonly sha256: string;
  /** The worst grade of the markets replayed from it; absent where none was. */
  readonly grade?: Grade;
  /** Absent for recorded data; else how the recording was made up, as one clause. */
  readonly generated?: string;
}

/** A strategy of the run, with the values of its parameters. */
export interface StrategyUsed {
  /** Its name, by which rows and notices call it. */
  readonly name: string;
  /** Its path; `object` for a strategy that was given as an object. */
  readonly file: string;
  /** The value of each parameter it declares, given or by default; durations in ms. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Those of its params that are durations, as people write them: `{ hold: '5m' }`. Absent where there are none. */
  readonly durations?: Readonly<Record<string, string>> | undefined;
  /** How often it was called at an instant that it had asked for (`wakeAt`). */
  readonly timerCalls: number;
}

/** A wallet at the beginning and the end of a run. */
export interface WalletResult {
  /** Its key in the configuration. */
  readonly name: string;
  /** Such as `USDC`. */
  readonly currency: string;
  /** At the start, decimal currency. Absent: unlimited. */
  readonly balanceStart?: number;
  /** After all settlements, decimal currency. Absent: unlimited. */
  readonly balanceEnd?: number;
}

/** A fact of the configuration worth showing beside the result, such as { name: 'latency', value: '80 ms + 40 ms' }. */
export interface Setting {
  /** What was set. */
  readonly name: string;
  /** Its value, as a reader needs it. */
  readonly value: string;
}
