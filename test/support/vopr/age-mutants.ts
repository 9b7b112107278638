/** Ways to trust what is too old, each as a small change of the sources, and the laws that must notice. */

import type { Mutant } from './bundle.ts';

export interface ListedMutant extends Mutant {
  /** Any of them may be the first to notice. */
  readonly laws: readonly string[];
  /**
   * Played by the tests each time: up to so many seeds. `from` is shortly before a seed that is known to notice it, so that it is
   * found at once; where a change of the bot moves that seed, a later one finds it, and `from` is set anew.
   */
  readonly quick?: { readonly from: number; readonly seeds: number };
}

const FRESH = 'prices are fresh';
const BOOK = 'a book is one that was';
const DARK = 'nothing rests in the dark';

export const AGE_MUTANTS: readonly ListedMutant[] = [
  {
    name: 'counts the freshness of prices from their arrival',
    edits: [
      {
        file: 'src/engine/fold.ts',
        before: 'entry.freshAt = market.freshAt ?? instant(step.at);',
        after: 'entry.freshAt = instant(step.at);',
      },
    ],
    laws: [FRESH],
    quick: { from: 42, seeds: 300 },
  },
  {
    name: 'leaves orders where too little is known',
    edits: [
      {
        file: 'src/engine/live/dark-markets.ts',
        before: 'if (ageMs[feed] > settings.afterMs[feed])',
        after: 'if (ageMs[feed] < 0)',
      },
    ],
    laws: [DARK],
    quick: { from: 285, seeds: 900 },
  },
  {
    name: 'refreshes the heartbeat over orders that it cannot end in the dark',
    edits: [
      {
        file: 'src/engine/live/supervisor.ts',
        before: 'const polledAt = unproven === undefined ? newsAt : Number.NEGATIVE_INFINITY;',
        after: 'const polledAt = newsAt;',
      },
    ],
    laws: [DARK],
    quick: { from: 285, seeds: 900 },
  },
  {
    name: 'throws an answer away where the stream spoke since',
    edits: [
      {
        file: 'src/exchange-live/markets/market-prices.ts',
        before: 'if (this.#snapshot === undefined || !isSince(this.#snapshot, asked)) {',
        after: 'if (![...this.#told.values()].some((told) => told.receivedAt >= since - 500)) {',
      },
    ],
    laws: [BOOK],
  },
  {
    name: 'lays an old message over a newer book',
    edits: [
      {
        file: 'src/betdex/gateway/prices/price-documents.ts',
        before: 'return receivedAt < readAt || at < time.earliest(readAt);',
        after: 'return receivedAt < time.earliest(Math.min(readAt, at));',
      },
    ],
    laws: [BOOK],
  },
  {
    name: 'lays an overtaken message over a newer one',
    edits: [
      {
        file: 'src/exchange-live/markets/market-prices.ts',
        before: 'if (known !== undefined && known.at > told.at) return;',
        after: 'if (known !== undefined && known.at > told.at + 3_600_000) return;',
      },
      {
        file: 'src/betdex/gateway/prices/price-documents.ts',
        before: 'return receivedAt < readAt || at < time.earliest(readAt);',
        after: 'return receivedAt < time.earliest(Math.min(readAt, at));',
      },
    ],
    laws: [BOOK],
  },
  {
    name: 'takes a streamed message for a fresh book',
    edits: [
      {
        file: 'src/betdex/gateway/prices/price-reading.ts',
        before: 'this.#table.onPrices(market, undefined);\n  }',
        after: 'this.#table.onPrices(market, receivedAt);\n  }',
      },
    ],
    laws: [FRESH, BOOK],
  },
  {
    name: 'empties a book by a message without prices',
    edits: [
      {
        file: 'src/betdex/gateway/prices/price-documents.ts',
        before: 'if (isWhole && levels.length === 0) return notTaken(faults);',
        after: `if (isWhole && levels.length === 0) {
    prices.read([], { since: prices.readAt, earliest: receivedAt });
    return { isTaken: true, needsReading: false, faults };
  }`,
      },
    ],
    laws: [BOOK],
  },
];
