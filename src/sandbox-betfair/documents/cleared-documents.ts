/** Cleared bets, alone or summed up: each level of grouping has fields of its own. */

import type { Params, Result } from '../../betfair/wire/operations.ts';
import { defined } from '../../core/checks/assert.ts';
import { decimalOfTick } from '../../core/number/ladder.ts';
import { type Instant, instant, type Money } from '../../core/number/units.ts';
import { amountOf, momentOf, sumOf } from '../names/amounts.ts';
import { betIdOf } from '../names/market-names.ts';
import { sideWord } from '../names/side-word.ts';
import { sizesOf } from '../state/bet-sizes.ts';
import type { Bet } from '../state/bets.ts';
import type { MarketFacts } from '../state/market-facts.ts';
import { averagePriceOf, customerRefs, persistenceOf } from './order-documents.ts';

/** A bet of which a part was cleared, with its market and the time. */
export interface Cleared {
  readonly bet: Bet;
  readonly facts: MarketFacts;
  readonly at: number;
  /** Before commission. */
  readonly profit: Money;
  /** Whether a non-runner lowered the price of what was matched. */
  readonly isReduced: boolean;
  /** What the account paid for the whole market. */
  readonly commission: Money;
}

type Summary = Result<'listClearedOrders'>['clearedOrders'][number];
type Query = Params<'listClearedOrders'>;
type GroupBy = NonNullable<Query['groupBy']>;

export function clearedBet(cleared: Cleared, { betStatus, includeItemDescription }: Query): Summary {
  const { bet, facts, at } = cleared;
  const { order } = bet;
  return {
    ...runnerOf(cleared),
    betId: betIdOf(order.id),
    placedDate: momentOf(order.createdAt),
    persistenceType: persistenceOf(order),
    orderType: 'LIMIT',
    side: sideWord(order.side),
    ...(includeItemDescription === true ? { itemDescription: describe(facts, order.outcome, 'BET') } : {}),
    priceRequested: decimalOfTick(order.tick),
    settledDate: momentOf(instant(at)),
    ...(bet.matchedAt === undefined ? {} : { lastMatchedDate: momentOf(bet.matchedAt) }),
    betCount: 1,
    ...outcomeOf(cleared, betStatus),
    ...customerRefs(order),
  };
}

/** What a bet's clearing gave. `sizeSettled` is of what was matched, `sizeCancelled` of what was not. */
function outcomeOf({ bet, profit, isReduced }: Cleared, betStatus: Query['betStatus']): Partial<Summary> {
  switch (betStatus) {
    case 'SETTLED':
      return {
        // Our Won is the order's side's: a lay wins where its runner loses.
        betOutcome: bet.order.status === 'Won' ? 'WON' : 'LOST',
        priceMatched: averagePriceOf(bet),
        priceReduced: isReduced,
        sizeSettled: sizesOf(bet).sizeMatched,
        profit: amountOf(profit, bet.penny),
      };
    case 'VOIDED':
      return {
        priceMatched: averagePriceOf(bet),
        priceReduced: false,
        sizeSettled: sizesOf(bet).sizeVoided,
        profit: 0,
      };
    case 'LAPSED':
      return { priceReduced: false, sizeCancelled: sizesOf(bet).sizeLapsed };
    case 'CANCELLED':
      return { priceReduced: false, sizeCancelled: sizesOf(bet).sizeCancelled };
  }
}

function runnerOf({ bet, facts }: Cleared) {
  const { selectionId, handicap } = defined(facts.runners[bet.order.outcome], 'a market has its runners');
  return { eventTypeId: facts.eventType.id, eventId: facts.eventId, marketId: facts.id, selectionId, handicap };
}

/** How deep a group is: a summary has the fields of its own level and of those above. */
const DEPTHS: Readonly<Record<GroupBy, number>> = {
  STRATEGY: 0,
  EVENT_TYPE: 1,
  EVENT: 2,
  MARKET: 3,
  RUNNER: 4,
  SIDE: 5,
  BET: 6,
};

/** The sums over a group, which is never empty. Commission is that of markets and above (profile section 2). */
export function clearedGroup(
  group: readonly Cleared[],
  { groupBy, includeItemDescription }: Query & { readonly groupBy: GroupBy },
): Summary {
  const [first] = group;
  if (first === undefined) return {};
  const depth = DEPTHS[groupBy];
  const { eventTypeId, eventId, marketId, selectionId, handicap } = runnerOf(first);
  const profit = sumOf(group.map((each) => amountOf(each.profit, each.bet.penny)));
  const strategy = customerRefs(first.bet.order).customerStrategyRef;
  return {
    ...(depth >= 1 ? { eventTypeId } : {}),
    ...(depth >= 2 ? { eventId } : {}),
    ...(depth >= 3 ? { marketId } : {}),
    ...(depth >= 4 ? { selectionId, handicap } : {}),
    ...(depth >= 5 ? sideOf(group) : {}),
    ...(includeItemDescription === true && depth >= 1
      ? { itemDescription: describe(first.facts, first.bet.order.outcome, groupBy) }
      : {}),
    settledDate: momentOf(latest(group.map(({ at }) => instant(at)))),
    lastMatchedDate: momentOf(latest(group.flatMap(({ bet }) => bet.matchedAt ?? []))),
    betCount: group.length,
    ...(depth <= 3 ? { commission: commissionOf(group) } : {}),
    profit,
    ...(groupBy === 'STRATEGY' && strategy !== undefined ? { customerStrategyRef: strategy } : {}),
  };
}

function latest(times: readonly Instant[]): Instant {
  return instant(Math.max(0, ...times));
}

/** Commission is the market's: a group that holds a part of a market's bets shares it. */
function commissionOf(group: readonly Cleared[]): number {
  const byMarket = group.map(
    ({ facts, commission, bet }) => [facts.record.market, amountOf(commission, bet.penny)] as const,
  );
  return sumOf(new Map(byMarket).values());
}

/** The averages over the bets of one side of a runner, weighted by what was matched. */
function sideOf(group: readonly Cleared[]): Partial<Summary> {
  const matched = group.reduce((sum, { bet }) => sum + bet.matched, 0);
  const average = (priceOf: (bet: Bet) => number) =>
    Math.round((group.reduce((sum, { bet }) => sum + bet.matched * priceOf(bet), 0) / matched) * 1e6) / 1e6;
  return {
    ...(group[0] === undefined ? {} : { side: sideWord(group[0].bet.order.side) }),
    priceRequested: average(({ order }) => decimalOfTick(order.tick)),
    priceMatched: average(averagePriceOf),
    priceReduced: group.some(({ isReduced }) => isReduced),
    sizeSettled: sumOf(group.map(({ bet }) => sizesOf(bet).sizeMatched)),
  };
}

function describe(facts: MarketFacts, outcome: number, groupBy: GroupBy): NonNullable<Summary['itemDescription']> {
  const { eventType, eventName, startsAt, marketType, record, runners } = facts;
  const depth = DEPTHS[groupBy];
  return {
    eventTypeDesc: eventType.name,
    ...(depth >= 2 ? { eventDesc: eventName } : {}),
    ...(depth >= 3
      ? {
          marketDesc: marketType.name,
          marketType: marketType.id,
          marketStartTime: momentOf(startsAt),
          numberOfWinners: record.winners.max,
        }
      : {}),
    ...(depth >= 4 ? { runnerDesc: runners[outcome]?.name ?? '' } : {}),
  };
}
