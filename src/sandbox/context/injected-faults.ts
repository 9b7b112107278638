/** Holds the faults that the control surface injected, and decides which of them apply to a request. */

import { Random } from '../../core/number/random.ts';
import type { OrderErrorCode } from '../../core/order.ts';
import type { HttpAnswer } from './http-answer.ts';

/** The effect of a fault on a request that it strikes. */
export type FaultAction =
  /** Delays the answer by a random time between the two bounds, in ms. */
  | { readonly kind: 'latency'; readonly delayMsMin: number; readonly delayMsMax: number }
  /** Answers with this status without executing the request. */
  | { readonly kind: 'status'; readonly status: number; readonly retryAfterS: number | undefined }
  /** Closes the connection without an answer, before the request is executed or after. */
  | { readonly kind: 'dropBefore' }
  | { readonly kind: 'dropAfter' }
  /** Fails orders instead of accepting them. The fault's `count` counts orders. */
  | { readonly kind: 'orderError'; readonly code: OrderErrorCode }
  /** Repeats for each address the first answer given under the fault. */
  | { readonly kind: 'stalePrices' }
  /** Sends nothing more over the stream while it lasts, no heartbeat either. */
  | { readonly kind: 'silence' }
  | OwnAnswer
  /** Makes a document of the answer odd. */
  | OddDocument;

/** An answer in the words of the face instead of the true one. */
export type OwnAnswer = {
  /** When the request is carried out all the same, in ms after it came; undefined: never. */
  readonly actsAfterMs: number | undefined;
} & (
  | { readonly kind: 'error'; readonly code: string }
  /** The report of a request that changes orders: of the whole, and of each of its items. */
  | { readonly kind: 'report'; readonly reportStatus: 'TIMEOUT' | 'FAILURE'; readonly code: string | undefined }
);

/** One field of one document as the API's shapes do not allow it. */
export interface OddDocument {
  readonly kind: 'oddDocument';
  /** The list in an answer, or the type of a message of the stream. */
  readonly documents: string;
  /** Its id, of a message that of its order, market, wallet or event; undefined: the first of the list, or every message of the type. */
  readonly documentId: string | undefined;
  /** The place in the document, such as `lockAt` or `prices.0.amount`. */
  readonly field: string;
  /** The value, as JSON; undefined: the field is left out. */
  readonly json: string | undefined;
}

/** Which requests a fault applies to; an undefined field matches every request. */
export interface FaultMatch {
  readonly operations: readonly string[] | undefined;
  /** Beginning of the request's path. */
  readonly path: string | undefined;
  /** The exchange machine's number of the app; requests that open a session have none. */
  readonly app: number | undefined;
}

export interface Fault {
  readonly action: FaultAction;
  readonly match: FaultMatch;
  /** Probability, 0 to 1, that a matching request is struck; drawn with `seed`. */
  readonly probability: number;
  readonly seed: number;
  /** How many times it strikes; undefined: until it is cleared. */
  readonly count: number | undefined;
  /** When the fault ends, ms UTC; undefined: never. */
  readonly until: number | undefined;
}

export interface FaultTarget {
  readonly operation: string;
  readonly url: string;
  readonly app: number | undefined;
  /** Whether only faults that name the operation strike it. */
  readonly isNamedOnly?: boolean;
}

/** A message of the stream, and the app that it goes to. */
export interface MessageTarget {
  readonly type: string;
  readonly id: string;
  readonly app: number | undefined;
}

/** The combined effect of all faults on one request. */
export interface Strike {
  readonly delayMs: number;
  readonly status: { readonly status: number; readonly retryAfterS: number | undefined } | undefined;
  readonly drop: 'before' | 'after' | undefined;
  /** The frozen answers by caller and address, while prices are stale. */
  readonly frozen: Map<string, HttpAnswer> | undefined;
  readonly answer: OwnAnswer | undefined;
  readonly odd: readonly OddDocument[];
}

export interface ActiveFault extends Fault {
  readonly id: number;
  readonly struck: number;
}

interface Entry {
  readonly id: number;
  readonly fault: Fault;
  readonly random: Random;
  readonly frozen: Map<string, HttpAnswer>;
  struck: number;
}

export class InjectedFaults {
  #entries: Entry[] = [];
  #made = 0;

  /** True where there are no faults, so that requests need not be checked. */
  get isQuiet(): boolean {
    return this.#entries.length === 0;
  }

  add(fault: Fault): number {
    this.#made += 1;
    const random = Random.fromSeed(fault.seed);
    this.#entries.push({ id: this.#made, fault, random, frozen: new Map(), struck: 0 });
    return this.#made;
  }

  /** Removes a fault; false where there is none with this id. */
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

  /**
   * The effect of all matching faults on a request; undefined where none strikes. Each matching fault counts the
   * strike, even if another one's effect prevails.
   */
  strike(target: FaultTarget, now: number): Strike | undefined {
    this.#dropSpent(now);
    let strike: Strike | undefined;
    for (const entry of this.#entries) {
      const { action } = entry.fault;
      if (OUT_OF_STRIKES.has(action.kind) || !matches(entry.fault.match, target) || !draws(entry)) continue;
      strike = joined(strike ?? NO_STRIKE, action, entry);
    }
    return strike;
  }

  /** Whether messages to this target are held back. That is asked again and again, so it counts no strike. */
  isSilent(target: FaultTarget, now: number): boolean {
    if (this.isQuiet) return false;
    this.#dropSpent(now);
    return this.#entries.some(({ fault: { action, match } }) => action.kind === 'silence' && matches(match, target));
  }

  /** What makes a message of the stream odd that is about to leave; each fault counts the strike. */
  strikeMessage({ type, id, app }: MessageTarget, now: number): readonly OddDocument[] {
    this.#dropSpent(now);
    return this.#entries.flatMap((entry) => {
      const { action, match } = entry.fault;
      if (action.kind !== 'oddDocument' || action.documents !== type || (action.documentId ?? id) !== id) return [];
      return (match.app ?? app) === app && draws(entry) ? [action] : [];
    });
  }

  /** The error for the next order of the app, if a fault demands one; the fault counts the strike. */
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

/** Kinds that are asked for by themselves. */
const OUT_OF_STRIKES: ReadonlySet<FaultAction['kind']> = new Set(['orderError', 'silence']);

const NO_STRIKE: Strike = {
  delayMs: 0,
  status: undefined,
  drop: undefined,
  frozen: undefined,
  answer: undefined,
  odd: [],
};

function matches({ operations, path, app }: FaultMatch, target: FaultTarget): boolean {
  if (operations === undefined ? target.isNamedOnly === true : !operations.includes(target.operation)) return false;
  if (path !== undefined && !target.url.startsWith(path)) return false;
  return app === undefined || app === target.app;
}

function draws(entry: Entry): boolean {
  const { probability } = entry.fault;
  if (probability < 1 && !entry.random.chance(probability)) return false;
  entry.struck += 1;
  return true;
}

/** Adds one fault's effect. Delays add up; of two faults that answer or drop the connection the older one prevails. */
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
    case 'oddDocument':
      return { ...strike, odd: [...strike.odd, action] };
    case 'error':
    case 'report':
      return { ...strike, answer: strike.answer ?? action };
    case 'orderError':
    case 'silence':
      return strike;
  }
}
