/** What a live or paper run needs of its gateway besides trading: account snapshots, and orders of others. */

import type { Observable } from 'rxjs';
import type { Instant, Money } from '../core/number/units.ts';
import type { Side } from '../core/side.ts';
import type { Gateway, OrderReport } from './gateway.ts';

/** The port to the exchange of a live or paper run. */
export interface LiveGateway extends Gateway {
  /**
   * Reads an account snapshot of the run's wallets: orders that are live, or matched in a market without a result; positions;
   * money. Emits one reply, whatever happens. A change during the reading may be in one part of it and not in another.
   */
  accountSnapshot(): Observable<AccountSnapshotReply>;
  /** From now on the feed reports this order, which the run did not place, under this number. */
  adopt(order: number, client: number): void;
  /** Follows markets that the configured watch does not find, because the run holds something in them. */
  follow(markets: readonly string[]): void;
}

/** An account snapshot, or the reason why there is none. */
export type AccountSnapshotReply =
  /** What the exchange holds, in `books`. */
  | { readonly kind: 'books'; readonly books: AccountSnapshot }
  /** It could not be read: `code` and `details` say why. */
  | { readonly kind: 'failed'; readonly code: string; readonly details: string };

/** What the exchange holds of the run's wallets. */
export interface AccountSnapshot {
  /** When the first part was asked for, ms UTC. */
  readonly from: Instant;
  /** When the last part was read, ms UTC. */
  readonly to: Instant;
  /** Orders that are live, or matched in a market without a result. */
  readonly orders: readonly BookedOrder[];
  /** Positions of the wallets, by market. */
  readonly positions: readonly BookedPosition[];
  /** Money by `wallet` (its index in the settings): `balance` and `balanceAvailable`. */
  readonly wallets: readonly { readonly wallet: number; readonly balance: Money; readonly balanceAvailable: Money }[];
  /**
   * Orders, by their ids, and positions, by the ids of their markets, that the exchange shows and that could not be read: nothing is known of them.
   * `undefined` is among them where the id could not be read either. Absent where all could be read.
   */
  readonly unreadable?: {
    /** Ids of orders. */
    readonly orders: readonly (string | undefined)[];
    /** Ids of markets. */
    readonly positions: readonly (string | undefined)[];
  };
}

/** An order of one of our wallets, with `client` 0 where it is not this run's and was not adopted. */
export interface BookedOrder extends OrderReport {
  /** The reference it was placed under; undefined where it has none. */
  readonly reference: string | undefined;
  /** Index of the strategy that placed it, if its reference says so. */
  readonly strategy?: number | undefined;
  /** Index of the wallet in the settings' list. */
  readonly wallet: number;
  /** The exchange's id of the market. */
  readonly marketId: string;
  /** The exchange's id of the outcome. */
  readonly outcomeId: string;
  /** `For` backs the outcome, `Against` lays it. */
  readonly side: Side;
  /** The limit, as its place on the price ladder. */
  readonly tick: number;
  /** Backer's stake that was asked for, in 10⁻⁶ of the currency. */
  readonly stake: Money;
}

/** The position of one wallet in one market. */
export interface BookedPosition {
  /** Index of the wallet in the settings' list. */
  readonly wallet: number;
  /** The exchange's id of the market. */
  readonly marketId: string;
  /** Profit or loss of the matched bets if that outcome wins, by outcome id (profile section 2). */
  readonly profitIfWins: ReadonlyMap<string, Money>;
}
