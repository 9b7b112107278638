/** The API's words for a market and its states, and which markets belong together. */

import type { Instant } from './number/units.ts';

export const MARKET_STATUSES = [
  'Initializing',
  'Open',
  'Locking',
  'Locked',
  'Settling',
  'Settled',
  'Voiding',
  'Voided',
  'Closed',
] as const;
/**
 * The exchange's words for the state of a market. Orders are taken in `Open` alone; `Settled`,
 * `Voided` and `Closed` have a result.
 */
export type MarketStatus = (typeof MARKET_STATUSES)[number];

export const IN_PLAY_STATUSES = ['NotApplicable', 'PrePlay', 'InPlay'] as const;
/** Whether a market is in play: `NotApplicable` for one that never turns in play. */
export type InPlayStatus = (typeof IN_PLAY_STATUSES)[number];

/**
 * The API's words for what happens to unmatched stake at lock (marketLockAction) and at the in-play switch
 * (eventStartAction).
 */
export const LIQUIDITY_ACTIONS = ['None', 'CancelUnmatchedLiquidity'] as const;
/** What happens to unmatched stake when a market locks or turns in play, in the API's words. */
export type LiquidityAction = (typeof LIQUIDITY_ACTIONS)[number];

export const WALLET_TYPES = ['Commission', 'MarketEscrow', 'System', 'User'] as const;
export type WalletType = (typeof WALLET_TYPES)[number];

/** How many outcomes may win: every number from min to max is possible. */
export interface WinnersRange {
  /** The fewest outcomes that may win; 0 where all may lose. */
  readonly min: number;
  /** The most outcomes that may win. */
  readonly max: number;
}

/** Of a market of which nobody knows how many outcomes win: from none to all of them. */
export function anyWinners(outcomes: number): WinnersRange {
  return { min: 0, max: outcomes };
}

/** From the number of winners in a recording; 0 says that it is not known. */
export function winnersOfCount(winnerCount: number, outcomes: number): WinnersRange {
  return winnerCount < 1 ? anyWinners(outcomes) : { min: 1, max: winnerCount };
}

/**
 * How complete the recorded data of a market is, and so how reliable a backtest on it (backtest.md): see
 * `GRADE_MEANINGS`.
 */
export const GRADES = ['A', 'A-', 'B', 'B-', 'C'] as const;
/**
 * How complete a market's recording is, and so what can fill on it: A and B have traded volume, A- and B- have none, C
 * has last prices alone.
 */
export type Grade = (typeof GRADES)[number];

export const GRADE_MEANINGS: Readonly<Record<Grade, string>> = {
  A: 'full ladders and traded volume',
  'A-': 'full ladders without traded volume: only crossing can fill',
  B: 'best few levels and traded volume',
  'B-': 'best few levels without traded volume: only crossing can fill',
  C: 'last traded price only: own orders rest and do not match',
};

/** An outcome's state: Removed is a non-runner, Winner and Loser come from settlement. */
const OUTCOME_STATUSES = ['Active', 'Removed', 'Winner', 'Loser', 'Hidden'] as const;
/** The state of an outcome: `Removed` is a non-runner, `Winner` and `Loser` come from settlement, `Hidden` is not shown by the exchange. */
export type OutcomeStatus = (typeof OUTCOME_STATUSES)[number];

/**
 * Starting prices: near and far are projected before the off (near from all bets, far from those at the starting price alone), actual is
 * the reconciled one.
 */
export type StartingPriceKind = 'near' | 'far' | 'actual';

/** The facts of a market that hardly ever change, as strategies and reports see them. */
export interface MarketFacts {
  /** The exchange's id of the market. */
  readonly id: string;
  /** Its name, such as `Match Odds`. */
  readonly name: string;
  /** Id of its event: a match, or the meeting of a race. */
  readonly eventId: string;
  /** Name of its event. */
  readonly eventName: string;
  /** The exchange's word for what is bet on, such as `WIN`. */
  readonly marketTypeId: string;
  /** The course of a race; absent where the source gives none. */
  readonly venue?: string;
  /** Two letters by ISO 3166; absent where the source gives none. */
  readonly countryCode?: string;
  /** Scheduled start, ms UTC; absent where the source gives none. */
  readonly expectedStartTime?: Instant;
  /** Its outcomes in the market's order. */
  readonly outcomes: readonly OutcomeFacts[];
}

/** What hardly ever changes of an outcome. */
export interface OutcomeFacts {
  /** The exchange's id of the outcome. */
  readonly id: string;
  /** Name of the runner, team or result. */
  readonly title: string;
  /** Place in the exchange's own list of the market, ascending. */
  readonly ordering: number;
  /** What the exchange's catalogue says beside, as text by the exchange's own names; absent where nothing is known. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/**
 * The name of the group that a market belongs to, from what was known of it beforehand. A match is an event of its own. A race is
 * not: the event of a race meeting holds a day's races, whose win, place and other markets are told apart by their start alone. In all
 * recordings at hand the markets of races have a venue and no others do, so that a market with a venue belongs to the races of its
 * event that had the same scheduled start in their first definitions.
 */
export function eventGroupOf({
  eventId,
  venue,
  expectedStartTime,
}: Pick<MarketFacts, 'eventId' | 'venue' | 'expectedStartTime'>): string {
  if (venue === undefined || expectedStartTime === undefined) return eventId;
  return `${eventId}@${new Date(expectedStartTime).toISOString()}`;
}
