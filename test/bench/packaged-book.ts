/** The yardstick of book and exchange: npm's orderbook-match-engine, which matches by price and time and keeps no accounts. */

import { createRequire } from 'node:module';
import { FOR } from '../../src/core/side.ts';
import { claim, Stopwatch } from './figure.ts';
import { CANCEL, type Flow } from './flow.ts';

// A CommonJS package whose exports Node cannot name.
const { Orderbook, TRADE_SIDE } = createRequire(import.meta.url)(
  'orderbook-match-engine',
) as typeof import('orderbook-match-engine');

export const PACKAGED_BOOK = 'orderbook-match-engine 2.0.0';

/**
 * Its seconds for all of a flow but the opening: one of its books for each outcome, ticks as prices, stakes as quantities. A
 * backer sells: the highest bid is the best.
 * @throws BenchFailure where it matched other than the flow says
 */
export function packagedRun(flow: Flow): number {
  const books = Array.from({ length: flow.outcomes }, () => new Orderbook());
  play(flow, books, 0, flow.opening);
  const watch = new Stopwatch();
  const fills = play(flow, books, flow.opening, flow.length);
  const seconds = watch.seconds();
  claim(fills === flow.fills, `${PACKAGED_BOOK} matched ${fills} times, not ${flow.fills}`);
  return seconds;
}

/** How often it matched. */
function play(flow: Flow, books: readonly InstanceType<typeof Orderbook>[], from: number, to: number): number {
  let fills = 0;
  for (let i = from; i < to; i += 1) {
    const order = flow.order[i] ?? 0;
    const book = books[flow.outcome[i] ?? 0];
    if (book === undefined) continue;
    if (flow.kind[i] === CANCEL) book.cancel(order);
    else {
      const side = flow.side[i] === FOR ? TRADE_SIDE.ASK : TRADE_SIDE.BID;
      fills += book.add(order, side, (flow.tick[i] ?? 0) + 1, flow.stake[i] ?? 0).trades.length;
    }
  }
  return fills;
}
