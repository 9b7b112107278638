/** What the world keeps of users' orders when their market is cleared away, and the commission of a market's base rate. */

import { expect, test } from 'vitest';
import { tick, tickOfDecimal } from '../../../src/core/number/ladder.ts';
import { instant, MONEY_SCALE, type Money, money, moneyToDecimal } from '../../../src/core/number/units.ts';
import type { PlaceRequest } from '../../../src/matching/messages/command.ts';
import { closeFinished } from '../../../src/sandbox/traffic/market-maker.ts';
import type { Change, MachineCommand } from '../../../src/sandbox/world/change.ts';
import { World, type WorldOptions } from '../../../src/sandbox/world/world.ts';
import { BETFAIR_WORLD, marketRate } from '../../../src/sandbox-betfair/state/betfair-world.ts';
import { contextOf, START } from './made-context.ts';

type Draft = Change extends infer C ? (C extends Change ? Omit<C, 'at'> : never) : never;

const units = (count: number): Money => money(Math.round(count * MONEY_SCALE));

/** Users 1 (wallet 2) and 2 (wallet 4) with money, and a house app 3 (wallet 6) that makes and lays markets. */
function stage(options: WorldOptions = { clearedOrdersMax: 100 }) {
  const world = new World({ rules: BETFAIR_WORLD.rules, ...options });
  const context = contextOf(world);
  const apply = (change: Draft) => {
    const changed = context.apply({ at: context.now(), ...change } as Change);
    if (changed.kind === 'refused') throw new Error(JSON.stringify(changed.refusal));
    return changed;
  };
  const command = (wanted: MachineCommand) => apply({ kind: 'command', command: wanted });
  apply({ kind: 'createCurrency', id: 'GBP' });
  for (const id of ['one', 'two', 'house']) {
    apply({ kind: 'createApp', id, name: id, ...(id === 'house' ? { isHouse: true } : {}) });
    const app = world.registry.apps.length - 1;
    apply({ kind: 'createWallet', app });
    command({ kind: 'deposit', wallet: app * 2, currency: 0, amount: units(10_000) });
  }
  apply({ kind: 'createCategory', id: 'C', name: 'C' });
  apply({ kind: 'createSubcategory', id: 'S', name: 'S', categoryId: 'C' });
  apply({ kind: 'createEventGroup', id: 'G', name: 'G', subcategoryId: 'S' });
  apply({ kind: 'createMarketType', id: 'WIN', outcomes: { min: 3, max: 3 }, winners: { min: 1, max: 1 } });
  const event = { name: 'Race', code: 'race', expectedStartTime: START, participantIds: [] };
  apply({ kind: 'createEvent', app: 3, eventGroupId: 'G', ...event });
  let markets = 0;
  const market = () => {
    apply({
      kind: 'createMarket',
      app: 3,
      event: 0,
      name: `M${markets}`,
      marketTypeId: 'WIN',
      currencyId: 'GBP',
      winners: { min: 1, max: 1 },
      outcomes: [{ title: '1' }, { title: '2' }, { title: '3' }],
      crossMatching: false,
      turnsInPlay: true,
      inPlayDelayMs: 0,
      lockAt: instant(START + 9e6),
      eventStartAction: 'CancelUnmatchedLiquidity',
      marketLockAction: 'None',
    });
    command({ kind: 'publish', market: markets, published: true });
    command({ kind: 'open', market: markets });
    markets += 1;
    return markets - 1;
  };
  const place = (app: number, at: number, bet: Bet, more: Partial<PlaceRequest> = {}) => {
    const [side, outcome, stake, price] = bet;
    const terms = { keepWhenInPlay: false, matchBehavior: 'RetainUnmatched' } as const;
    const on = { wallet: app * 2, market: at, side, outcome, tick: tickOfDecimal(price) ?? tick(0) };
    command({ kind: 'place', app, requests: [{ ...on, stake: units(stake), ...terms, ...more }] });
  };
  const end = (at: number, winner: number) => {
    command({ kind: 'lock', market: at });
    command({ kind: 'settle', market: at, winners: [winner] });
    closeFinished(context, at);
  };
  return { world, context, command, market, place, end };
}

type Bet = readonly [PlaceRequest['side'], number, number, number];

