/** Refuses unknown keys in what a strategy returns: ignoring one silently would do something else than was meant. */

import { nearest } from '../../core/collections/nearest.ts';

/** The first own key that is not known; undefined where all are. Allocates nothing. */
function unknownKey(written: object, known: ReadonlySet<string>): string | undefined {
  for (const key in written) {
    if (!known.has(key) && isOwn(written, key)) return key;
  }
  return undefined;
}

/**
 * `unknownKey` for objects that nearly always have the same keys in the same order, as those of one line of code have: a key
 * that stands where it stood in an earlier object is known, without being looked up.
 */
export class KnownKeys {
  readonly known: ReadonlySet<string>;
  /** Known keys, by the place at which they were last met. */
  readonly #met: string[] = [];

  constructor(...known: readonly string[]) {
    this.known = new Set(known);
  }

  unknownKey(written: object): string | undefined {
    const met = this.#met;
    let place = 0;
    for (const key in written) {
      if (met[place] !== key) {
        if (!this.known.has(key)) {
          if (isOwn(written, key)) return key;
          continue;
        }
        met[place] = key;
      }
      place += 1;
    }
    return undefined;
  }
}

/** Inherited keys are skipped: a strategy may have added some to the prototypes of its realm. */
function isOwn(written: object, key: string): boolean {
  return Object.hasOwn(written, key);
}

/** The end of a sentence about an unknown key: `has no 'prise': it has stake, price. Did you mean 'price'?` */
export function unknownKeyText(key: string, known: ReadonlySet<string>): string {
  const names = [...known];
  const near = nearest(key.slice(0, KEY_MAX), names);
  const hint = near === undefined ? '' : ` Did you mean '${near}'?`;
  return `has no '${key.slice(0, KEY_MAX)}': it has ${names.join(', ')}.${hint}`;
}

/** Checks the options object of a helper. @throws TypeError for an unknown key, inside the strategy's call */
export function checkOptions(helper: string, options: object, known: ReadonlySet<string>): void {
  const key = unknownKey(options, known);
  if (key !== undefined) throw new TypeError(`${helper}: its last argument ${unknownKeyText(key, known)}`);
}

/** Characters; longer keys are cut in messages and are no misspelling of a known one. */
const KEY_MAX = 100;
