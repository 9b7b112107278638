/** Money to the penny: bets, markets, profit and loss, balance and verdict say the same, in each currency and with a discount. */

import { expect, test } from 'vitest';
import { Random } from '../../src/core/number/random.ts';
import { USUAL_TERMS } from '../../src/sandbox-betfair/names/account-terms.ts';
import { FaceStage, limit } from '../support/sandbox-betfair/face-stage.ts';
import { StreamStage } from '../support/sandbox-betfair/stream-stage.ts';

const ACCOUNTS = new Map([
  ['mary', { ...USUAL_TERMS, discountPpm: 200_000 }],
  ['eve', { ...USUAL_TERMS, currency: 'EUR' }],
  ['sven', { ...USUAL_TERMS, currency: 'SEK', discountPpm: 30_000 }],
]);
/** What a unit is in pounds, by the table of the document. */
const WORTH: Readonly<Record<string, number>> = { GBP: 1, EUR: 0.9, SEK: 0.1 };

type Client = ReturnType<FaceStage['login']>;

/** Random bets of an account on all runners of a market, on both sides, most of them at once matched in part. */
function bet(client: Client, { marketId, runners, random, size }: Market & { random: Random; size: number }): void {
  for (let bets = 0; bets < 12; bets += 1) {
    const selectionId = runners[random.below(runners.length)] ?? 0;
    const ask = { marketIds: [marketId], priceProjection: { priceData: ['EX_ALL_OFFERS'], virtualise: true } };
    const ex = client.call('listMarketBook', ask)[0]?.runners?.find((each) => each.selectionId === selectionId)?.ex;
    const side = random.below(2) === 0 ? 'BACK' : 'LAY';
    const [best] = (side === 'BACK' ? ex?.availableToBack : ex?.availableToLay) ?? [];
    if (best === undefined) continue;
    const own = Math.round(size * (100 + random.below(900))) / 100;
    client.call('placeOrders', {
      marketId,
      instructions: [limit({ selectionId, side, price: best.price, size: own })],
    });
  }
}

interface Market {
  readonly marketId: string;
  readonly runners: readonly number[];
}

function played() {
  const stage = new FaceStage({ accounts: ACCOUNTS });
  const random = Random.fromSeed(7);
  const clients = [...ACCOUNTS.keys()].map((name) => stage.login(name));
  const query = { filter: { inPlayOnly: false }, sort: 'FIRST_TO_START', maxResults: 12 };
  const found = clients[0]?.call('listMarketCatalogue', { ...query, marketProjection: ['RUNNER_DESCRIPTION'] }) ?? [];
  const markets = found.map(({ marketId = '', runners = [] }) => ({
    ...{ marketId, runners: runners.map(({ selectionId }) => selectionId) },
  }));
  for (const market of markets)
    for (const client of clients) bet(client, { ...market, random, size: client === clients[2] ? 15 : 1 });
  return { stage, clients, markets };
}

interface OrderImage {
  readonly oc: readonly { readonly orc: readonly { readonly uo: readonly object[] }[] }[];
}

const cents = (amount: number | undefined) => Math.round((amount ?? 0) * 100);
const sumOf = (amounts: readonly (number | undefined)[]) => amounts.reduce<number>((sum, each) => sum + cents(each), 0);

