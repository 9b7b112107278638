/** Under thousands of random operations the exposure book equals the slow recomputation from all orders. */

import { describe, expect, it } from 'vitest';
import { TICK_COUNT, tick } from '../../src/core/number/ladder.ts';
import { Random } from '../../src/core/number/random.ts';
import { money } from '../../src/core/number/units.ts';
import { sideOf } from '../../src/core/side.ts';
import { ExposureBook, NO_STAKES, type Stakes } from '../../src/risk/exposure/exposure-book.ts';
import {
  type NaiveMarket,
  type NaiveOrder,
  naiveMatchedLoss,
  naiveOutcomeLoss,
  naivePossibleLoss,
  naiveProfitIfWins,
  naiveRequired,
} from '../support/naive-exposure.ts';
import { lossInEventOf, lossInMarket, outcomeLoss } from '../support/risk/held-losses.ts';
import { lossesOf } from './desk.ts';

const STRATEGIES = 3;
const WALLETS = 2;
const EVENTS = ['e0', 'e1', 'e2'];
const OPERATIONS = 2_500;

/** The book under test beside the list of all that was done to it. */
class World {
  readonly book = new ExposureBook();
  readonly markets: NaiveMarket[] = [];
  readonly random: Random;
  orders: NaiveOrder[] = [];
  #nextMarket = 0;

  constructor(seed: number) {
    this.random = Random.fromSeed(seed);
  }

  step(): void {
    const dice = this.random.below(100);
    if (this.markets.length === 0 || (dice < 4 && this.markets.length < 12)) return this.open();
    if (dice < 7) return this.close();
    if (dice < 9) return this.removeOutcome();
    if (dice < 10) return this.changeWinners();
    if (this.orders.length === 0 || dice < 45) return this.reserve();
    return this.changeOrder();
  }

