/** The time of an exchange that serves clients: real time, in which all that happens follows from what arrives and when. */

import type { AllTraffic, PacedTraffic } from '../../sandbox/traffic/traffic.ts';
import type { Clock } from '../../time/clock.ts';
import { FollowingClock } from '../../time/following-clock.ts';
import type { Arriving } from '../arrivals/arrival-recorder.ts';
import { Pace, type Paced } from './pace.ts';

/** Does what came from outside, and gives what that gave. */
export type Arrive = <T>(what: Arriving, work: () => T) => T;

export interface ExchangeTimeParts {
  readonly wall: Clock;
  /** How long recorded markets wait for one client, in ms. */
  readonly paceMs: number;
  /** Called with what arrives before it is done, and with its time. */
  readonly onArrival?: ((at: number, what: Arriving) => void) | undefined;
  readonly onBug: (error: unknown) => void;
}

/** How long what is due may run before clients get a turn. */
const SLICE_MS = 20;
/** An exchange that is so far behind real time is late. */
const LATE_MS = 100;

/**
 * Timers of the exchange run one after the other, each at the millisecond at which it is due, however late the process is.
 * What arrives is the first of all that happens in its millisecond. So equal arrivals at equal times have equal results.
 */
export class ExchangeTime implements Paced {
  readonly clock: FollowingClock;
  readonly pace: Pace;
  readonly #wall: Clock;
  readonly #onArrival: ExchangeTimeParts['onArrival'];
  #traffic: readonly PacedTraffic[] = [];

  constructor({ wall, paceMs, onArrival, onBug }: ExchangeTimeParts) {
    this.#wall = wall;
    this.#onArrival = onArrival;
    this.clock = new FollowingClock({ wall, onWake: () => this.#runSlice(), onFault: onBug });
    this.pace = new Pace({ wall, patienceMs: paceMs, onChange: (isHeld) => this.#hold(isHeld) });
  }

  /** Recorded markets wait for the exchange itself too: all other timers would otherwise wait for them. */
  get isBehindTape(): boolean {
    return this.clock.simulated.nextDue < this.clock.reading() - LATE_MS;
  }

  /** A late exchange does not let what arrives wait for all that is due. */
  readonly arrive: Arrive = (what, work) => {
    const { clock } = this;
    const at = this.isBehindTape ? clock.simulated.now() + 1 : clock.unbegun;
    this.#onArrival?.(at, what);
    const result = clock.begin(at, work);
    clock.arm();
    return result;
  };

  /** Starts the traffic, of which the paced waits for whoever is behind. */
  startTraffic(start: () => AllTraffic): AllTraffic {
    const traffic = this.arrive({ kind: 'traffic' }, start);
    this.#traffic = traffic.paced;
    return traffic;
  }

  /** How far the traffic is behind where it would be if it had never waited, in ms. */
  lagMs(): number {
    return Math.max(0, ...this.#traffic.map((each) => each.lagMs()));
  }

  stop(): void {
    this.pace.close();
    this.clock.stop();
  }

  #hold(isHeld: boolean): void {
    if (!this.clock.canStep) return;
    this.arrive({ kind: isHeld ? 'hold' : 'go' }, () => {
      for (const traffic of this.#traffic) isHeld ? traffic.hold() : traffic.go();
    });
  }

  #runSlice(): void {
    const { clock } = this;
    const until = this.#wall.now() + SLICE_MS;
    clock.step(() => {
      while (clock.simulated.nextDue <= clock.reading() && this.#wall.now() < until) clock.simulated.runNext();
    });
    this.pace.look(this);
  }
}
