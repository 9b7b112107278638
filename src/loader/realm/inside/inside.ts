/** All that is evaluated in a strategy's realm before its own code: what stands between it and the objects of ours. */

import { WINDOWS } from '../../../engine/windows/windows.ts';
import { StrategyShapeError } from '../../../strategy/define-strategy.ts';
import { Bridge } from './bridge.ts';

export const INSIDE = {
  windows: WINDOWS,
  isShapeError: StrategyShapeError.is,
  bridge: (outside: ConstructorParameters<typeof Bridge>[0]): Bridge => new Bridge(outside),
  tame,
  newModule: (): { exports: unknown } => ({ exports: {} }),
  /** A function of this realm that does nothing but call one of ours. */
  entry: (work: () => void) => (): void => work(),
};

interface Tamed {
  /** How far its clocks are ahead of the machine's. */
  readonly clockShiftMs: number;
  readonly random: () => number;
}

/**
 * Takes out of a realm what tells time, chance or how memory is cleaned up, or replaces it by what is the same at each run. Call it before
 * any code of a strategy.
 */
function tame({ clockShiftMs, random }: Tamed): void {
  // RxJS calls through many functions of its own: the line of the strategy must be among those that an error names.
  Error.stackTraceLimit = 50;
  Math.random = () => random(); // edge: seeded, so that the same run twice is the same run
  if (clockShiftMs !== 0) shiftClocks(clockShiftMs);
  for (const [name, members] of LATE) {
    const of: unknown = Reflect.get(globalThis, name); // edge: the realm's own
    if (typeof of === 'object' && of !== null) for (const member of members) Reflect.deleteProperty(of, member);
  }
  Object.assign(globalThis, { WeakRef: StrongRef, FinalizationRegistry: NoRegistry }); // edge: the same
}

/** What goes on after the call in which it was begun, and ends when the machine is ready; and a clock that no proof can shift. */
const LATE: readonly (readonly [string, readonly string[]])[] = [
  ['Atomics', ['wait', 'waitAsync']],
  ['WebAssembly', ['compile', 'compileStreaming', 'instantiate', 'instantiateStreaming']],
  ['Temporal', ['Now']],
];

/** A date that is made of a time is that time. */
function shiftClocks(shiftMs: number): void {
  const real = Date;
  const read = real.now;
  const now = (): number => read() + shiftMs;
  const date = new Proxy(real, {
    construct: (made, args, target) => Reflect.construct(made, args.length === 0 ? [now()] : args, target),
    apply: (made) => new made(now()).toString(),
  });
  date.now = now;
  Object.defineProperty(real.prototype, 'constructor', { value: date, writable: true, configurable: true });
  globalThis.Date = date; // edge: the same
  shiftFormats(Intl.DateTimeFormat.prototype, now);
}

/** Asked for the text of no date, a format gives that of the present. */
function shiftFormats(formats: Intl.DateTimeFormat, now: () => number): void {
  const format = Object.getOwnPropertyDescriptor(formats, 'format')?.get;
  const { formatToParts } = formats;
  Object.defineProperties(formats, {
    format: {
      get(this: Intl.DateTimeFormat) {
        const own = Reflect.apply(format ?? missing, this, []);
        return (date?: unknown) => own(date === undefined ? now() : date);
      },
    },
    formatToParts: {
      value(this: Intl.DateTimeFormat, date?: Date | number) {
        return Reflect.apply(formatToParts, this, [date === undefined ? now() : date]);
      },
    },
  });
}

function missing(): never {
  throw new TypeError('This is no format of dates.');
}

/** Holds what a WeakRef may lose: when memory is cleaned up is chance. */
class StrongRef<T extends WeakKey> implements Pick<WeakRef<WeakKey>, 'deref'> {
  readonly #held: T;

  constructor(held: T) {
    this.#held = held;
  }

  deref(): T {
    return this.#held;
  }
}

/** Tells nobody. */
class NoRegistry implements Pick<FinalizationRegistry<unknown>, 'register' | 'unregister'> {
  register(): void {}

  unregister(): boolean {
    return false;
  }
}
