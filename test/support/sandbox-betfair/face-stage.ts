/** A Betfair face in simulated time, without sockets, and clients of it whose every answer is checked. */

import { expect } from 'vitest';
import { API_PATHS } from '../../../src/betfair/wire/envelope.ts';
import type { Operation, Params, Result } from '../../../src/betfair/wire/operations.ts';
import { OPERATIONS } from '../../../src/betfair/wire/operations.ts';
import { Random } from '../../../src/core/number/random.ts';
import type { HttpAnswer } from '../../../src/sandbox/context/http-answer.ts';
import { seedWorld } from '../../../src/sandbox/default-world/default-world.ts';
import type { MachineCommand } from '../../../src/sandbox/world/change.ts';
import { BetfairFace } from '../../../src/sandbox-betfair/face/betfair-face.ts';
import type { FaceRequest } from '../../../src/sandbox-betfair/face/face-request.ts';
import type { Arrive } from '../../../src/sandbox-betfair/server/exchange-time.ts';
import { Pace } from '../../../src/sandbox-betfair/server/pace.ts';
import { BETFAIR_WORLD } from '../../../src/sandbox-betfair/state/betfair-world.ts';
import { type FaceSettings, type FaceState, faceState } from '../../../src/sandbox-betfair/state/face-state.ts';
import { factsById } from '../../../src/sandbox-betfair/state/market-facts.ts';
import { WorldBuilder } from '../sandbox/world-builder.ts';
import { answerFaults } from './answer-check.ts';

type Asked<O extends Operation> = Partial<Params<O>> | Readonly<Record<string, unknown>>;

/** The default world of the sandbox at 12:00 on a Tuesday, with Betfair's rules. */
export class FaceStage {
  readonly builder = new WorldBuilder(BETFAIR_WORLD);
  readonly state: FaceState;
  readonly face: BetfairFace;

  constructor(settings: Partial<FaceSettings> = {}) {
    seedWorld(this.builder.context, { random: Random.fromSeed(1), currencies: ['GBP'] });
    this.state = faceState(this.builder.context, settings);
    this.face = new BetfairFace(this.state);
  }

  /** What serves it over sockets needs besides: all that arrives is done at once, and nothing is paced by its clients. */
  atOnce(): { readonly arrive: Arrive; readonly pace: Pace } {
    const pace = new Pace({ wall: this.builder.context.clock, patienceMs: 10_000, onChange: () => undefined });
    return { arrive: (_, work) => work(), pace };
  }

  /** The answer to a request; undefined while it has not come. */
  send(request: Partial<FaceRequest> & { readonly path: string }): { answer: HttpAnswer | undefined } {
    const sent: { answer: HttpAnswer | undefined } = { answer: undefined };
    this.face
      .answer({
        ...{ method: 'POST', body: '', hasCertificate: false, application: 'app', authentication: undefined },
        ...request,
      })
      .subscribe((answer) => {
        sent.answer = answer;
      });
    return sent;
  }

  /** What came at once, as JSON. */
  ask(request: Partial<FaceRequest> & { readonly path: string }): unknown {
    const { answer } = this.send(request);
    if (answer === undefined) throw new Error(`${request.path} was not answered at once`);
    return JSON.parse(answer.text);
  }

  login(username = 'mary'): FaceClient {
    const body = `username=${username}&password=secret`;
    const { token } = this.ask({ path: '/api/login', body }) as { readonly token: string };
    return new FaceClient(this, token);
  }

  /** The market with one of Betfair's ids: the machine's number. */
  market(marketId: string): number {
    const facts = factsById(this.builder.world, marketId);
    if (facts === undefined) throw new Error(`no market ${marketId}`);
    return facts.record.market;
  }

  command(command: MachineCommand): void {
    this.builder.command(command);
  }
}

export class FaceClient {
  readonly token: string;
  readonly #stage: FaceStage;
  #calls = 0;

  constructor(stage: FaceStage, token: string) {
    this.#stage = stage;
    this.token = token;
  }

  /** The result of an operation that is answered at once. */
  call<O extends Operation>(operation: O, params: Asked<O>): Result<O> {
    const answer = this.later(operation, params)();
    if (answer === undefined) throw new Error(`${operation} was not answered at once`);
    return answer;
  }

  /** Calls an operation; the function that comes back gives its result, undefined while it has not come. */
  later<O extends Operation>(operation: O, params: Asked<O>): () => Result<O> | undefined {
    const sent = this.#send(operation, params);
    return () => {
      if (sent.answer === undefined) return undefined;
      const { result, error } = JSON.parse(sent.answer.text);
      if (error !== undefined) throw new Error(`${operation}: ${JSON.stringify(error)}`);
      expect(answerFaults(operation, result)).toEqual([]);
      return result;
    };
  }

  /** The error of an operation that is refused: its exception's code, or the fault's text. */
  refused<O extends Operation>(operation: O, params: Asked<O>): string {
    const { error } = JSON.parse(this.#send(operation, params).answer?.text ?? '{}');
    return error?.data?.APINGException?.errorCode ?? error?.data?.AccountAPINGException?.errorCode ?? error?.message;
  }

  #send<O extends Operation>(operation: O, params: Asked<O>): { answer: HttpAnswer | undefined } {
    this.#calls += 1;
    const { api } = OPERATIONS[operation];
    const body = JSON.stringify({ jsonrpc: '2.0', method: `${api}/v1.0/${operation}`, params, id: this.#calls });
    return this.#stage.send({ path: API_PATHS[api].rpc, body, authentication: this.token });
  }
}

/** An instruction to place a limit order. */
export function limit(terms: {
  readonly selectionId: number;
  readonly side?: 'BACK' | 'LAY';
  readonly price: number;
  readonly size: number;
  readonly customerOrderRef?: string;
  readonly more?: Readonly<Record<string, unknown>>;
}) {
  const { selectionId, side = 'BACK', price, size, customerOrderRef = null, more = {} } = terms;
  const limitOrder = { price, size, persistenceType: 'LAPSE', ...more };
  return { orderType: 'LIMIT', selectionId, handicap: 0, side, limitOrder, customerOrderRef };
}
