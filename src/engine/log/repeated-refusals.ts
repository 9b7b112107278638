/** Refusals that say the same again and again while a run may not place: the first is kept, then one a minute with their number. */

import type { RefusalCode } from '../../core/refusal.ts';

/** They speak of the run or the strategy, and not of the order: whatever is wished for meets them. */
const STANDING: ReadonlySet<RefusalCode> = new Set([
  'HALTED',
  'STRATEGY_HALTED',
  'NOT_READY',
  'STATE_UNKNOWN',
  'HEARTBEAT_NOT_ACTIVE',
]);
const KEPT_EVERY_MS = 60_000;
/** Markets come and go: beyond so many strategies and markets all are forgotten, and kept once more. */
const KEYS_MAX = 10_000;

export interface RepeatedRefusal {
  readonly strategy: string;
  readonly market: string;
  readonly code: RefusalCode;
}

export class RepeatedRefusals {
  readonly #kept = new Map<string, { readonly at: number; counted: number }>();

  /** How many it stands for, counted since the last one that was kept; undefined where it is only counted. */
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

  /** Trading moved: what is refused now is news. */
  forget(): void {
    this.#kept.clear();
  }
}
