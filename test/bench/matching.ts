/** What the order book and the whole exchange cost per operation: `node --import tsx test/bench/matching.ts`. */

import { priceOfTick, type Tick } from '../../src/core/ladder.ts';
import { AGAINST, FOR, type SideIndex } from '../../src/core/side.ts';
import type { Instant, Money } from '../../src/core/units.ts';
import type { Command, MarketTerms, PlaceRequest } from '../../src/matching/command.ts';
import { Exchange } from '../../src/matching/exchange.ts';
import type { FillSink } from '../../src/matching/liquidity.ts';
import { OrderBook, QueueColumns } from '../../src/matching/order-book.ts';

const OPERATIONS = 2_000_000;
const LIVE = 4096;

/** Processor time, so that a busy machine does not count. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** A small deterministic generator: the bench measures the book, not the dice. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return ((state >>> 8) * sides) >>> 24;
  };
}

/** Rests and withdraws orders in turn, with a taker now and then; each of these is one operation. */
function bookRun(operations: number): number {
  const book = new OrderBook(new QueueColumns(), 3);
  const roll = dice(1);
  const script = new Int32Array(operations);
  for (let i = 0; i < operations; i += 1) script[i] = roll(2 * 3 * 64);
  const resting = new Uint8Array(LIVE);
  // Every order rests 10,000 and a taker eats 15,000: whether a maker is gone shows in what was eaten of it so far.
  const left = new Float64Array(LIVE);
  const sink: FillSink = {
    filled(maker, stake) {
      left[maker] = (left[maker] ?? 0) - stake;
      if (left[maker] === 0) resting[maker] = 0;
    },
  };
  const order = { slot: 0, outcome: 0, side: FOR as SideIndex, tick: 0, stake: 10_000 as Money };
  const started = cpuMs();
  for (let i = 0; i < operations; i += 1) {
    const slot = i & (LIVE - 1);
    const code = script[i] ?? 0;
    order.outcome = code % 3;
    order.side = code & 1 ? AGAINST : FOR;
    if (i % 8 === 7) {
      order.tick = book.bestTick(order.outcome, order.side);
      if (order.tick >= 0) book.consume(order, 15_000 as Money, sink);
    } else if (resting[slot] === 1) {
      book.withdraw(slot);
      resting[slot] = 0;
    } else {
      order.slot = slot;
      order.tick = 100 + (code >> 3) + (order.side === FOR ? 60 : 0);
      book.rest(order);
      left[slot] = order.stake;
      resting[slot] = 1;
    }
  }
  return cpuMs() - started;
}

/** Places one order per command on both sides of three outcomes around a mid price: about two in three match. */
function exchangeRun(orders: number, batch: number): number {
  const exchange = new Exchange();
  const apply = (command: unknown): void => exchange.apply({ ...(command as object), at: 0 } as Command);
  apply({ kind: 'createApp' });
  for (let i = 0; i < 8; i += 1) {
    apply({ kind: 'createWallet', app: 1 });
    apply({ kind: 'deposit', wallet: 2 + i, currency: 0, amount: 1e14 });
  }
  apply({ kind: 'createEvent', app: 1 });
  const terms: Omit<MarketTerms, 'event'> = {
    ...{ app: 1, currency: 0, outcomes: 3, winners: { min: 1, max: 1 }, crossMatching: false, turnsInPlay: true },
    ...{ inPlayDelayMs: 0, eventStartAction: 'None', marketLockAction: 'None' },
  };
  const open = (market: number): void => {
    apply({ kind: 'createMarket', event: 0, ...terms });
    apply({ kind: 'publish', market, published: true });
    apply({ kind: 'open', market });
  };
  const roll = dice(7);
  const requests: PlaceRequest[] = [];
  for (let i = 0; i < 8192; i += 1) {
    requests.push({
      wallet: 2 + roll(8),
      market: 0,
      side: roll(2) === 0 ? 'For' : 'Against',
      outcome: roll(3),
      tick: (100 + roll(16)) as Tick,
      stake: ((1 + roll(20)) * 1_000_000) as Money,
      keepWhenInPlay: false,
      matchBehavior: 'RetainUnmatched',
    });
  }
  const batches: PlaceRequest[][] = [];
  for (let i = 0; i < requests.length; i += batch) batches.push(requests.slice(i, i + batch));
  open(0);
  const commands: Command[] = batches.map((items) => ({ at: 0 as Instant, kind: 'place', app: 1, requests: items }));
  const perMarket = 262_144;
  let market = 0;
  let placed = 0;
  let spent = 0;
  while (placed < orders) {
    const started = cpuMs();
    for (let done = 0; done < perMarket; ) {
      for (const command of commands) {
        exchange.apply(command);
        done += batch;
        if (exchange.events.length > 100_000) exchange.events.clear();
      }
    }
    spent += cpuMs() - started;
    placed += perMarket;
    apply({ kind: 'lock', market });
    apply({ kind: 'settle', market, winners: [0] });
    apply({ kind: 'forget', market });
    market += 1;
    open(market);
    for (const request of requests) (request as { market: number }).market = market;
  }
  return (spent * OPERATIONS) / placed;
}

function told(name: string, run: () => number): void {
  run();
  const best = Math.min(run(), run(), run());
  const ns = (best * 1e6) / OPERATIONS;
  console.log(`${name}: ${ns.toFixed(1)} ns each, ${(1000 / ns).toFixed(1)} M/s`);
}

console.log(`Node ${process.version}; ladder starts at ${priceOfTick(0 as Tick) / 1000}`);
told('order book, rest/withdraw/consume', () => bookRun(OPERATIONS));
told('exchange, one order a command', () => exchangeRun(1_048_576, 1));
told('exchange, 32 orders a command', () => exchangeRun(1_048_576, 32));
