/** Which realm a value was made in, found without calling any of its code. */

import { types } from 'node:util';

/**
 * The `Object.prototype` that its chain of prototypes ends with, which no code can replace: one for each realm. Undefined for
 * primitives, and where a proxy or an object without prototypes hides it.
 */
export function originOf(value: unknown): object | undefined {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined;
  let last: object = value;
  for (;;) {
    if (types.isProxy(last)) return undefined;
    const next: unknown = Object.getPrototypeOf(last);
    if (typeof next !== 'object' || next === null) return last === value ? undefined : last;
    last = next;
  }
}

/** The prototype of objects of our own code, which no guest made. */
const OURS = Object.prototype;

/** The realm of the guest that made one of these, the first that says so. */
export function guestOrigin(...values: readonly unknown[]): object | undefined {
  return values.map(originOf).find((origin) => origin !== undefined && origin !== OURS);
}
