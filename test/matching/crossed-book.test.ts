/** A book never shows crossed: dust of rounded fills stays where it is, and is neither shown nor matched. */

import { describe, expect, it } from 'vitest';
import { TICK_COUNT, type Tick, tickOfDecimal } from '../../src/core/number/ladder.ts';
import { type Instant, money } from '../../src/core/number/units.ts';
import { Exchange } from '../../src/matching/exchange.ts';
import { budget } from '../support/budget.ts';
import { Random } from '../support/random.ts';
import { CURRENCY, Stage } from './stage.ts';

const SEEDS = budget({ each: 200, deep: 2000 });
const ORDERS = 60;

describe('dust', () => {
  /** Cross matches leave less than a thousandth of an Against order at 2.9, where For stake is offered at 1.69. */
  function dusty() {
    const stage = new Stage();
    const [maker, taker] = [stage.wallet(10_000), stage.wallet(10_000)] as const;
    const market = stage.market({ crossMatching: true });
    const dust: number[] = [];
    stage.order(market, [maker, 'Against', 1, 5, 2.8]);
    dust.push(stage.order(market, [maker, 'Against', 2, 5, 2.9]));
    stage.order(market, [taker, 'Against', 0, 5, 20]);
    stage.order(market, [maker, 'Against', 1, 5, 2.8]);
    dust.push(stage.order(market, [maker, 'Against', 2, 5, 2.9]));
    return { stage, taker, market, dust };
  }

  it('keeps its place and its funds, and is not shown beside the price that it would cross', () => {
    const { stage, market, dust } = dusty();
    expect(dust.map((order) => stage.standing(order))).toEqual(['PartiallyMatched 0.000436/0', 'Matched 0/0']);
    expect(stage.levels(market, 2, true)).toEqual(['For 1.69 2.797']);
    expect(stage.levels(market, 2)).toEqual([]);
  });

  it('is not matched by a taker at its price, who rests there', () => {
    const { stage, taker, market, dust } = dusty();
    const order = stage.order(market, [taker, 'For', 2, 5, 2.9]);
    expect(stage.standing(order)).toBe('Unmatched 5/0');
    expect(stage.standing(dust[0] ?? -1)).toBe('PartiallyMatched 0.000436/0');
  });

  it('comes back in its place when more stake rests at its level, and goes back to its owner when it is cancelled', () => {
    const stage = new Stage();
    const [maker, taker] = [stage.wallet(100), stage.wallet(100)] as const;
    const market = stage.market({ crossMatching: true });
    stage.order(market, [maker, 'For', 0, 0.008, 2.7]);
    stage.order(market, [maker, 'For', 1, 0.009, 3]);
    stage.order(market, [taker, 'For', 2, 0.005, 3.3]);
    const first = stage.order(market, [taker, 'Against', 0, 0.002, 2.7]);
    expect(stage.standing(first)).toBe('PartiallyMatched 0.00025/0');
    expect(stage.levels(market, 0)).toEqual([]);
    const second = stage.order(market, [taker, 'Against', 0, 0.001, 2.7]);
    expect(stage.levels(market, 0)).toEqual(['Against 2.7 0.00125']);
    stage.order(market, [maker, 'For', 0, 0.001, 2.7]);
    expect([first, second].map((order) => stage.standing(order))).toEqual([
      'Matched 0/0',
      'PartiallyMatched 0.00025/0',
    ]);
    const held = stage.available(taker);
    stage.do({ kind: 'cancel', app: stage.app, orders: [second] });
    expect(stage.available(taker)).toBeGreaterThan(held);
  });
});

