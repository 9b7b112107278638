/** The network between one process of the bot and the exchange: delays, losses, doubles, and answers that lie. */

import type { Operation } from '../../../src/betdex/wire/endpoints.ts';
import type { Random } from '../../../src/core/number/random.ts';
import type { Sending, Transport, WireReply, WireRequest } from '../../../src/exchange-live/connection/transport.ts';
import type { HttpAnswer } from '../../../src/sandbox/context/http-answer.ts';
import type { SimulatedClock } from '../../../src/time/simulated-clock.ts';
import type { BotProcess } from './bot-process.ts';
import { falseEndings } from './false-endings.ts';
import { type FaultPlan, LATE_MS, STALE_MS, WIRE_FAULTS, type WireFault } from './fault-plan.ts';
import { gatewayPage } from './gateway-page.ts';
import type { OddDocuments } from './odd-documents.ts';
import { bearer, type SimulatedExchange } from './simulated-exchange.ts';
import type { Story } from './story.ts';
import type { StreamWeather } from './stream-weather.ts';

/** Is called for each message that passes, while it passes. */
export interface WireTap {
  /** Bytes are about to leave; the process may be killed here. */
  leaving(operation: Operation, request: WireRequest): void;
  /** They left. */
  left(operation: Operation): void;
  /** The exchange was given a request, whoever sent it. */
  carriedOut(operation: Operation, request: WireRequest, outcome: HttpAnswer): void;
  /** The process was given an answer, which was made then. */
  heard(operation: Operation, request: WireRequest, reply: WireReply, made: Made): void;
  /** A cancellation was answered, and some of what it named lives on. */
  ignored(request: WireRequest): void;
  /** An answer says falsely that these orders, by the exchange's ids, have ended. */
  toldFalsely(orders: readonly string[]): void;
}

/** When an answer was made, by the true time, and for how long the process had slept by then. */
export interface Made {
  readonly at: number;
  readonly sleptMs: number;
  /** The exchange may have told what was so up to `STALE_MS` before, which no client can see. */
  readonly isStale: boolean;
}

/** Answers that come so much later than they were made. */
export interface SlowSpell {
  readonly until: number;
  readonly leastMs: number;
  readonly spreadMs: number;
  readonly operations: 'all' | 'prices';
}

export interface WireParts {
  readonly time: SimulatedClock;
  readonly process: BotProcess;
  readonly exchange: SimulatedExchange;
  readonly weather: Weather;
  readonly story: Story;
  readonly tap: WireTap;
  /** When a client has given up on a request, counted from its sending. */
  readonly patienceMs: number;
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
  readonly answers = new Map<string, { readonly at: number; readonly outcome: HttpAnswer }>();

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

interface Trip {
  readonly operation: Operation;
  readonly request: WireRequest;
  readonly fault: WireFault | undefined;
  /** Gives the process an answer made now so much later, unless it has lost interest. */
  reply(delayMs: number, reply: WireReply): void;
}

export class FaultyWire implements Transport {
  readonly #parts: WireParts;

  constructor(parts: WireParts) {
    this.#parts = parts;
  }

  send(request: WireRequest, hear: (reply: WireReply) => void): Sending {
    const { process, exchange, tap, story, weather } = this.#parts;
    let isWanted = true;
    const sending = {
      hasBegun: true,
      cancel: () => {
        isWanted = false;
      },
    };
    if (!process.isAlive) return sending;
    const operation = exchange.operationOf(request);
    tap.leaving(operation, request);
    if (!process.isAlive) return sending;
    const isRead = request.method === 'GET';
    const fault = this.#outage(operation, isRead) ?? this.#ignores(operation) ?? weather.draw(isRead, operation);
    if (fault !== undefined) story.count(`wire ${fault}`);
    story.tell(() => `-> ${process.number} ${operation} ${shown(request)}${fault === undefined ? '' : ` [${fault}]`}`);
    const reply = (delayMs: number, answer: WireReply): void => {
      const made = { at: this.#parts.time.now(), sleptMs: process.sleptMs, isStale: fault === 'stale' };
      process.later(delayMs, () => {
        if (!isWanted) return;
        story.tell(() => `<- ${process.number} ${operation} ${shownReply(answer)}`);
        tap.heard(operation, request, answer, made);
        hear(answer);
      });
    };
    this.#depart({ operation, request, fault, reply });
    tap.left(operation);
    return { ...sending, hasBegun: fault !== 'unsent' };
  }

  async close(): Promise<void> {}

  #outage(operation: Operation, isRead: boolean): WireFault | undefined {
    const { weather, time } = this.#parts;
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
    return weather.random.chance(0.5) ? 'brokenBefore' : weather.random.chance(0.5) ? 'silentBefore' : 'unsent';
  }

  #ignores(operation: Operation): WireFault | undefined {
    const { weather, time } = this.#parts;
    return operation === 'cancelOrders' && time.now() < weather.ignoresCancelsUntil ? 'cancelIgnored' : undefined;
  }

