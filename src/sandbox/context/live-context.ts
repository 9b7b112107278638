/**
 * The SandboxContext of a running sandbox: real time, random secrets, and a timer for what becomes due between changes.
 */

import { randomBytes } from 'node:crypto'; // edge: secrets must not be guessable, so no seed may give them
import type { Subscription } from 'rxjs';
import { assert } from '../../core/checks/assert.ts';
import type { Instant } from '../../core/number/units.ts';
import type { OrderErrorCode } from '../../core/order.ts';
import type { Clock } from '../../time/clock.ts';
import type { Change } from '../world/change.ts';
import type { Changed, World } from '../world/world.ts';
import type { InjectedFaults } from './injected-faults.ts';
import type { SandboxContext, SandboxSettings } from './sandbox-context.ts';

const SECRET_BYTES = 32;

export interface LiveContextParts {
  readonly world: World;
  readonly clock: Clock;
  readonly settings: SandboxSettings;
  readonly faults: InjectedFaults;
  /** Gives the secrets; absent: random ones. */
  readonly secret?: () => string;
  /** Called with an error thrown in a timer, which no caller could catch. */
  readonly onBug: (error: unknown) => void;
}

export class LiveContext implements SandboxContext {
  readonly world: World;
  readonly clock: Clock;
  readonly settings: SandboxSettings;
  readonly #secret: () => string;
  readonly #faults: InjectedFaults;
  readonly #onBug: (error: unknown) => void;
  #due: Subscription | undefined;
  #dueAt: Instant | undefined;
  #isBroken = false;

  constructor(parts: LiveContextParts) {
    this.world = parts.world;
    this.clock = parts.clock;
    this.settings = parts.settings;
    this.#faults = parts.faults;
    this.#secret = parts.secret ?? randomSecret;
    this.#onBug = parts.onBug;
    this.#watchDue();
  }

  now(): Instant {
    return this.world.at(this.clock.now());
  }

  /** After a change that threw, the world may be half changed or ahead of its log, so no further change is made. */
  apply(change: Change): Changed {
    assert(!this.#isBroken, 'a change failed before: the world is changed no more');
    this.#isBroken = true;
    const changed = this.world.apply(change);
    this.#isBroken = false;
    this.#watchDue();
    return changed;
  }

  secret(): string {
    return this.#secret();
  }

  takeOrderFault(app: number): OrderErrorCode | undefined {
    return this.#faults.takeOrderFault(app, this.clock.now());
  }

  /** Calls `work` every `everyMs`, first after one period. */
  repeat(work: () => void, everyMs: number): Subscription {
    const { clock } = this;
    const guarded = this.#guard(work);
    return clock.schedule(function again() {
      guarded();
      this.schedule(undefined, everyMs);
    }, everyMs);
  }

  stop(): void {
    this.#due?.unsubscribe();
  }

  #watchDue(): void {
    const due = this.world.exchange.nextDue();
    if (due === this.#dueAt) return;
    this.#due?.unsubscribe();
    this.#dueAt = due;
    if (due === undefined) return;
    const waitMs = Math.max(0, due - this.clock.now());
    this.#due = this.clock.schedule(
      this.#guard(() => this.#fallDue()),
      waitMs,
    );
  }

  /** Timers may fire slightly early: then nothing is due yet and the timer is set again. */
  #fallDue(): void {
    this.#dueAt = undefined;
    this.world.advance(this.now());
    this.#watchDue();
  }

  #guard(work: () => void): () => void {
    return () => {
      try {
        work();
      } catch (error) {
        this.stop();
        this.#onBug(error);
      }
    };
  }
}

export function randomSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}
