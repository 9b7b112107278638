/** The network between one process of the bot and Betfair's face: delays, losses, doubles, and answers that say nothing. */

import type { Sending, Transport, WireReply, WireRequest } from '../../../../src/exchange-live/connection/transport.ts';
import type { HttpAnswer } from '../../../../src/sandbox/context/http-answer.ts';
import type { SimulatedClock } from '../../../../src/time/simulated-clock.ts';
import { faceRequest, operationIn } from '../../betfair/face-transport.ts';
import type { BotProcess } from '../bot-process.ts';
import { LATE_MS, STALE_MS } from '../fault-plan.ts';
import { gatewayPage } from '../gateway-page.ts';
import type { Story } from '../story.ts';
import type { FaceExchange } from './face-exchange.ts';
import { type FaceFault, ownAnswerOf } from './face-faults.ts';
import type { FaceWeather } from './face-weather.ts';

export interface FaceTap {
  /** Bytes are about to leave; the process may be killed here. */
  leaving(operation: string, request: WireRequest): void;
  /** They left. */
  left(operation: string): void;
  /** The process was given an answer, which was made then; undefined where it may be older than that. */
  heard(operation: string, request: WireRequest, reply: WireReply, madeAt: number | undefined): void;
}

export interface FaceWireParts {
  readonly time: SimulatedClock;
  readonly process: BotProcess;
  readonly exchange: FaceExchange;
  readonly weather: FaceWeather;
  readonly story: Story;
  readonly tap: FaceTap;
  /** When a client has given up on a request, counted from its sending. */
  readonly patienceMs: number;
}

const SHORT_PAGE = 3;

interface Trip {
  readonly operation: string;
  readonly request: WireRequest;
  readonly fault: FaceFault | undefined;
  /** Gives the process an answer made now so much later, unless it has lost interest. */
  reply(delayMs: number, reply: WireReply): void;
}

export class FaceWire implements Transport {
  readonly #parts: FaceWireParts;

  constructor(parts: FaceWireParts) {
    this.#parts = parts;
  }

  send(request: WireRequest, hear: (reply: WireReply) => void): Sending {
    const { process, tap, story, weather, time } = this.#parts;
    let isWanted = true;
    const sending = {
      hasBegun: true,
      cancel: () => {
        isWanted = false;
      },
    };
    if (!process.isAlive) return sending;
    const operation = operationIn(request);
    tap.leaving(operation, request);
    if (!process.isAlive) return sending;
    const fault = weather.outage(operation, time.now()) ?? weather.draw(operation);
    if (fault !== undefined) story.count(`wire ${fault}`);
    story.tell(() => `-> ${process.number} ${request.body ?? request.path}${fault === undefined ? '' : ` [${fault}]`}`);
    const reply = (delayMs: number, answer: WireReply): void => {
      const madeAt = fault === 'stale' ? undefined : time.now();
      process.later(delayMs, () => {
        if (!isWanted) return;
        story.tell(() => `<- ${process.number} ${operation} ${shown(answer)}`);
        tap.heard(operation, request, answer, madeAt);
        hear(answer);
      });
    };
    this.#depart({ operation, request, fault, reply });
    tap.left(operation);
    return { ...sending, hasBegun: fault !== 'unsent' };
  }

  async close(): Promise<void> {}

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
    const { fault } = trip;
    const slowMs = weather.slowMs(time.now());
    if (slowMs > 0) story.count('slow answer');
    const backMs = weather.delayMs() + slowMs;
    if (fault === 'sessionEnded') exchange.state.sessions.endAll(exchange.app);
    if (fault === 'status429' || fault === 'status503Before')
      return trip.reply(backMs, this.#status(fault === 'status429' ? 429 : 503));
    if (fault === 'pageBefore') return trip.reply(backMs, gatewayPage(weather.random, undefined));
    this.#carryOut(trip, (answer) => this.#answered(trip, answer, backMs));
  }

