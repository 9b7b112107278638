/** A market in this program's words: its facts from the catalogue, its condition from its book. */

import { Unreadable } from '../../../codec/lenient.ts';
import { type MarketFacts, type OutcomeFacts, winnersOfCount } from '../../../core/market.ts';
import type { MinimumStake } from '../../../core/minimum-stake.ts';
import { type Instant, MONEY_SCALE, money } from '../../../core/number/units.ts';
import type { MarketCondition, MarketDefinition } from '../../../exchange-live/markets/market-definition.ts';
import type { AnswerOf } from '../../client/call.ts';
import type { StreamedDefinition } from '../../stream/markets/market-cache.ts';
import { BET_MINIMUMS } from '../../wire/basics/currencies.ts';
import { marketStateOf, outcomeStatusOf, placesOf, startActionOf } from '../../wire/basics/market-state.ts';
import { outcomeIdOf, type Selection } from '../../wire/basics/runners.ts';
import { timeOf } from '../base/amounts.ts';

type Readable<T> = Exclude<T, Unreadable>;
export type CatalogueDocument = Readable<AnswerOf<'listMarketCatalogue'>[number]>;
export type BookDocument = Readable<AnswerOf<'listMarketBook'>[number]>;
export type RunnerDocument = Readable<BookDocument['runners'][number]>;

/** What a book says of its market's condition. */
export interface BookCondition {
  readonly marketId: string;
  readonly status: string;
  readonly inplay?: boolean | undefined;
  readonly isMarketDataDelayed?: boolean | undefined;
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
  const places = placesOf(catalogue?.description?.marketType ?? '', book.numberOfWinners ?? 0);
  const minimumStake = minimumStakeOf(currency);
  return {
    facts: { ...factsOf(book.marketId, catalogue), outcomes },
    winners: winnersOfCount(places, outcomes.length),
    eventStartAction: startActionOf(turnsInPlay),
    ...(minimumStake && { minimumStake }),
    canReduce: true,
    condition: conditionOf({ ...parts, outcomes: parts.known.facts?.outcomes ?? outcomes, turnsInPlay, places }),
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
  readonly places: number;
}

function conditionOf({ book, known, now, outcomes, turnsInPlay, places }: ConditionParts): MarketCondition {
  const words = new Map(
    book.runners.flatMap((each) => (each instanceof Unreadable ? [] : [[outcomeIdOf(each), each.status] as const])),
  );
  const shown = outcomes.map(({ id }) => outcomeStatusOf(words.get(id)));
  const { status: word, inplay: inPlay, betDelay } = book;
  const state = marketStateOf({ status: word, inPlay, turnsInPlay, betDelay, places }, shown);
  const isOver = state.status === 'Settled' || state.status === 'Voided';
  const winnerIds = isOver ? outcomes.filter((_, index) => shown[index] === 'Winner').map(({ id }) => id) : [];
  const isSameResult = known.settledAt !== undefined && known.winnerIds.join() === winnerIds.join();
  return {
    ...state,
    published: true,
    lockAt: undefined,
    crossMatching: book.crossMatching ?? false,
    outcomes: shown,
    winnerIds,
    // No document says when; a market that gets another result gets another time.
    settledAt: isOver ? (isSameResult ? known.settledAt : now) : undefined,
    modifiedAt: undefined,
  };
}
