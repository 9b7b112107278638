/** The bench of the whole exchange: batches of orders with funds, exposure, matching, events and the books of account. */

import { ExchangeRun, FlowCommands, TURNS, WALLETS } from './exchange-run.ts';
import { claim, compared, type Figure, Stopwatch } from './figure.ts';
import { Flow } from './flow.ts';
import { PACKAGED_BOOK, packagedRun } from './packaged-book.ts';
import type { BenchSize } from './size.ts';

/** An operation is an order placed. Cancels are done besides, and not counted. */
export async function benchExchange(name: string, outcomes: number, size: BenchSize): Promise<Figure> {
  const flow = new Flow({ seed: 2, outcomes, operations: size.exchangeOperations, adds: TURNS, takes: 0.3 });
  const opening = new FlowCommands(flow, { from: 0, to: flow.opening });
  const commands = new FlowCommands(flow, { from: flow.opening, to: flow.length });
  const operations = flow.orders - flow.opening;
  const first = new ExchangeRun(outcomes, opening);
  first.play(commands);
  const { events } = first;
  first.check(flow);
  const own = {
    operations,
    run() {
      const run = new ExchangeRun(outcomes, opening);
      const watch = new Stopwatch();
      run.play(commands);
      const seconds = watch.seconds();
      claim(run.events === events, 'the exchange told other events than in its first run');
      run.settle();
      return seconds;
    },
  };
  const packaged = { operations, run: () => packagedRun(flow) };
  // As in the rows of replay: the engine still compiles in the fourth pass.
  for (let pass = 1; pass < size.warmPasses; pass += 1) own.run();
  for (let pass = 0; pass < size.warmPasses; pass += 1) packaged.run();
  const { value, yardstick, ratio } = await compared(size.shortRepetitions, own, packaged);
  const cancels = flow.length - flow.orders;
  return {
    name,
    value,
    unit: 'orders/s',
    yardstick: { name: `${PACKAGED_BOOK}, matching alone`, value: yardstick },
    ratio,
    counts: { orders: operations, cancels, fills: flow.fills, events, wallets: WALLETS, liveMax: flow.liveMax },
    data: `seeded flow, ${outcomes} outcomes, batches of ${TURNS.adds}`,
  };
}
