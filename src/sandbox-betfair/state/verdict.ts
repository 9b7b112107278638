/** What the exchange holds of each account: its bets, its markets with profit and commission, its transactions. */

import { decimalOfTick } from '../../core/number/ladder.ts';
import { type Money, PRICE_SCALE, ZERO } from '../../core/number/units.ts';
import { isLive } from '../../core/order.ts';
import type { World } from '../../sandbox/world/world.ts';
import { amountOf, momentOf, sumOf } from '../names/amounts.ts';
import { betIdOf } from '../names/market-names.ts';
import { sideWord } from '../names/side-word.ts';
import { type Account, accountsIn, fundsOf } from './accounts.ts';
import { type BetSizes, sizeOfBet, sizesOf } from './bet-sizes.ts';
import type { Bet } from './bets.ts';
import type { FaceState } from './face-state.ts';
import { factsOf, factsOfRecord, type MarketFacts, type MarketStatus } from './market-facts.ts';
import type { TransactionSums } from './transactions.ts';

/** Amounts are in units of the account's currency. */
export interface AccountVerdict {
  readonly username: string;
  readonly currency: string;
  readonly availableToBetBalance: number;
  /** What its bets may lose. */
  readonly exposure: number;
  readonly bets: BetSums;
  /** Of all closed markets, before commission. */
  readonly profit: number;
  readonly commission: number;
  /** The latest first. */
  readonly markets: readonly MarketVerdict[];
  readonly transactions: TransactionSums;
}

/** How many bets there are, and what became of their sizes: `size` is the sum of the others. */
export interface BetSums extends BetSizes {
  readonly betCount: number;
  readonly size: number;
}

export interface MarketVerdict {
  readonly marketId: string;
  readonly eventName: string;
  readonly marketName: string;
  readonly status: MarketStatus;
  readonly bets: BetSums;
  /** Absent while the market is not closed. */
  readonly profit?: number;
  readonly commission?: number;
  /** Each bet, in the order in which they were placed; where they were asked for. */
  readonly orders?: readonly BetVerdict[];
}

export interface BetVerdict extends BetSizes {
  readonly betId: string;
  readonly placedDate: string;
  readonly runnerName: string;
  readonly side: 'BACK' | 'LAY';
  readonly price: number;
  readonly size: number;
  /** 0 where nothing was matched. */
  readonly averagePriceMatched: number;
  /** Absent while the market is not closed. */
  readonly profit?: number;
}

interface MarketBets {
  readonly facts: MarketFacts;
  readonly bets: Bet[];
  /** By order. */
  readonly profits: ReadonlyMap<number, Money>;
  readonly commission: Money;
}

export interface VerdictOptions {
  /** Whether each market has its bets, one by one. */
  readonly hasOrders?: boolean;
}

/** The verdict on each account, in the order in which they were opened. */
export function verdictOf(face: FaceState, world: World, options: VerdictOptions = {}): readonly AccountVerdict[] {
  return [...accountsIn(world)].map((account) => accountVerdict({ face, world }, account, options));
}

function accountVerdict(
  { face, world }: { readonly face: FaceState; readonly world: World },
  account: Account,
  { hasOrders = false }: VerdictOptions,
): AccountVerdict {
  const markets = [...marketsOf(face, world, account)].reverse();
  const { available, exposure } = fundsOf(world, account);
  return {
    username: account.username,
    currency: account.currency,
    availableToBetBalance: available,
    exposure,
    bets: sumsOf(markets.flatMap(({ bets }) => bets)),
    profit: sumOf(markets.map((each) => profitOf(each, account))),
    commission: sumOf(markets.map(({ commission }) => amountOf(commission, account.penny))),
    markets: markets.map((each) => ({
      ...marketVerdict(each, account),
      ...(hasOrders ? { orders: each.bets.map((bet) => betVerdict(each, bet)) } : {}),
    })),
    transactions: face.transactions.of(account.app),
  };
}

/** The markets in which the account has bets: those that were cleared away first, then those still there. */
function marketsOf({ bets }: FaceState, world: World, { wallet }: Account): IterableIterator<MarketBets> {
  const markets = new Map<number, MarketBets>();
  for (const cleared of world.cleared?.ofWallet(wallet) ?? []) {
    markets.set(cleared.market.market, {
      facts: factsOf(world.catalogue, cleared),
      bets: cleared.orders.map((each) => bets.of(each.order, each)),
      profits: new Map(cleared.orders.map(({ order, profit }) => [order.id, profit])),
      commission: cleared.commission,
    });
  }
  for (const bet of bets.ofWallet(wallet)) {
    if (!isLive(bet.order.status)) continue;
    const record = world.catalogue.markets.get(bet.order.market);
    const facts = record === undefined ? undefined : factsOfRecord(world, record);
    const known = markets.get(bet.order.market);
    if (known !== undefined) known.bets.push(bet);
    else if (facts !== undefined)
      markets.set(bet.order.market, { facts, bets: [bet], profits: new Map(), commission: ZERO });
  }
  return markets.values();
}

function profitOf({ profits }: MarketBets, { penny }: Account): number {
  return amountOf(
    [...profits.values()].reduce((sum: number, profit) => sum + profit, 0),
    penny,
  );
}

function marketVerdict(market: MarketBets, account: Account): MarketVerdict {
  const { facts, bets, commission } = market;
  const { id, eventName, marketType, status } = facts;
  return {
    ...{ marketId: id, eventName, marketName: marketType.name, status, bets: sumsOf(bets) },
    ...(status === 'CLOSED'
      ? { profit: profitOf(market, account), commission: amountOf(commission, account.penny) }
      : {}),
  };
}

function betVerdict({ facts, profits }: MarketBets, bet: Bet): BetVerdict {
  const { order, penny } = bet;
  return {
    betId: betIdOf(order.id),
    placedDate: momentOf(order.createdAt),
    runnerName: facts.runners[order.outcome]?.name ?? '',
    side: sideWord(order.side),
    price: decimalOfTick(order.tick),
    size: sizeOfBet(bet),
    averagePriceMatched: bet.averagePrice / PRICE_SCALE,
    ...sizesOf(bet),
    ...(facts.status === 'CLOSED' ? { profit: amountOf(profits.get(order.id) ?? ZERO, penny) } : {}),
  };
}

function sumsOf(all: readonly Bet[]): BetSums {
  const bets = all.filter(({ order }) => order.status !== 'Failed');
  const parts = bets.map(sizesOf);
  const sum = (part: (sizes: BetSizes) => number) => sumOf(parts.map(part));
  return {
    betCount: bets.length,
    size: sumOf(bets.map(sizeOfBet)),
    sizeMatched: sum(({ sizeMatched }) => sizeMatched),
    sizeRemaining: sum(({ sizeRemaining }) => sizeRemaining),
    sizeLapsed: sum(({ sizeLapsed }) => sizeLapsed),
    sizeCancelled: sum(({ sizeCancelled }) => sizeCancelled),
    sizeVoided: sum(({ sizeVoided }) => sizeVoided),
  };
}
