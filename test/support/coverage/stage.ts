/** A real sandbox on loopback with every answer validated, and typed clients at it through the noting transport. */

import { firstValueFrom } from 'rxjs';
import type { AnswerOf, CallInput } from '../../../src/betdex/client/call.ts';
import { RestClient } from '../../../src/betdex/client/rest-client.ts';
import type { Credentials } from '../../../src/betdex/client/session.ts';
import type { Operation } from '../../../src/betdex/wire/endpoints.ts';
import { Random } from '../../../src/core/number/random.ts';
import type { CallOutcome } from '../../../src/exchange-live/connection/call-outcome.ts';
import { PoolTransport } from '../../../src/exchange-live/connection/pool-transport.ts';
import { openSandbox, type Sandbox, type SandboxOptions } from '../../../src/sandbox/sandbox.ts';
import type { MachineCommand } from '../../../src/sandbox/world/change.ts';
import { wallClock } from '../../../src/time/wall-clock.ts';
import { ControlClient } from '../vendor/control-client.ts';
import { item, type Notebook } from './notebook.ts';
import { noteAnswer, noteProblem, Seam } from './seam.ts';

export type Asked<O extends Operation> = CallInput<O>;

/** A typed client whose calls are noted as it reads them. */
export class NotingClient {
  readonly rest: RestClient;
  readonly seam: Seam;
  readonly #notes: Notebook;

  constructor(url: string, credentials: Credentials, notes: Notebook) {
    this.#notes = notes;
    const pool = { origin: url, clock: wallClock, connections: 8, connectTimeoutMs: 2_000, keepAliveMs: 2_000 };
    this.seam = new Seam(new PoolTransport({ ...pool, answerMax: 2 ** 26 }), notes);
    this.rest = new RestClient(
      {
        ...{ baseUrl: url, credentials, clock: wallClock, random: Random.fromSeed(1) },
        budget: { perSecond: 5_000, burst: 5_000 },
        // Every refusal is to be seen, and none to hold up the next call.
        retry: { attemptsMax: 1, pauseMaxMs: 1 },
      },
      this.seam,
    );
  }

  /** The answer; throws where there is none. */
  async ask<O extends Operation>(operation: O, input: CallInput<O>): Promise<AnswerOf<O>> {
    const outcome = await this.try(operation, input);
    if (outcome.kind !== 'answered') throw new Error(`${operation}: ${JSON.stringify(outcome)}`);
    return outcome.answer;
  }

  async try<O extends Operation>(operation: O, input: CallInput<O>): Promise<CallOutcome<AnswerOf<O>>> {
    const outcome = await firstValueFrom(this.rest.call(operation, input));
    if (outcome.kind === 'answered') {
      this.#notes.note('client', item.answered(operation, 200), operation);
      noteAnswer(this.#notes, 'client', { operation, answer: outcome.answer });
    } else if (outcome.kind === 'refused') {
      const { status, title, details } = outcome;
      this.#notes.note('client', item.answered(operation, status), operation);
      noteProblem(this.#notes, 'client', { operation, status, problem: { title, details } });
    }
    return outcome;
  }

  close(): Promise<void> {
    return this.rest.close();
  }
}

export class Stage {
  readonly sandbox: Sandbox;
  readonly control: ControlClient;
  readonly notes: Notebook;
  readonly #clients: NotingClient[] = [];
  readonly #bugs: unknown[];

  private constructor(sandbox: Sandbox, notes: Notebook, bugs: unknown[]) {
    this.sandbox = sandbox;
    this.notes = notes;
    this.control = new ControlClient(sandbox);
    this.#bugs = bugs;
  }

  static async open(notes: Notebook, options: Partial<SandboxOptions> = {}): Promise<Stage> {
    const bugs: unknown[] = [];
    const onBug = (error: unknown) => bugs.push(error);
    const sandbox = await openSandbox({
      ...{ clock: wallClock, version: '0.0.0-coverage', checksAnswers: true, onBug },
      ...options,
    });
    return new Stage(sandbox, notes, bugs);
  }

  client(credentials: Credentials): NotingClient {
    const client = new NotingClient(this.sandbox.url, credentials, this.notes);
    this.#clients.push(client);
    return client;
  }

  /** A command to the machine, for the moves that no request makes one at a time. */
  command(command: MachineCommand): void {
    const { context } = this.sandbox;
    const changed = context.apply({ at: context.now(), kind: 'command', command });
    if (changed.kind === 'refused') throw new Error(`${command.kind}: ${JSON.stringify(changed.refusal)}`);
  }

  /** Throws where the sandbox met a bug of its own. */
  async close(): Promise<void> {
    for (const client of this.#clients) await client.close();
    await this.sandbox.close();
    if (this.#bugs.length > 0) throw new AggregateError(this.#bugs, 'the sandbox met a bug of its own');
  }
}
