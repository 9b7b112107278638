/** The faults that the control surface asked for: which of them strikes a request, and how often still. */

import { Random } from '../../core/number/random.ts';
import type { OrderErrorCode } from '../../core/order.ts';
import type { Outcome } from './outcome.ts';

/** What a fault does where it strikes. */
export type FaultAction =
  /** Answers later, by a time between the two. */
  | { readonly kind: 'latency'; readonly delayMsMin: number; readonly delayMsMax: number }
  /** Answers with this status, and does not carry the request out. */
  | { readonly kind: 'status'; readonly status: number; readonly retryAfterS: number | undefined }
  /** Closes the connection without an answer: before the request is carried out, or after it was. */
  | { readonly kind: 'dropBefore' }
  | { readonly kind: 'dropAfter' }
  /** Fails orders instead of accepting them. Its count is of orders. */
  | { readonly kind: 'orderError'; readonly code: OrderErrorCode }
  /** Every answer stays what it was when it was first asked for under the fault. */
  | { readonly kind: 'stalePrices' };

/** Which requests; an absent field means any. */
export interface FaultMatch {
  readonly operations: readonly string[] | undefined;
  /** What the address's path begins with. */
  readonly path: string | undefined;
  /** The machine's app; calls that open a session have none. */
  readonly app: number | undefined;
}

export interface Fault {
  readonly action: FaultAction;
  readonly match: FaultMatch;
  /** Of each request that matches, drawn from the seed. */
  readonly probability: number;
  readonly seed: number;
  /** How often it strikes; undefined until it is cleared. */
  readonly count: number | undefined;
  /** From this instant on it strikes no more. */
  readonly until: number | undefined;
}

export interface FaultTarget {
  readonly operation: string;
  readonly url: string;
  readonly app: number | undefined;
}

/** What befalls one request. */
export interface Strike {
  readonly delayMs: number;
  readonly status: { readonly status: number; readonly retryAfterS: number | undefined } | undefined;
  readonly drop: 'before' | 'after' | undefined;
  /** Frozen answers by caller and address, where prices are stale. */
  readonly frozen: Map<string, Outcome> | undefined;
}

export interface ActiveFault extends Fault {
  readonly id: number;
  readonly struck: number;
}

interface Entry {
  readonly id: number;
  readonly fault: Fault;
  readonly random: Random;
  readonly frozen: Map<string, Outcome>;
  struck: number;
}

export class InjectedFaults {
  #entries: Entry[] = [];
  #made = 0;

  /** Whether no request needs to be looked at. */
  get isQuiet(): boolean {
    return this.#entries.length === 0;
  }

  add(fault: Fault): number {
    this.#made += 1;
    const random = Random.fromSeed(fault.seed);
    this.#entries.push({ id: this.#made, fault, random, frozen: new Map(), struck: 0 });
    return this.#made;
  }

  /** False where there is no such fault, or no longer. */
  clear(id: number): boolean {
    const before = this.#entries.length;
    this.#entries = this.#entries.filter((entry) => entry.id !== id);
    return this.#entries.length < before;
  }

  clearAll(): void {
    this.#entries = [];
  }

  active(now: number): readonly ActiveFault[] {
    this.#dropSpent(now);
    return this.#entries.map(({ id, fault, struck }) => ({ ...fault, id, struck }));
  }

  /** Each fault that matches counts as having struck, whatever the others do. */
  strike(target: FaultTarget, now: number): Strike | undefined {
    this.#dropSpent(now);
    let strike: Strike | undefined;
    for (const entry of this.#entries) {
      const { action } = entry.fault;
      if (action.kind === 'orderError' || !matches(entry.fault.match, target) || !draws(entry)) continue;
      strike = joined(strike ?? NO_STRIKE, action, entry);
    }
    return strike;
  }

  takeOrderFault(app: number, now: number): OrderErrorCode | undefined {
    if (this.isQuiet) return undefined;
    this.#dropSpent(now);
    for (const entry of this.#entries) {
      const { action, match } = entry.fault;
      if (action.kind === 'orderError' && (match.app ?? app) === app && draws(entry)) return action.code;
    }
    return undefined;
  }

  #dropSpent(now: number): void {
    const isSpent = ({ fault: { count, until }, struck }: Entry) =>
      (count !== undefined && struck >= count) || (until !== undefined && now >= until);
    if (this.#entries.some(isSpent)) this.#entries = this.#entries.filter((entry) => !isSpent(entry));
  }
}

const NO_STRIKE: Strike = { delayMs: 0, status: undefined, drop: undefined, frozen: undefined };

function matches({ operations, path, app }: FaultMatch, target: FaultTarget): boolean {
  if (operations !== undefined && !operations.includes(target.operation)) return false;
  if (path !== undefined && !target.url.startsWith(path)) return false;
  return app === undefined || app === target.app;
}

function draws(entry: Entry): boolean {
  const { probability } = entry.fault;
  if (probability < 1 && !entry.random.chance(probability)) return false;
  entry.struck += 1;
  return true;
}

/** Delays add up; of two faults that answer or drop, the older one stands. */
function joined(strike: Strike, action: FaultAction, entry: Entry): Strike {
  switch (action.kind) {
    case 'latency': {
      const { delayMsMin, delayMsMax } = action;
      const delayMs = delayMsMin + entry.random.below(delayMsMax - delayMsMin + 1);
      return { ...strike, delayMs: strike.delayMs + delayMs };
    }
    case 'status':
      return { ...strike, status: strike.status ?? action };
    case 'dropBefore':
      return { ...strike, drop: strike.drop ?? 'before' };
    case 'dropAfter':
      return { ...strike, drop: strike.drop ?? 'after' };
    case 'stalePrices':
      return { ...strike, frozen: strike.frozen ?? entry.frozen };
    case 'orderError':
      return strike;
  }
}
