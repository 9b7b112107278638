/** A flow of orders played on an exchange: its commands, and the market and wallets they need. */

import type { Tick } from '../../src/core/ladder.ts';
import { Random } from '../../src/core/random.ts';
import { sideOf } from '../../src/core/side.ts';
import type { Instant, Money } from '../../src/core/units.ts';
import type { Command, PlaceRequest } from '../../src/matching/command.ts';
import { Exchange } from '../../src/matching/exchange.ts';
import { claim } from './figure.ts';
import { CANCEL, type Flow } from './flow.ts';

/** The most orders of one command, and the cancels that go between two of them. */
export const TURNS = { adds: 50, cancels: 20 };
export const WALLETS = 64;
/** Of the wallets made here: after the System wallet and the app's own Commission wallet. */
const FIRST_WALLET = 2;
/** Events are read away as a server would, so that the log does not grow with the run. */
const EVENTS_KEPT = 100_000;
const AT = 0 as Instant;

/** Some operations of a flow. */
export interface FlowPart {
  readonly from: number;
  readonly to: number;
  /** The market they go to, the first where absent. */
  readonly market?: number;
  /** Orders placed on the exchange before the flow. */
  readonly firstOrder?: number;
}

/** An exchange with funded wallets and one open market at a time, its book filled by the opening orders. */
export class ExchangeRun {
  readonly #exchange = new Exchange();
  #market = -1;

  constructor(outcomes: number, opening: readonly Command[]) {
    this.#apply({ at: AT, kind: 'createApp' });
    for (let wallet = FIRST_WALLET; wallet < FIRST_WALLET + WALLETS; wallet += 1) {
      this.#apply({ at: AT, kind: 'createWallet', app: 1 });
      this.#apply({ at: AT, kind: 'deposit', wallet, currency: 0, amount: 1e14 as Money });
    }
    this.#apply({ at: AT, kind: 'createEvent', app: 1 });
    this.openNext(outcomes);
    for (const command of opening) this.#apply(command);
  }

  openNext(outcomes: number): void {
    this.#market += 1;
    const market = this.#market;
    this.#apply({
      ...{ at: AT, kind: 'createMarket', app: 1, event: 0, currency: 0, outcomes, winners: { min: 1, max: 1 } },
      ...{ crossMatching: false, turnsInPlay: false, inPlayDelayMs: 0 },
      ...{ eventStartAction: 'None', marketLockAction: 'None' },
    });
    this.#apply({ at: AT, kind: 'publish', market, published: true });
    this.#apply({ at: AT, kind: 'open', market });
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
    for (const order of this.#exchange.ordersOfMarket(this.#market)) {
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
    const market = this.#market;
    this.#conserved();
    this.#apply({ at: AT, kind: 'lock', market });
    this.#apply({ at: AT, kind: 'settle', market, winners: [0] });
    claim(this.#exchange.market(market)?.status === 'Settled', 'the market did not settle');
    this.#conserved();
  }

  /** The settled market and all its orders. */
  forget(): void {
    this.#apply({ at: AT, kind: 'forget', market: this.#market });
    claim(this.#exchange.market(this.#market) === undefined, 'the market was not forgotten');
    this.#exchange.events.clear();
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
export function commandsOf(flow: Flow, part: FlowPart): Command[] {
  const { from, to, market = 0, firstOrder = 0 } = part;
  const random = Random.fromSeed(from);
  const commands: Command[] = [];
  for (let i = from; i < to; ) {
    const kind = flow.kind[i];
    let end = i;
    while (end < to && flow.kind[end] === kind && end - i < TURNS.adds) end += 1;
    if (kind === CANCEL)
      commands.push({ at: AT, kind: 'cancel', app: 1, orders: ordersOf(flow.order.subarray(i, end), firstOrder) });
    else {
      const requests = Array.from({ length: end - i }, (_, item) => requestOf({ flow, i: i + item, market, random }));
      commands.push({ at: AT, kind: 'place', app: 1, requests });
    }
    i = end;
  }
  return commands;
}

function ordersOf(orders: Int32Array, first: number): readonly number[] {
  return Array.from(orders, (order) => first + order);
}

/** Written out: copied with `...` the same requests halve the exchange's speed. */
function requestOf(order: {
  readonly flow: Flow;
  readonly i: number;
  readonly market: number;
  readonly random: Random;
}): PlaceRequest {
  const { flow, i, market, random } = order;
  return {
    wallet: FIRST_WALLET + random.below(WALLETS),
    market,
    side: sideOf(flow.side[i] ?? 0),
    outcome: flow.outcome[i] ?? 0,
    tick: flow.tick[i] as Tick,
    stake: flow.stake[i] as Money,
    keepWhenInPlay: false,
    matchBehavior: 'RetainUnmatched',
  };
}
