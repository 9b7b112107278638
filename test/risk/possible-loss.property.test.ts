/** Amount limits against what can really be lost, found by trying out every result with every subset of fills. */

import { describe, expect, it } from 'vitest';
import { anyWinners } from '../../src/core/market.ts';
import { priceOfTick } from '../../src/core/number/ladder.ts';
import { Random } from '../../src/core/number/random.ts';
import { money, profitAt } from '../../src/core/number/units.ts';
import { ExposureBook, NO_STAKES, type Stakes } from '../../src/risk/exposure/exposure-book.ts';
import { budget } from '../support/budget.ts';
import type { NaiveOrder } from '../support/naive-exposure.ts';
import { bruteLoss } from '../support/risk/brute-losses.ts';
import { FIGURES, type Figures, RiskWorld } from '../support/risk/risk-world.ts';
import { limitsOf, order } from './desk.ts';

const SEEDS = budget({ each: 200, deep: 5_000 });
const LIMITS = { outcome: 60, market: 80, event: 110, strategy: 120, wallet: 150 };
const LIVE_MOST = 5;
const HANG_MS = budget({ each: 60_000, deep: 1_800_000 });

/** All scopes of an order, each by trying out. */
function figures(world: RiskWorld, about: NaiveOrder, orders = world.orders): Figures {
  const inMarket = orders.filter(({ market }) => market === about.market);
  const outcome = world.lossBy((market, own) => bruteLoss(market, own, about.outcome), inMarket);
  return { ...world.figures(about, orders, bruteLoss), outcome };
}

/** So few live orders in a market that all subsets of their fills can be tried. */
function hasRoom(world: RiskWorld, { market }: NaiveOrder): boolean {
  return world.live().filter((order) => order.market === market).length < LIVE_MOST;
}

interface Asked {
  readonly verdict: string;
  /** With the order, sent or not. */
  readonly after: Figures;
}

/** Judges one order; whatever the answer is, it is the one that trying out demands. */
function ask(world: RiskWorld, order: NaiveOrder, what: string): Asked {
  const before = figures(world, order);
  const after = figures(world, order, [...world.orders, order]);
  const { limits } = world.entry.state;
  const refused = FIGURES.find((key) => after[key] > (limits[key] ?? 0) && after[key] > before[key]);
  const verdict = world.place(order);
  if (verdict === 'sent' || verdict.code === 'OUTCOME_NOT_ACTIVE') {
    if (verdict === 'sent') expect(refused, `${what}: sent`).toBeUndefined();
    return { verdict: verdict === 'sent' ? 'sent' : verdict.code, after };
  }
  const [value, wouldBe] = refused === undefined ? [] : [before[refused] / 1e6, after[refused] / 1e6];
  expect(verdict, what).toMatchObject({ code: `LIMIT_${refused?.toUpperCase()}`, value, wouldBe });
  return { verdict: verdict.code, after };
}

function expectWithin(now: Figures, most: Figures, what: string): void {
  for (const key of FIGURES) expect(now[key], `${what}: ${key}`).toBeLessThanOrEqual(most[key]);
}

const CAPS = Object.fromEntries(FIGURES.map((key) => [key, LIMITS[key] * 1e6])) as unknown as Figures;

describe('limits on amounts', () => {
  it(
    'refuse what raises a possible loss above them, and nothing else; orders, fills and cancellations stay within',
    () => {
      const verdicts = new Map<string, number>();
      for (let seed = 1; seed <= SEEDS; seed += 1) {
        const random = Random.fromSeed(seed);
        const world = new RiskWorld(random, { limits: LIMITS });
        /** Delayed orders, and those of which nobody knows whether they exist: they count whole, and nothing happens to them yet. */
        const waiting = new Set<NaiveOrder>();
        for (let step = 0; step < 40; step += 1) {
          const what = `seed ${seed}, step ${step}`;
          const next = world.closingCandidate();
          if (hasRoom(world, next)) {
            const { verdict, after } = ask(world, next, what);
            verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
            if (verdict === 'sent' && random.chance(0.3)) waiting.add(next);
            if (verdict === 'sent') expectWithin(after, CAPS, what);
          }
          if (random.chance(0.1)) waiting.clear();
          const free = world.live().filter((order) => !waiting.has(order));
          if (random.chance(0.6)) world.exchangeActs(free);
          expectWithin(figures(world, world.candidate()), CAPS, `${what}, after a fill or a cancellation`);
          if (random.chance(0.02)) world.begin(random.below(world.markets.length));
        }
      }
      const codes = ['LIMIT_EVENT', 'LIMIT_MARKET', 'LIMIT_OUTCOME', 'LIMIT_STRATEGY', 'LIMIT_WALLET', 'sent'];
      expect([...verdicts.keys()].sort()).toEqual(codes);
    },
    HANG_MS,
  );
});