  #depart(trip: Trip): void {
    const { time, weather, patienceMs } = this.#parts;
    const { fault } = trip;
    const delayMs = weather.delayMs();
    if (fault === 'unsent') return trip.reply(delayMs, { kind: 'unsent', details: 'no connection' });
    if (fault === 'brokenBefore') return trip.reply(delayMs, { kind: 'lost', details: 'the connection broke' });
    if (fault === 'silentBefore') return;
    const lateMs = fault === 'lateRequest' ? patienceMs + weather.random.below(LATE_MS) : delayMs;
    time.at(time.now() + lateMs, () => this.#arrive(trip));
  }

  #arrive(trip: Trip): void {
    const { exchange, weather, time, story } = this.#parts;
    const { fault, request, operation } = trip;
    const slowMs = weather.slowMs(operation, time.now());
    if (slowMs > 0) story.count('slow answer');
    const backMs = weather.delayMs() + slowMs;
    if (fault === 'sessionLost') exchange.deadTokens.add(bearer(request) ?? '');
    const refusal = this.#refusal(trip);
    if (refusal !== undefined) return trip.reply(backMs, refusal);
    const outcome = weather.odd.spoilt(operation, this.#answer(trip));
    if (fault === 'brokenAfter') return trip.reply(backMs, { kind: 'lost', details: 'the connection broke' });
    if (fault === 'silentAfter') return;
    if (fault === 'garbled') return trip.reply(backMs, { kind: 'garbled', details: 'no HTTP' });
    if (fault === 'serverErrorAfter') return trip.reply(backMs, this.#problem(request, 500));
    if (fault === 'gatewayAfter') return trip.reply(backMs, { kind: 'reply', status: 502, body: GATEWAY_PAGE });
    if (fault === 'pageAfter') return trip.reply(backMs, this.#page(outcome.text));
    const lateMs = fault === 'lateReply' ? this.#parts.patienceMs + weather.random.below(LATE_MS) : backMs;
    trip.reply(lateMs, this.#whole(outcome));
  }

  /** What is answered in place of acting. */
  #refusal({ fault, request }: Trip): WireReply | undefined {
    switch (fault) {
      case 'tooMany':
        return this.#problem(request, 429);
      case 'tooManyFor':
        return { ...this.#problem(request, 429), retryAfter: String(1 + this.#parts.weather.random.below(2)) };
      case 'serverErrorBefore':
        return this.#problem(request, 500);
      case 'unavailable':
        return this.#problem(request, 503);
      case 'gatewayBefore':
        return { kind: 'reply', status: 503, body: GATEWAY_PAGE };
      case 'pageBefore':
        return this.#page(undefined);
      default:
        return undefined;
    }
  }

  #page(whole: string | undefined): WireReply {
    const { weather, story } = this.#parts;
    const page = gatewayPage(weather.random, whole);
    story.count(`page with ${Math.floor(page.status / 100)}xx`);
    return page;
  }

  #answer(trip: Trip): HttpAnswer {
    const { exchange, weather, tap, time } = this.#parts;
    const { fault, request, operation } = trip;
    const asked = weather.hasShortPages(request.path, fault === 'shortPages') ? withShortPages(request) : request;
    const isRead = request.method === 'GET';
    if (fault === 'stale') {
      const known = weather.answers.get(request.path);
      if (known !== undefined && time.now() - known.at <= STALE_MS) {
        this.#parts.story.count('stale answer given');
        return known.outcome;
      }
    }
    if (fault === 'interruptedAbsent') this.#interrupt();
    const given = fault === 'cancelIgnored' ? withoutSome(asked, weather.random) : asked;
    let outcome = exchange.answer(given);
    exchange.faults.clearAll();
    tap.carriedOut(operation, given, outcome);
    if (fault === 'cancelIgnored') tap.ignored(asked);
    if (isRead && outcome.status === 200) weather.answers.set(request.path, { at: time.now(), outcome });
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
    const { tap, story } = this.#parts;
    const told = falseEndings(request, outcome);
    if (told.ended.length === 0) return outcome;
    story.count('falsely told of an end', told.ended.length);
    tap.toldFalsely(told.ended);
    return told.outcome;
  }

  /** The exchange stops half-way: some of the orders are not created. */
  #interrupt(): void {
    const { exchange, weather } = this.#parts;
    exchange.faults.add({
      action: { kind: 'orderError', code: 'INTERRUPTED' },
      match: { operations: undefined, path: undefined, app: exchange.app },
      ...{ probability: 0.6, seed: weather.random.below(2 ** 31), count: undefined, until: undefined },
    });
  }

  #problem(request: WireRequest, status: 429 | 500 | 503): WireReply & { kind: 'reply' } {
    return this.#whole(this.#parts.exchange.problem(request, status, 'a fault of the simulation'));
  }

  /** The exchange's clock is right, and its Date header is in whole seconds. */
  #whole({ status, text }: HttpAnswer): WireReply & { kind: 'reply' } {
    const date = new Date(Math.floor(this.#parts.time.now() / 1_000) * 1_000).toUTCString();
    return { kind: 'reply', status, body: text, date };
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

function shown({ method, path, body }: WireRequest): string {
  return `${method} ${decodeURIComponent(path)}${body === undefined ? '' : ` ${body}`}`;
}

function shownReply(reply: WireReply): string {
  return reply.kind === 'reply' ? `${reply.status} ${reply.body.slice(0, 600)}` : reply.kind;
}
