/** What a source of the best few levels shows, slow and obvious: part of the naive overlay. */

import { isBetter, type SideIndex } from '../../src/core/side.ts';
import type { OutOfSightRule } from '../../src/simulator/overlay/fill-rules.ts';

export interface SeenLevel {
  readonly outcome: number;
  readonly side: SideIndex;
  readonly tick: number;
  R: number;
  X: number;
  D: number;
  /** Orders of ours. */
  readonly queue: readonly unknown[];
  /** When the source stopped showing it. */
  leftAt: number;
  /** One of ours asked for it out of sight, and it was not there. */
  isGone: boolean;
}

export class NaiveOutOfSight<Level extends SeenLevel> {
  /** How often somebody asked for a level out of sight, and found it there, or gone. */
  readonly asked = { there: 0, gone: 0 };
  readonly #levels: ReadonlyMap<string, Level>;
  readonly #rule: OutOfSightRule;
  readonly #depth: number;
  /** By side of an outcome: the worst price that the source shows, where its window is full. */
  readonly #worst = new Map<string, number>();

  constructor(parts: {
    readonly levels: ReadonlyMap<string, Level>;
    readonly rule: OutOfSightRule;
    readonly depth: number;
  }) {
    this.#levels = parts.levels;
    this.#rule = parts.rule;
    this.#depth = parts.depth;
  }

  /** The best levels of each side are shown; what was within the window before and is beyond it now has just left it. */
  updateEnded(at: number): void {
    for (const name of new Set([...this.#levels.values()].map(sideName))) {
      const levels = [...this.#levels.values()].filter((level) => displayed(level.R) > 0 && sideName(level) === name);
      levels.sort((one, other) => (isBetter(one.side, one.tick, other.tick) ? -1 : 1));
      const before = this.#worst.get(name);
      for (const level of levels.slice(this.#depth))
        if (before === undefined || !isBetter(level.side, before, level.tick)) level.leftAt = at;
      const worst = levels[this.#depth - 1];
      if (worst === undefined) this.#worst.delete(name);
      else this.#worst.set(name, worst.tick);
    }
  }

  isThere(level: Level, now: number): boolean {
    this.forgetWithoutOurs();
    if (this.#rule === 'always' || !this.#isOut(level)) return true;
    const isThere = this.#rule !== 'never' && now - level.leftAt <= this.#rule.maxAgeMs;
    level.isGone = !isThere;
    this.asked[isThere ? 'there' : 'gone'] += 1;
    return isThere;
  }

  isGone(level: Level): boolean {
    return level.isGone && this.#hasOurs();
  }

  /** What comes into sight again may cross orders of ours, like any stake that comes. */
  takeShownAgain(): Level[] {
    const shown = [...this.#levels.values()].filter((level) => level.isGone && !this.#isOut(level));
    for (const level of shown) level.isGone = false;
    return this.#hasOurs() ? shown : [];
  }

  /** With nothing of ours in the market, it is the recording again. */
  forgetWithoutOurs(): void {
    if (!this.#hasOurs()) for (const level of this.#levels.values()) level.isGone = false;
  }

  #isOut(level: Level): boolean {
    const worst = this.#worst.get(sideName(level));
    return worst !== undefined && isBetter(level.side, worst, level.tick);
  }

  #hasOurs(): boolean {
    return [...this.#levels.values()].some((level) => level.X > 0 || level.D > 0 || level.queue.length > 0);
  }
}

/** Less than a thousandth of stake rests without being displayed. */
export function displayed(stake: number): number {
  return stake >= 0.001 * 1_000_000 ? stake : 0;
}

function sideName({ outcome, side }: SeenLevel): string {
  return `${outcome} ${side}`;
}
