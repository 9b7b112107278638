/** What the view of a run shows, as plain data from the server to the page. Prices are decimal odds (of a line its points), stakes and profits decimals, times ms UTC. */

import type { InPlayStatus, OutcomeStatus, WinnersRange } from '../core/market.ts';

/** What the page is told when it opens: the answer to GET /session and POST /login. */
export interface ViewWelcome {
  readonly kind: 'backtest' | 'live' | 'paper';
  /** The name of the run's directory. */
  readonly name: string;
  readonly version: string;
  readonly currency: string;
  readonly strategies: readonly string[];
  /** What a reader must know of the run or its tapes, as sentences: that a recording is generated, that orders were left out. */
  readonly notes: readonly string[];
  /** Those with own orders first, then by their start. */
  readonly markets: readonly ViewMarketRow[];
  /** How a new link is made. */
  readonly newLink: string;
}

export interface ViewMarketRow {
  readonly id: string;
  readonly event: string;
  readonly name: string;
  readonly startsAt: number | undefined;
  readonly updates: number;
  readonly orders: number;
  readonly fills: number;
  /** Net profit in the central bound; undefined where it was not settled. */
  readonly profit: number | undefined;
  /** Why no run can play it, such as `LINE: no plain odds market …`: it can be looked at all the same. */
  readonly refusal: string | undefined;
  /** Why it cannot be opened: it is on none of the tapes. */
  readonly why: string | undefined;
}

/** GET /market?id=…: one market without its ladders. */
export interface ViewMarket {
  readonly id: string;
  readonly event: string;
  readonly name: string;
  readonly startsAt: number | undefined;
  /** Publish times of its first and last update. */
  readonly firstAt: number;
  readonly lastAt: number;
  readonly outcomes: readonly ViewOutcome[];
  /** How many of its outcomes win; what a result brings is exact where it is one. */
  readonly winners: WinnersRange;
  /** Why no run can play it; undefined where one can. */
  readonly refusal: string | undefined;
  /** Its prices in thousandths, the lowest first, where they are not those of the exchange’s ladder: of a line, or a finer ladder. */
  readonly ownPrices: readonly number[] | undefined;
  /** Publish time of the first update of each part, ascending. All updates of one instant are in one part. */
  readonly parts: readonly number[];
  readonly states: readonly ViewState[];
  readonly prices: ViewPrices;
  /** The orders by their arrival. */
  readonly orders: readonly ViewOrder[];
  readonly plots: readonly ViewPlot[];
}

export interface ViewOutcome {
  readonly id: string;
  readonly title: string;
}

/** A state of the market, in force from `at` until the next one. */
export interface ViewState {
  readonly at: number;
  readonly status: 'Initializing' | 'Open' | 'Settled' | 'Voided';
  readonly suspended: boolean;
  readonly inPlay: InPlayStatus;
  readonly inPlayDelayMs: number;
  /** The status of each outcome on the exchange. */
  readonly outcomes: readonly OutcomeStatus[];
}

/** Least and greatest best prices in stretches of equal length: what the time line draws. */
export interface ViewPrices {
  readonly startAt: number;
  readonly stretchMs: number;
  /** How many updates each stretch has. */
  readonly updates: readonly number[];
  /** One for each outcome; null where there was none. */
  readonly outcomes: readonly ViewPriceColumns[];
}

export interface ViewPriceColumns {
  readonly backLow: readonly (number | null)[];
  readonly backHigh: readonly (number | null)[];
  readonly layLow: readonly (number | null)[];
  readonly layHigh: readonly (number | null)[];
}

/** An own order of the run's central flow. Its unmatched stake rests from `arrivedAt` to `endedAt`. */
export interface ViewOrder {
  /** The number in its simulation, as in orders.csv. */
  readonly number: number;
  /** Which simulation it is of; undefined where all orders of the market are of one. Under `isolate: strategy` several play the same market. */
  readonly run: number | undefined;
  readonly strategy: string;
  /** Place in `ViewMarket.outcomes`. */
  readonly outcome: number;
  readonly side: 'For' | 'Against';
  readonly price: number;
  readonly stake: number;
  readonly decidedAt: number | undefined;
  /** Undefined where it never arrived. */
  readonly arrivedAt: number | undefined;
  /** Undefined where it is not known that it ended. */
  readonly endedAt: number | undefined;
  readonly status: string | undefined;
  readonly reason: string | undefined;
  /** Stake before it at its price when it began to rest; undefined where it never rested. */
  readonly queueAhead: number | undefined;
  /** Gross, at settlement. */
  readonly profit: number | undefined;
  readonly note: string | undefined;
  /** The fills by their time. */
  readonly fills: readonly ViewFill[];
}

export interface ViewFill {
  readonly at: number;
  readonly price: number;
  readonly stake: number;
}

/** Values that a strategy plotted; each holds until the next, null is a gap. */
export interface ViewPlot {
  readonly strategy: string;
  readonly name: string;
  readonly at: readonly number[];
  readonly value: readonly (number | null)[];
}

/** GET /part?id=…&part=…: the market’s book before a part, and every update in it. */
export interface ViewPart {
  readonly part: number;
  readonly book: ViewBook;
  readonly updates: readonly ViewUpdate[];
}

/** The recorded book: without own orders and what they took, but of a live run, where the exchange showed them with all others. */
export interface ViewBook {
  readonly outcomes: readonly ViewOutcomeBook[];
}

/** Pairs of price and stake, best first. */
export interface ViewOutcomeBook {
  /** Resting For stake (what a layer takes), and resting Against stake (what a backer takes). */
  readonly for: readonly (readonly [price: number, stake: number])[];
  readonly against: readonly (readonly [price: number, stake: number])[];
  /** Backer’s stake traded so far, by price ascending. */
  readonly traded: readonly (readonly [price: number, stake: number])[];
  /** Last traded price. */
  readonly last: number | undefined;
}

/** All updates of one instant of one market, merged into one: what was in the book between two instants. */
export interface ViewUpdate {
  readonly at: number;
  readonly events: readonly ViewEvent[];
}

/**
 * `for` and `against`: the whole stake now resting at the price, 0 for none. `trade`: backer’s stake newly traded at the price. `last`:
 * the last traded price, its stake is 0.
 */
export type ViewEvent = readonly [
  kind: 'for' | 'against' | 'trade' | 'last',
  outcome: number,
  price: number,
  stake: number,
];