test('keeps what two users did in a market, and nothing of the house’s orders', () => {
  const { world, command, market, place, end } = stage();
  const at = market();
  place(3, at, ['Against', 0, 10, 3]);
  place(3, at, ['Against', 0, 10, 2.8]);
  place(1, at, ['For', 0, 15, 2.8], { reference: 'strategy|order|1' });
  place(1, at, ['For', 1, 4, 5]);
  place(2, at, ['For', 2, 7, 4]);
  command({ kind: 'reduce', app: 1, order: 3, stake: units(1) });
  command({ kind: 'setInPlay', market: at, inPlay: true });
  const there = world.cleared?.ofWallet(2);
  expect(there?.map(({ orders }) => orders.map(({ order }) => order.status))).toEqual([['Matched', 'Cancelled']]);
  end(at, 0);
  expect(world.exchange.market(at)).toBeUndefined();
  const [kept, ...more] = world.cleared?.ofWallet(2) ?? [];
  expect(more).toEqual([]);
  expect(kept).toMatchObject({
    wallet: 2,
    market: { name: 'M0', outcomes: [{ title: '1' }, { title: '2' }, { title: '3' }] },
    event: { name: 'Race' },
    view: { status: 'Closed', winners: [0], settledAt: START },
    orders: [
      { order: { status: 'Won', reference: 'strategy|order|1' }, stakeMatched: units(15), isReduced: false },
      { order: { status: 'Cancelled', reason: 'MarketInPlay', stakeVoided: units(4) }, stakeMatched: 0, profit: 0 },
    ],
  });
  const [won] = kept?.orders ?? [];
  expect(won?.averagePrice).toBeCloseTo((10 * 3000 + 5 * 2800) / 15, 9);
  expect(won?.profit).toBe(units(10 * 2 + 5 * 1.8));
  expect(won?.lastMatchedAt).toBe(START);
  expect(world.cleared?.ofWallet(4).map(({ orders }) => orders.length)).toEqual([1]);
  expect(world.cleared?.ofWallet(6)).toEqual([]);
});

test('says of which bets a removal changed the price', () => {
  const { world, command, market, place, end } = stage();
  const at = market();
  for (const outcome of [0, 1]) {
    place(3, at, ['Against', outcome, 10, 3]);
    place(1, at, ['For', outcome, 10, 3]);
  }
  command({ kind: 'removeOutcome', market: at, outcome: 1, factorPpm: 200_000, basis: 'win' });
  end(at, 0);
  const [kept] = world.cleared?.ofWallet(2) ?? [];
  expect(kept?.orders.map(({ order, isReduced, averagePrice }) => [order.status, isReduced, averagePrice])).toEqual([
    ['Won', true, 2400],
    ['Voided', false, 3000],
  ]);
});

test('drops the oldest markets where too much would be kept, and counts their orders', () => {
  const { world, market, place, end } = stage({ clearedOrdersMax: 3 });
  for (let count = 0; count < 3; count += 1) {
    const at = market();
    place(3, at, ['Against', 0, 10, 3]);
    place(1, at, ['For', 0, 5, 3]);
    place(1, at, ['For', 0, 5, 3]);
    end(at, 0);
  }
  expect(world.cleared?.ofWallet(2).map(({ market: { name } }) => name)).toEqual(['M2']);
  expect(world.cleared?.dropped).toBe(4);
});

test('a world that keeps nothing does not clear a market away in which a user had orders', () => {
  const { world, market, place, end } = stage({});
  const [used, unused] = [market(), market()];
  place(1, used, ['For', 0, 5, 3]);
  place(3, unused, ['For', 0, 5, 3]);
  end(used, 0);
  end(unused, 0);
  expect([used, unused].map((at) => world.exchange.market(at)?.status)).toEqual(['Closed', undefined]);
});

test('commission is the base rate less the discount on the net winnings of the market', () => {
  const { world, context, market, place, end } = stage();
  const at = market();
  const bet = (app: number, discountPpm: number) => ({
    commissionRate: marketRate(context, { app, basePpm: 50_000, discountPpm }),
  });
  place(3, at, ['Against', 0, 100, 3]);
  place(3, at, ['Against', 1, 20, 2]);
  place(1, at, ['For', 0, 10, 3], bet(1, 200_000));
  place(1, at, ['For', 1, 4, 2], bet(1, 200_000));
  place(2, at, ['For', 0, 10, 3], bet(2, 0));
  expect(world.registry.rates.map(({ app, ratePpm }) => [app, ratePpm])).toEqual([
    [1, 40_000],
    [2, 50_000],
  ]);
  end(at, 0);
  const commissions = [2, 4].map((wallet) => world.cleared?.ofWallet(wallet)[0]?.commission ?? money(-1));
  expect(commissions.map(moneyToDecimal)).toEqual([(20 - 4) * 0.04, 20 * 0.05]);
  expect(moneyToDecimal(world.exchange.account(2, 0)?.balance ?? money(0))).toBe(10_000 + 16 * 0.96);
});
