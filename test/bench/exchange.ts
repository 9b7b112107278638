/** The bench of the whole exchange: batches of orders with funds, exposure, matching, events and the books of account. */

import type { Tick } from '../../src/core/ladder.ts';
import { Random } from '../../src/core/random.ts';
import { sideOf } from '../../src/core/side.ts';
import type { Instant, Money } from '../../src/core/units.ts';
import type { Command, PlaceRequest } from '../../src/matching/command.ts';
import { Exchange } from '../../src/matching/exchange.ts';
import { claim, compared, type Figure, Stopwatch } from './figure.ts';
import { CANCEL, Flow } from './flow.ts';
import { PACKAGED_BOOK, packagedRun } from './packaged-book.ts';
import type { BenchSize } from './size.ts';

/** The most orders of one command, and the cancels that go between two of them. */
const TURNS = { adds: 50, cancels: 20 };
const WALLETS = 64;
/** Of the wallets made here: after the System wallet and the app's own Commission wallet. */
const FIRST_WALLET = 2;
/** Events are read away as a server would, so that the log does not grow with the run. */
const EVENTS_KEPT = 100_000;
const AT = 0 as Instant;

/** An operation is an order placed. Cancels are done besides, and not counted. */
export async function benchExchange(name: string, outcomes: number, size: BenchSize): Promise<Figure> {
  const flow = new Flow({ seed: 2, outcomes, operations: size.exchangeOperations, adds: TURNS, takes: 0.3 });
  const batches = commandsOf(flow, 0, flow.opening);
  const commands = commandsOf(flow, flow.opening, flow.length);
  const operations = flow.orders - flow.opening;
  const first = new Run(outcomes, batches);
  first.play(commands);
  const { events } = first;
  first.check(flow);
  const own = {
    operations,
    run() {
      const run = new Run(outcomes, batches);
      const watch = new Stopwatch();
      run.play(commands);
      const seconds = watch.seconds();
      claim(run.events === events, 'the exchange told other events than in its first run');
      run.settle();
      return seconds;
    },
  };
  const packaged = { operations, run: () => packagedRun(flow) };
  packaged.run();
  const { value, yardstick, ratio } = await compared(size.repetitions, own, packaged);
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

/** An exchange with one open market and funded wallets, its book filled by the opening orders. */
class Run {
  readonly #exchange = new Exchange();

  constructor(outcomes: number, opening: readonly Command[]) {
    this.#apply({ at: AT, kind: 'createApp' });
    for (let wallet = FIRST_WALLET; wallet < FIRST_WALLET + WALLETS; wallet += 1) {
      this.#apply({ at: AT, kind: 'createWallet', app: 1 });
      this.#apply({ at: AT, kind: 'deposit', wallet, currency: 0, amount: 1e14 as Money });
    }
    this.#apply({ at: AT, kind: 'createEvent', app: 1 });
    this.#apply({
      ...{ at: AT, kind: 'createMarket', app: 1, event: 0, currency: 0, outcomes, winners: { min: 1, max: 1 } },
      ...{ crossMatching: false, turnsInPlay: false, inPlayDelayMs: 0 },
      ...{ eventStartAction: 'None', marketLockAction: 'None' },
    });
    this.#apply({ at: AT, kind: 'publish', market: 0, published: true });
    this.#apply({ at: AT, kind: 'open', market: 0 });
    for (const command of opening) this.#apply(command);
  }

  get events(): number {
    return this.#exchange.events.total;
  }

  play(commands: readonly Command[]): void {
    const { events } = this.#exchange;
    for (const command of commands) {
      this.#exchange.apply(command);
      if (events.length > EVENTS_KEPT) events.clear();
    }
  }

  /** Every order was taken, and matched as the obvious book matched it. */
  check(flow: Flow): void {
    let matched = 0;
    let orders = 0;
    let live = 0;
    for (const order of this.#exchange.ordersOfMarket(0)) {
      orders += 1;
      matched += order.stake - order.stakeUnmatched - order.stakeVoided;
      if (order.stakeUnmatched > 0) live += 1;
    }
    claim(orders === flow.orders, `${flow.orders} orders were placed and ${orders} accepted`);
    claim(live === flow.live, `${live} orders rest, in the obvious book ${flow.live}`);
    // A match is booked to its maker and its taker.
    claim(matched === 2 * flow.matched, 'the exchange matched other than the obvious book');
    this.settle();
  }

  /** The laws of conservation, with everything open and after all is paid. */
  settle(): void {
    this.#conserved();
    this.#apply({ at: AT, kind: 'lock', market: 0 });
    this.#apply({ at: AT, kind: 'settle', market: 0, winners: [0] });
    claim(this.#exchange.market(0)?.status === 'Settled', 'the market did not settle');
    this.#conserved();
  }

  #conserved(): void {
    const broken = this.#exchange.brokenLaws();
    claim(broken.length === 0, `laws of conservation are broken: ${broken.join(' ')}`);
  }

  #apply(command: Command): void {
    this.#exchange.apply(command);
  }
}

/** Adds in a row become a batch, cancels in a row one command. Order ids count up as the flow's orders do. */
function commandsOf(flow: Flow, from: number, to: number): Command[] {
  const random = Random.fromSeed(from);
  const commands: Command[] = [];
  for (let i = from; i < to; ) {
    const kind = flow.kind[i];
    let end = i;
    while (end < to && flow.kind[end] === kind && end - i < TURNS.adds) end += 1;
    if (kind === CANCEL) commands.push({ at: AT, kind: 'cancel', app: 1, orders: [...flow.order.subarray(i, end)] });
    else {
      const requests = Array.from({ length: end - i }, (_, item) => requestOf(flow, i + item, random));
      commands.push({ at: AT, kind: 'place', app: 1, requests });
    }
    i = end;
  }
  return commands;
}

function requestOf(flow: Flow, i: number, random: Random): PlaceRequest {
  return {
    wallet: FIRST_WALLET + random.below(WALLETS),
    market: 0,
    side: sideOf(flow.side[i] ?? 0),
    outcome: flow.outcome[i] ?? 0,
    tick: flow.tick[i] as Tick,
    stake: flow.stake[i] as Money,
    keepWhenInPlay: false,
    matchBehavior: 'RetainUnmatched',
  };
}
