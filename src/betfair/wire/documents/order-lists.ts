/** Orders as they are listed: current and cleared ones, and what a market would win or lose by them. */

import { Type } from '@sinclair/typebox';
import { document, flag, id, integer, maybe, moment, number, request, text } from '../../../codec/notation.ts';
import { OrderStatusWord, OrderTypeWord, PersistenceTypeWord, SideWord } from '../basics/codes.ts';
import { MarketVersion, PriceSize, rows } from '../basics/shapes.ts';

/** The last four fields are in no description, but answered and documented (betfairlightweight reads them). */
const CurrentOrderSummary = document(
  'CurrentOrderSummary',
  {
    betId: id,
    marketId: id,
    selectionId: integer,
    handicap: number,
    priceSize: PriceSize,
    bspLiability: number,
    side: SideWord,
    status: OrderStatusWord,
    persistenceType: PersistenceTypeWord,
    orderType: OrderTypeWord,
    placedDate: moment,
    matchedDate: maybe(moment),
    averagePriceMatched: maybe(number),
    sizeMatched: maybe(number),
    sizeRemaining: maybe(number),
    sizeLapsed: maybe(number),
    sizeCancelled: maybe(number),
    sizeVoided: maybe(number),
    regulatorAuthCode: maybe(text),
    regulatorCode: maybe(text),
    customerOrderRef: maybe(text),
    customerStrategyRef: maybe(text),
    lapsedDate: maybe(moment),
    lapseStatusReasonCode: maybe(text),
    cancelledDate: maybe(moment),
    currentItemDescription: maybe(document('CurrentItemDescription', { marketVersion: maybe(MarketVersion) })),
  },
  {
    needs: ['betId', 'marketId', 'selectionId', 'priceSize', 'side', 'status'],
    uses: [
      'handicap',
      'customerOrderRef',
      'averagePriceMatched',
      'sizeMatched',
      'sizeRemaining',
      'sizeLapsed',
      'sizeCancelled',
      'sizeVoided',
    ],
  },
);

export const CurrentOrderSummaryReport = document(
  'CurrentOrderSummaryReport',
  {
    currentOrders: Type.Array(CurrentOrderSummary),
    moreAvailable: flag,
  },
  { needs: ['currentOrders', 'moreAvailable'] },
);

const ItemDescription = document('ItemDescription', {
  eventTypeDesc: maybe(text),
  eventDesc: maybe(text),
  marketDesc: maybe(text),
  marketType: maybe(text),
  marketStartTime: maybe(moment),
  runnerDesc: maybe(text),
  numberOfWinners: maybe(integer),
  eachWayDivisor: maybe(number),
});

const ClearedOrderSummary = document(
  'ClearedOrderSummary',
  {
    eventTypeId: maybe(id),
    eventId: maybe(id),
    marketId: maybe(id),
    selectionId: maybe(integer),
    handicap: maybe(number),
    betId: maybe(id),
    placedDate: maybe(moment),
    persistenceType: maybe(PersistenceTypeWord),
    orderType: maybe(OrderTypeWord),
    side: maybe(SideWord),
    itemDescription: maybe(ItemDescription),
    betOutcome: maybe(text),
    priceRequested: maybe(number),
    settledDate: maybe(moment),
    lastMatchedDate: maybe(moment),
    betCount: maybe(integer),
    commission: maybe(number),
    priceMatched: maybe(number),
    priceReduced: maybe(flag),
    sizeSettled: maybe(number),
    profit: maybe(number),
    sizeCancelled: maybe(number),
    customerOrderRef: maybe(text),
    customerStrategyRef: maybe(text),
  },
  {
    needs: [],
    uses: [
      'betId',
      'marketId',
      'selectionId',
      'handicap',
      'side',
      'priceRequested',
      'priceMatched',
      'sizeSettled',
      'sizeCancelled',
      'profit',
      'commission',
      'customerOrderRef',
    ],
  },
);

export const ClearedOrderSummaryReport = document(
  'ClearedOrderSummaryReport',
  {
    clearedOrders: Type.Array(ClearedOrderSummary),
    moreAvailable: flag,
  },
  { needs: ['clearedOrders', 'moreAvailable'] },
);

/** A runner of one market, in the filter of cleared orders. */
export const RunnerId = request('RunnerId', { marketId: id, selectionId: integer, handicap: maybe(number) });

/** `ifPlace` is spelt iPlace in the description, and ifPlace in every client and answer. */
const RunnerProfitAndLoss = document(
  'RunnerProfitAndLoss',
  {
    selectionId: maybe(integer),
    ifWin: maybe(number),
    ifLose: maybe(number),
    ifPlace: maybe(number),
  },
  { needs: ['selectionId'], uses: ['ifWin'] },
);

export const MarketProfitAndLoss = document(
  'MarketProfitAndLoss',
  {
    marketId: maybe(id),
    commissionApplied: maybe(number),
    profitAndLosses: rows(RunnerProfitAndLoss),
  },
  { needs: ['marketId', 'profitAndLosses'] },
);
