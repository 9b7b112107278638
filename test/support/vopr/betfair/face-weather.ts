/** What the way to Betfair is like: shared by all processes of a life, for it outlives them. */

import type { Random } from '../../../../src/core/number/random.ts';
import type { HttpAnswer } from '../../../../src/sandbox/context/http-answer.ts';
import type { OutageKind, SlowSpell } from '../faulty-wire.ts';
import { lostWay } from '../lossy-wire.ts';
import { canStrike, FACE_FAULTS, type FaceFault, type FaceFaultPlan, NO_FACE_FAULTS } from './face-faults.ts';

export class FaceWeather {
  readonly random: Random;
  /** Requests of these kinds are lost until the instant. */
  readonly outages = new Map<OutageKind, number>();
  slow: Omit<SlowSpell, 'operations'> | undefined;
  /** The last answers by what was asked, so that a fault can give them again. */
  readonly answers = new Map<string, { readonly at: number; readonly answer: HttpAnswer }>();
  /** No connection of the stream can be made before. */
  streamDownUntil = 0;
  #wire: FaceFaultPlan['wire'];
  readonly #delayMs: FaceFaultPlan['delayMs'];

  constructor({ wire, delayMs }: FaceFaultPlan, random: Random) {
    this.#wire = wire;
    this.#delayMs = delayMs;
    this.random = random;
  }

  /** Nothing goes wrong any more, but what has begun goes on. */
  calm(): void {
    this.#wire = NO_FACE_FAULTS;
    this.outages.clear();
    this.slow = undefined;
    this.streamDownUntil = 0;
  }

  delayMs(): number {
    const { least, mean } = this.#delayMs;
    return least + Math.round(mean * this.random.exponential());
  }

  slowMs(_: string, now: number): number {
    const { slow } = this;
    return slow === undefined || now >= slow.until ? 0 : slow.leastMs + this.random.below(slow.spreadMs);
  }

  draw(operation: string): FaceFault | undefined {
    for (const fault of FACE_FAULTS) {
      const rate = this.#wire[fault];
      if (rate > 0 && canStrike(fault, operation) && this.random.chance(rate)) return fault;
    }
    return undefined;
  }

  /** How a request is lost; undefined where it is not. */
  outage(operation: string, now: number): FaceFault | undefined {
    const kinds: readonly OutageKind[] = ['all', OUTAGE_OF[operation] ?? 'reads'];
    if (!kinds.some((kind) => now < (this.outages.get(kind) ?? 0))) return undefined;
    return lostWay(this.random);
  }
}

const OUTAGE_OF: Readonly<Record<string, OutageKind>> = {
  placeOrders: 'orders',
  cancelOrders: 'cancels',
  heartbeat: 'heartbeat',
};
