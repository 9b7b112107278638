/** Somebody who bets at the exchange of a kill stage, by a client that shares nothing with the daemon's. */

export interface Wish {
  readonly outcomeId: string;
  readonly side: 'For' | 'Against';
  /** Decimals. */
  readonly price: number;
  readonly stake: number;
  readonly keepWhenInPlay?: boolean;
  readonly matchBehavior?: string;
  readonly reference?: string;
}

export interface Person {
  /** By which the control surface knows who it is. */
  readonly account: string;
  /** The ids of the orders that were taken. Refusals are expected: the market may have moved on meanwhile. */
  place(market: string, wishes: readonly Wish[]): Promise<readonly string[]>;
  cancel(orders: { readonly market: string; readonly ids?: readonly string[] }): Promise<void>;
  close(): void;
}
