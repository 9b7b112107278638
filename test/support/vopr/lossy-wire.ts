/** The network between one process of the bot and an exchange: requests leave and arrive late, doubled or never, and so do answers. */

import type { Random } from '../../../src/core/number/random.ts';
import type { Sending, Transport, WireReply, WireRequest } from '../../../src/exchange-live/connection/transport.ts';
import type { HttpAnswer } from '../../../src/sandbox/context/http-answer.ts';
import type { SimulatedClock } from '../../../src/time/simulated-clock.ts';
import type { BotProcess } from './bot-process.ts';
import { LATE_MS, STALE_MS } from './fault-plan.ts';
import { gatewayPage } from './gateway-page.ts';
import type { Story } from './story.ts';

/** When an answer was made, by the true time, and for how long the process had slept by then. */
export interface Made {
  readonly at: number;
  readonly sleptMs: number;
  /** The exchange may have told what was so up to `STALE_MS` before, which no client can see. */
  readonly isStale: boolean;
}

/** Is called for each message that passes, while it passes. */
export interface LossyTap<Operation> {
  /** Bytes are about to leave; the process may be killed here. */
  leaving(operation: Operation, request: WireRequest): void;
  /** They left. */
  left(operation: Operation): void;
  /** The process was given an answer, which was made then. */
  heard(operation: Operation, request: WireRequest, reply: WireReply, made: Made): void;
}

/** What the network is like: shared by all processes of a life, for it outlives them. */
interface LossyWeather<Operation> {
  readonly random: Random;
  /** The last answers by what was asked, so that a fault can give them again. */
  readonly answers: Map<string, { readonly at: number; readonly answer: HttpAnswer }>;
  delayMs(): number;
  /** By how much an answer comes later than others do. */
  slowMs(operation: Operation, now: number): number;
}

export interface LossyParts<Operation> {
  readonly time: SimulatedClock;
  readonly process: BotProcess;
  readonly weather: LossyWeather<Operation>;
  readonly story: Story;
  readonly tap: LossyTap<Operation>;
  /** When a client has given up on a request, counted from its sending. */
  readonly patienceMs: number;
}

export interface Trip<Operation, Fault> {
  readonly operation: Operation;
  readonly request: WireRequest;
  readonly fault: Fault | undefined;
  /** Gives the process an answer made now so much later, unless it has lost interest. */
  reply(delayMs: number, reply: WireReply): void;
}

/** Other faults are of one exchange. */
type LossFault =
  | 'unsent'
  | 'brokenBefore'
  | 'silentBefore'
  | 'brokenAfter'
  | 'silentAfter'
  | 'lateRequest'
  | 'lateReply'
  | 'garbled'
  | 'pageAfter'
  | 'stale';

export abstract class LossyWire<Operation extends string, Fault extends string, Parts extends LossyParts<Operation>>
  implements Transport
{
  protected readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  protected abstract operationOf(request: WireRequest): Operation;
  protected abstract drawn(operation: Operation, request: WireRequest): Fault | LossFault | undefined;
  /** What is answered in place of acting. */
  protected abstract refusal(trip: Trip<Operation, Fault | LossFault>): WireReply | undefined;
  protected abstract carryOut(trip: Trip<Operation, Fault | LossFault>, told: (answer: HttpAnswer) => void): void;
  /** What is answered though it was carried out. */
  protected abstract denial(trip: Trip<Operation, Fault | LossFault>): WireReply | undefined;

  send(request: WireRequest, hear: (reply: WireReply) => void): Sending {
    const { process, tap, story, time } = this.parts;
    let isWanted = true;
    const sending = {
      hasBegun: true,
      cancel: () => {
        isWanted = false;
      },
    };
    if (!process.isAlive) return sending;
    const operation = this.operationOf(request);
    tap.leaving(operation, request);
    if (!process.isAlive) return sending;
    const fault = this.drawn(operation, request);
    if (fault !== undefined) story.count(`wire ${fault}`);
    story.tell(() => `-> ${process.number} ${operation} ${shown(request)}${fault === undefined ? '' : ` [${fault}]`}`);
    const reply = (delayMs: number, answer: WireReply): void => {
      const made = { at: time.now(), sleptMs: process.sleptMs, isStale: fault === 'stale' };
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

  #depart(trip: Trip<Operation, Fault | LossFault>): void {
    const { time, weather, patienceMs } = this.parts;
    const { fault } = trip;
    const delayMs = weather.delayMs();
    if (fault === 'unsent') return trip.reply(delayMs, { kind: 'unsent', details: 'no connection' });
    if (fault === 'brokenBefore') return trip.reply(delayMs, BROKEN);
    if (fault === 'silentBefore') return;
    const lateMs = fault === 'lateRequest' ? patienceMs + weather.random.below(LATE_MS) : delayMs;
    time.at(time.now() + lateMs, () => this.#arrive(trip));
  }

  #arrive(trip: Trip<Operation, Fault | LossFault>): void {
    const { weather, time, story } = this.parts;
    const slowMs = weather.slowMs(trip.operation, time.now());
    if (slowMs > 0) story.count('slow answer');
    const backMs = weather.delayMs() + slowMs;
    const refusal = this.refusal(trip);
    if (refusal !== undefined) return trip.reply(backMs, refusal);
    this.carryOut(trip, (answer) => this.#answered(trip, answer, backMs));
  }

  #answered(trip: Trip<Operation, Fault | LossFault>, answer: HttpAnswer, backMs: number): void {
    const { weather, patienceMs } = this.parts;
    switch (trip.fault) {
      case 'brokenAfter':
        return trip.reply(backMs, BROKEN);
      case 'silentAfter':
        return undefined;
      case 'garbled':
        return trip.reply(backMs, { kind: 'garbled', details: 'no HTTP' });
      case 'pageAfter':
        return trip.reply(backMs, this.page(answer.text));
      case 'lateReply':
        return trip.reply(patienceMs + weather.random.below(LATE_MS), this.whole(answer));
      default:
        return trip.reply(backMs, this.denial(trip) ?? this.whole(answer));
    }
  }

  /** `whole`: the exchange's answer, if it was asked. */
  protected page(whole: string | undefined): WireReply & { readonly kind: 'reply' } {
    return gatewayPage(this.parts.weather.random, whole);
  }

  /** The exchange's clock is right, and its Date header is in whole seconds. */
  protected whole({ status, text }: HttpAnswer): WireReply & { readonly kind: 'reply' } {
    return { kind: 'reply', status, body: text, date: new Date(this.parts.time.now()).toUTCString() };
  }

  /** An answer that is given again instead of one that is made now; undefined where none is new enough. */
  protected staleAnswer(key: string): HttpAnswer | undefined {
    const { weather, time, story } = this.parts;
    const known = weather.answers.get(key);
    if (known === undefined || time.now() - known.at > STALE_MS) return undefined;
    story.count('stale answer given');
    return known.answer;
  }
}

const BROKEN: WireReply = { kind: 'lost', details: 'the connection broke' };

/** How a request is lost while nothing comes through. */
export function lostWay(random: Random): 'brokenBefore' | 'silentBefore' | 'unsent' {
  return random.chance(0.5) ? 'brokenBefore' : random.chance(0.5) ? 'silentBefore' : 'unsent';
}

function shown({ method, path, body }: WireRequest): string {
  return `${method} ${decodeURIComponent(path)}${body === undefined ? '' : ` ${body}`}`;
}

function shownReply(reply: WireReply): string {
  return reply.kind === 'reply' ? `${reply.status} ${reply.body.slice(0, 900)}` : reply.kind;
}
