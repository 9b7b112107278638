/** All that the Betfair sandbox says of an account: current and cleared orders, positions, funds; read by a stranger's client. */

import type { ControlClient } from '../../vendor/control-client.ts';
import type { Json } from '../../vendor/vendor-client.ts';
import type { BetfairPerson } from './betfair-person.ts';
import { type ExchangeOrder, type ExchangeSide, marketsOver, micros } from './exchange-books.ts';

const MILLIS = 1_000;
/** Average prices have six decimals, and winnings of hundredths at prices of hundredths have four. */
const WINNINGS_STEP = 100;
const PENNY = 10_000;
const POSITIONS_A_CALL = 50;

export async function readBetfair(owner: BetfairPerson, control: ControlClient): Promise<ExchangeSide> {
  const orders = new Map<string, ExchangeOrder>();
  const cleared = new Map<string, ExchangeOrder>();
  for (const betStatus of ['SETTLED', 'VOIDED', 'LAPSED', 'CANCELLED'])
    for (const row of await owner.list('listClearedOrders', 'clearedOrders', { betStatus, groupBy: 'BET' }))
      cleared.set(row.betId, withCleared(cleared.get(row.betId) ?? unclearedOf(row), betStatus, row));
  for (const [id, order] of cleared) orders.set(id, order);
  // Of an order that is current its own document says all.
  for (const order of await owner.list('listCurrentOrders', 'currentOrders', { orderProjection: 'ALL' }))
    orders.set(order.betId, currentOf(order));
  const over = await marketsOver(control, orders.values());
  const results = await owner.list('listClearedOrders', 'clearedOrders', { betStatus: 'SETTLED', groupBy: 'MARKET' });
  const funds = await owner.call('getAccountFunds', {}, 'account');
  const live = [...orders.values()].filter(({ stakeUnmatched }) => stakeUnmatched > 0);
  return {
    ...{ orders, trades: [...orders.values()].filter(({ matched }) => matched > 0).length, over },
    positions: await positionsOf(owner, [...new Set([...orders.values()].map(({ market }) => market))]),
    balance: micros(funds.availableToBetBalance),
    unmatchedExposure: live.reduce((sum, { stakeUnmatched }) => sum + stakeUnmatched, 0),
    commission: results.reduce((sum, { commission = 0 }) => sum + micros(commission), 0),
    troubles: await control.troubles(),
    roundedTo: PENNY,
  };
}

function currentOf(order: Json): ExchangeOrder {
  const { sizeMatched, sizeRemaining, sizeLapsed = 0, sizeCancelled = 0, sizeVoided = 0, priceSize } = order;
  const matched = micros(sizeMatched);
  const stakeUnmatched = micros(sizeRemaining);
  const isLive = order.status === 'EXECUTABLE';
  const ended = matched > 0 ? 'Matched' : 'Cancelled';
  return {
    ...termsOf(order),
    ...{ matched, stakeUnmatched, stakeVoided: micros(sizeLapsed + sizeCancelled + sizeVoided) },
    ...{ price: Math.round(priceSize.price * MILLIS), stake: micros(priceSize.size) },
    status: isLive ? (matched > 0 ? 'PartiallyMatched' : 'Unmatched') : ended,
    winnings: winningsOf(matched, order.averagePriceMatched),
    ...{ profit: 0, trades: matched > 0 ? 1 : 0 },
  };
}

/** Before any of its rows is looked at. */
function unclearedOf(row: Json): ExchangeOrder {
  return {
    ...termsOf(row),
    ...{ price: Math.round(row.priceRequested * MILLIS), status: 'Cancelled' },
    ...{ stake: 0, matched: 0, stakeUnmatched: 0, stakeVoided: 0, winnings: 0, profit: 0, trades: 0 },
  };
}

function termsOf({ betId: id, customerOrderRef: reference, marketId: market, selectionId, side, ...rest }: Json) {
  const keepWhenInPlay = rest.persistenceType === 'PERSIST';
  const told = { id, reference, market, outcome: String(selectionId), side: side === 'BACK' ? 'For' : 'Against' };
  // That an order was to be filled or killed is not said of it later.
  return { ...told, keepWhenInPlay, matchBehavior: undefined };
}

/** An order with what another row says of a part of it. */
function withCleared(order: ExchangeOrder, betStatus: string, row: Json): ExchangeOrder {
  const size = micros(row.sizeSettled ?? row.sizeCancelled ?? 0);
  const whole = { ...order, stake: order.stake + size };
  if (betStatus !== 'SETTLED') {
    const status = betStatus === 'VOIDED' && order.matched === 0 ? 'Voided' : order.status;
    return { ...whole, status, stakeVoided: order.stakeVoided + size };
  }
  const status = row.profit > 0 ? 'Won' : 'Lost';
  return {
    ...{ ...whole, status, matched: size, trades: 1 },
    ...{ winnings: winningsOf(size, row.priceMatched), profit: micros(row.profit) },
  };
}

function winningsOf(matched: number, averagePrice = 1): number {
  return Math.round((matched * (averagePrice - 1)) / WINNINGS_STEP) * WINNINGS_STEP;
}

async function positionsOf(
  owner: BetfairPerson,
  markets: readonly string[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> {
  const positions = new Map<string, ReadonlyMap<string, number>>();
  for (let start = 0; start < markets.length; start += POSITIONS_A_CALL) {
    const marketIds = markets.slice(start, start + POSITIONS_A_CALL);
    for (const { marketId, profitAndLosses } of await owner.call('listMarketProfitAndLoss', { marketIds })) {
      const runners = profitAndLosses.map(({ selectionId, ifWin }: Json) => [String(selectionId), micros(ifWin)]);
      positions.set(marketId, new Map(runners));
    }
  }
  return positions;
}
