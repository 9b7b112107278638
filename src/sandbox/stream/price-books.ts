/** The prices last sent to subscribers, by market; makes increments and snapshots from them. */

import { AMOUNT_MAX, amountToWire } from '../../betdex/wire/codec/decimals.ts';
import type { MarketPriceUpdate } from '../../betdex/wire/messages/stream.ts';
import { instantToWire } from '../../codec/instants.ts';
import type { Written } from '../../codec/notation.ts';
import { defined } from '../../core/checks/assert.ts';
import { decimalOfTick, TICK_COUNT, type Tick } from '../../core/number/ladder.ts';
import { MONEY_SCALE, type Money } from '../../core/number/units.ts';
import { AGAINST, FOR, sideIndex, sideOf } from '../../core/side.ts';
import { marketRecord } from '../documents/markets/market-facts.ts';
import type { MarketRecord } from '../world/records.ts';
import type { World } from '../world/world.ts';
import { frame } from './frame.ts';
import { marketPathOf } from './market-messages.ts';

type PriceUpdateRow = Written<typeof MarketPriceUpdate>['prices'][number];

interface Book {
  /** Liquidity by level number: (outcome × 2 + side) × 350 + tick. */
  levels: ReadonlyMap<number, Money>;
  /** The encoded snapshot of these levels; made at the first request. */
  snapshot: Buffer | undefined;
}

/**
 * Books exist only for markets with subscribers. They show the same as GET /market-prices, cross-matched stake
 * included.
 */
export class PriceBooks {
  readonly #world: World;
  readonly #books = new Map<number, Book>();

  constructor(world: World) {
    this.#world = world;
  }

  /** The market's whole book as a frame; later increments start from it. */
  snapshot(market: number): Buffer {
    const book = this.#books.get(market) ?? this.#addBook(market, this.#levelsNow(market));
    book.snapshot ??= this.#frame(
      'Snapshot',
      market,
      [...book.levels].map(([level, liquidity]) => ({ level, liquidity, change: liquidity })),
    );
    return book.snapshot;
  }

  /**
   * The changes since the last increment or snapshot, as a frame; undefined where there are none. The first increment
   * of a market starts from an empty book.
   */
  increment(market: number): Buffer | undefined {
    const book = this.#books.get(market) ?? this.#addBook(market, new Map());
    const now = this.#levelsNow(market);
    const moves: Move[] = [];
    for (const level of book.levels.keys()) if (!now.has(level)) moves.push(move(level, book.levels, now));
    for (const level of now.keys())
      if (now.get(level) !== book.levels.get(level)) moves.push(move(level, book.levels, now));
    if (moves.length === 0) return undefined;
    book.levels = now;
    book.snapshot = undefined;
    return this.#frame('Incremental', market, moves);
  }

  drop(market: number): void {
    this.#books.delete(market);
  }

  clear(): void {
    this.#books.clear();
  }

  #addBook(market: number, levels: ReadonlyMap<number, Money>): Book {
    const book = { levels, snapshot: undefined };
    this.#books.set(market, book);
    return book;
  }

  #levelsNow(market: number): ReadonlyMap<number, Money> {
    const levels = new Map<number, Money>();
    for (const { outcome, side, tick, amount } of this.#world.exchange.prices(market, { cross: true }))
      levels.set((outcome * 2 + sideIndex(side)) * TICK_COUNT + tick, shown(amount));
    return levels;
  }

  #frame(updateType: 'Snapshot' | 'Incremental', market: number, moves: readonly Move[]): Buffer {
    const record = marketRecord(this.#world, market);
    const validAt = instantToWire(this.#world.exchange.now);
    return frame({
      type: 'MarketPriceUpdate',
      updateType,
      marketId: record.id,
      ...marketPathOf(this.#world, record),
      prices: moves.map((each) => rowOf(record, each, validAt)),
    });
  }
}

interface Move {
  readonly level: number;
  readonly liquidity: Money;
  readonly change: Money;
}

function move(level: number, before: ReadonlyMap<number, Money>, now: ReadonlyMap<number, Money>): Move {
  const liquidity = now.get(level) ?? (0 as Money);
  return { level, liquidity, change: (liquidity - (before.get(level) ?? 0)) as Money };
}

function rowOf(record: MarketRecord, { level, liquidity, change }: Move, validAt: string): PriceUpdateRow {
  const book = Math.trunc(level / TICK_COUNT);
  const outcome = defined(record.outcomes[Math.trunc(book / 2)], 'the machine shows outcomes of the market');
  return {
    side: sideOf(book % 2 === FOR ? FOR : AGAINST),
    outcomeId: outcome.id,
    price: decimalOfTick((level % TICK_COUNT) as Tick),
    liquidity: amountToWire(liquidity),
    change: amountToWire(change),
    validAt,
  };
}

/**
 * Sums over many wallets may exceed what a JSON number holds exactly: then the largest exact amount is shown, as by
 * GET.
 */
function shown(amount: Money): Money {
  return Math.min(amount, AMOUNT_MAX * MONEY_SCALE) as Money;
}
