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
export type MarketStatus = (typeof MARKET_STATUSES)[number];

export const IN_PLAY_STATUSES = ['NotApplicable', 'PrePlay', 'InPlay'] as const;
export type InPlayStatus = (typeof IN_PLAY_STATUSES)[number];

/**
 * The API's words for what happens to unmatched stake at lock (marketLockAction) and at the in-play switch
 * (eventStartAction).
 */
export const LIQUIDITY_ACTIONS = ['None', 'CancelUnmatchedLiquidity'] as const;
export type LiquidityAction = (typeof LIQUIDITY_ACTIONS)[number];

export const WALLET_TYPES = ['Commission', 'MarketEscrow', 'System', 'User'] as const;
export type WalletType = (typeof WALLET_TYPES)[number];

/** How many outcomes may win: every number from min to max is possible. */
export interface WinnersRange {
  readonly min: number;
  readonly max: number;
}

/**
 * How complete the recorded data of a market is, and so how reliable a backtest on it (backtest.md): see
 * `GRADE_MEANINGS`.
 */
export const GRADES = ['A', 'A-', 'B', 'B-', 'C'] as const;
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
export type OutcomeStatus = (typeof OUTCOME_STATUSES)[number];

/**
 * Starting prices: near and far are projected before the off (near from all bets, far from those at the starting price alone), actual is
 * the reconciled one.
 */
export type StartingPriceKind = 'near' | 'far' | 'actual';

/** The facts of a market that hardly ever change, as strategies and reports see them. */
export interface MarketFacts {
  readonly id: string;
  readonly name: string;
  readonly eventId: string;
  readonly eventName: string;
  readonly marketTypeId: string;
  readonly venue?: string;
  readonly countryCode?: string;
  readonly expectedStartTime?: Instant;
  readonly outcomes: readonly OutcomeFacts[];
}

export interface OutcomeFacts {
  readonly id: string;
  readonly title: string;
  readonly ordering: number;
}

/**
 * The name of the group that a market belongs to, from what was known of it beforehand. A match is an event of its own. A race is
 * not: the event of a race meeting holds a day's races, whose win, place and other markets are told apart by their start alone. In all
 * recordings at hand the markets of races have a venue and no others do, so that a market with a venue belongs to the races of its
 * event that had the same scheduled start in their first definitions.
 */
export function eventGroupOf({ eventId, venue, expectedStartTime }: MarketFacts): string {
  if (venue === undefined || expectedStartTime === undefined) return eventId;
  return `${eventId}@${new Date(expectedStartTime).toISOString()}`;
}
