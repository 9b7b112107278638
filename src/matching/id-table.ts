/** From an id that counts up for ever to the slot of what it names, in pages that vanish once they are empty. */

import { assert } from '../core/assert.ts';

const PAGE_SIZE = 1024;
/** What a look-up of an unknown id answers. */
export const NO_SLOT = -1;

interface Page {
  readonly slots: Int32Array;
  live: number;
}

export class IdTable {
  readonly #pages = new Map<number, Page>();
  #lastKey = -1;
  #lastPage: Page | undefined;

  set(id: number, slot: number): void {
    const key = Math.floor(id / PAGE_SIZE);
    let page = this.#page(key);
    if (page === undefined) {
      page = { slots: new Int32Array(PAGE_SIZE).fill(NO_SLOT), live: 0 };
      this.#pages.set(key, page);
      this.#lastPage = page;
    }
    assert(page.slots[id - key * PAGE_SIZE] === NO_SLOT, 'an id is given once');
    page.slots[id - key * PAGE_SIZE] = slot;
    page.live += 1;
  }

  /** NO_SLOT for what never was, or is forgotten, or is no id at all. */
  get(id: number): number {
    const key = Math.floor(id / PAGE_SIZE);
    return this.#page(key)?.slots[id - key * PAGE_SIZE] ?? NO_SLOT;
  }

  delete(id: number): void {
    const key = Math.floor(id / PAGE_SIZE);
    const page = this.#page(key);
    assert(page !== undefined && page.slots[id - key * PAGE_SIZE] !== NO_SLOT, 'only a known id is deleted');
    page.slots[id - key * PAGE_SIZE] = NO_SLOT;
    page.live -= 1;
    if (page.live > 0) return;
    this.#pages.delete(key);
    this.#lastKey = -1;
    this.#lastPage = undefined;
  }

  get pages(): number {
    return this.#pages.size;
  }

  #page(key: number): Page | undefined {
    if (key === this.#lastKey) return this.#lastPage;
    this.#lastKey = key;
    this.#lastPage = this.#pages.get(key);
    return this.#lastPage;
  }
}
