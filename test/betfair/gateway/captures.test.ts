/** What was recorded of the real exchange goes through the gateway: each value is kept, or is named here with the reason. */

import { expect, test } from 'vitest';
import { positionOf } from '../../../src/betfair/gateway/money/account-snapshots.ts';
import {
  type CurrentOrder,
  factsOfCleared,
  factsOfCurrent,
  type OrderBackground,
} from '../../../src/betfair/gateway/orders/order-documents.ts';
import { placedItems } from '../../../src/betfair/gateway/orders/place-answer.ts';
import { OrderCache } from '../../../src/betfair/stream/orders/order-cache.ts';
import { selectionOf } from '../../../src/betfair/wire/basics/runners.ts';
import { decimalOfTick, type Tick, tickOfDecimal } from '../../../src/core/number/ladder.ts';
import { instant, moneyToDecimal } from '../../../src/core/number/units.ts';
import { type OrderFacts, reportOf } from '../../../src/exchange-live/orders/order-facts.ts';
import { answerOf, captured, type Json, readable } from '../../support/betfair/captured.ts';
import { expectKept } from '../../support/betfair/kept-figures.ts';
import { units } from '../../support/conformance/stage.ts';
import { betfairApiFile, describeWithRecordings } from '../../support/shared.ts';

const BACKGROUND: OrderBackground = {
  ...{ walletId: 'main', readAt: instant(0) },
  reasonIn: () => 'MarketSettled',
  cancelledBy: () => 'UserRequest',
};

const sideWord = ({ side }: Pick<OrderFacts, 'side'>) => (side === 'For' ? 'BACK' : 'LAY');
const sizeOf = (stake: number) => stake / 1e6;
const dateOf = (ms: number) => new Date(ms).toISOString();

/** The report of an order, with the average price as it follows from stake and winnings. */
function reported(facts: OrderFacts) {
  const report = reportOf(facts, 1);
  const { stakeMatched, winningsMatched } = report;
  const average = stakeMatched === 0 ? 0 : 1 + winningsMatched / stakeMatched;
  return { ...report, average: Math.round(average * 1e6) / 1e6 };
}

const WORDS = 'an order of ours has the terms that we asked for, and of another one nobody asks';
const ORDER_NOT_READ = {
  bspLiability: 'orders at the starting price are not placed',
  persistenceType: WORDS,
  orderType: WORDS,
  placedDate: 'the latest of an order’s times is kept',
  regulatorCode: 'no figure',
  regulatorAuthCode: 'no figure',
};

function below(place: string, list: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(list).map(([key, reason]) => [`${place}.${key}`, reason]));
}

type Ends = { readonly [K in 'sizeLapsed' | 'sizeCancelled' | 'sizeVoided']: CurrentOrder[K] | undefined };

/** A current order as it was recorded, of its facts. The three ends of stake are one figure in them. */
function currentAgain(facts: OrderFacts, ended: Ends) {
  const { average, stakeMatched, stakeUnmatched, stakeVoided, status } = reported(facts);
  const { sizeLapsed = 0, sizeCancelled = 0, sizeVoided = 0 } = ended;
  expect(sizeOf(stakeVoided)).toBeCloseTo(sizeLapsed + sizeCancelled + sizeVoided, 6);
  return {
    betId: String(facts.id),
    marketId: facts.marketId,
    ...selectionOf(facts.outcomeId),
    priceSize: { price: decimalOfTick(facts.tick), size: sizeOf(facts.stake) },
    side: sideWord(facts),
    status: status === 'Unmatched' || status === 'PartiallyMatched' ? 'EXECUTABLE' : 'EXECUTION_COMPLETE',
    averagePriceMatched: average,
    sizeMatched: sizeOf(stakeMatched),
    sizeRemaining: sizeOf(stakeUnmatched),
    ...ended,
  };
}

