/** Refuses words that a strategy wrote and nobody knows: left out in silence, something else would be done than was meant. */

import { nearest } from '../../core/collections/nearest.ts';

/** The first own key that is none of the known ones, which costs no memory where there is none. */
export function unknownKey(written: object, known: ReadonlySet<string>): string | undefined {
  for (const key in written) {
    // What a strategy adds to the prototypes of its realm is none of its words.
    if (!known.has(key) && Object.hasOwn(written, key)) return key;
  }
  return undefined;
}

/** `has no 'prise': it has stake, price. Did you mean 'price'?` */
export function unknownKeyWords(key: string, known: ReadonlySet<string>): string {
  const names = [...known];
  const near = nearest(key.slice(0, KEY_MAX), names);
  const hint = near === undefined ? '' : ` Did you mean '${near}'?`;
  return `has no '${key.slice(0, KEY_MAX)}': it has ${names.join(', ')}.${hint}`;
}

/** Of a helper's options. @throws TypeError, at the strategy */
export function checkOptions(helper: string, options: object, known: ReadonlySet<string>): void {
  const key = unknownKey(options, known);
  if (key !== undefined) throw new TypeError(`${helper}: its last argument ${unknownKeyWords(key, known)}`);
}

/** A longer one is nobody's mistype. */
const KEY_MAX = 100;
