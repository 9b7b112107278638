/** A seeded trader without a plan: quotes near the best price, takes, and cancels, based on the public book alone. */

import { NO_TICK, TICK_COUNT } from '../../../src/core/number/ladder.ts';
import { type Money, STAKE_STEP } from '../../../src/core/number/units.ts';
import { AGAINST, crosses, FOR, oppositeIndex, type SideIndex, worseStep } from '../../../src/core/side.ts';
import type { RecordedBook } from '../../../src/simulator/overlay/recorded-book.ts';
import type { Random } from '../random.ts';
import type { OwnRequest, PlacedOrder } from './minimal-exchange.ts';

export interface QuoterHabits {
  /** Whether orders may be placed that would match live orders of our own. */
  readonly crossOwn: boolean;
  /** Share of orders that take at once. */
  readonly taking: number;
  /** How many ticks beyond the best price they may take. */
  readonly reach?: number;
  readonly stakeMax: number;
}

/**
 * A request; undefined where the drawn one is not allowed. `live` are our orders that may still rest under any fill
 * model.
 */
export function randomRequest(
  random: Random,
  at: { readonly client: number; readonly book: RecordedBook; readonly live: readonly PlacedOrder[] },
  habits: QuoterHabits,
): OwnRequest | undefined {
  const outcome = random.between(0, at.book.outcomes - 1);
  const side: SideIndex = random.chance(0.5) ? FOR : AGAINST;
  const tick = drawTick(random, at, { outcome, side, ...habits });
  if (tick < 0 || tick >= TICK_COUNT) return undefined;
  const meetsOwn = at.live.some((o) => o.outcome === outcome && o.side !== side && crosses(side, tick, o.tick));
  if (meetsOwn && !habits.crossOwn) return undefined;
  const most = Math.ceil(habits.stakeMax / STAKE_STEP / (random.chance(0.5) ? 1 : 10));
  return { client: at.client, outcome, side, tick, stake: (random.between(1, most) * STAKE_STEP) as Money };
}

function drawTick(
  random: Random,
  at: { readonly book: RecordedBook; readonly live: readonly PlacedOrder[] },
  order: { readonly outcome: number; readonly side: SideIndex } & QuoterHabits,
): number {
  const { outcome, side } = order;
  const target = at.live.find((live) => live.outcome === outcome && live.side !== side);
  if (order.crossOwn && target !== undefined && random.chance(0.3)) return target.tick;
  // Joining an order of ours makes queues of several, with recorded stake between them.
  const joined = at.live.find((live) => live.outcome === outcome && live.side === side);
  if (joined !== undefined && random.chance(0.3)) return joined.tick;
  return random.chance(order.taking) ? takingTick(random, at.book, order) : restingTick(random, at.book, outcome, side);
}

function takingTick(
  random: Random,
  book: RecordedBook,
  { outcome, side, reach = 3 }: { readonly outcome: number; readonly side: SideIndex; readonly reach?: number },
): number {
  const best = book.bestTick(outcome, oppositeIndex(side));
  return best === NO_TICK ? NO_TICK : best + worseStep(oppositeIndex(side)) * random.between(0, reach);
}

function restingTick(random: Random, book: RecordedBook, outcome: number, side: SideIndex): number {
  const best = book.bestTick(outcome, side);
  return best === NO_TICK ? NO_TICK : best + worseStep(side) * random.between(-2, 4);
}