describeWithRecordings('orders of the real exchange', () => {
  test.each(['list_current_orders', 'list_current_orders_description'])('%s', (name) => {
    const { currentOrders, moreAvailable } = answerOf('listCurrentOrders', name);
    const again = readable(currentOrders).map((order) => {
      const facts = factsOfCurrent(order, BACKGROUND);
      if (facts === undefined) throw new Error('it makes no sense');
      const { sizeLapsed, sizeCancelled, sizeVoided } = order;
      const document = currentAgain(facts, { sizeLapsed, sizeCancelled, sizeVoided });
      return { ...document, matchedDate: dateOf(facts.modifiedAt) };
    });
    const isDescribed = name.endsWith('description');
    expectKept(
      captured(name).result,
      { currentOrders: again, moreAvailable },
      {
        ...below('currentOrders.*', ORDER_NOT_READ),
        ...(isDescribed ? { 'currentOrders.*.currentItemDescription': 'it is not asked for' } : {}),
      },
    );
  });

  test('list_cleared_orders', () => {
    const { clearedOrders, moreAvailable } = answerOf('listClearedOrders', 'list_cleared_orders');
    const again = readable(clearedOrders).map((order) => {
      const rows = new Map([['SETTLED' as const, order]]);
      const facts = factsOfCleared({ betId: order.betId ?? '', rows }, BACKGROUND, () => undefined);
      if (facts === undefined) throw new Error('it makes no sense');
      const { average, status, stakeMatched, winningsMatched } = reported(facts);
      const isWon = status === 'Won';
      // A lay that is lost pays what the backer wins.
      const profit =
        facts.side === 'For' ? (isWon ? winningsMatched : -stakeMatched) : isWon ? stakeMatched : -winningsMatched;
      return {
        betId: String(facts.id),
        marketId: facts.marketId,
        ...selectionOf(facts.outcomeId),
        side: sideWord(facts),
        betOutcome: isWon ? 'WON' : 'LOST',
        priceRequested: decimalOfTick(facts.tick),
        settledDate: dateOf(facts.modifiedAt),
        priceMatched: average,
        sizeSettled: sizeOf(stakeMatched),
        profit: sizeOf(profit),
      };
    });
    const { bspLiability: _, regulatorCode: _code, regulatorAuthCode: _auth, ...terms } = ORDER_NOT_READ;
    expectKept(
      captured('list_cleared_orders').result,
      { clearedOrders: again, moreAvailable },
      {
        ...below('clearedOrders.*', {
          ...terms,
          eventTypeId: 'the market is known by its id',
          eventId: 'the market is known by its id',
          lastMatchedDate: 'the latest of an order’s times is kept',
          betCount: 'of one bet it is 1',
          priceReduced: 'the price that it was reduced to is kept',
        }),
      },
    );
  });

  test('list_market_profit_and_loss', () => {
    const again = answerOf('listMarketProfitAndLoss', 'list_market_profit_and_loss').map((document) => {
      const read = positionOf(document);
      if (read.kind === 'odd') throw new Error('it makes no sense');
      const { marketId, profitIfWins } = read.position;
      return {
        marketId,
        profitAndLosses: [...profitIfWins].map(([outcomeId, profit]) => ({
          selectionId: selectionOf(outcomeId)?.selectionId,
          ifWin: moneyToDecimal(profit),
        })),
      };
    });
    expectKept(captured('list_market_profit_and_loss').result, again, {});
  });

  test('place_orders', () => {
    const answer = answerOf('placeOrders', 'place_orders');
    const { instruction } = captured('place_orders').result.instructionReports[0];
    const { selectionId, side, limitOrder } = instruction;
    const { size, price } = limitOrder;
    const at = tickOfDecimal(price) as Tick;
    const terms = {
      ...{ client: 1, strategy: 0, walletId: 'main', marketId: answer.marketId ?? '', outcomeId: String(selectionId) },
      ...{
        side: side === 'BACK' ? ('For' as const) : ('Against' as const),
        tick: at,
        stake: units(size),
        reference: 'ours-1',
      },
    } as const;
    const request = { ...terms, wallet: 0, market: 0, outcome: 0, keepWhenInPlay: false } as const;
    const sent = [{ request: { ...request, matchBehavior: 'RetainUnmatched' as const }, terms, instruction }];
    const [item] = placedItems(sent, answer, 0);
    if (item?.kind !== 'placed') throw new Error(JSON.stringify(item));
    const { average, stakeMatched, status } = reported(item.facts);
    expect(status).toBe('Unmatched');
    const report = {
      ...{ status: 'SUCCESS', betId: String(item.facts.id), placedDate: dateOf(item.facts.modifiedAt) },
      ...{ averagePriceMatched: average, sizeMatched: sizeOf(stakeMatched) },
    };
    const again = { status: 'SUCCESS', marketId: item.facts.marketId, instructionReports: [report] };
    expectKept(captured('place_orders').result, again, {
      'instructionReports.*.instruction': 'it repeats ours, and is found by our reference or by its place',
    });
  });

  test('cancel_orders, replace_orders and update_orders', () => {
    expectKept(captured('cancel_orders').result, answerOf('cancelOrders', 'cancel_orders'), {});
    // The gateway calls neither: a new price is a cancellation and an order, and the persistence of an order stays.
    for (const [operation, name] of [
      ['replaceOrders', 'replace_orders'],
      ['updateOrders', 'update_orders'],
    ] as const)
      expectKept(captured(name).result, answerOf(operation, name), {});
  });

  /** The orders that a capture of the stream tells, as they are written there. */
  function streamedAgain(cache: OrderCache, message: Json): readonly Json[] {
    const { oc = [], pt } = message;
    const published = { publishedAt: instant(pt), receivedAt: instant(pt) };
    const news = cache.take({ feed: 'orders', type: 'update', changes: oc, ...published } as never);
    return news.flatMap((each) => {
      if (each.kind === 'unreadable') throw new Error(`${each.betId} cannot be read`);
      if (each.kind !== 'order') return [];
      const facts = factsOfCurrent(each.order, BACKGROUND);
      if (facts === undefined) throw new Error('it makes no sense');
      const { sizeLapsed, sizeCancelled, sizeVoided } = each.order;
      const again = currentAgain(facts, { sizeLapsed, sizeCancelled, sizeVoided });
      return {
        ...{ marketId: again.marketId, id: facts.outcomeId, at: facts.modifiedAt },
        uo: {
          ...{ id: again.betId, p: again.priceSize.price, s: again.priceSize.size, side: again.side[0] },
          status: again.status === 'EXECUTABLE' ? 'E' : 'EC',
          ...{ sm: again.sizeMatched, sr: again.sizeRemaining, rfo: facts.reference ?? '' },
          ...{ sl: sizeLapsed, sc: sizeCancelled, sv: sizeVoided },
          ...(again.averagePriceMatched > 0 ? { avp: again.averagePriceMatched } : {}),
        },
      };
    });
  }

  function expectOrdersKept(cache: OrderCache, message: Json): number {
    const again = streamedAgain(cache, message);
    const told = (message.oc ?? []).flatMap((market: Json) =>
      (market.orc ?? []).flatMap((runner: Json) => (runner.uo ?? []).map((uo: Json) => ({ market, runner, uo }))),
    );
    expect(again).toHaveLength(told.length);
    for (const [index, { market, runner, uo }] of told.entries()) {
      const { marketId, id, at, uo: kept } = again[index];
      const hc = runner.hc ?? 0;
      expect([marketId, id]).toEqual([market.id, hc === 0 ? String(runner.id) : `${runner.id}@${hc}`]);
      const { pd, md = 0, cd = 0, ld = 0, ...others } = uo;
      expect(at).toBe(Math.max(pd, md, cd, ld));
      // The terms, words of the regulator, and the reference of the strategy, which the stream was asked for.
      expectKept(others, kept, {
        pt: WORDS,
        ot: WORDS,
        rac: 'no figure',
        rc: 'no figure',
        rfs: 'the run is in rfo, too',
      });
      const bets = cache.market(market.id).get(`${runner.id} ${hc}`);
      expect(['mb', 'ml'].map((field) => [...(bets?.[field as 'mb' | 'ml'] ?? [])])).toEqual([
        runner.mb ?? [],
        runner.ml ?? [],
      ]);
    }
    return told.length;
  }

  test.each([
    ['streaming_ocm_FULL_IMAGE', 5],
    ['streaming_ocm_NEW_FULL_IMAGE', 5],
    ['streaming_ocm_SUB_IMAGE', 0],
    ['streaming_ocm_EMPTY_IMAGE', 0],
    ['streaming_ocm_UPDATE', 1],
  ])('%s', (name, count) => {
    expect(expectOrdersKept(new OrderCache(), captured(name))).toBe(count);
  });

  test('order-stream__1.177596575', () => {
    const cache = new OrderCache();
    const lines = betfairApiFile('answers', 'order-stream__1.177596575').trim().split('\n');
    expect(lines.map((line) => expectOrdersKept(cache, JSON.parse(line)))).toEqual([1, 1, 1, 0]);
  });
});