test('winnings of a back are rounded down and losses of a lay up, bet by bet, and commission by market', () => {
  const { stage, clients, markets } = played();
  const [mary] = clients;
  const matched = new Map<string, readonly { side: string; size: number; price: number }[]>();
  for (const { marketId } of markets) {
    const found = mary?.call('listCurrentOrders', { marketIds: [marketId] }).currentOrders ?? [];
    for (const { betId } of found) {
      const asked = { marketIds: [marketId], betIds: [betId], matchProjection: 'NO_ROLLUP' };
      const runners = mary?.call('listMarketBook', asked)[0]?.runners ?? [];
      matched.set(betId, runners.flatMap(({ matches = [] }) => matches) as never);
    }
    stage.command({ kind: 'lock', market: stage.market(marketId) });
    stage.command({ kind: 'settle', market: stage.market(marketId), winners: [0] });
  }
  const bets = mary?.call('listClearedOrders', { betStatus: 'SETTLED' }).clearedOrders ?? [];
  let [backs, lays] = [0, 0];
  for (const { betId = '', betOutcome, side, profit, sizeSettled } of bets) {
    // Matches are in whole pennies and prices in thousandths, except where stake came across outcomes.
    const own = matched.get(betId) ?? [];
    if (sumOf(own.map(({ size }) => size)) !== cents(sizeSettled)) continue;
    const mills = own.reduce((sum, { size, price }) => sum + cents(size) * Math.round((price - 1) * 1_000), 0);
    const stake = cents(sizeSettled);
    if (betOutcome === 'WON') expect(cents(profit), betId).toBe(side === 'BACK' ? Math.floor(mills / 1_000) : stake);
    else expect(cents(profit), betId).toBe(side === 'BACK' ? -stake : -Math.ceil(mills / 1_000));
    if (mills % 1_000 !== 0 && (side === 'BACK') === (betOutcome === 'WON')) {
      if (side === 'BACK') backs += 1;
      else lays += 1;
    }
  }
  // Where there is nothing to round, nothing is tested.
  expect(backs).toBeGreaterThan(2);
  expect(lays).toBeGreaterThan(2);
});

test('bets, groups, profit and loss, balance and verdict agree to the penny, in every currency', () => {
  const { stage, clients, markets } = played();
  const netOfCommission = markets.map(({ marketId }) =>
    clients.map(
      (client) => client.call('listMarketProfitAndLoss', { marketIds: [marketId], netOfCommission: true })[0],
    ),
  );
  const gross = markets.map(({ marketId }) =>
    clients.map((client) => client.call('listMarketProfitAndLoss', { marketIds: [marketId] })[0]),
  );
  for (const { marketId } of markets) {
    stage.command({ kind: 'lock', market: stage.market(marketId) });
    stage.command({ kind: 'settle', market: stage.market(marketId), winners: [0] });
  }
  const verdicts = stage.face.verdict();
  for (const [at, client] of clients.entries()) {
    const name = [...ACCOUNTS.keys()][at] ?? '';
    const { currency = '', discountPpm = 0 } = ACCOUNTS.get(name) ?? {};
    const cleared = (more: object) => client.call('listClearedOrders', { betStatus: 'SETTLED', ...more }).clearedOrders;
    const byMarket = cleared({ groupBy: 'MARKET' });
    expect(byMarket.length).toBeGreaterThan(6);
    for (const { marketId = '', profit, commission } of byMarket) {
      const bets = cleared({ marketIds: [marketId] });
      expect(sumOf(bets.map((each) => each.profit))).toBe(cents(profit));
      const rate = 0.05 * (1 - discountPpm / 1e6);
      // A commission that is half a penny is rounded up: it is taken from the exact number.
      expect(cents(commission)).toBe(Math.max(0, Math.round(Number((cents(profit) * rate).toFixed(6)))));
      const place = markets.findIndex((market) => market.marketId === marketId);
      const said = gross[place]?.[at]?.profitAndLosses?.[0];
      const net = netOfCommission[place]?.[at]?.profitAndLosses?.[0];
      if (said?.ifLose !== undefined) continue;
      expect(cents(said?.ifWin)).toBe(cents(profit));
      expect(cents(net?.ifWin)).toBe(cents(profit) - cents(commission));
      expect(netOfCommission[place]?.[at]?.commissionApplied).toBeCloseTo(rate * 100, 9);
    }
    const profit = sumOf(byMarket.map((each) => each.profit));
    const commission = sumOf(byMarket.map((each) => each.commission));
    for (const groupBy of ['BET', 'SIDE', 'RUNNER', 'EVENT', 'EVENT_TYPE'])
      expect(sumOf(cleared({ groupBy }).map((each) => each.profit)), groupBy).toBe(profit);
    expect(sumOf(cleared({ groupBy: 'EVENT' }).map((each) => each.commission))).toBe(commission);
    const funds = client.call('getAccountFunds', {});
    expect(cents(funds.availableToBetBalance)).toBe(1_000_000 + profit - commission);
    expect(funds).toMatchObject({ exposure: 0, discountRate: discountPpm / 10_000 });
    expect(client.call('getAccountDetails', {})).toMatchObject({ currencyCode: currency, firstName: name });
    const verdict = verdicts.find(({ username }) => username === name);
    expect([cents(verdict?.profit), cents(verdict?.commission)]).toEqual([profit, commission]);
    expect(verdict).toMatchObject({ currency, availableToBetBalance: funds.availableToBetBalance, exposure: 0 });
    expect(sumOf((verdict?.markets ?? []).map((each) => each.profit))).toBe(profit);
  }
});

