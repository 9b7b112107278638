/** The trades of the bot's orders under one fill model, from their match until their market is forgotten. */

import { defined } from '../../core/checks/assert.ts';
import { SequenceMap } from '../../core/collections/sequence-map.ts';
import { type Money, type Price, ZERO } from '../../core/number/units.ts';
import type { ExchangeEvent } from '../../matching/messages/event.ts';
import type { FillModelMarket } from './fill-model-market.ts';
import type { OrderTrack } from './order-track.ts';

interface FillModelTrade {
  readonly track: OrderTrack;
  readonly stake: Money;
  price: Price;
  /** The profit as last settled, because a resettlement reports each trade again. */
  profit: Money;
}

/** Finds the order of a trade when the exchange reprices or settles it. */
export class FillModelTrades {
  readonly #tradeById = new SequenceMap<FillModelTrade>();

  matched(id: number, { track, stake, price }: Pick<FillModelTrade, 'track' | 'stake' | 'price'>): void {
    this.#tradeById.add(id, { track, stake, price, profit: ZERO });
  }

  /** A removal changed the price of a trade of this market; updates the trade's order. */
  repriced(
    event: ExchangeEvent & { kind: 'tradeRepriced' },
    market: (track: OrderTrack) => FillModelMarket,
  ): OrderTrack {
    const trade = defined(this.#tradeById.get(event.trade), 'only trades of ours are repriced');
    const { track, stake, price: from } = trade;
    const { outcome, side } = track.request;
    track.reprice(stake, from, event.price);
    market(track).account.reprice({ outcome, side, stake, from, to: event.price });
    trade.price = event.price;
    return track;
  }

  settled({ trade, profitLoss }: ExchangeEvent & { kind: 'tradeSettled' }): void {
    const settled = defined(this.#tradeById.get(trade), 'only trades of ours are settled');
    settled.track.settle((profitLoss - settled.profit) as Money);
    settled.profit = profitLoss;
  }

  forget(trades: Iterable<number>): void {
    for (const trade of trades) this.#tradeById.delete(trade);
  }
}
