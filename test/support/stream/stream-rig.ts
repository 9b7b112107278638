/** A stream client under test: real sockets, simulated time, and all events that it emitted. It is closed when the test ends. */

import { of } from 'rxjs';
import { onTestFinished } from 'vitest';
import { StreamClient } from '../../../src/betdex/stream/stream-client.ts';
import type { StreamEvent } from '../../../src/betdex/stream/stream-event.ts';
import type { StreamClientOptions } from '../../../src/betdex/stream/stream-settings.ts';
import { Random } from '../../../src/core/number/random.ts';
import { SimulatedClock } from '../../../src/time/simulated-clock.ts';
import { GOOD_TOKEN } from './stub-exchange.ts';

export const START = Date.UTC(2026, 2, 24, 12);

/** Turns of the event loop, not time: enough for thousands of round trips on loopback. */
const TURNS_MAX = 200_000;

export class StreamRig {
  readonly clock = new SimulatedClock(START);
  readonly events: StreamEvent[] = [];
  readonly client: StreamClient;
  isComplete = false;

  constructor(options: Pick<StreamClientOptions, 'url'> & Partial<StreamClientOptions>) {
    this.client = new StreamClient({
      clock: this.clock,
      random: Random.fromSeed(7),
      token: () => of(GOOD_TOKEN),
      ...options,
    });
    onTestFinished(() => this.client.close());
    this.client.events$.subscribe({
      next: (event) => this.events.push(event),
      complete: () => {
        this.isComplete = true;
      },
    });
  }

  /** Lets sockets and due tasks run until the condition holds; the simulated time stands still meanwhile. */
  async until(holds: () => boolean, what = 'it'): Promise<void> {
    for (let turn = 0; turn < TURNS_MAX; turn += 1) {
      this.clock.runUntil(this.clock.now());
      if (holds()) return;
      await new Promise((resolve) => setImmediate(resolve));
    }
    throw new Error(`${what} did not come about; heard ${JSON.stringify(this.events.slice(-20))}`);
  }

  /** Waits a few turns of the event loop, for checks that something does not happen. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 200; turn += 1) {
      this.clock.runUntil(this.clock.now());
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async untilReceived<K extends StreamEvent['kind']>(kind: K, count = 1): Promise<Extract<StreamEvent, { kind: K }>> {
    await this.until(() => this.received(kind).length >= count, `${count} × ${kind}`);
    return this.received(kind)[count - 1]!;
  }

  received<K extends StreamEvent['kind']>(kind: K): readonly Extract<StreamEvent, { kind: K }>[] {
    return this.events.filter((event): event is Extract<StreamEvent, { kind: K }> => event.kind === kind);
  }

  kinds(): readonly string[] {
    return this.events.map(({ kind }) => kind);
  }

  /** Moves the simulated time on by this many ms. */
  pass(ms: number): void {
    this.clock.runUntil(this.clock.now() + ms);
  }

  /** Starts the client, waits until it is up, and forgets the events so far. */
  async start(): Promise<void> {
    this.client.start();
    await this.untilReceived('resync');
    this.events.length = 0;
  }
}
