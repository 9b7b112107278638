/** The references under which the exchange knows a run's orders, and how to read them back. */

import { assert, defined } from '../../core/checks/assert.ts';

/** Characters of a strategy's name that a reference holds at most; the rest is cut off. */
const SLUG_MAX = 40;
const NUMBER = /^[1-9]\d{0,15}$/;
const SLUG = /^[a-z0-9_]+$/;
/** Room for the longest number that is read, and for the two dashes. */
const REST_MAX = 16 + 2;
/** Without a strategy's name there is one dash, and room for more orders than any run places. */
const REST_MIN = 10 + 1;

export interface ReferencesOptions {
  /** The run's own name, with which each of its references begins. */
  readonly prefix: string;
  /** The strategies' names, by the port's index. */
  readonly strategies: readonly string[];
  /** Characters of the longest reference that the exchange accepts. */
  readonly lengthMax: number;
}

/**
 * `<prefix>-<strategy>-<number>`. The number alone distinguishes the orders of the run; the strategy is there for people. Its
 * name holds no dash here, so that a run is never taken for another one whose name begins with its own. Where the exchange's
 * references are too short for any of it, they are `<prefix>-<number>`, and the journal alone knows the strategy.
 */
export class References {
  readonly #start: string;
  readonly #lengthMax: number;
  readonly #slugMax: number;
  readonly #slugs: readonly string[];

  constructor({ prefix, strategies, lengthMax }: ReferencesOptions) {
    assert(prefix.length + REST_MIN <= lengthMax, `the reference prefix is too long: ${prefix}`);
    this.#start = `${prefix}-`;
    this.#lengthMax = lengthMax;
    this.#slugMax = Math.max(0, Math.min(SLUG_MAX, lengthMax - prefix.length - REST_MAX));
    this.#slugs = strategies.map((name) => this.#slugOf(name));
  }

  of(client: number, strategy: number): string {
    return this.#with(client, defined(this.#slugs[strategy], `there is no strategy ${strategy}`));
  }

  /** The reference of an order that an earlier process of the run placed, by the strategy's name. */
  named(client: number, strategy: string): string {
    return this.#with(client, this.#slugOf(strategy));
  }

  /** Our number of the order, or undefined if this run did not place it. The reference may lack the strategy. */
  clientOf(reference: string | undefined): number | undefined {
    if (reference === undefined || !reference.startsWith(this.#start)) return undefined;
    const rest = reference.slice(this.#start.length);
    const dash = rest.lastIndexOf('-');
    if (dash >= 0 && !SLUG.test(rest.slice(0, dash))) return undefined;
    const number = rest.slice(dash + 1);
    return NUMBER.test(number) && Number.isSafeInteger(Number(number)) ? Number(number) : undefined;
  }

  /** The strategy of an order that this run placed; undefined if no strategy of the run has that name, or several have. */
  strategyOf(reference: string | undefined): number | undefined {
    if (reference === undefined || this.clientOf(reference) === undefined) return undefined;
    const slug = reference.slice(this.#start.length, reference.lastIndexOf('-'));
    if (slug === '') return undefined;
    const index = this.#slugs.indexOf(slug);
    return index >= 0 && this.#slugs.lastIndexOf(slug) === index ? index : undefined;
  }

  #with(client: number, slug: string): string {
    const reference = `${this.#start}${slug}${slug === '' ? '' : '-'}${client}`;
    assert(reference.length <= this.#lengthMax, `there is no room for the number of order ${client}`);
    return reference;
  }

  #slugOf(strategy: string): string {
    assert(strategy !== '', 'a strategy has a name');
    return strategy
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .slice(0, this.#slugMax);
  }
}
