/** The bench of the whole exchange: batches of orders with funds, exposure, matching, events and the books of account. */

import { withYardstick } from './apart.ts';
import { BareExchange } from './bare-exchange.ts';
import { EVENTS_KEPT, ExchangeRun, FlowCommands, TURNS, WALLETS } from './exchange-run.ts';
import { claim, compared, type Figure, type Measured, Stopwatch } from './figure.ts';
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
const TAKING: OrderMix = { adds: TURNS, takes: 0.3 };

export function benchExchange(size: BenchSize): Promise<Figure> {
  return bench('exchange', 3, AS_BOOK, size);
}

export function benchExchange20(size: BenchSize): Promise<Figure> {
  return bench('exchange-20', 20, AS_BOOK, size);
}

export function benchExchangeTaking(size: BenchSize): Promise<Figure> {
  return bench('exchange-taking', 3, TAKING, size);
}

/** The bound of `exchange`: the same commands to the least that keeps accounts, which could not be traded on. */
export function benchExchangeBare(size: BenchSize): Promise<Figure> {
  return bench('exchange-bare', 3, AS_BOOK, size, playedBare);
}

/** An operation is an order placed. Cancels are done besides, and not counted. */
async function bench(
  name: string,
  outcomes: number,
  mix: OrderMix,
  size: BenchSize,
  play: (shape: FlowShape) => Played = played,
): Promise<Figure> {
  const shape: FlowShape = { seed: 2, outcomes, operations: size.exchangeOperations, ...mix };
  const { flow, own } = play(shape);
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

interface Played {
  readonly flow: Flow;
  readonly own: Measured & { readonly events: number };
}

/** A flow with an exchange that played it once, and was checked order by order; it plays it anew at every run. */
function played(shape: FlowShape): Played {
  const { flow, opening, commands } = commandsOf(shape);
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

function playedBare(shape: FlowShape): Played {
  const { flow, opening, commands } = commandsOf(shape);
  let events = 0;
  const run = (): number => {
    const exchange = new BareExchange(shape.outcomes);
    for (const command of opening) exchange.apply(command);
    const watch = new Stopwatch();
    for (const command of commands) {
      exchange.apply(command);
      if (exchange.events.length > EVENTS_KEPT) exchange.events.clear();
    }
    const seconds = watch.seconds();
    claim(exchange.fills === flow.fills && exchange.matched === flow.matched, 'the bare exchange matched otherwise');
    claim(exchange.isConserved(), 'the bare exchange lost money or made some');
    events = exchange.events.total;
    return seconds;
  };
  run();
  return { flow, own: { operations: flow.orders - flow.opening, events, run } };
}

function commandsOf(shape: FlowShape): { flow: Flow; opening: FlowCommands; commands: FlowCommands } {
  const flow = new Flow(shape);
  return {
    flow,
    opening: new FlowCommands(flow, { from: 0, to: flow.opening }),
    commands: new FlowCommands(flow, { from: flow.opening, to: flow.length }),
  };
}
