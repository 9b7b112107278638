/** From an id that counts up for ever to the slot of what it names, in pages that vanish once they are empty. */

import { assert } from '../../core/checks/assert.ts';

/** Written out where every order and trade passes: see NONE of the orders. */
const PAGE_SIZE = 4096;
/** What a look-up of an unknown id answers. */
export const NO_SLOT = -1;

interface Page {
  readonly slots: Int32Array;
  live: number;
}

export class IdTable {
  /** By id ÷ PAGE_SIZE: a hole costs eight bytes for as many ids. */
  readonly #pages: (Page | undefined)[] = [];
  /** The page that was set last, and its first id: the next id is mostly in it. */
  #last: Page | undefined;
  #lastFrom = -4096;
  #pageCount = 0;

  set(id: number, slot: number): void {
    let page = this.#last;
    let at = id - this.#lastFrom;
    if (page === undefined || !(at >= 0 && at < 4096)) {
      const key = Math.floor(id / PAGE_SIZE);
      page = this.#pages[key] ?? this.#newPage(key);
      this.#last = page;
      this.#lastFrom = key * PAGE_SIZE;
      at = id - this.#lastFrom;
    }
    assert((page.slots[at] ?? 0) < 0, 'an id is given once');
    page.slots[at] = slot;
    page.live += 1;
  }

  /** NO_SLOT for what never was, or is forgotten, or is no id at all. */
  get(id: number): number {
    // What is no index of a page, however it was rounded, is no index of its slots either.
    const key = (id / 4096) | 0;
    return this.#pages[key]?.slots[id - key * 4096] ?? NO_SLOT;
  }

  delete(id: number): void {
    const key = Math.floor(id / PAGE_SIZE);
    const page = this.#pages[key];
    const at = id - key * PAGE_SIZE;
    assert(page !== undefined && page.slots[at] !== NO_SLOT, 'only a known id is deleted');
    page.slots[at] = NO_SLOT;
    page.live -= 1;
    if (page.live > 0) return;
    this.#pages[key] = undefined;
    if (this.#last === page) this.#last = undefined;
    this.#pageCount -= 1;
  }

  get pages(): number {
    return this.#pageCount;
  }

  /** Ids count up, so that the array grows by one page at a time and stays without holes of its own. */
  #newPage(key: number): Page {
    const page = { slots: new Int32Array(PAGE_SIZE).fill(NO_SLOT), live: 0 };
    while (this.#pages.length < key) this.#pages.push(undefined);
    this.#pages[key] = page;
    this.#pageCount += 1;
    return page;
  }
}
