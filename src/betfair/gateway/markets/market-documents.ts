/** A market in this program's words: its facts from the catalogue, its condition from its book. */

import { Unreadable } from '../../../codec/lenient.ts';
import {
  anyWinners,
  type MarketFacts,
  type OutcomeFacts,
  type OutcomeStatus,
  type WinnersRange,
  winnersOfCount,
} from '../../../core/market.ts';
import type { MinimumStake } from '../../../core/minimum-stake.ts';
import { type Instant, MONEY_SCALE, money } from '../../../core/number/units.ts';
import type { MarketCondition, MarketDefinition } from '../../../exchange-live/markets/market-definition.ts';
import type { AnswerOf } from '../../client/call.ts';
import type { StreamedDefinition } from '../../stream/markets/market-cache.ts';
import { BET_MINIMUMS } from '../../wire/basics/currencies.ts';
import { timeOf } from '../base/amounts.ts';
import { outcomeIdOf, type Selection } from '../base/runners.ts';

type Readable<T> = Exclude<T, Unreadable>;
export type CatalogueDocument = Readable<AnswerOf<'listMarketCatalogue'>[number]>;
export type BookDocument = Readable<AnswerOf<'listMarketBook'>[number]>;
export type RunnerDocument = Readable<BookDocument['runners'][number]>;

/** What a book says of its market's condition. */
export interface BookCondition {
  readonly marketId: string;
  readonly status: string;
  readonly inplay?: boolean | undefined;
  readonly betDelay?: number | undefined;
  readonly crossMatching?: boolean | undefined;
  readonly numberOfWinners?: number | undefined;
  readonly runners: readonly (Unreadable<unknown> | RunnerCondition)[];
}

interface RunnerCondition extends Selection {
  readonly status: string;
}

/** What the stream says of a market, in the form in which listMarketBook answers it, so that both are read alike. */
export function bookOfDefinition(marketId: string, definition: StreamedDefinition): BookCondition {
  const { status, inPlay: inplay, betDelay, crossMatching, numberOfWinners, runners } = definition;
  return {
    ...{ marketId, status, inplay, betDelay, crossMatching, numberOfWinners },
    runners: runners.map((runner) => {
      if (runner instanceof Unreadable) return runner;
      return { selectionId: runner.id, handicap: runner.hc, status: runner.status };
    }),
  };
}

/** Why a market cannot be followed; undefined where it can. Other ladders and bets are not representable (profile section 4). */
export function whyNotFollowed({ description }: CatalogueDocument): string | undefined {
  if (description === undefined) return 'the catalogue does not describe it';
  const { bettingType = 'ODDS', marketType, priceLadderDescription } = description;
  const ladder = priceLadderDescription?.type ?? 'CLASSIC';
  if (bettingType !== 'ODDS') return `it is no market of odds but of the type ${bettingType}`;
  if (ladder !== 'CLASSIC') return `its prices are of the ladder ${ladder}`;
  return marketType === 'EACH_WAY' ? 'each-way bets count twice' : undefined;
}

export interface DefinitionParts {
  /** Absent for a market that the catalogue shows no more, since it is closed. */
  readonly catalogue: CatalogueDocument | undefined;
  readonly book: BookCondition;
  readonly currency: string;
  /** What is known of it. */
  readonly known: KnownMarket;
  readonly now: Instant;
}

/** What is known of the market already: its outcomes stay what they were, and a result has its time. */
export interface KnownMarket {
  readonly facts?: Pick<MarketFacts, 'outcomes'>;
  readonly winnerIds: readonly string[];
  readonly settledAt: Instant | undefined;
}

/** Undefined where its runners cannot be read: without one of them, nothing about the others is certain. */
export function definitionOf(parts: DefinitionParts): MarketDefinition | undefined {
  const { catalogue, book, currency } = parts;
  const runners = readable(catalogue?.runners ?? []);
  const listed = readable(book.runners);
  if (runners === undefined || listed === undefined || listed.length === 0) return undefined;
  const outcomes: readonly OutcomeFacts[] =
    runners.length === 0
      ? listed.map((runner, index) => ({ id: outcomeIdOf(runner), title: outcomeIdOf(runner), ordering: index + 1 }))
      : runners.map((runner, index) => ({
          id: outcomeIdOf(runner),
          title: runner.runnerName,
          ordering: runner.sortPriority ?? index + 1,
        }));
  const turnsInPlay = catalogue?.description?.turnInPlayEnabled ?? false;
  const minimumStake = minimumStakeOf(currency);
  return {
    facts: { ...factsOf(book.marketId, catalogue), outcomes },
    winners: winnersOf(catalogue?.description?.marketType ?? '', book.numberOfWinners, outcomes.length),
    // Betfair cancels orders without persistence when a market turns in play, and only then.
    eventStartAction: turnsInPlay ? 'CancelUnmatchedLiquidity' : 'None',
    ...(minimumStake && { minimumStake }),
    canReduce: true,
    condition: conditionOf({ ...parts, outcomes: parts.known.facts?.outcomes ?? outcomes, turnsInPlay }),
  };
}

