/** Trades of a time become void: what is left of orders, positions and money, also beside recorded stake. */

import { expect, it } from 'vitest';
import type { Instant } from '../../src/core/number/units.ts';
import { Stage, units } from './stage.ts';

function ready(crossMatching = false) {
  const stage = new Stage();
  const [one, two] = [stage.wallet(100), stage.wallet(100)];
  const market = stage.market({ crossMatching });
  const voidFrom = (from: number, to = stage.now) =>
    stage.do({ kind: 'voidTrades', market, from: from as Instant, to: to as Instant });
  return { stage, one, two, market, voidFrom };
}

it('takes back the trades of the time alone, and gives both sides their money', () => {
  const { stage, one, two, market, voidFrom } = ready();
  const order = stage.order(market, [one, 'For', 0, 10, 3]);
  const early = stage.order(market, [two, 'Against', 0, 4, 3]);
  stage.now += 1_000;
  const late = stage.order(market, [two, 'Against', 0, 5, 3]);
  expect(stage.exposures(one, market)).toEqual([18, -9, -9]);
  const events = voidFrom(stage.now);
  const kinds = ['tradeSettled', 'orderChanged', 'tradeSettled', 'orderChanged', ...Array(4).fill('transaction')];
  expect(events.map(({ kind }) => kind)).toEqual(kinds);
  expect([order, early, late].map((each) => stage.standing(each))).toEqual([
    'PartiallyMatched 1/5',
    'Matched 0/0',
    'Voided 0/5',
  ]);
  expect([stage.exposures(one, market), stage.exposures(two, market)]).toEqual([
    [8, -4, -4],
    [-8, 4, 4],
  ]);
  const tradesOf = (each: number) => [...stage.exchange.tradesOfOrder(each)].map(({ stake }) => stake);
  expect([tradesOf(order), tradesOf(late)]).toEqual([[units(4)], []]);
  expect(voidFrom(stage.now)).toEqual([]);
  stage.settle(market, [0]);
  expect([stage.balance(one), stage.balance(two)]).toEqual([108, 92]);
  expect(stage.standing(late)).toBe('Voided 0/5');
});

it('leaves an order that rests Unmatched where nothing is matched any more, and it may be matched or cancelled again', () => {
  const { stage, one, two, market, voidFrom } = ready();
  const order = stage.order(market, [one, 'For', 0, 10, 3]);
  stage.order(market, [two, 'Against', 0, 4, 3]);
  voidFrom(stage.now);
  expect(stage.standing(order)).toBe('Unmatched 6/4');
  expect(stage.levels(market, 0)).toEqual(['For 3 6']);
  stage.now += 1;
  stage.order(market, [two, 'Against', 0, 2, 3]);
  expect(stage.standing(order)).toBe('PartiallyMatched 4/4');
  voidFrom(stage.now);
  stage.do({ kind: 'cancel', app: 1, orders: [order] });
  expect(stage.standing(order)).toBe('Cancelled 0/10 UserRequest');
  expect(stage.exchange.order(order)?.voidedMatched).toBe(units(6));
  stage.settle(market, [0]);
  expect([stage.balance(one), stage.balance(two)]).toEqual([100, 100]);
});

it('takes a cross match back whole', () => {
  const { stage, one, two, market, voidFrom } = ready(true);
  for (const outcome of [0, 1]) stage.order(market, [one, 'For', outcome, 10, 3]);
  const taker = stage.order(market, [two, 'For', 2, 10, 3]);
  expect(stage.standing(taker)).toBe('Matched 0/0');
  voidFrom(0);
  expect([stage.exposures(one, market), stage.exposures(two, market)]).toEqual([
    [0, 0, 0],
    [0, 0, 0],
  ]);
  expect([stage.standing(taker), stage.balance(one), stage.balance(two)]).toEqual(['Voided 0/10', 100, 100]);
});

it('takes back the recorded side as well', () => {
  const { stage, one, market, voidFrom } = ready();
  const order = stage.order(market, [one, 'For', 0, 10, 3]);
  stage.exchange.matchWithRecorded({ at: stage.now as Instant, order, stake: units(6) });
  expect(stage.exposures(0, market)).toEqual([-12, 6, 6]);
  voidFrom(stage.now);
  expect([stage.exposures(0, market), stage.balance(0)]).toEqual([[0, 0, 0], -200]);
  expect(stage.exchange.brokenLaws()).toEqual([]);
});

it('is refused for a time that ends before it begins, and once there is a result', () => {
  const { stage, one, two, market, voidFrom } = ready();
  stage.order(market, [one, 'For', 0, 10, 3]);
  stage.order(market, [two, 'Against', 0, 4, 3]);
  expect(voidFrom(stage.now + 1)).toMatchObject([{ kind: 'refused', reason: 'INVALID_ARGUMENT' }]);
  stage.settle(market, [0]);
  expect(voidFrom(0)).toMatchObject([{ kind: 'refused', reason: 'INVALID_MOVE' }]);
});