test('orders are in the currency of the account, in answers and in the stream, and books in pounds', () => {
  const stage = new StreamStage({}, { accounts: ACCOUNTS });
  const [mary, eve, sven] = ['mary', 'eve', 'sven'].map((name) => stage.login(name));
  const query = { filter: { eventTypeIds: ['1'], inPlayOnly: false }, sort: 'FIRST_TO_START', maxResults: 1 };
  const [found] = mary?.call('listMarketCatalogue', { ...query, marketProjection: ['RUNNER_DESCRIPTION'] }) ?? [];
  const { marketId = '', runners = [] } = found ?? {};
  const { selectionId = 0 } = runners[0] ?? {};
  const place = (client: Client | undefined, size: number) =>
    client?.call('placeOrders', { marketId, instructions: [limit({ selectionId, price: 990, size })] })
      .instructionReports?.[0];
  // The smallest sizes are those of the currency: a payout of 10, 20 and 150, or a size of 1, 1 and 15.
  expect(place(sven, 0.15)).toMatchObject({ errorCode: 'INVALID_BET_SIZE' });
  expect(place(eve, 0.02)).toMatchObject({ errorCode: 'INVALID_BET_SIZE' });
  const sizes = [7.77, 3.33, 40.05];
  const betIds = [mary, eve, sven].map((client, at) => place(client, sizes[at] ?? 0)?.betId);
  for (const [at, client] of [mary, eve, sven].entries()) {
    const [order] = client?.call('listCurrentOrders', {}).currentOrders ?? [];
    expect(order).toMatchObject({ betId: betIds[at], priceSize: { size: sizes[at] }, sizeRemaining: sizes[at] });
    const funds = client?.call('getAccountFunds', {});
    expect(funds?.exposure).toBe(-(sizes[at] ?? 0));
    expect(cents(funds?.availableToBetBalance)).toBe(1_000_000 - cents(sizes[at]));
    const reduce = client?.call('cancelOrders', {
      marketId,
      instructions: [{ betId: betIds[at], sizeReduction: 0.05 }],
    });
    expect(reduce?.instructionReports?.[0]?.sizeCancelled).toBe(0.05);
    const stream = stage.open(client ?? { token: '' });
    stream.send({ op: 'orderSubscription', id: 2 });
    const [image] = stream.reader.messages.slice(-1) as unknown as readonly OrderImage[];
    expect(image?.oc[0]?.orc[0]?.uo[0]).toMatchObject({ id: betIds[at], s: sizes[at], sc: 0.05 });
  }
  const asked = { marketIds: [marketId], priceProjection: { priceData: ['EX_ALL_OFFERS'] } };
  const offers = mary?.call('listMarketBook', asked)[0]?.runners?.[0]?.ex?.availableToLay ?? [];
  const pounds = (sizes[0] ?? 0) - 0.05 + ((sizes[1] ?? 0) - 0.05) * 0.9 + ((sizes[2] ?? 0) - 0.05) * 0.1;
  expect(offers.find(({ price }) => price === 990)?.size).toBe(Math.floor(pounds * 100 + 1e-6) / 100);
  const rates = mary?.call('listCurrencyRates', {}) ?? [];
  for (const { currencyCode = '', rate = 0 } of rates.filter(({ currencyCode = '' }) => currencyCode in WORTH))
    expect(rate).toBeCloseTo(1 / (WORTH[currencyCode] ?? 0), 9);
  const inEuros = eve?.call('listCurrencyRates', { fromCurrency: 'EUR' }) ?? [];
  expect(inEuros.find(({ currencyCode }) => currencyCode === 'GBP')?.rate).toBeCloseTo(0.9, 9);
  expect(mary?.refused('listCurrencyRates', { fromCurrency: 'XYZ' })).toBe('INVALID_INPUT_DATA');
});
