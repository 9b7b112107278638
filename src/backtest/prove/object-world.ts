/** The world as a strategy that is given as an object sees it in a proof: another clock, other chance, and no files if they are withheld. */

import crypto from 'node:crypto';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { Observable } from 'rxjs';
import { Random } from '../../core/number/random.ts';
import type { DecideInput, StrategyPlugin } from '../../strategy/contract.ts';

export interface WorldChoice {
  readonly clockShiftMs: number;
  readonly seed: number;
  readonly areFilesWithheld: boolean;
  readonly isEnvironmentWithheld: boolean;
}

const SHARED = globalThis; // edge: an object shares this program's globals: a proof can only change them for the time of a call
const MACHINE = process; // edge: the same

/** The world of the call at play: calls of strategies end before anything else happens. */
let inside: ObjectWorld | undefined;

export class ObjectWorld {
  readonly areFilesWithheld: boolean;
  /** What was read, or looked for, in calls of the strategy. */
  readonly filesRead = new Set<string>();
  readonly #isEnvironmentWithheld: boolean;
  readonly #date: DateConstructor;
  readonly random: () => number;

  constructor({ clockShiftMs, seed, areFilesWithheld, isEnvironmentWithheld }: WorldChoice) {
    this.areFilesWithheld = areFilesWithheld;
    this.#isEnvironmentWithheld = isEnvironmentWithheld;
    this.#date = shiftedDate(clockShiftMs);
    const random = Random.fromSeed(seed);
    this.random = () => random.uniform();
  }

  /** Does work that calls the strategy. What the strategy itself puts in place of the clock or of chance stays as it has put it. */
  call<T>(work: () => T): T {
    const outer = inside;
    const { Date: date, Math: math } = SHARED;
    const { random } = math;
    const { env } = MACHINE;
    inside = this;
    SHARED.Date = this.#date;
    math.random = this.random;
    if (this.#isEnvironmentWithheld) MACHINE.env = {};
    try {
      return work();
    } finally {
      inside = outer;
      if (SHARED.Date === this.#date) SHARED.Date = date;
      if (math.random === this.random) math.random = random;
      MACHINE.env = env;
    }
  }

  /** The plugin, each of whose functions is called in this world. */
  around(plugin: StrategyPlugin): StrategyPlugin {
    const { watches, state, decide, run } = plugin;
    return {
      ...plugin,
      ...(watches && { watches: (market) => this.call(() => watches(market)) }),
      ...(state && { state: (market) => this.call(() => state(market)) }),
      ...(decide && { decide: (input) => this.call(() => decide(input)) }),
      ...(run && { run: (inputs$) => run(this.#each(inputs$)) }),
    };
  }

  #each(inputs$: Observable<DecideInput>): Observable<DecideInput> {
    return new Observable((subscriber) =>
      inputs$.subscribe({
        next: (input) => this.call(() => subscriber.next(input)),
        error: (error) => subscriber.error(error),
        complete: () => subscriber.complete(),
      }),
    );
  }
}

/** When this program began, ms. */
const BEGAN_AT = SHARED.Date.now(); // edge: worlds of other runs shall have other times

/**
 * A date that is made of a time is that time. The clock begins at the same time in every world, but for the shift, and goes on by as much
 * with each look at it; with a shift it goes faster. By the machine's own clock, equal replays would differ by chance, and a proof could name
 * another cause for that.
 */
function shiftedDate(shiftMs: number): DateConstructor {
  const real = SHARED.Date;
  const stepMs = shiftMs === 0 ? 1 : 3;
  let time = BEGAN_AT + shiftMs;
  const now = (): number => {
    time += stepMs;
    return time;
  };
  return new Proxy(real, {
    construct: (made, args, target) => Reflect.construct(made, args.length === 0 ? [now()] : args, target),
    apply: (made) => new made(now()).toString(),
    get: (made, key, receiver) => (key === 'now' ? now : Reflect.get(made, key, receiver)),
  });
}

const READING = [
  ...(['accessSync', 'existsSync', 'lstatSync', 'openSync', 'readFileSync', 'readdirSync'] as const),
  ...(['readlinkSync', 'realpathSync', 'statSync'] as const),
];

let watching = 0;
let stopWatching = (): void => {};

/**
 * Watches Node's modules until the function that it returns is called. What a strategy reads by `fs` within its calls
 * is known to its world, and what it draws by `crypto` has the world's seed. Several proofs may watch at once.
 */
export function watchModules(): () => void {
  if (watching === 0) stopWatching = replaceReading();
  watching += 1;
  return () => {
    watching -= 1;
    if (watching === 0) stopWatching();
  };
}

function replaceReading(): () => void {
  const own: Record<string, unknown> = {};
  const watched: Record<string, unknown> = {};
  for (const name of READING) {
    const read: unknown = fs[name];
    own[name] = read;
    watched[name] = watchedReading(name, read);
  }
  const ownChance = Object.fromEntries(Object.keys(SEEDED).map((name) => [name, Reflect.get(crypto, name)]));
  Object.assign(fs, watched);
  Object.assign(
    crypto,
    Object.fromEntries(Object.entries(ownChance).map(([name, draw]) => [name, seeded(name, draw)])),
  );
  // So that `import { readFileSync } from 'node:fs'` has the same.
  syncBuiltinESMExports();
  return () => {
    Object.assign(fs, own);
    Object.assign(crypto, ownChance);
    syncBuiltinESMExports();
  };
}

function seeded(name: string, own: unknown): unknown {
  if (typeof own !== 'function') return own;
  return (...args: readonly unknown[]): unknown => {
    const isLater = typeof args.at(-1) === 'function';
    if (inside === undefined || isLater) return Reflect.apply(own, crypto, args);
    return SEEDED[name]?.(inside.random, args);
  };
}

function watchedReading(name: string, read: unknown): unknown {
  if (typeof read !== 'function') return read;
  const watched = (...args: readonly unknown[]): unknown => {
    const world = inside;
    if (world === undefined) return Reflect.apply(read, fs, args);
    world.filesRead.add(String(args[0]));
    if (!world.areFilesWithheld) return Reflect.apply(read, fs, args);
    if (name === 'existsSync') return false;
    const error = new Error(`ENOENT: no such file or directory, open '${String(args[0])}'`);
    throw Object.assign(error, { code: 'ENOENT' });
  };
  // `realpathSync.native` and the like.
  return Object.assign(watched, read);
}

/** Draws a number from 0 to 1, without 1. */
type Draw = () => number;

/**
 * Node's ways to draw chance, by name, each made of numbers that are drawn, so that a proof can tell chance from memory. What calls back
 * later is left as it is.
 */
const SEEDED: Readonly<Record<string, (draw: Draw, args: readonly unknown[]) => unknown>> = {
  randomBytes: (draw, [size]) => filled(draw, Buffer.alloc(Number(size))),
  randomInt: (draw, [first, second]) => {
    const [min, max] = typeof second === 'number' ? [Number(first), second] : [0, Number(first)];
    return min + Math.floor(draw() * (max - min));
  },
  randomUUID: (draw): string => {
    const hex = filled(draw, Buffer.alloc(16)).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
  },
  randomFillSync: (draw, [memory]) => filled(draw, memory),
};

function filled<T>(draw: Draw, memory: T): T {
  if (!ArrayBuffer.isView(memory)) throw new TypeError('Chance is filled into bytes.');
  const bytes = new Uint8Array(memory.buffer, memory.byteOffset, memory.byteLength);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = Math.floor(draw() * 256);
  return memory;
}
