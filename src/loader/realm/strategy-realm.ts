/** The realm in which one strategy lives: its own globals and prototypes, with nothing that was made outside of it. */

import { types } from 'node:util';
import { compileFunction, constants, createContext, Script } from 'node:vm';
import { Random } from '../../core/number/random.ts';
import type { INSIDE } from './inside/inside.ts';
import { guestOrigin } from './origin.ts';
import { guestConsole, type Say } from './strategy-console.ts';

type Inside = typeof INSIDE;

export interface RealmParts {
  /** The file name of the strategy's stack frames. */
  readonly scriptName: string;
  /** SHA-256 of the strategy's code, the seed of its `Math.random`, so that the same run twice is the same run. */
  readonly sha256: string;
  /** Receives what it writes to its console. */
  readonly say: Say;
  /** How far its `Date` is ahead of the machine's. */
  readonly clockShiftMs: number;
  /** The script that is evaluated there first. */
  readonly library: string;
}

/** How its work ended: an error of its own is no error of ours. */
export type Entered<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'threw'; readonly thrown: unknown }
  | { readonly kind: 'timeout' };

type Global = Record<string, unknown>;

/** What the first script makes. */
interface Library {
  readonly INSIDE: Inside;
  readonly imported: (module: string, name: string) => unknown;
}

const ENTRY = '__oddsmithEnter';
// Taken away before it is called: it ends what is entered, and is no strategy's.
const ENTER = new Script(`{ const enter = globalThis.${ENTRY}; delete globalThis.${ENTRY}; enter(); }`, {
  filename: 'oddsmith:enter',
});

/** The part of the web platform that only computes. All else has no place in a pure decision: timers, fetch, streams, clocks. */
const PLATFORM = { structuredClone, TextEncoder, TextDecoder, URL, URLSearchParams, atob, btoa };

const OUTSIDE = {
  isError: types.isNativeError,
  isDate: types.isDate,
  isMap: types.isMap,
  isSet: types.isSet,
  isPromise: types.isPromise,
  isBytes: types.isAnyArrayBuffer,
  isBuffer: (bytes: object): boolean => Buffer.isBuffer(bytes),
  bufferOver: ({ buffer, byteOffset, byteLength }: Uint8Array): object => Buffer.from(buffer, byteOffset, byteLength),
  Buffer,
};

export class StrategyRealm {
  readonly inside: Inside;
  /** What the strategy imports of oddsmith and RxJS. */
  readonly imported: (module: string, name: string) => unknown;
  /** A value of ours, as this realm's own. */
  readonly given: <T>(value: T) => T;
  readonly #scriptName: string;
  readonly #global: Global;
  /** What all objects of this realm lead to. */
  readonly #origin: object;

  constructor({ scriptName, sha256, say, clockShiftMs, library }: RealmParts) {
    this.#scriptName = scriptName;
    // An ordinary global: that of a contextified object asks an interceptor at each look-up. What a strategy awaits never comes: when our
    // own queue is emptied depends on the machine's speed, and so would what is decided.
    this.#global = createContext(constants.DONT_CONTEXTIFY, { microtaskMode: 'afterEvaluate' }) as Global;
    this.#origin = new Script('Object.prototype').runInContext(this.#global);
    const { INSIDE, imported }: Library = compiled(library).runInContext(this.#global);
    this.inside = INSIDE;
    this.imported = imported;
    const { inward } = INSIDE.bridge(OUTSIDE);
    this.given = <T>(value: T) => inward(value) as T;
    for (const [name, value] of Object.entries({ ...PLATFORM, console: guestConsole(say) }))
      Object.defineProperty(this.#global, name, { value: inward(value), writable: true, configurable: true });
    const chance = Random.fromSeed(Number.parseInt(sha256.slice(0, 12), 16));
    INSIDE.tame({ clockShiftMs, random: () => chance.uniform() });
  }

  /** The code, below one line of ours, as a function of the given parameters, which runs in this realm. @throws what is wrong with its syntax */
  compile(code: string, parameters: readonly string[]): (...values: readonly unknown[]) => unknown {
    const options = { filename: this.#scriptName, parsingContext: this.#global, lineOffset: -1 };
    return compileFunction(code, parameters, options) as (...values: readonly unknown[]) => unknown;
  }

  /** Does work that calls code of the realm, and ends it when it takes too long. */
  enter<T>(work: () => T, timeoutMs: number): Entered<T> {
    let entered: Entered<T> = { kind: 'timeout' };
    this.#global[ENTRY] = this.inside.entry(() => {
      try {
        entered = { kind: 'done', value: work() };
      } catch (thrown) {
        entered = { kind: 'threw', thrown };
      }
    });
    try {
      ENTER.runInContext(this.#global, { timeout: timeoutMs, displayErrors: false });
    } catch (error) {
      if (!isTimeout(error)) throw error;
    }
    return entered;
  }

  /** Whether one of the values was made by this realm's own code; undefined where none says which guest's realm made it. */
  hasMade(...values: readonly unknown[]): boolean | undefined {
    const origin = guestOrigin(...values);
    return origin === undefined ? undefined : origin === this.#origin;
  }
}

const scripts = new Map<string, Script>();

/** Compiled once for all realms. */
function compiled(library: string): Script {
  const script = scripts.get(library) ?? new Script(library, { filename: 'oddsmith:library' });
  scripts.set(library, script);
  return script;
}

/** The error is of the realm that was interrupted; what the strategy throws never comes this far. */
function isTimeout(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === TIMEOUT;
}

const TIMEOUT = 'ERR_SCRIPT_EXECUTION_TIMEOUT';
