/** The markets of one subscription: what it has seen of each, and what it has to be told. */

import type { World } from '../../../sandbox/world/world.ts';
import type { MarketFacts } from '../../state/market-facts.ts';
import type { Feed } from '../session/feed.ts';
import type { ChangeTexts } from './change-texts.ts';
import type { MarketView } from './market-delta.ts';
import type { MarketPicture } from './market-picture.ts';
import type { MarketPictures } from './market-pictures.ts';
import { isOffered, type MarketWish, named, wants } from './market-wish.ts';

export interface MarketFeedParts {
  readonly world: World;
  readonly pictures: MarketPictures;
  readonly texts: ChangeTexts;
  readonly wish: MarketWish;
  readonly view: MarketView;
  /** The most markets at once; those that come later wait until others are gone. */
  readonly marketsMax: number;
}

export class MarketFeed implements Feed {
  readonly op = 'mcm';
  readonly list = 'mc';
  readonly #parts: MarketFeedParts;
  /** The picture that the client has of each of its markets; undefined for one that it does not know yet. */
  readonly #seen = new Map<number, MarketPicture | undefined>();
  readonly #changed = new Set<number>();

  constructor(parts: MarketFeedParts) {
    this.#parts = parts;
    if (parts.view.fields.has('EX_BEST_OFFERS_DISP')) parts.pictures.showVirtual();
  }

  get hasChanges(): boolean {
    return this.#changed.size > 0;
  }

  /**
   * Begins to watch the markets that the filter finds now; false where they are too many. A client that comes back has those too
   * that are over since then.
   */
  open(turn: number, since?: number): boolean {
    const { world, wish, marketsMax, pictures } = this.#parts;
    const isKnown = (market: number) => since !== undefined && pictures.at(market, since) !== undefined;
    const found = [...named(world, wish)].filter((facts) => isOffered(wish, facts) || isKnown(facts.record.market));
    if (found.length > marketsMax) return false;
    for (const { record } of found) this.#add(record.market, turn);
    return true;
  }

  /** A market came to be, or its own facts changed: it may be wanted from now on. */
  consider(facts: MarketFacts, turn: number): void {
    const { market } = facts.record;
    const { wish, marketsMax } = this.#parts;
    if (this.#seen.has(market) || this.#seen.size >= marketsMax) return;
    if (!wants(wish, facts) || !isOffered(wish, facts)) return;
    this.#add(market, turn);
    this.#changed.add(market);
  }

  /** The market looks different now. */
  note(market: number): void {
    if (this.#seen.has(market)) this.#changed.add(market);
  }

  /** The market was cleared away. */
  forget(market: number): void {
    if (this.#seen.delete(market)) this.#parts.pictures.unwatch(market);
    this.#changed.delete(market);
  }

  image(): readonly string[] {
    return this.#take(this.#seen.keys(), () => undefined);
  }

  /** A market whose picture of then is not known any more is sent whole: it replaces what the client has. */
  since(turn: number): readonly string[] {
    return this.#take(this.#seen.keys(), (market) => this.#parts.pictures.at(market, turn));
  }

  changes(): readonly string[] {
    return this.#take(this.#changed, (market) => this.#seen.get(market));
  }

  close(): void {
    for (const market of this.#seen.keys()) this.#parts.pictures.unwatch(market);
    this.#seen.clear();
    this.#changed.clear();
  }

  #add(market: number, turn: number): void {
    this.#seen.set(market, undefined);
    this.#parts.pictures.watch(market, turn);
  }

  #take(markets: Iterable<number>, beforeOf: (market: number) => MarketPicture | undefined): readonly string[] {
    const { pictures, texts, view } = this.#parts;
    const changes: string[] = [];
    for (const market of markets) {
      const now = pictures.now(market);
      if (now === undefined) continue;
      const text = texts.text(beforeOf(market), now, view);
      this.#seen.set(market, now);
      if (text !== undefined) changes.push(text);
    }
    this.#changed.clear();
    return changes;
  }
}
