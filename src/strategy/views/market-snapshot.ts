/** A frozen copy of a market view, for strategies that want to look back. */

import type { Side } from '../../core/side.ts';
import { DEFAULT_DEPTH } from './others-book.ts';
import type { BookView, Level, MarketView, OutcomeView } from './views.ts';

/** Copies the current values of the view; the `levels` of the copy end at `depth`. */
export function snapshotOf(view: MarketView, depth: number): MarketView {
  const outcomes = Object.freeze(view.outcomes.map((outcome) => freezeOutcome(outcome, depth)));
  const outcomeById = new Map(outcomes.map((outcome) => [outcome.id, outcome]));
  const frozen: MarketView = Object.freeze({
    id: view.id,
    name: view.name,
    eventId: view.eventId,
    eventName: view.eventName,
    marketTypeId: view.marketTypeId,
    venue: view.venue,
    countryCode: view.countryCode,
    status: view.status,
    inPlayStatus: view.inPlayStatus,
    inPlay: view.inPlay,
    tradable: view.tradable,
    suspended: view.suspended,
    inPlayDelay: view.inPlayDelay,
    expectedStartTime: view.expectedStartTime,
    winnersMin: view.winnersMin,
    winnersMax: view.winnersMax,
    stakeMin: view.stakeMin,
    payoutMin: view.payoutMin,
    updatedAt: view.updatedAt,
    outcomes,
    outcome: Object.freeze((id: string) => outcomeById.get(id)),
    snapshot: Object.freeze(() => frozen),
  });
  return frozen;
}

function freezeOutcome(outcome: OutcomeView, depth: number): OutcomeView {
  const tradedLevels = Object.freeze(outcome.tradedLevels().map((level) => Object.freeze(level)));
  return Object.freeze({
    id: outcome.id,
    marketId: outcome.marketId,
    title: outcome.title,
    ordering: outcome.ordering,
    metadata: outcome.metadata,
    status: outcome.status,
    stakeMin: outcome.stakeMin,
    payoutMin: outcome.payoutMin,
    stakeStep: outcome.stakeStep,
    ...frozenBook(outcome, depth),
    lastPrice: outcome.lastPrice,
    traded: outcome.traded,
    tradedLevels: Object.freeze(() => tradedLevels),
    startingPrices: outcome.startingPrices,
    others: Object.freeze(frozenBook(outcome.others, depth)),
  });
}

function frozenBook(book: BookView, depth: number): BookView {
  const levels = { For: frozenLevels(book, 'For', depth), Against: frozenLevels(book, 'Against', depth) };
  const { bestAgainst, bestFor } = book;
  const prices = { For: bestFor?.price, Against: bestAgainst?.price };
  return {
    bestAgainst: bestAgainst && Object.freeze(bestAgainst),
    bestFor: bestFor && Object.freeze(bestFor),
    bestPrice: Object.freeze((side: Side) => prices[side]),
    levels: Object.freeze((side: Side, most: number = DEFAULT_DEPTH) => levels[side].slice(0, most)),
  };
}

function frozenLevels(book: BookView, side: Side, depth: number): readonly Level[] {
  return Object.freeze(book.levels(side, depth).map((level) => Object.freeze(level)));
}
