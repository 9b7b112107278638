/** Bets as they are listed: as current orders, in a book, and their matches. */

import type { Params, Result } from '../../betfair/wire/operations.ts';
import { defined } from '../../core/checks/assert.ts';
import { decimalOfTick } from '../../core/number/ladder.ts';
import { PRICE_SCALE } from '../../core/number/units.ts';
import type { OrderView } from '../../matching/state/views.ts';
import type { World } from '../../sandbox/world/world.ts';
import { decimalOf, momentOf, sizeOf } from '../names/amounts.ts';
import { betIdOf } from '../names/market-names.ts';
import { sideWord } from '../names/side-word.ts';
import { referencesIn } from '../state/bet-references.ts';
import { sizeOfBet, sizesOf } from '../state/bet-sizes.ts';
import type { Bet } from '../state/bets.ts';
import type { MarketFacts } from '../state/market-facts.ts';
import { REGULATOR } from './market-documents.ts';

type CurrentOrder = Result<'listCurrentOrders'>['currentOrders'][number];
type Runner = NonNullable<Result<'listMarketBook'>[number]['runners']>[number];
type BookOrder = NonNullable<Runner['orders']>[number];
type Match = NonNullable<Runner['matches']>[number];

export function persistenceOf({ keepWhenInPlay }: OrderView): 'PERSIST' | 'LAPSE' {
  return keepWhenInPlay ? 'PERSIST' : 'LAPSE';
}

export function statusOfOrder({ stakeUnmatched }: OrderView): 'EXECUTABLE' | 'EXECUTION_COMPLETE' {
  return stakeUnmatched > 0 ? 'EXECUTABLE' : 'EXECUTION_COMPLETE';
}

/** An average has more decimals than the ladder; a price without a match is 0. */
export function averagePriceOf({ averagePrice }: Bet): number {
  return Math.round((averagePrice / PRICE_SCALE) * 1e6) / 1e6;
}

export function customerRefs({ reference }: OrderView) {
  const { order, strategy } = referencesIn(reference);
  return {
    ...(order === undefined ? {} : { customerOrderRef: order }),
    ...(strategy === undefined ? {} : { customerStrategyRef: strategy }),
  };
}

export function currentOrder(
  bet: Bet,
  { id, version, runners }: MarketFacts,
  { hasDescription }: { readonly hasDescription: boolean },
): CurrentOrder {
  const { order, matchedAt, lapsedAt, lapseReason, cancelledAt } = bet;
  const { selectionId, handicap } = defined(runners[order.outcome], 'a market has its runners');
  return {
    betId: betIdOf(order.id),
    marketId: id,
    selectionId,
    handicap,
    priceSize: { price: decimalOfTick(order.tick), size: sizeOfBet(bet) },
    bspLiability: 0,
    side: sideWord(order.side),
    status: statusOfOrder(order),
    persistenceType: persistenceOf(order),
    orderType: 'LIMIT',
    placedDate: momentOf(order.createdAt),
    ...(matchedAt === undefined ? {} : { matchedDate: momentOf(matchedAt) }),
    averagePriceMatched: averagePriceOf(bet),
    ...sizesOf(bet),
    regulatorCode: REGULATOR,
    ...customerRefs(order),
    ...(lapsedAt === undefined ? {} : { lapsedDate: momentOf(lapsedAt) }),
    ...(lapseReason === undefined ? {} : { lapseStatusReasonCode: lapseReason }),
    ...(cancelledAt === undefined ? {} : { cancelledDate: momentOf(cancelledAt) }),
    ...(hasDescription ? { currentItemDescription: { marketVersion: { version } } } : {}),
  };
}

export function bookOrder(bet: Bet): BookOrder {
  const { order } = bet;
  return {
    betId: betIdOf(order.id),
    orderType: 'LIMIT',
    status: statusOfOrder(order),
    persistenceType: persistenceOf(order),
    side: sideWord(order.side),
    price: decimalOfTick(order.tick),
    size: sizeOfBet(bet),
    bspLiability: 0,
    placedDate: momentOf(order.createdAt),
    avgPriceMatched: averagePriceOf(bet),
    ...sizesOf(bet),
    ...customerRefs(order),
  };
}

type MatchProjection = NonNullable<Params<'listMarketBook'>['matchProjection']>;

export function matchesOf(world: World, bets: readonly Bet[], projection: MatchProjection): readonly Match[] {
  // What was matched of a void bet is void as well.
  const matched = bets.filter(({ order }) => order.status !== 'Voided');
  const penny = matched[0]?.penny;
  const matches = matched.flatMap(({ order }) =>
    [...world.exchange.tradesOfOrder(order.id)].map((trade) => ({ trade, side: sideWord(order.side) })),
  );
  if (projection === 'NO_ROLLUP')
    return matches.map(({ trade, side }) => ({
      betId: betIdOf(trade.order),
      matchId: String(trade.id + 1),
      side,
      price: decimalOf(trade.price),
      size: sizeOf(trade.stake, penny),
      matchDate: momentOf(trade.createdAt),
    }));
  const sums = new Map<string, { readonly side: 'BACK' | 'LAY'; stake: number; weight: number }>();
  for (const { trade, side } of matches) {
    const key = projection === 'ROLLED_UP_BY_PRICE' ? `${side} ${trade.price}` : side;
    const sum = sums.get(key) ?? { side, stake: 0, weight: 0 };
    sum.stake += trade.stake;
    sum.weight += trade.stake * decimalOf(trade.price);
    sums.set(key, sum);
  }
  return [...sums.values()].map(({ side, stake, weight }) => ({
    side,
    price: Math.round((weight / stake) * 1e6) / 1e6,
    size: sizeOf(stake, penny),
  }));
}
