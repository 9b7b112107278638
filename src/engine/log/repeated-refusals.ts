/** Thins out refusals that repeat while a run may not place: the first is journalled, then one a minute with their number. */

import type { RefusalCode } from '../../core/refusal.ts';

/** Refusals that depend on the run or the strategy and not on the order, so that every order meets them. */
const STANDING: ReadonlySet<RefusalCode> = new Set([
  'HALTED',
  'STRATEGY_HALTED',
  'NOT_READY',
  'STATE_UNKNOWN',
  'HEARTBEAT_NOT_ACTIVE',
]);
const KEPT_EVERY_MS = 60_000;
/** Beyond so many pairs of strategy and market all are forgotten, and each is journalled once more. */
const KEYS_MAX = 10_000;

export interface RepeatedRefusal {
  readonly strategy: string;
  readonly market: string;
  readonly code: RefusalCode;
}

export class RepeatedRefusals {
  readonly #kept = new Map<string, { readonly at: number; counted: number }>();

  /** How many refusals this one stands for, since the last that was journalled; undefined if it is not to be journalled. */
  times(at: number, { strategy, market, code }: RepeatedRefusal): number | undefined {
    if (!STANDING.has(code)) return 1;
    const key = `${code} ${strategy} ${market}`;
    const known = this.#kept.get(key);
    if (known !== undefined && at >= known.at && at < known.at + KEPT_EVERY_MS) {
      known.counted += 1;
      return undefined;
    }
    if (this.#kept.size >= KEYS_MAX) this.#kept.clear();
    this.#kept.set(key, { at, counted: 0 });
    return (known?.counted ?? 0) + 1;
  }

  /** Trading moved, so the next refusals have a new cause and are journalled. */
  forget(): void {
    this.#kept.clear();
  }
}
