/** The prices of all markets that are followed, by market id. */

import { MarketPrices, type PolledBook, type PriceFault, type PriceUpdate } from './market-prices.ts';

const UNKNOWN_MARKET: readonly PriceFault[] = [{ code: 'UNKNOWN_MARKET', path: '' }];

export class PriceBooks {
  readonly #prices = new Map<string, MarketPrices>();

  /** The market's prices, empty and unknown at first; the same object where it is followed already. */
  follow(marketId: string, outcomeIds: readonly string[]): MarketPrices {
    const known = this.#prices.get(marketId);
    if (known !== undefined) return known;
    const prices = new MarketPrices(outcomeIds);
    this.#prices.set(marketId, prices);
    return prices;
  }

  unfollow(marketId: string): void {
    this.#prices.delete(marketId);
  }

  of(marketId: string): MarketPrices | undefined {
    return this.#prices.get(marketId);
  }

  /** What of the update was passed over; empty where all of it was taken. */
  fold(update: PriceUpdate): readonly PriceFault[] {
    return this.of(update.marketId)?.fold(update) ?? UNKNOWN_MARKET;
  }

  replace(book: PolledBook): readonly PriceFault[] {
    return this.of(book.marketId)?.replace(book) ?? UNKNOWN_MARKET;
  }

  /** All prices are unknown until they come again: the stream is down. */
  forgetAll(): void {
    for (const prices of this.#prices.values()) prices.forget();
  }
}
