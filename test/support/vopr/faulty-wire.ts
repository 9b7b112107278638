/** The network between one process of the bot and BetDEX: what can happen to its requests, doubles, and answers that lie. */

import type { Operation } from '../../../src/betdex/wire/endpoints.ts';
import type { Random } from '../../../src/core/number/random.ts';
import type { WireReply, WireRequest } from '../../../src/exchange-live/connection/transport.ts';
import type { HttpAnswer } from '../../../src/sandbox/context/http-answer.ts';
import { falseEndings } from './false-endings.ts';
import { type FaultPlan, WIRE_FAULTS, type WireFault } from './fault-plan.ts';
import { type LossyParts, type LossyTap, LossyWire, lostWay, type Trip } from './lossy-wire.ts';
import type { OddDocuments } from './odd-documents.ts';
import { bearer, type SimulatedExchange } from './simulated-exchange.ts';
import type { StreamWeather } from './stream-weather.ts';

export interface WireTap extends LossyTap<Operation> {
  /** The exchange was given a request, whoever sent it. */
  carriedOut(operation: Operation, request: WireRequest, outcome: HttpAnswer): void;
  /** A cancellation was answered, and some of what it named lives on. */
  ignored(request: WireRequest): void;
  /** An answer says falsely that these orders, by the exchange's ids, have ended. */
  toldFalsely(orders: readonly string[]): void;
}

/** Answers that come so much later than they were made. */
export interface SlowSpell {
  readonly until: number;
  readonly leastMs: number;
  readonly spreadMs: number;
  readonly operations: 'all' | 'prices';
}

export interface WireParts extends LossyParts<Operation> {
  readonly exchange: SimulatedExchange;
  readonly weather: Weather;
  readonly tap: WireTap;
}

/** What the network is like: shared by all processes of a life, for it outlives them. */
export class Weather {
  plan: FaultPlan;
  /** All wire faults are so many times as frequent. */
  storm = 1;
  /** Requests of these kinds are lost until the instant. */
  readonly outages = new Map<OutageKind, number>();
  readonly random: Random;
  slow: SlowSpell | undefined;
  /** Until then no reading by this operation succeeds. */
  dark: { readonly until: number; readonly operation: Operation; readonly fault: WireFault } | undefined;
  /** Until then lists of orders say that none lives. */
  falseUntil = 0;
  /** Until then cancellations are answered, and orders live on. */
  ignoresCancelsUntil = 0;
  /** The last answers by address, so that a fault can give them again. */
  readonly answers = new Map<string, { readonly at: number; readonly answer: HttpAnswer }>();

  readonly stream: StreamWeather;
  readonly odd: OddDocuments;

  constructor(plan: FaultPlan, random: Random, apart: { readonly stream: StreamWeather; readonly odd: OddDocuments }) {
    this.plan = plan;
    this.random = random;
    this.stream = apart.stream;
    this.odd = apart.odd;
  }

  /** For a while cancellations have no effect. */
  ignoreCancels(now: number): void {
    this.ignoresCancelsUntil = now + 2_500;
  }

  /** What was begun in the storm goes on; nothing new goes wrong but by the plan. */
  calm(): void {
    this.storm = 1;
    this.stream.calm();
    this.outages.clear();
    this.slow = undefined;
    this.dark = undefined;
    this.falseUntil = 0;
    this.ignoresCancelsUntil = 0;
  }

  /** Lists whose first page was short: the pages after it are as short. */
  readonly #short = new Set<string>();

  hasShortPages(path: string, isStruck: boolean): boolean {
    const list = path.replace(/&page=\d+/, '');
    if (list !== path) return this.#short.has(list);
    if (isStruck) this.#short.add(list);
    else this.#short.delete(list);
    return isStruck;
  }

  delayMs(): number {
    const { least, mean } = this.plan.delayMs;
    return least + Math.round(mean * this.random.exponential());
  }

