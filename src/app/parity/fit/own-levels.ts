/** The stake that a live run had at rest itself in the recorded levels, and whether those ever showed it. */

import { sideIndex } from '../../../core/side.ts';
import { cellOf } from '../../../simulator/overlay/level-cell.ts';
import type { RunOrder } from './run-orders.ts';

/** An order of the run in a market of its tapes. */
export interface PlacedOrder {
  readonly order: RunOrder;
  /** Index of the source's market, and of its outcome. */
  readonly market: number;
  readonly outcome: number;
}

interface Change {
  readonly at: number;
  readonly level: number;
  readonly by: number;
}

/** Readings of the prices while an order rested: how many showed at least what was left of it later, and how many less. */
interface Shown {
  readonly level: number;
  readonly order: RunOrder;
  enough: number;
  less: number;
}

/** A reading may have been under way when the order came; the next one shows it. */
const READINGS_LEAST = 2;

/** The run's own stake in one market, as the market's updates are played. */
export class OwnLevels {
  readonly #changes: readonly Change[];
  readonly #shown: readonly Shown[];
  readonly #stakes = new Map<number, number>();
  #next = 0;
  #firstShown = 0;

  constructor(orders: readonly PlacedOrder[]) {
    this.#changes = orders.flatMap(changesOf).sort((a, b) => a.at - b.at);
    const shown = orders.map(({ order, outcome }) => ({ level: ownLevel(order, outcome), order, enough: 0, less: 0 }));
    this.#shown = shown.sort((a, b) => a.order.arrivedAt - b.order.arrivedAt);
  }

  /** How much of the stake at a level is the run's own. */
  at(level: number): number {
    return this.#stakes.get(level) ?? 0;
  }

  /**
   * Advances the time to that of an update, and gives the levels at which the run's own stake has changed. An order leaves its level
   * when the run receives the report of it. An order that came to rest is in its level from the level's first change on, because a
   * reading that was under way when the order came shows the level as it was before.
   */
  advance(at: number): ReadonlySet<number> {
    const left = new Set<number>();
    for (let change = this.#changes[this.#next]; change !== undefined && change.at <= at; ) {
      const { level, by } = change;
      this.#stakes.set(level, this.at(level) + by);
      if (by < 0) left.add(level);
      this.#next += 1;
      change = this.#changes[this.#next];
    }
    return left;
  }

  /** Notes a reading of the prices: what it shows at the levels at which orders rest. */
  read(at: number, recorded: (level: number) => number): void {
    for (let index = this.#firstShown; index < this.#shown.length; index += 1) {
      const shown = this.#shown[index];
      if (shown === undefined || shown.order.arrivedAt >= at) return;
      const { endedAt = Number.POSITIVE_INFINITY } = shown.order;
      if (endedAt <= at) {
        if (index === this.#firstShown) this.#firstShown += 1;
        continue;
      }
      const least = knownToRest(shown.order, at);
      if (least === 0) continue;
      if (recorded(shown.level) >= least) shown.enough += 1;
      else shown.less += 1;
    }
  }

  /** Orders whose stake the prices did not hold, though they were read while it rested. */
  neverShown(): readonly RunOrder[] {
    return this.#shown.flatMap(({ order, enough, less }) => (enough === 0 && less >= READINGS_LEAST ? order : []));
  }
}

function ownLevel({ terms }: RunOrder, outcome: number): number {
  return cellOf(outcome, sideIndex(terms.side), terms.tick);
}

function changesOf({ order, outcome }: PlacedOrder): readonly Change[] {
  const level = ownLevel(order, outcome);
  let before = 0;
  return order.resting.map(({ at, stake }) => {
    const change = { at, level, by: stake - before };
    before = stake;
    return change;
  });
}

/** A fill is reported a little after the prices that show it, so the stake at rest is that of the next report. */
function knownToRest({ resting, restedAt }: RunOrder, at: number): number {
  if (restedAt === undefined || restedAt >= at) return 0;
  return resting.find((rest) => rest.at > at)?.stake ?? resting.at(-1)?.stake ?? 0;
}
