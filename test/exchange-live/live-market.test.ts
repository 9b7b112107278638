/** What a live market shows of its outcomes and of the smallest order, as far as its exchange tells of them. */

import { expect, test } from 'vitest';
import { instant, money, price } from '../../src/core/number/units.ts';
import { LiveMarket } from '../../src/exchange-live/markets/live-market.ts';
import type { MarketDefinition } from '../../src/exchange-live/markets/market-definition.ts';
import { MarketPrices } from '../../src/exchange-live/markets/market-prices.ts';
import { OwnStakes } from '../../src/exchange-live/markets/own-stakes.ts';

const OUTCOMES = ['a', 'b'];
const DEFINITION: MarketDefinition = {
  facts: {
    ...{ id: 'm', name: 'A market', eventId: 'e', eventName: 'An event', marketTypeId: 'WIN' },
    outcomes: OUTCOMES.map((id, ordering) => ({ id, title: id, ordering })),
  },
  ...{ winners: { min: 1, max: 1 }, eventStartAction: 'None' },
  condition: {
    ...{ status: 'Open', inPlayStatus: 'PrePlay', published: true, suspended: false, inPlayDelayMs: 0 },
    ...{ lockAt: undefined, crossMatching: false, winnerIds: [], settledAt: undefined, modifiedAt: undefined },
  },
};

function market(change: Partial<MarketDefinition> = {}): LiveMarket {
  const prices = new MarketPrices(OUTCOMES);
  const parts = { index: 0, prices, own: new OwnStakes(), at: instant(0), mayClose: true };
  return new LiveMarket({ ...parts, definition: { ...DEFINITION, ...change } });
}

const statuses = (of: LiveMarket) => [0, 1, 2].map((outcome) => of.outcomeStatus(outcome));

test('an outcome that is withdrawn is removed, and that is news', () => {
  const live = market({ condition: { ...DEFINITION.condition, outcomes: ['Active', 'Active'] } });
  expect(statuses(live)).toEqual(['Active', 'Active', 'Hidden']);
  expect(live.change({ outcomes: ['Active', 'Removed'] })).toBe(true);
  expect(live.change({ outcomes: ['Active', 'Removed'] })).toBe(false);
  expect(statuses(live)).toEqual(['Active', 'Removed', 'Hidden']);
  live.change({ status: 'Settled', winnerIds: ['a'], outcomes: ['Winner', 'Removed'] });
  expect(statuses(live)).toEqual(['Winner', 'Removed', 'Hidden']);
});

test('an exchange that does not tell of non-runners has them in the market until its result', () => {
  const live = market();
  expect(statuses(live)).toEqual(['Active', 'Active', 'Hidden']);
  live.change({ status: 'Settled', winnerIds: ['a'] });
  expect(statuses(live)).toEqual(['Winner', 'Loser', 'Hidden']);
});

test('the smallest order is the one that its definition names, and none where it names none', () => {
  const minimumStake = { stake: money(1_000_000), payout: money(10_000_000), step: money(10_000) };
  expect(market({ minimumStake }).minimumStake).toEqual(minimumStake);
  expect(market().minimumStake).toBeUndefined();
});

test('last and starting prices are those that the exchange told, of each outcome and kind its own', () => {
  const live = market();
  expect([live.lastPrice(0), live.startingPrice(0, 'near')]).toEqual([undefined, undefined]);
  live.prices.setLastPrice(0, price(2_500));
  live.prices.setLastPrice(0, price(2_520));
  live.prices.setStartingPrice(1, 'near', price(3_217));
  live.prices.setStartingPrice(1, 'actual', price(3_250));
  expect([0, 1].map((outcome) => live.lastPrice(outcome))).toEqual([2_520, undefined]);
  expect((['near', 'far', 'actual'] as const).map((kind) => live.startingPrice(1, kind))).toEqual([
    3_217,
    undefined,
    3_250,
  ]);
  expect(live.startingPrice(0, 'actual')).toBeUndefined();
});
