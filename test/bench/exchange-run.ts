/** A flow of orders played on an exchange: its commands, and the market and wallets they need. */

import type { Tick } from '../../src/core/number/ladder.ts';
import { Random } from '../../src/core/number/random.ts';
import type { Instant, Money } from '../../src/core/number/units.ts';
import { sideOf } from '../../src/core/side.ts';
import { Exchange } from '../../src/matching/exchange.ts';
import type { Command, PlaceRequest } from '../../src/matching/messages/command.ts';
import { claim } from './figure.ts';
import { CANCEL, type Flow } from './flow.ts';

/** The most orders of one command, and the cancels that go between two of them. */
export const TURNS = { adds: 50, cancels: 20 };
export const WALLETS = 64;
/** Of the wallets made here: after the System wallet and the app's own Commission wallet. */
export const FIRST_WALLET = 2;
/** Events are read away soon, as both the server and a replay read them after every command. */
export const EVENTS_KEPT = 1_000;
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

  constructor(outcomes: number, opening: Iterable<Command>) {
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

  play(commands: Iterable<Command>): void {
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

/**
 * Adds in a row become a batch, cancels in a row one command. Order ids count up as the flow's orders do. Each walk makes the
 * commands anew, one at a time, as a server reads them: a run that is timed pays for its requests, and no collection of its
 * garbage has to look at all of them.
 */
export class FlowCommands implements Iterable<Command> {
  readonly #flow: Flow;
  readonly #part: FlowPart;
  /** By operation from the first one on: drawn beforehand, since chance is no part of a request's cost. */
  readonly #wallets: Uint8Array;

  constructor(flow: Flow, part: FlowPart) {
    const random = Random.fromSeed(part.from);
    this.#flow = flow;
    this.#part = part;
    this.#wallets = Uint8Array.from({ length: part.to - part.from }, () => FIRST_WALLET + random.below(WALLETS));
  }

  *[Symbol.iterator](): Generator<Command> {
    const { from, to, firstOrder = 0 } = this.#part;
    const flow = this.#flow;
    for (let i = from; i < to; ) {
      const kind = flow.kind[i];
      let end = i;
      while (end < to && flow.kind[end] === kind && end - i < TURNS.adds) end += 1;
      if (kind === CANCEL)
        yield { at: AT, kind: 'cancel', app: 1, orders: ordersOf(flow.order.subarray(i, end), firstOrder) };
      else yield { at: AT, kind: 'place', app: 1, requests: this.#requests(i, end) };
      i = end;
    }
  }

  #requests(from: number, to: number): readonly PlaceRequest[] {
    const requests: PlaceRequest[] = [];
    for (let i = from; i < to; i += 1) requests.push(this.#request(i));
    return requests;
  }

  /** Written out: copied with `...` the same requests halve the exchange's speed. */
  #request(i: number): PlaceRequest {
    const flow = this.#flow;
    return {
      wallet: this.#wallets[i - this.#part.from] ?? 0,
      market: this.#part.market ?? 0,
      side: sideOf(flow.side[i] ?? 0),
      outcome: flow.outcome[i] ?? 0,
      tick: flow.tick[i] as Tick,
      stake: flow.stake[i] as Money,
      keepWhenInPlay: false,
      matchBehavior: 'RetainUnmatched',
    };
  }
}

function ordersOf(orders: Int32Array, first: number): readonly number[] {
  const ids: number[] = [];
  for (const order of orders) ids.push(first + order);
  return ids;
}