  #answered(trip: Trip, answer: HttpAnswer, backMs: number): void {
    const { weather, patienceMs } = this.#parts;
    switch (trip.fault) {
      case 'brokenAfter':
        return trip.reply(backMs, { kind: 'lost', details: 'the connection broke' });
      case 'silentAfter':
        return undefined;
      case 'garbled':
        return trip.reply(backMs, { kind: 'garbled', details: 'no HTTP' });
      case 'status503After':
        return trip.reply(backMs, this.#status(503));
      case 'pageAfter':
        return trip.reply(backMs, gatewayPage(weather.random, answer.text));
      case 'lateReply':
        return trip.reply(patienceMs + weather.random.below(LATE_MS), this.#whole(answer));
      default:
        return trip.reply(backMs, this.#whole(answer));
    }
  }

  #carryOut({ operation, request, fault }: Trip, told: (answer: HttpAnswer) => void): void {
    const { exchange, weather, time, story } = this.#parts;
    const own = ownAnswerOf(fault);
    const key = keyOf(request);
    if (fault === 'stale') {
      const known = weather.answers.get(key);
      if (known !== undefined && time.now() - known.at <= STALE_MS) {
        story.count('stale answer given');
        return told(known.answer);
      }
    }
    if (fault === 'partlyPlaced') return this.#placePartly(request, told);
    const match = { operations: [operation], path: undefined, app: undefined };
    const struck =
      own && exchange.faults.add({ action: own, match, probability: 1, seed: 1, count: 1, until: undefined });
    const isDoubled = fault === 'duplicatedFirst' || fault === 'duplicatedSecond';
    this.#ask(fault === 'shortPages' ? withShortPages(request) : request, (answer) => {
      if (operation.startsWith('list')) weather.answers.set(key, { at: time.now(), answer });
      if (fault !== 'duplicatedSecond') told(answer);
    });
    if (isDoubled) this.#ask(request, (answer) => (fault === 'duplicatedSecond' ? told(answer) : undefined));
    if (struck !== undefined) exchange.faults.clear(struck);
  }

  /** All orders but the first, which fails for itself. */
  #placePartly(request: WireRequest, told: (answer: HttpAnswer) => void): void {
    const call = JSON.parse(request.body ?? '{}');
    const [instruction, ...others] = call.params.instructions;
    if (others.length === 0) return this.#ask(request, told);
    const body = JSON.stringify({ ...call, params: { ...call.params, instructions: others } });
    this.#ask({ ...request, body }, ({ status, text }) => {
      const { result, ...envelope } = JSON.parse(text);
      if (result === undefined || result.status !== 'SUCCESS') return told({ status, text });
      this.#parts.story.count('partly placed');
      const failed = { status: 'FAILURE', errorCode: 'INVALID_BET_SIZE', instruction };
      const reports = { instructionReports: [failed, ...result.instructionReports] };
      const whole = { status: 'PROCESSED_WITH_ERRORS', errorCode: 'PROCESSED_WITH_ERRORS' };
      told({ status, text: JSON.stringify({ ...envelope, result: { ...result, ...whole, ...reports } }) });
    });
  }

  #ask(request: WireRequest, told: (answer: HttpAnswer) => void): void {
    this.#parts.exchange.face.answer(faceRequest(request)).subscribe(told);
  }

  #status(status: number): WireReply {
    return this.#whole({ status, text: '' });
  }

  /** The exchange's clock is right, and its Date header is in whole seconds. */
  #whole({ status, text }: HttpAnswer): WireReply {
    return { kind: 'reply', status, body: text, date: new Date(this.#parts.time.now()).toUTCString() };
  }
}

/** What is asked, whatever the number of the call. */
function keyOf({ path, body = '' }: WireRequest): string {
  return `${path} ${body.replace(/"id":\d+\}$/, '')}`;
}

function withShortPages(request: WireRequest): WireRequest {
  return { ...request, body: (request.body ?? '').replace(/"recordCount":\d+/, `"recordCount":${SHORT_PAGE}`) };
}

function shown(reply: WireReply): string {
  return reply.kind === 'reply' ? `${reply.status} ${reply.body.slice(0, 900)}` : reply.kind;
}
