/** What the lenient reader returns: documents of which only what is needed is certain, and what stands in the place of those that could not be read. */

import type { Static, TArray, TObject, TSchema, TUnion } from '@sinclair/typebox';
import type { UsedDocument } from './document-use.ts';
import type { WireFault } from './fault.ts';
import type { Tolerant } from './notation.ts';

/**
 * Stands in a list where a document could not be read, so that the others are read all the same.
 *
 * @example
 * client.lenient.call('listMarkets', {}).subscribe((outcome) => {
 *   if (outcome.kind !== 'answered') return;
 *   for (const each of outcome.answer.markets) if (each instanceof Unreadable) console.log(each.part.id, each.faults);
 * });
 */
export class Unreadable<T = unknown> {
  /** The fields that could be read. */
  readonly part: Partial<T>;
  /** What is wrong with the others, each with its place in the document. */
  readonly faults: readonly WireFault[];

  /** A document of which `part` could be read, and no more because of `faults`. */
  constructor(part: Partial<T>, faults: readonly WireFault[]) {
    this.part = part;
    this.faults = faults;
  }
}

/** The type of a value that the lenient reader returns. */
export type Lenient<S extends TSchema> =
  S extends TArray<infer Item>
    ? Item extends UsedDocument<string> | TUnion
      ? readonly (Lenient<Item> | Unreadable<Lenient<Item>>)[]
      : readonly Lenient<Item>[]
    : S extends TUnion<infer Shapes>
      ? Lenient<Shapes[number]>
      : S extends TObject<infer P>
        ? S extends UsedDocument<infer Needed>
          ? { readonly [K in keyof P & Needed]: Lenient<P[K]> } & {
              readonly [K in Exclude<keyof P, Needed>]?: Lenient<P[K]>;
            }
          : { readonly [K in keyof P as P[K] extends TArray ? K : never]: Lenient<P[K]> } & {
              readonly [K in keyof P as P[K] extends TArray ? never : K]?: Lenient<P[K]>;
            }
        : Tolerant<Static<S>>;

/**
 * Parts the documents of a list into those that were read and the others.
 *
 * @example
 * client.lenient.call('listMarkets', {}).subscribe((outcome) => {
 *   if (outcome.kind === 'answered') console.log(sortedOut(outcome.answer.markets).read.length);
 * });
 */
export function sortedOut<T>(items: readonly (T | Unreadable<T>)[]): {
  readonly read: readonly T[];
  readonly unreadable: readonly Unreadable<T>[];
} {
  const read: T[] = [];
  const unreadable: Unreadable<T>[] = [];
  for (const item of items) {
    if (item instanceof Unreadable) unreadable.push(item);
    else read.push(item);
  }
  return { read, unreadable };
}
