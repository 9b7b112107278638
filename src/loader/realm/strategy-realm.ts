/**
 * The realm in which one strategy lives: its own globals and prototypes, and nothing of the process. A guard against
 * mistakes and no wall against malice, since every object of ours that a strategy is given leads out of it.
 */

import { compileFunction, constants, createContext, Script } from 'node:vm';
import { Random } from '../../core/number/random.ts';
import { guestOrigin } from './origin.ts';
import { guestConsole, type Say } from './strategy-console.ts';

export interface RealmParts {
  /** The file name of the strategy's stack frames. */
  readonly scriptName: string;
  /** SHA-256 of the strategy's code, the seed of its `Math.random`, so that the same run twice is the same run. */
  readonly sha256: string;
  /** Receives what it writes to its console. */
  readonly say: Say;
  /** By how much its `Date` is ahead of the machine's. */
  readonly clockShiftMs: number;
}

/** How its work ended: an error of its own is no error of ours. */
export type Entered<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'threw'; readonly thrown: unknown }
  | { readonly kind: 'timeout' };

type Global = Record<string, unknown>;

const ENTRY = '__oddsmithEnter';
const ENTER = new Script(`${ENTRY}()`, { filename: 'oddsmith:enter' });

/** Of the web platform, what only computes. All else is no part of a pure decision: timers, fetch, streams, clocks. */
const PLATFORM = { structuredClone, TextEncoder, TextDecoder, URL, URLSearchParams, atob, btoa };

/** Runs in the realm, so that its dates stay its own. A date that is made of a time is that time. */
const SHIFT_CLOCK = `(shiftMs) => {
  const now = Date.now;
  const shifted = () => now() + shiftMs;
  Date = new Proxy(Date, {
    construct: (made, args, target) => Reflect.construct(made, args.length === 0 ? [shifted()] : args, target),
    apply: (made) => new made(shifted()).toString(),
  });
  Date.now = shifted;
  Object.defineProperty(Date.prototype, 'constructor', { value: Date, writable: true, configurable: true });
}`;

export class StrategyRealm {
  readonly #scriptName: string;
  readonly #global: Global;
  /** What all objects of this realm lead to. */
  readonly #origin: object;

  constructor({ scriptName, sha256, say, clockShiftMs }: RealmParts) {
    this.#scriptName = scriptName;
    // An ordinary global: that of a contextified object asks an interceptor at each look-up.
    this.#global = createContext(constants.DONT_CONTEXTIFY) as Global;
    this.#origin = new Script('Object.prototype').runInContext(this.#global);
    Object.assign(this.#global, PLATFORM, { console: guestConsole(say) });
    const chance = Random.fromSeed(Number.parseInt(sha256.slice(0, 12), 16));
    const math = this.#global['Math'] as { random: () => number };
    math.random = () => chance.uniform();
    if (clockShiftMs !== 0) new Script(SHIFT_CLOCK).runInContext(this.#global)(clockShiftMs);
  }

  /** The code, below one line of ours, as a function of the given parameters, which runs in this realm. @throws what is wrong with its syntax */
  compile(code: string, parameters: readonly string[]): (...values: readonly unknown[]) => unknown {
    const options = { filename: this.#scriptName, parsingContext: this.#global, lineOffset: -1 };
    return compileFunction(code, parameters, options) as (...values: readonly unknown[]) => unknown;
  }

  /** Does work that calls code of the realm, and ends it when it takes too long. */
  enter<T>(work: () => T, timeoutMs: number): Entered<T> {
    let entered: Entered<T> = { kind: 'timeout' };
    this.#global[ENTRY] = () => {
      try {
        entered = { kind: 'done', value: work() };
      } catch (thrown) {
        entered = { kind: 'threw', thrown };
      }
    };
    try {
      ENTER.runInContext(this.#global, { timeout: timeoutMs, displayErrors: false });
    } catch (error) {
      if (!isTimeout(error)) throw error;
    } finally {
      delete this.#global[ENTRY];
    }
    return entered;
  }

  /** Whether one of the values was made by this realm's own code; undefined where none says which guest's realm made it. */
  hasMade(...values: readonly unknown[]): boolean | undefined {
    const origin = guestOrigin(...values);
    return origin === undefined ? undefined : origin === this.#origin;
  }
}

/** The error is of the realm that was interrupted; what the strategy throws never comes this far. */
function isTimeout(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === TIMEOUT;
}

const TIMEOUT = 'ERR_SCRIPT_EXECUTION_TIMEOUT';