function readable<T>(items: readonly (T | Unreadable<unknown>)[]): readonly T[] | undefined {
  const read = items.filter((each): each is T => !(each instanceof Unreadable));
  return read.length < items.length ? undefined : read;
}

function factsOf(id: string, catalogue: CatalogueDocument | undefined): Omit<MarketFacts, 'outcomes'> {
  const { event, description, marketName = id } = catalogue ?? {};
  const expectedStartTime = timeOf(catalogue?.marketStartTime ?? description?.marketTime);
  return {
    id,
    name: marketName,
    eventId: event?.id ?? '',
    eventName: event?.name ?? '',
    marketTypeId: description?.marketType ?? '',
    ...(event?.venue === undefined ? {} : { venue: event.venue }),
    ...(event?.countryCode === undefined ? {} : { countryCode: event.countryCode }),
    ...(expectedStartTime === undefined ? {} : { expectedStartTime }),
  };
}

/** Types of markets in which any number of runners may win, and none: the number in their books says nothing. */
const ANY_MAY_WIN = /^(TO_SCORE|TO_MAKE_THE_CUT|SHOWN_A_CARD|ANYTIME_)/;

function winnersOf(marketType: string, count: number | undefined, outcomes: number): WinnersRange {
  if (ANY_MAY_WIN.test(marketType) || count === undefined) return anyWinners(outcomes);
  return winnersOfCount(count, outcomes);
}

/** Betfair takes hundredths. */
const STEP = MONEY_SCALE / 100;

function minimumStakeOf(currency: string): MinimumStake | undefined {
  const minimums = BET_MINIMUMS[currency];
  if (minimums === undefined) return undefined;
  const { size, payout } = minimums;
  return { stake: money(size * MONEY_SCALE), payout: money(payout * MONEY_SCALE), step: money(STEP) };
}

interface ConditionParts extends Pick<DefinitionParts, 'book' | 'known' | 'now'> {
  readonly outcomes: readonly OutcomeFacts[];
  readonly turnsInPlay: boolean;
}

function conditionOf({ book, known, now, outcomes, turnsInPlay }: ConditionParts): MarketCondition {
  const statuses = new Map(
    book.runners.flatMap((runner) =>
      runner instanceof Unreadable ? [] : [[outcomeIdOf(runner), OUTCOME_STATUS[runner.status] ?? 'Hidden'] as const],
    ),
  );
  // A runner that the market had and the book does not show cannot be bet on now.
  const shown = outcomes.map(({ id }) => statuses.get(id) ?? 'Hidden');
  const status = statusOf(book, shown);
  const isOver = status === 'Settled' || status === 'Voided';
  const winnerIds = isOver ? outcomes.filter((_, index) => shown[index] === 'Winner').map(({ id }) => id) : [];
  const isSameResult = known.settledAt !== undefined && known.winnerIds.join() === winnerIds.join();
  return {
    status,
    // Closed without a result: nothing is traded any more, and what was bet stays open.
    suspended: book.status === 'SUSPENDED' || (book.status === 'CLOSED' && !isOver),
    inPlayStatus: book.inplay === true ? 'InPlay' : turnsInPlay ? 'PrePlay' : 'NotApplicable',
    published: true,
    inPlayDelayMs: Math.round((book.betDelay ?? 0) * 1_000),
    lockAt: undefined,
    crossMatching: book.crossMatching ?? false,
    outcomes: shown,
    winnerIds,
    // No document says when; a market that gets another result gets another time.
    settledAt: isOver ? (isSameResult ? known.settledAt : now) : undefined,
    modifiedAt: undefined,
  };
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

/** CLOSED means paid where of all runners it is known whether they won, and abandoned where all were removed. All else is no result. */
function statusOf({ status }: BookCondition, outcomes: readonly OutcomeStatus[]): MarketCondition['status'] {
  if (status === 'INACTIVE') return 'Initializing';
  if (status !== 'CLOSED') return 'Open';
  if (outcomes.some((each) => each === 'Winner')) return 'Settled';
  if (outcomes.some((each) => each === 'Active' || each === 'Hidden')) return 'Open';
  return outcomes.includes('Loser') ? 'Settled' : 'Voided';
}
