/** What Betfair says of a market's state, in a book, a definition or a recording, in this program's words. */

import type { InPlayStatus, LiquidityAction, MarketStatus, OutcomeStatus } from '../../../core/market.ts';

export interface StatedMarket {
  readonly status: string;
  readonly inPlay: boolean | undefined;
  readonly turnsInPlay: boolean | undefined;
  /** Seconds. */
  readonly betDelay: number | undefined;
  /** How many outcomes the market pays; 0 where that is open. */
  readonly places: number;
}

export interface MarketStateRead {
  readonly status: Extract<MarketStatus, 'Initializing' | 'Open' | 'Settled' | 'Voided'>;
  readonly suspended: boolean;
  readonly inPlayStatus: InPlayStatus;
  readonly inPlayDelayMs: number;
}

const MS_PER_SECOND = 1_000;

/** `outcomes`: the status of each runner. */
export function marketStateOf(market: StatedMarket, outcomes: readonly OutcomeStatus[]): MarketStateRead {
  const status = statusOf(market, outcomes);
  return {
    status,
    // Closed without a result: nothing is traded any more, and what was bet stays open.
    suspended: market.status === 'SUSPENDED' || (market.status === 'CLOSED' && status === 'Open'),
    inPlayStatus: market.inPlay === true ? 'InPlay' : market.turnsInPlay === true ? 'PrePlay' : 'NotApplicable',
    inPlayDelayMs: Math.round((market.betDelay ?? 0) * MS_PER_SECOND),
  };
}

/**
 * CLOSED means paid where as many runners as there are places won or were placed, or where of all runners it is known whether
 * they did, also if all lost. Where all were removed, the market was abandoned. All else is no result.
 */
function statusOf({ status, places }: StatedMarket, outcomes: readonly OutcomeStatus[]): MarketStateRead['status'] {
  if (status === 'INACTIVE') return 'Initializing';
  if (status !== 'CLOSED') return 'Open';
  const winners = outcomes.filter((each) => each === 'Winner').length;
  const isDecided = outcomes.length > 0 && !outcomes.some((each) => each === 'Active' || each === 'Hidden');
  if (winners > 0) return isDecided || (places > 0 && winners >= places) ? 'Settled' : 'Open';
  if (!isDecided) return 'Open';
  return outcomes.includes('Loser') ? 'Settled' : 'Voided';
}

/** Betfair cancels orders without persistence when a market turns in play, and only then. */
export function startActionOf(turnsInPlay: boolean | undefined): LiquidityAction {
  return turnsInPlay === true ? 'CancelUnmatchedLiquidity' : 'None';
}

/** Types of markets in which any number of runners may win, and none: the number of winners in their documents says nothing. */
const ANY_MAY_WIN = /^(TO_SCORE|TO_MAKE_THE_CUT|SHOWN_A_CARD|ANYTIME_)/;

/** How many outcomes a market pays; 0 where that is open. */
export function placesOf(marketType: string, numberOfWinners: number): number {
  return ANY_MAY_WIN.test(marketType) ? 0 : Math.max(0, numberOfWinners);
}

const OUTCOME_STATUS: Readonly<Record<string, OutcomeStatus>> = {
  ACTIVE: 'Active',
  WINNER: 'Winner',
  PLACED: 'Winner',
  LOSER: 'Loser',
  REMOVED: 'Removed',
  REMOVED_VACANT: 'Removed',
  HIDDEN: 'Hidden',
};

/** A runner that is not shown, or has a word that is newer than this client, cannot be bet on now. */
export function outcomeStatusOf(word: string | undefined): OutcomeStatus {
  return OUTCOME_STATUS[word ?? ''] ?? 'Hidden';
}