it(`${SEEDS} × ${ORDERS} looks at markets that cross match: none is crossed`, () => {
  let [looks, hidden] = [0, 0];
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const random = new Random(seed);
    const market = new CoherentMarket(random);
    for (let order = 0; order < ORDERS; order += 1) {
      // A removal makes orders cross that did not before.
      if (order === 45 && market.outcomes > 2) market.remove(random.between(0, market.outcomes - 1));
      market.place(random);
      expect(market.crossed(), `seed ${seed}, order ${order}`).toEqual([]);
      looks += 1;
      hidden += market.hidesDust() ? 1 : 0;
    }
  }
  expect(hidden).toBeGreaterThan(looks / 20);
});

/** A market of random chances whose participants order close to them, with stakes of all thousandths. */
class CoherentMarket {
  readonly outcomes: number;
  readonly #exchange = new Exchange();
  readonly #middle: readonly number[];

  constructor(random: Random) {
    this.outcomes = random.between(2, 5);
    const weights = Array.from({ length: this.outcomes }, () => random.between(1, 100));
    const sum = weights.reduce((all, weight) => all + weight, 0);
    this.#middle = weights.map((weight) => nearestTick(sum / weight));
    const at = 0 as Instant;
    const exchange = this.#exchange;
    exchange.apply({ kind: 'createApp', at });
    exchange.apply({ kind: 'createWallet', at, app: 1 });
    exchange.apply({ kind: 'deposit', at, wallet: WALLET, currency: CURRENCY, amount: money(1e15) });
    exchange.apply({ kind: 'createEvent', at, app: 1 });
    exchange.apply({
      kind: 'createMarket',
      at,
      app: 1,
      event: 0,
      currency: CURRENCY,
      outcomes: this.outcomes,
      winners: { min: 1, max: 1 },
      crossMatching: true,
      turnsInPlay: true,
      inPlayDelayMs: 0,
      eventStartAction: 'None',
      marketLockAction: 'None',
    });
    exchange.apply({ kind: 'publish', at, market: 0, published: true });
    exchange.apply({ kind: 'open', at, market: 0 });
  }

  place(random: Random): void {
    const outcome = random.between(0, this.outcomes - 1);
    const tick = (this.#middle[outcome] ?? 0) + random.between(-8, 8);
    const request = {
      wallet: WALLET,
      market: 0,
      side: random.pick(['For', 'Against'] as const),
      outcome,
      tick: Math.min(TICK_COUNT - 1, Math.max(0, tick)) as Tick,
      stake: money(random.between(1, 20_000) * 1000),
      keepWhenInPlay: false,
      matchBehavior: 'RetainUnmatched',
    } as const;
    this.#exchange.apply({ kind: 'place', at: 0 as Instant, app: 1, requests: [request] });
  }

  remove(outcome: number): void {
    this.#exchange.apply({ kind: 'removeOutcome', at: 0 as Instant, market: 0, outcome, factorPpm: 0, basis: 'win' });
  }

  /** The outcomes whose best levels cross. */
  crossed(): readonly string[] {
    const shown = this.#exchange.prices(0, { cross: true });
    return Array.from({ length: this.outcomes }, (_, outcome) => outcome).flatMap((outcome) => {
      const [lowestFor, highestAgainst] = (['For', 'Against'] as const).map((side) =>
        shown.find((level) => level.outcome === outcome && level.side === side),
      );
      if (lowestFor === undefined || highestAgainst === undefined || highestAgainst.tick < lowestFor.tick) return [];
      return [`outcome ${outcome}: For ${lowestFor.price}, Against ${highestAgainst.price}`];
    });
  }

  hidesDust(): boolean {
    return [...this.#exchange.ordersOfMarket(0)].some(
      ({ stakeUnmatched }) => stakeUnmatched > 0 && stakeUnmatched < 1000,
    );
  }
}

const WALLET = 2;

function nearestTick(decimal: number): number {
  let thousandths = Math.round(Math.min(900, Math.max(1.05, decimal)) * 1000);
  for (;;) {
    const tick = tickOfDecimal(thousandths / 1000);
    if (tick !== undefined) return tick;
    thousandths += 1;
  }
}
