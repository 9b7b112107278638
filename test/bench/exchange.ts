/** The bench of the whole exchange: batches of orders with funds, exposure, matching, events and the books of account. */

import { withYardstick } from './apart.ts';
import { ExchangeRun, FlowCommands, WALLETS } from './exchange-run.ts';
import { claim, compared, type Figure, Stopwatch } from './figure.ts';
import { Flow, type FlowShape, type Turns } from './flow.ts';
import { PACKAGED_BOOK } from './packaged-book.ts';
import type { BenchSize } from './size.ts';

/** Of what the orders are: their shares, and how many go in one command. */
interface OrderMix {
  readonly adds: Turns;
  readonly takes: number;
}

/** That of the row `book`: 55 % of all operations add, of which 10 % take. */
const AS_BOOK: OrderMix = { adds: { adds: 50, cancels: 41 }, takes: 0.1 };
/** Three times as many takers, half as many cancels: 0.57 fills an order instead of 0.17. */
const TAKING: OrderMix = { adds: { adds: 50, cancels: 20 }, takes: 0.3 };

export function benchExchange(size: BenchSize): Promise<Figure> {
  return bench('exchange', 3, AS_BOOK, size);
}

export function benchExchange20(size: BenchSize): Promise<Figure> {
  return bench('exchange-20', 20, AS_BOOK, size);
}

export function benchExchangeTaking(size: BenchSize): Promise<Figure> {
  return bench('exchange-taking', 3, TAKING, size);
}

/** An operation is an order placed. Cancels are done besides, and not counted. */
async function bench(name: string, outcomes: number, mix: OrderMix, size: BenchSize): Promise<Figure> {
  const shape: FlowShape = { seed: 2, outcomes, operations: size.exchangeOperations, ...mix };
  const { flow, own } = played(shape);
  // As in the rows of replay: the engine still compiles in the fourth pass.
  for (let pass = 1; pass < size.warmPasses; pass += 1) own.run();
  const { value, yardstick, ratio } = await withYardstick(
    { kind: 'packaged', flow: shape, warmUps: size.warmPasses },
    (packaged) => compared(size.shortRepetitions, own, packaged),
  );
  const { events, operations: orders } = own;
  const cancels = flow.length - flow.orders;
  return {
    name,
    value,
    unit: 'orders/s',
    yardstick: { name: `${PACKAGED_BOOK}, matching alone`, value: yardstick },
    ratio,
    counts: { orders, cancels, fills: flow.fills, events, wallets: WALLETS, liveMax: flow.liveMax },
    data: `seeded flow, ${outcomes} outcomes, batches of ${mix.adds.adds}, ${100 * mix.takes} % take`,
  };
}

/** A flow with an exchange that played it once, and was checked order by order; it plays it anew at every run. */
function played(shape: FlowShape) {
  const flow = new Flow(shape);
  const opening = new FlowCommands(flow, { from: 0, to: flow.opening });
  const commands = new FlowCommands(flow, { from: flow.opening, to: flow.length });
  const first = new ExchangeRun(shape.outcomes, opening);
  first.play(commands);
  const { events } = first;
  first.check(flow);
  const run = (): number => {
    const again = new ExchangeRun(shape.outcomes, opening);
    const watch = new Stopwatch();
    again.play(commands);
    const seconds = watch.seconds();
    claim(again.events === events, 'the exchange told other events than in its first run');
    again.settle();
    return seconds;
  };
  return { flow, own: { operations: flow.orders - flow.opening, events, run } };
}