  /** By how much an answer comes later than others do. */
  slowMs(operation: Operation, now: number): number {
    const { slow } = this;
    if (slow === undefined || now >= slow.until) return 0;
    if (slow.operations === 'prices' && operation !== 'listPrices') return 0;
    return slow.leastMs + this.random.below(slow.spreadMs);
  }

  draw(isRead: boolean, operation: Operation): WireFault | undefined {
    for (const fault of WIRE_FAULTS) {
      const rate = this.plan.wire[fault];
      if (rate === 0) continue;
      if (READS_ONLY.has(fault) && !isRead) continue;
      if (ORDERS_ONLY.has(fault) && operation !== 'createOrders') continue;
      if (fault === 'cancelIgnored' && operation !== 'cancelOrders') continue;
      if (this.random.chance(rate * this.storm)) return fault;
    }
    return undefined;
  }

  isOut(kind: OutageKind, now: number): boolean {
    return now < (this.outages.get(kind) ?? 0);
  }
}

export type OutageKind = 'all' | 'reads' | 'heartbeat' | 'orders' | 'cancels';

const READS_ONLY: ReadonlySet<WireFault> = new Set(['stale', 'shortPages']);
const ORDERS_ONLY: ReadonlySet<WireFault> = new Set(['interruptedCreated', 'interruptedAbsent']);
const GATEWAY_PAGE = '<html><body>Bad gateway</body></html>';
const SHORT_PAGE = 4;

export class FaultyWire extends LossyWire<Operation, WireFault, WireParts> {
  protected operationOf(request: WireRequest): Operation {
    return this.parts.exchange.operationOf(request);
  }

  protected drawn(operation: Operation, { method }: WireRequest): WireFault | undefined {
    const isRead = method === 'GET';
    return this.#outage(operation, isRead) ?? this.#ignores(operation) ?? this.parts.weather.draw(isRead, operation);
  }

