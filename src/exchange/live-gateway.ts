/** What a run with real money asks of its gateway besides trading: the exchange's own books, and orders of others. */

import type { Observable } from 'rxjs';
import type { Instant, Money } from '../core/number/units.ts';
import type { Side } from '../core/side.ts';
import type { Gateway, OrderReport } from './gateway.ts';

export interface LiveGateway extends Gateway {
  /**
   * Reads all that the exchange holds of the run's wallets: orders that are live, or matched in a market without a
   * result; positions; money. One reply, however it ends; what changes meanwhile may be in one part and not in another.
   */
  books(): Observable<BooksReply>;
  /** From now on the feed tells of this order, which the run did not place, under this number. */
  adopt(order: number, client: number): void;
  /** Follows markets although the watch does not find them: those in which the run holds something. */
  follow(markets: readonly string[]): void;
}

export type BooksReply =
  | { readonly kind: 'books'; readonly books: ExchangeBooks }
  | { readonly kind: 'failed'; readonly code: string; readonly details: string };

export interface ExchangeBooks {
  /** When the first and the last of it were asked for and read. */
  readonly from: Instant;
  readonly to: Instant;
  readonly orders: readonly BookedOrder[];
  readonly positions: readonly BookedPosition[];
  readonly wallets: readonly { readonly wallet: number; readonly balance: Money; readonly balanceAvailable: Money }[];
}

/** An order of one of our wallets, with `client` 0 where it is not this run's and was not adopted. */
export interface BookedOrder extends OrderReport {
  readonly reference: string | undefined;
  /** Of an order under the run's own name: whose it is, where that is known. */
  readonly strategy?: number | undefined;
  readonly wallet: number;
  readonly marketId: string;
  readonly outcomeId: string;
  readonly side: Side;
  readonly tick: number;
  readonly stake: Money;
}

export interface BookedPosition {
  readonly wallet: number;
  readonly marketId: string;
  /** Profit or loss of the matched bets if that outcome wins, by outcome id (profile section 2). */
  readonly profitIfWins: ReadonlyMap<string, Money>;
}