/** An order of which something is left, or that had matched something. */
type Lift = (world: RiskWorld, order: NaiveOrder, random: Random) => void;

/** All that may raise what can be lost without an order of ours. */
const LIFTS: Readonly<Record<string, Lift>> = {
  'an outcome is removed, and others are reduced': (world, { market, outcome }) => {
    const count = world.markets[market]?.facts.outcomes.length ?? 2;
    world.remove(market, (outcome + 1) % count);
    for (const other of world.orders.filter((each) => each.market === market)) {
      const { winningsMatched } = other.held;
      world.report(other, { ...other.held, winningsMatched: money(Math.floor(winningsMatched * 0.8)) });
    }
  },
  'nobody knows any more how many outcomes win': (world, { market }) => {
    world.setWinners(market, anyWinners(world.markets[market]?.facts.outcomes.length ?? 2));
  },
  'the exchange corrects a bet': (world, order, random) => {
    const times = random.chance(0.5) ? 3 : 0;
    const { stakeMatched, winningsMatched, stakeUnmatched } = order.held;
    const matched = { stakeMatched: money(stakeMatched * times), winningsMatched: money(winningsMatched * times) };
    world.report(order, { stakeUnmatched, ...matched });
  },
  'an order comes that is not ours': (world, { market }) => {
    const stray = world.candidate();
    world.adopt({ ...stray, market, outcome: 0 });
  },
  'an order that had ended is live again': (world, order) => {
    const revived: Stakes = { ...order.held, stakeUnmatched: money(order.held.stakeUnmatched + 9_000_000) };
    world.report(order, revived);
  },
  'limits are lowered': (world) => {
    const lower = Object.fromEntries(FIGURES.map((key) => [key, LIMITS[key] / 4]));
    world.entry.state.setLimits(limitsOf(lower));
  },
  'a cross match is rounded against the taker': (world, order) => {
    const { stakeUnmatched, stakeMatched, winningsMatched } = order.held;
    const winnings = profitAt(stakeUnmatched, priceOfTick(order.tick)) + (order.side === 'For' ? -4 : 4);
    const matched = {
      stakeMatched: money(stakeMatched + stakeUnmatched),
      winningsMatched: money(winningsMatched + winnings),
    };
    world.report(order, { ...NO_STAKES, ...matched });
  },
};

describe('what lifts a possible loss without us', () => {
  it.each(Object.keys(LIFTS))(
    '%s: nothing of ours raises it further',
    (name) => {
      let lifted = 0;
      let passed = 0;
      for (let seed = 1; seed <= SEEDS / 4; seed += 1) {
        const random = Random.fromSeed(1_000 + seed);
        const world = new RiskWorld(random, { limits: LIMITS });
        for (let step = 0; step < 40; step += 1) {
          const next = world.closingCandidate();
          if (hasRoom(world, next)) world.place(next);
          if (random.chance(0.4)) world.exchangeActs();
        }
        const [order] = world.live();
        if (order === undefined) continue;
        // Now the market stands at its limit exactly.
        const before = figures(world, order);
        world.entry.state.setLimits(limitsOf({ ...LIMITS, market: Math.max(1, before.market) / 1e6 }));
        LIFTS[name]?.(world, order, random);
        if (FIGURES.some((key) => figures(world, order)[key] > (world.entry.state.limits[key] ?? 0))) lifted += 1;
        for (let step = 0; step < 25; step += 1) {
          const what = `${name}, seed ${seed}, step ${step}`;
          const next = world.closingCandidate();
          if (hasRoom(world, next) && ask(world, next, what).verdict === 'sent') passed += 1;
          const about = world.candidate();
          const most = figures(world, about);
          if (random.chance(0.5)) world.exchangeActs();
          expectWithin(figures(world, about), most, `${what}, after a fill or a cancellation`);
        }
      }
      expect(lifted).toBeGreaterThan(0);
      expect(passed).toBeGreaterThan(0);
    },
    HANG_MS,
  );
});

it('is 1 for backs of 10 at 2.9 on three outcomes of which one wins, and 30 where any number may win', () => {
  const losses = [{ min: 1, max: 1 }, anyWinners(3)].map((winners) => {
    const market = { market: 0, event: 'e', outcomes: 3, winners, removed: new Set<number>() };
    const matched = { stakeUnmatched: money(0), stakeMatched: money(10_000_000), winningsMatched: money(19_000_000) };
    const backs = [0, 1, 2].map((outcome) => ({ ...order({ price: 2.9 }), outcome, held: matched }));
    const world = new ExposureBook();
    world.openMarket(market);
    for (const back of backs) world.change(back, NO_STAKES, back.held);
    expect(world.lossOfMarket(0)).toBe(bruteLoss(market, backs));
    return world.lossOfMarket(0);
  });
  expect(losses).toEqual([1_000_000, 30_000_000]);
});
