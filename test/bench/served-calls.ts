/** Calls from this process to a server's: turns of so many at once, timed in both processes. */

import { type Measured, median, Stopwatch } from './figure.ts';
import type { ServerProcess } from './server-process.ts';

export interface CallsPlan {
  /** Of one turn. */
  readonly calls: number;
  /** Calls under way at once. */
  readonly concurrency: number;
  readonly server: ServerProcess<unknown>;
  /** What so many calls send, made before they are timed. */
  bodies(calls: number): readonly unknown[];
  call(body: unknown): Promise<void>;
  /** After each turn, outside the timing. */
  tidy(): Promise<void>;
}

interface Spent {
  readonly client: number;
  readonly server: number;
  readonly wall: number;
}

export class ServedCalls implements Measured {
  readonly operations: number;
  readonly #plan: CallsPlan;
  readonly #turns: Spent[] = [];

  constructor(plan: CallsPlan) {
    this.operations = plan.calls;
    this.#plan = plan;
  }

  /** A turn that no figure counts. */
  async warmUp(): Promise<void> {
    await this.#step();
  }

  /** Processor time of both processes together: what a call costs, however busy the machine is. */
  async run(): Promise<number> {
    const spent = await this.#step();
    this.#turns.push(spent);
    return spent.client + spent.server;
  }

  /** Microseconds a call in each process, and calls per second of the wall clock: medians of the turns. */
  shares(): { readonly clientUs: number; readonly serverUs: number; readonly wallPerSecond: number } {
    const usOf = (secondsOf: (spent: Spent) => number) => (median(this.#turns.map(secondsOf)) / this.operations) * 1e6;
    return {
      clientUs: usOf(({ client }) => client),
      serverUs: usOf(({ server }) => server),
      wallPerSecond: 1e6 / usOf(({ wall }) => wall),
    };
  }

  async #step(): Promise<Spent> {
    const { server, calls, concurrency, bodies, call, tidy } = this.#plan;
    const waiting = bodies(calls).entries();
    const before = await server.seconds();
    const watch = new Stopwatch();
    const start = performance.now();
    const lane = async () => {
      for (const [, body] of waiting) await call(body);
    };
    await Promise.all(Array.from({ length: concurrency }, lane));
    const wall = (performance.now() - start) / 1000;
    const client = watch.seconds();
    const spent = { client, server: (await server.seconds()) - before, wall };
    await tidy();
    return spent;
  }
}
