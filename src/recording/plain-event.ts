/** An event of a tape as plain fields: ids and names for numbers, decimals for money and odds. */

import { assert, defined } from '../core/checks/assert.ts';
import { decimalOfTick, tick } from '../core/number/ladder.ts';
import { MONEY_SCALE, PRICE_SCALE } from '../core/number/units.ts';
import { sideOf } from '../core/side.ts';
import { DEFINITION, LAST_PRICE, LEVEL, type RecordedEvent, STARTING_PRICE, TRADE } from './segment/update.ts';
import type { TapeMarket } from './tape/tape-schema.ts';

const STARTING_PRICE_NAMES = ['near', 'far', 'reconciled'];

export interface PlainEvent {
  /**
   * `definition`: what the market is. `level`: the stake that rests at a price. `trade`: stake matched at a price.
   * `lastPrice`: price of the last trade. `startingPrice`: a projected or the reconciled one.
   */
  readonly kind: 'definition' | 'trade' | 'level' | 'lastPrice' | 'startingPrice';
  /** Id of the outcome; absent of a definition, which is of the whole market. */
  readonly outcome?: string;
  /** The resting side of a level; near, far or reconciled of a starting price. */
  readonly side?: string;
  /** Decimal odds; absent of a definition, and of a starting price that is no more. */
  readonly price?: number;
  /** Backer's stake, decimal currency, of a level or a trade; 0 where the level is empty now. */
  readonly stake?: number;
  /** Of a definition: its place among the market's definitions. */
  readonly number?: number;
}

export function plainEvent(market: TapeMarket, event: RecordedEvent): PlainEvent {
  const { kind, amount, side } = event;
  if (kind === DEFINITION) return { kind: 'definition', number: amount };
  const outcome = defined(market.facts.outcomes[event.outcome], 'an event is of an outcome').id;
  if (kind === STARTING_PRICE) {
    const named = { kind: 'startingPrice', outcome, side: STARTING_PRICE_NAMES[side] ?? '' } as const;
    return amount === 0 ? named : { ...named, price: amount / PRICE_SCALE };
  }
  const price = priceOf(market, event.tick);
  if (kind === TRADE) return { kind: 'trade', outcome, price, stake: amount / MONEY_SCALE };
  if (kind === LEVEL) return { kind: 'level', outcome, side: sideOf(side), price, stake: amount / MONEY_SCALE };
  assert(kind === LAST_PRICE, 'an event has one of five kinds');
  return { kind: 'lastPrice', outcome, price };
}

function priceOf(market: TapeMarket, at: number): number {
  if (market.prices === undefined) return decimalOfTick(tick(at));
  return defined(market.prices[at], 'a tick names a price of its market') / PRICE_SCALE;
}