  #outage(operation: Operation, isRead: boolean): WireFault | undefined {
    const { weather, time } = this.parts;
    const now = time.now();
    if (weather.dark?.operation === operation && now < weather.dark.until) return weather.dark.fault;
    if (weather.outages.size === 0) return undefined;
    const isBeat = operation === 'armHeartbeat' || operation === 'deleteHeartbeat' || operation === 'getHeartbeat';
    const isOut =
      weather.isOut('all', now) ||
      (isRead && weather.isOut('reads', now)) ||
      (isBeat && weather.isOut('heartbeat', now)) ||
      (operation === 'createOrders' && weather.isOut('orders', now)) ||
      (operation === 'cancelOrders' && weather.isOut('cancels', now));
    if (!isOut) return undefined;
    return lostWay(weather.random);
  }

  #ignores(operation: Operation): WireFault | undefined {
    const { weather, time } = this.parts;
    return operation === 'cancelOrders' && time.now() < weather.ignoresCancelsUntil ? 'cancelIgnored' : undefined;
  }

  protected refusal({ fault, request }: Trip<Operation, WireFault>): WireReply | undefined {
    const { exchange, weather } = this.parts;
    switch (fault) {
      case 'sessionLost':
        exchange.deadTokens.add(bearer(request) ?? '');
        return undefined;
      case 'tooMany':
        return this.#problem(request, 429);
      case 'tooManyFor':
        return { ...this.#problem(request, 429), retryAfter: String(1 + weather.random.below(2)) };
      case 'serverErrorBefore':
        return this.#problem(request, 500);
      case 'unavailable':
        return this.#problem(request, 503);
      case 'gatewayBefore':
        return { kind: 'reply', status: 503, body: GATEWAY_PAGE };
      case 'pageBefore':
        return this.page(undefined);
      default:
        return undefined;
    }
  }

  protected denial({ fault, request }: Trip<Operation, WireFault>): WireReply | undefined {
    if (fault === 'serverErrorAfter') return this.#problem(request, 500);
    return fault === 'gatewayAfter' ? { kind: 'reply', status: 502, body: GATEWAY_PAGE } : undefined;
  }

  protected override page(whole: string | undefined) {
    const page = super.page(whole);
    this.parts.story.count(`page with ${Math.floor(page.status / 100)}xx`);
    return page;
  }

  protected carryOut(trip: Trip<Operation, WireFault>, told: (answer: HttpAnswer) => void): void {
    told(this.parts.weather.odd.spoilt(trip.operation, this.#answer(trip)));
  }

  #answer(trip: Trip<Operation, WireFault>): HttpAnswer {
    const { exchange, weather, tap, time } = this.parts;
    const { fault, request, operation } = trip;
    const asked = weather.hasShortPages(request.path, fault === 'shortPages') ? withShortPages(request) : request;
    const isRead = request.method === 'GET';
    if (fault === 'stale') {
      const stale = this.staleAnswer(request.path);
      if (stale !== undefined) return stale;
    }
    if (fault === 'interruptedAbsent') this.#interrupt();
    const given = fault === 'cancelIgnored' ? withoutSome(asked, weather.random) : asked;
    let outcome = exchange.answer(given);
    exchange.faults.clearAll();
    tap.carriedOut(operation, given, outcome);
    if (fault === 'cancelIgnored') tap.ignored(asked);
    if (isRead && outcome.status === 200) weather.answers.set(request.path, { at: time.now(), answer: outcome });
    if (operation === 'listOrders' && outcome.status === 200 && time.now() < weather.falseUntil)
      return this.#falsified(asked, outcome);
    if (fault === 'duplicatedFirst' || fault === 'duplicatedSecond') {
      const second = exchange.answer(asked);
      tap.carriedOut(operation, asked, second);
      if (fault === 'duplicatedSecond') outcome = second;
    }
    if (fault === 'interruptedCreated' && outcome.status === 200) return interrupted(outcome, weather.random);
    return outcome;
  }

  #falsified(request: WireRequest, outcome: HttpAnswer): HttpAnswer {
    const { tap, story } = this.parts;
    const told = falseEndings(request, outcome);
    if (told.ended.length === 0) return outcome;
    story.count('falsely told of an end', told.ended.length);
    tap.toldFalsely(told.ended);
    return told.outcome;
  }

  /** The exchange stops half-way: some of the orders are not created. */
  #interrupt(): void {
    const { exchange, weather } = this.parts;
    exchange.faults.add({
      action: { kind: 'orderError', code: 'INTERRUPTED' },
      match: { operations: undefined, path: undefined, app: exchange.app },
      ...{ probability: 0.6, seed: weather.random.below(2 ** 31), count: undefined, until: undefined },
    });
  }

  #problem(request: WireRequest, status: 429 | 500 | 503): WireReply & { kind: 'reply' } {
    return this.whole(this.parts.exchange.problem(request, status, 'a fault of the simulation'));
  }
}

function withShortPages(request: WireRequest): WireRequest {
  return { ...request, path: request.path.replace(/size=\d+/, `size=${SHORT_PAGE}`) };
}

/** A cancellation that reaches the exchange as one of fewer orders, or of none that there is. */
function withoutSome(request: WireRequest, random: Random): WireRequest {
  const { orderIds = [], ...rest }: { readonly orderIds?: readonly string[] } = JSON.parse(request.body ?? '{}');
  const isAll = random.chance(0.5);
  const kept = orderIds.filter(() => !isAll && random.chance(0.5));
  return { ...request, body: JSON.stringify({ ...rest, orderIds: kept.length > 0 ? kept : ['999999999999'] }) };
}

/** The orders exist, but for some of them the answer says that their fate is not known. */
function interrupted(outcome: HttpAnswer, random: Random): HttpAnswer {
  const answer: { orders: unknown[] } = JSON.parse(outcome.text);
  const orders = answer.orders.map((order) =>
    random.chance(0.5) ? { errorCode: 'INTERRUPTED', errorMessage: 'interrupted' } : order,
  );
  return { ...outcome, text: JSON.stringify({ ...answer, orders }) };
}
