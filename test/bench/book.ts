/** The bench of the order book alone: adds, takes and cancels beside a packaged book playing the same flow. */

import type { Money } from '../../src/core/number/units.ts';
import { AGAINST, crosses, FOR, oppositeIndex, type SideIndex } from '../../src/core/side.ts';
import type { FillSink } from '../../src/matching/book/liquidity.ts';
import { OrderBook, QueueColumns } from '../../src/matching/book/order-book.ts';
import { withYardstick } from './apart.ts';
import { claim, compared, type Figure, Stopwatch } from './figure.ts';
import { CANCEL, Flow } from './flow.ts';
import { PACKAGED_BOOK } from './packaged-book.ts';
import type { BenchSize } from './size.ts';

export async function benchBook(size: BenchSize): Promise<Figure> {
  const operations = size.bookOperations;
  const shape = { seed: 1, outcomes: 3, operations, adds: 0.55, takes: 0.1 };
  const flow = new Flow(shape);
  const own = { operations, run: () => ownRun(flow) };
  for (let pass = 0; pass < size.warmPasses; pass += 1) own.run();
  const { value, yardstick, ratio } = await withYardstick({ kind: 'packaged', flow: shape, warmUps: 2 }, (packaged) =>
    compared(size.repetitions, own, { operations, run: () => packaged.run() }),
  );
  const { orders, fills, liveMin, liveMax } = flow;
  return {
    name: 'book',
    value,
    unit: 'ops/s',
    yardstick: { name: PACKAGED_BOOK, value: yardstick },
    ratio,
    counts: {
      operations,
      adds: orders - flow.opening,
      cancels: operations - orders + flow.opening,
      fills,
      liveMin,
      liveMax,
    },
    data: 'seeded flow, 3 outcomes',
  };
}

/** Stands in for the exchange: counts what was reported of its orders. */
class Counter implements FillSink {
  matched = 0;
  fills = 0;

  filled(_maker: number, stake: Money): void {
    this.matched += stake;
    this.fills += 1;
  }
}

function ownRun(flow: Flow): number {
  const book = new OrderBook(new QueueColumns(), flow.outcomes);
  const counter = new Counter();
  play(flow, book, counter, 0, flow.opening);
  const watch = new Stopwatch();
  play(flow, book, counter, flow.opening, flow.length);
  const seconds = watch.seconds();
  claim(
    counter.fills === flow.fills && counter.matched === flow.matched,
    'the book matched other than the obvious book',
  );
  claim(restingStake(book, flow.outcomes) === flow.resting, 'the book holds other than the obvious book');
  return seconds;
}

function play(flow: Flow, book: OrderBook, counter: Counter, from: number, to: number): void {
  const order = { slot: 0, outcome: 0, side: FOR as SideIndex, tick: 0, stake: 0 as Money };
  const level = { outcome: 0, side: FOR as SideIndex, tick: 0 };
  for (let i = from; i < to; i += 1) {
    const slot = flow.slot[i] ?? 0;
    if (flow.kind[i] === CANCEL) {
      book.withdraw(slot);
      continue;
    }
    const side: SideIndex = flow.side[i] === FOR ? FOR : AGAINST;
    const tick = flow.tick[i] ?? 0;
    let left: number = flow.stake[i] ?? 0;
    level.outcome = flow.outcome[i] ?? 0;
    level.side = oppositeIndex(side);
    while (left > 0) {
      level.tick = book.bestTick(level.outcome, level.side);
      if (level.tick < 0 || !crosses(side, tick, level.tick)) break;
      left -= book.consume(level, left as Money, counter);
    }
    if (left === 0) continue;
    order.slot = slot;
    order.outcome = level.outcome;
    order.side = side;
    order.tick = tick;
    order.stake = left as Money;
    book.rest(order);
  }
}

function restingStake(book: OrderBook, outcomes: number): number {
  let total = 0;
  for (let outcome = 0; outcome < outcomes; outcome += 1) {
    for (const side of [FOR, AGAINST]) {
      for (let tick = book.bestTick(outcome, side); tick >= 0; tick = book.nextTick(outcome, side, tick)) {
        total += book.amountAt(outcome, side, tick);
      }
    }
  }
  return total;
}
