/** Verdicts in a row equal those worked out from the list of all orders approved before. */

import { describe, expect, it } from 'vitest';
import { priceOfTick, TICK_COUNT, tick } from '../../src/core/number/ladder.ts';
import { Random } from '../../src/core/number/random.ts';
import { money, profitAt } from '../../src/core/number/units.ts';
import { sideOf } from '../../src/core/side.ts';
import { NO_STAKES } from '../../src/risk/exposure/exposure-book.ts';
import { isApproved } from '../../src/risk/judge.ts';
import {
  type NaiveMarket,
  type NaiveOrder,
  naiveMatchedLoss,
  naiveOutcomeLoss,
  naivePossibleLoss,
} from '../support/naive-exposure.ts';
import { RiskDesk, TestMarket } from './desk.ts';

const LIMITS = { order: 60, outcome: 90, market: 110, event: 170, strategy: 230, wallet: 260 };
const ORDERS = 600;

const FIGURES = ['outcome', 'market', 'event', 'strategy', 'wallet'] as const;

const MARKETS = [
  new TestMarket(0, { outcomes: 2, event: 'e0' }),
  new TestMarket(1, { outcomes: 4, event: 'e0', winners: { min: 2, max: 2 } }),
  new TestMarket(2, { outcomes: 3, event: 'e1' }),
  new TestMarket(3, { outcomes: 5, event: 'e1', winners: { min: 1, max: 3 } }),
];

const NAIVE_MARKETS: readonly NaiveMarket[] = MARKETS.map(({ index, facts, winners }) => ({
  market: index,
  event: facts.eventId,
  outcomes: facts.outcomes.length,
  winners,
  removed: new Set(),
}));

function possibleLoss(orders: readonly NaiveOrder[]): number {
  const inMarket = ({ market }: NaiveMarket): NaiveOrder[] => orders.filter((order) => order.market === market);
  return NAIVE_MARKETS.reduce((sum, market) => sum + naivePossibleLoss(market, inMarket(market)), 0);
}

function figures(about: NaiveOrder, orders: readonly NaiveOrder[]): Record<(typeof FIGURES)[number], number> {
  const market = orders.filter((order) => order.market === about.market);
  const event = MARKETS[about.market]?.facts.eventId;
  const ofEvent = orders.filter((order) => MARKETS[order.market]?.facts.eventId === event);
  return {
    outcome: naiveOutcomeLoss(market, about.outcome),
    market: possibleLoss(market),
    event: possibleLoss(ofEvent),
    strategy: possibleLoss(orders.filter((order) => order.strategy === about.strategy)),
    wallet: possibleLoss(orders.filter((order) => order.wallet === about.wallet)),
  };
}

/** Matched in full at its limit, it lowers what the strategy's matched bets in the market can lose. */
function isHedge(candidate: NaiveOrder, approved: readonly NaiveOrder[]): boolean {
  const market = NAIVE_MARKETS[candidate.market];
  if (market === undefined) return false;
  const own = approved.filter(({ market: at, strategy }) => at === market.market && strategy === candidate.strategy);
  const stake = candidate.held.stakeUnmatched;
  const winnings = profitAt(stake, priceOfTick(candidate.tick));
  const matched = { ...candidate, held: { ...NO_STAKES, stakeMatched: stake, winningsMatched: winnings } };
  return naiveMatchedLoss(market, [...own, matched]) < naiveMatchedLoss(market, own);
}

/** 'sent', or the refusal's code and figures, worked out from scratch. */
function expectedVerdict(candidate: NaiveOrder, approved: readonly NaiveOrder[]): unknown {
  const alone = figures(candidate, [candidate]).outcome;
  if (alone > LIMITS.order * 1e6 && !isHedge(candidate, approved)) {
    return { code: 'LIMIT_ORDER', limit: LIMITS.order, value: 0, wouldBe: alone / 1e6 };
  }
  const before = figures(candidate, approved);
  const after = figures(candidate, [...approved, candidate]);
  for (const key of FIGURES) {
    if (after[key] <= LIMITS[key] * 1e6 || after[key] <= before[key]) continue;
    const [value, wouldBe] = [before[key] / 1e6, after[key] / 1e6];
    return { code: `LIMIT_${key.toUpperCase()}`, limit: LIMITS[key], value, wouldBe };
  }
  return 'sent';
}

function anyOrder(random: Random): NaiveOrder {
  const market = random.below(MARKETS.length);
  return {
    market,
    strategy: random.below(2),
    wallet: random.below(2),
    outcome: random.below(MARKETS[market]?.facts.outcomes.length ?? 1),
    side: sideOf(random.below(2)),
    tick: tick(random.below(TICK_COUNT / 2)),
    held: { ...NO_STAKES, stakeUnmatched: money(1_000 * (1 + random.below(40_000))) },
  };
}

describe('judging in a row', () => {
  it.each([1, 2, 3])('approves and refuses as the list of all orders demands (seed %i)', (seed) => {
    const random = Random.fromSeed(seed);
    const entry = new RiskDesk(LIMITS, MARKETS);
    const approved: NaiveOrder[] = [];
    const codes = new Map<string, number>();
    for (let i = 0; i < ORDERS; i += 1) {
      const candidate = anyOrder(random);
      const expected = expectedVerdict(candidate, approved);
      const verdict = entry.judgeOrder({ ...candidate, stake: candidate.held.stakeUnmatched });
      expect(isApproved(verdict) ? 'sent' : verdict).toEqual(expected);
      const word = isApproved(verdict) ? 'sent' : verdict.code;
      codes.set(word, (codes.get(word) ?? 0) + 1);
      if (isApproved(verdict)) approved.push(candidate);
      if (random.chance(0.3)) settleSome(random, entry, approved);
    }
    expect([...codes.keys()].sort()).toEqual(
      ['LIMIT_EVENT', 'LIMIT_MARKET', 'LIMIT_ORDER', 'LIMIT_OUTCOME', 'LIMIT_STRATEGY', 'LIMIT_WALLET', 'sent'].sort(),
    );
  });
});

/** One approved order is matched in full at its limit or released. */
function settleSome(random: Random, entry: RiskDesk, approved: NaiveOrder[]): void {
  const at = random.below(Math.max(1, approved.length));
  const order = approved[at];
  if (order === undefined) return;
  const { held } = order;
  if (random.chance(0.5)) {
    entry.exposure.change(order, held, NO_STAKES);
    approved.splice(at, 1);
    return;
  }
  const stakeMatched = money(held.stakeMatched + held.stakeUnmatched);
  const winningsMatched = money(held.winningsMatched + Math.floor(held.stakeUnmatched * 1.5));
  const to = { stakeUnmatched: money(0), stakeMatched, winningsMatched };
  entry.exposure.change(order, held, to);
  order.held = to;
}
