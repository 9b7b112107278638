/** The smallest bets that Betfair takes, by the account's currency (profile section 4, betfairlightweight's metadata). */

export interface BetMinimums {
  /** The smallest size that is taken whatever its price. */
  readonly size: number;
  /** The payout, size × price, from which a smaller size is taken. */
  readonly payout: number;
  /** The smallest liability of an order at the starting price. */
  readonly startingPriceLiability: number;
}

export const BET_MINIMUMS: Readonly<Record<string, BetMinimums>> = {
  GBP: { size: 1, payout: 10, startingPriceLiability: 10 },
  EUR: { size: 1, payout: 20, startingPriceLiability: 10 },
  USD: { size: 1, payout: 20, startingPriceLiability: 20 },
  HKD: { size: 10, payout: 125, startingPriceLiability: 125 },
  AUD: { size: 5, payout: 30, startingPriceLiability: 30 },
  CAD: { size: 2, payout: 30, startingPriceLiability: 30 },
  DKK: { size: 15, payout: 150, startingPriceLiability: 150 },
  NOK: { size: 10, payout: 150, startingPriceLiability: 150 },
  SEK: { size: 15, payout: 150, startingPriceLiability: 150 },
  SGD: { size: 2, payout: 30, startingPriceLiability: 30 },
  RON: { size: 5, payout: 50, startingPriceLiability: 50 },
  BRL: { size: 5, payout: 50, startingPriceLiability: 50 },
  MXN: { size: 30, payout: 300, startingPriceLiability: 300 },
  PEN: { size: 5, payout: 50, startingPriceLiability: 50 },
  HUF: { size: 400, payout: 4000, startingPriceLiability: 4000 },
  ISK: { size: 350, payout: 1750, startingPriceLiability: 1750 },
  NZD: { size: 2, payout: 10, startingPriceLiability: 10 },
  ARS: { size: 100, payout: 500, startingPriceLiability: 500 },
  GEL: { size: 10, payout: 50, startingPriceLiability: 50 },
};
