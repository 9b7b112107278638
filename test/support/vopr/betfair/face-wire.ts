/** The network between one process of the bot and Betfair's face: what can happen to its requests, doubles, and answers that say nothing. */

import type { WireReply, WireRequest } from '../../../../src/exchange-live/connection/transport.ts';
import type { HttpAnswer } from '../../../../src/sandbox/context/http-answer.ts';
import { faceRequest, operationIn } from '../../betfair/face-transport.ts';
import { type LossyParts, type LossyTap, LossyWire, type Trip } from '../lossy-wire.ts';
import type { FaceExchange } from './face-exchange.ts';
import { type FaceFault, ownAnswerOf } from './face-faults.ts';
import type { FaceWeather } from './face-weather.ts';

export type FaceTap = LossyTap<string>;

export interface FaceWireParts extends LossyParts<string> {
  readonly exchange: FaceExchange;
  readonly weather: FaceWeather;
}

const SHORT_PAGE = 3;

export class FaceWire extends LossyWire<string, FaceFault, FaceWireParts> {
  protected operationOf(request: WireRequest): string {
    return operationIn(request);
  }

  protected drawn(operation: string): FaceFault | undefined {
    const { weather, time } = this.parts;
    return weather.outage(operation, time.now()) ?? weather.draw(operation);
  }

  protected refusal({ fault }: Trip<string, FaceFault>): WireReply | undefined {
    const { exchange } = this.parts;
    if (fault === 'sessionEnded') exchange.state.sessions.endAll(exchange.app);
    if (fault === 'status429') return this.#status(429);
    if (fault === 'status503Before') return this.#status(503);
    return fault === 'pageBefore' ? this.page(undefined) : undefined;
  }

  protected denial({ fault }: Trip<string, FaceFault>): WireReply | undefined {
    return fault === 'status503After' ? this.#status(503) : undefined;
  }

  protected carryOut({ operation, request, fault }: Trip<string, FaceFault>, told: (answer: HttpAnswer) => void): void {
    const { exchange, weather, time } = this.parts;
    const own = ownAnswerOf(fault);
    const key = keyOf(request);
    if (fault === 'stale') {
      const stale = this.staleAnswer(key);
      if (stale !== undefined) return told(stale);
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
      this.parts.story.count('partly placed');
      const failed = { status: 'FAILURE', errorCode: 'INVALID_BET_SIZE', instruction };
      const reports = { instructionReports: [failed, ...result.instructionReports] };
      const whole = { status: 'PROCESSED_WITH_ERRORS', errorCode: 'PROCESSED_WITH_ERRORS' };
      told({ status, text: JSON.stringify({ ...envelope, result: { ...result, ...whole, ...reports } }) });
    });
  }

  #ask(request: WireRequest, told: (answer: HttpAnswer) => void): void {
    this.parts.exchange.face.answer(faceRequest(request)).subscribe(told);
  }

  #status(status: number): WireReply {
    return this.whole({ status, text: '' });
  }
}

/** What is asked, whatever the number of the call. */
function keyOf({ path, body = '' }: WireRequest): string {
  return `${path} ${body.replace(/"id":\d+\}$/, '')}`;
}

function withShortPages(request: WireRequest): WireRequest {
  return { ...request, body: (request.body ?? '').replace(/"recordCount":\d+/, `"recordCount":${SHORT_PAGE}`) };
}
