/**
 * Maps ids that count up without end to the slots of the things they name, in pages that are freed once they are empty.
 */

import { assert } from '../../core/checks/assert.ts';
import { NO_SLOT, PAGE_IDS } from './id-pages.ts';

interface Page {
  readonly slots: Int32Array;
  live: number;
}

/** Maps ids to slots. Ids are whole numbers from 0; slots are not negative. */
export class IdTable {
  /** Pages by id ÷ PAGE_IDS. A hole costs eight bytes for a page's worth of ids. */
  readonly #pages: (Page | undefined)[] = [];
  /** The page that was written last, and its first id: the next id is usually in it. */
  #last: Page | undefined;
  #lastFrom = -PAGE_IDS;
  #pageCount = 0;

  set(id: number, slot: number): void {
    let page = this.#last;
    let at = id - this.#lastFrom;
    if (page === undefined || !(at >= 0 && at < PAGE_IDS)) {
      const key = Math.floor(id / PAGE_IDS);
      page = this.#pages[key] ?? this.#newPage(key);
      this.#last = page;
      this.#lastFrom = key * PAGE_IDS;
      at = id - this.#lastFrom;
    }
    assert((page.slots[at] ?? 0) < 0, 'an id is given once');
    page.slots[at] = slot;
    page.live += 1;
  }

  /** The slot of an id; NO_SLOT where the id was never given out, was forgotten, or is no id at all. */
  get(id: number): number {
    // An id that is not a whole number finds no page, or finds no slot within its page.
    const key = (id / PAGE_IDS) | 0;
    return this.#pages[key]?.slots[id - key * PAGE_IDS] ?? NO_SLOT;
  }

  delete(id: number): void {
    const key = Math.floor(id / PAGE_IDS);
    const page = this.#pages[key];
    const at = id - key * PAGE_IDS;
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

  /**
   * Makes the page for a key. Ids count up, so that the array of pages grows by one page at a time and has no holes of
   * its own.
   */
  #newPage(key: number): Page {
    const page = { slots: new Int32Array(PAGE_IDS).fill(NO_SLOT), live: 0 };
    while (this.#pages.length < key) this.#pages.push(undefined);
    this.#pages[key] = page;
    this.#pageCount += 1;
    return page;
  }
}
