/** Ways to trust what is too old, each as a small change of the sources, and the laws that must notice. */

import type { Mutant } from './bundle.ts';
import type { ExchangeName } from './seed-range.ts';

export interface ListedMutant extends Mutant {
  /** Any of them may be the first to notice. */
  readonly laws: readonly string[];
  /** Before which its lives are played; absent: BetDEX. */
  readonly exchange?: ExchangeName;
  /**
   * Played by the tests each time: up to so many seeds. `from` is shortly before a seed that is known to notice it, so that it is
   * found at once; where a change of the bot moves that seed, a later one finds it, and `from` is set anew.
   */
  readonly quick?: { readonly from: number; readonly seeds: number };
  /** Where no life meets it: the test file that must fail, from the project’s root. */
  readonly test?: string;
}

const FRESH = 'prices are fresh';
const BOOK = 'a book is one that was';
const DARK = 'nothing rests in the dark';
const ODD_DARK = 'nothing rests in a market that cannot be read';
const UNREAD = 'no order on what cannot be read';

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
    name: 'keeps what rests in a market whose start came unseen',
    edits: [
      {
        file: 'src/engine/live/dark-markets.ts',
        before: "if (lateMs < 0 || entry.state.inPlayStatus === 'InPlay'",
        after: "if (lateMs > 0 || entry.state.inPlayStatus === 'InPlay'",
      },
    ],
    laws: [],
    test: 'test/engine/dark-markets.test.ts',
  },
  {
    name: 'takes the status of one market for as fresh as the feed',
    edits: [
      {
        file: 'src/engine/live/dark-markets.ts',
        before: "markets: Math.max(feeds.ageMs('markets', now), ownAgeMs(entry, 'markets', now)),",
        after: "markets: feeds.ageMs('markets', now),",
      },
    ],
    laws: [],
    test: 'test/engine/dark-markets.test.ts',
  },
  {
    name: 'waits for ever for the market of an earlier order',
    edits: [
      {
        file: 'src/engine/live/dark-markets.ts',
        before: 'if (step.at - startedAt <= settings.afterMs.markets) return;',
        after: 'if (step.at >= startedAt) return;',
      },
    ],
    laws: [ODD_DARK, 'it trades again'],
    quick: { from: 190, seeds: 900 },
  },
  {
    name: 'places orders from a wallet that cannot be read',
    edits: [
      {
        file: 'src/engine/live/feed-ages.ts',
        before: 'if (!this.#unreadWallets.has(wallet)) return false;',
        after: 'if (wallet >= 0) return false;',
      },
    ],
    laws: [UNREAD],
    quick: { from: 85, seeds: 900 },
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
    name: 'lays an overtaken message alone over a newer one',
    edits: [
      {
        file: 'src/exchange-live/markets/market-prices.ts',
        before: 'if (known !== undefined && known.at > told.at) return;',
        after: 'if (known !== undefined && known.at > told.at + 3_600_000) return;',
      },
    ],
    laws: [],
    test: 'test/betdex/gateway/prices/price-age.test.ts',
  },
  {
    name: 'believes an old status',
    edits: [
      {
        file: 'src/exchange-live/markets/told-condition.ts',
        before: 'return { changes: { ...steps, ...(isOld ? {} : facts) }, needsReading: !isAllBelieved && !isOld };',
        after: 'return { changes: told, needsReading: isAllBelieved && isOld };',
      },
    ],
    laws: [],
    test: 'test/betdex/gateway/markets/streamed-status.test.ts',
  },
  {
    name: 'believes a time in the future',
    edits: [
      {
        file: 'src/exchange-live/markets/exchange-time.ts',
        before: 'if (skewMs !== undefined && passedMs < skewMs - TRUST_MS) return false;',
        after: '',
      },
    ],
    laws: [],
    test: 'test/betdex/gateway/prices/price-age.test.ts',
  },
  {
    name: 'pings a stream whatever its feeds may miss',
    edits: [
      {
        file: 'src/betdex/open-betdex.ts',
        before: 'const halfMs = Math.ceil(Math.min(...rereads) / 2);',
        after: 'const halfMs = 2 ** 30;',
      },
    ],
    laws: [],
    test: 'test/app/live/stalled-stream.test.ts',
  },
  {
    name: 'takes no note of what a stream did not tell',
    edits: [
      {
        file: 'src/exchange-live/markets/untold-levels.ts',
        before: 'const found = untold.filter(({ levels }) => levels > 0);',
        after: 'const found = untold.filter(({ levels }) => levels < 0);',
      },
    ],
    laws: [],
    test: 'test/betdex/gateway/prices/price-age.test.ts',
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
    laws: [],
    test: 'test/betdex/gateway/prices/price-age.test.ts',
  },
];