  open(): void {
    const outcomes = 2 + this.random.below(6);
    const market = this.#nextMarket;
    this.#nextMarket += 1;
    const event = EVENTS[this.random.below(EVENTS.length)] ?? '';
    const facts = { market, event, outcomes, winners: this.#winners(outcomes) };
    this.book.openMarket(facts);
    this.markets.push({ ...facts, removed: new Set() });
  }

  close(): void {
    const [market] = this.markets.splice(this.random.below(this.markets.length), 1);
    if (market === undefined) return;
    this.book.closeMarket(market.market);
    this.orders = this.orders.filter((order) => order.market !== market.market);
  }

  removeOutcome(): void {
    const market = this.#anyMarket();
    const outcome = this.random.below(market.outcomes);
    market.removed.add(outcome);
    this.book.removeOutcome(market.market, outcome);
  }

  changeWinners(): void {
    const market = this.#anyMarket();
    market.winners = this.#winners(market.outcomes);
    this.book.setWinners(market.market, market.winners);
  }

  reserve(): void {
    const { market, outcomes } = this.#anyMarket();
    const stake = money(1_000 * (1 + this.random.below(100_000)));
    const order: NaiveOrder = {
      market,
      strategy: this.random.below(STRATEGIES),
      wallet: this.random.below(WALLETS),
      outcome: this.random.below(outcomes),
      side: sideOf(this.random.below(2)),
      tick: tick(this.random.below(TICK_COUNT)),
      held: { ...NO_STAKES, stakeUnmatched: stake },
    };
    const predicted = lossesOf(this.book, { ...order, stake }, 'after');
    this.book.reserve(order, stake);
    expect(lossesOf(this.book, { ...order, stake }, 'before')).toEqual(predicted);
    this.orders.push(order);
  }

  /** A part matches at any price, all is released, or all is voided. */
  changeOrder(): void {
    const order = this.orders[this.random.below(this.orders.length)];
    if (order === undefined) return;
    const dice = this.random.below(10);
    if (dice < 2) {
      const released = { ...order.held, stakeUnmatched: money(0) };
      this.book.change(order, order.held, released);
      order.held = released;
      return;
    }
    const to: Stakes = dice < 3 ? NO_STAKES : this.#matchPart(order.held);
    this.book.change(order, order.held, to);
    order.held = to;
  }

  check(): void {
    for (const market of this.markets) this.#checkMarket(market);
    for (let strategy = 0; strategy < STRATEGIES; strategy += 1) {
      const own = this.orders.filter((order) => order.strategy === strategy);
      expect(this.book.lossOfStrategy(strategy)).toBe(this.#sumOver(this.markets, own, naivePossibleLoss));
    }
    for (let wallet = 0; wallet < WALLETS; wallet += 1) {
      const own = this.orders.filter((order) => order.wallet === wallet);
      expect(this.book.lossOfWallet(wallet)).toBe(this.#sumOver(this.markets, own, naivePossibleLoss));
      expect(this.book.requiredOfWallet(wallet)).toBe(this.#sumOver(this.markets, own, naiveRequired));
      expect(this.book.matchedOfWallet(wallet)).toBe(this.#sumOver(this.markets, own, naiveMatchedLoss));
    }
    for (const event of EVENTS) {
      const markets = this.markets.filter((market) => market.event === event);
      const [first] = markets;
      if (first === undefined) continue;
      expect(lossInEventOf(this.book, first.market)).toBe(this.#sumOver(markets, this.orders, naivePossibleLoss));
    }
  }

  #checkMarket(market: NaiveMarket): void {
    const orders = this.orders.filter((order) => order.market === market.market);
    expect(lossInMarket(this.book, market.market)).toBe(naivePossibleLoss(market, orders));
    for (let outcome = 0; outcome < market.outcomes; outcome += 1) {
      expect(outcomeLoss(this.book, market.market, outcome)).toBe(naiveOutcomeLoss(orders, outcome));
    }
    for (let strategy = 0; strategy < STRATEGIES; strategy += 1) {
      const own = orders.filter((order) => order.strategy === strategy);
      const at = { market: market.market, strategy };
      expect(this.book.worstLoss(at.market, strategy)).toBe(naivePossibleLoss(market, own));
      const holds = own.some(({ held }) => held.stakeUnmatched !== 0 || held.stakeMatched !== 0);
      expect(this.book.isFlat(at.market, strategy)).toBe(!holds);
      for (let outcome = 0; outcome < market.outcomes; outcome += 1) {
        expect(this.book.profitIfWins({ ...at, outcome })).toBe(naiveProfitIfWins(own, outcome));
      }
    }
  }

  #sumOver(
    markets: readonly NaiveMarket[],
    orders: readonly NaiveOrder[],
    figure: (market: NaiveMarket, orders: readonly NaiveOrder[]) => number,
  ): number {
    const inMarket = ({ market }: NaiveMarket): NaiveOrder[] => orders.filter((order) => order.market === market);
    return markets.reduce((sum, market) => sum + figure(market, inMarket(market)), 0);
  }

  #matchPart(held: Stakes): Stakes {
    const piece = held.stakeUnmatched === 0 ? 0 : 1 + this.random.below(held.stakeUnmatched);
    const winnings = Math.floor((piece * (1 + this.random.below(20_000))) / 1_000);
    return {
      stakeUnmatched: money(held.stakeUnmatched - piece),
      stakeMatched: money(held.stakeMatched + piece),
      winningsMatched: money(held.winningsMatched + winnings),
    };
  }

  #winners(outcomes: number): { min: number; max: number } {
    if (this.random.chance(0.5)) return { min: 1, max: 1 };
    const min = this.random.below(outcomes + 1);
    return { min, max: Math.min(outcomes, Math.max(1, min + this.random.below(2))) };
  }

  #anyMarket(): NaiveMarket {
    const market = this.markets[this.random.below(this.markets.length)];
    if (market === undefined) throw new Error('no market is open');
    return market;
  }
}

describe('the exposure book', () => {
  it.each([1, 2, 3, 4])('equals the recomputation from all orders, and ends at zero (seed %i)', (seed) => {
    const world = new World(seed);
    for (let step = 0; step < OPERATIONS; step += 1) {
      world.step();
      if (step % 10 === 0 || step > OPERATIONS - 5) world.check();
    }
    expect(world.orders.length).toBeGreaterThan(20);
    while (world.orders.length > 0) {
      const order = world.orders.pop();
      if (order !== undefined) world.book.change(order, order.held, NO_STAKES);
    }
    for (const { market } of world.markets) {
      expect(lossInMarket(world.book, market)).toBe(0);
      for (let strategy = 0; strategy < STRATEGIES; strategy += 1) {
        expect(world.book.isFlat(market, strategy)).toBe(true);
      }
    }
    while (world.markets.length > 0) world.close();
    expect(world.book.isZero()).toBe(true);
    expect(world.book.slotsInUse).toBe(0);
  });

  it('needs no more cells for a thousand markets one after another than for the widest of them', () => {
    const world = new World(5);
    let most = 0;
    for (let i = 0; i < 1_000; i += 1) {
      world.open();
      for (let orders = 0; orders < 10; orders += 1) world.reserve();
      most = Math.max(most, world.book.slotsInUse);
      world.close();
    }
    const positionsMost = 1 + STRATEGIES + WALLETS;
    expect(most).toBeLessThanOrEqual(positionsMost * 8);
    expect(world.book.slotsMade).toBeLessThanOrEqual(positionsMost * (2 + 4 + 8));
    expect(world.book.isZero()).toBe(true);
  });
});
