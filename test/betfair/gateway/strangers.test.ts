/** An account that is not the run's alone: what becomes of bets of others, of our bets that others touch, and of the money of both. */

import { afterEach, describe, expect, test } from 'vitest';
import type { JournalRecord } from '../../../src/core/run/journal.ts';
import { newInstance } from '../../../src/engine/ledger/strategy-in-market.ts';
import { Bot } from '../../../src/engine/live/bot.ts';
import type { BotSettings } from '../../../src/engine/live/bot-settings.ts';
import type { StrategyPlugin } from '../../../src/strategy/contract.ts';
import { BetfairStage } from '../../support/conformance/betfair-stage.ts';
import { SETTINGS } from '../../support/engine/bot-stage.ts';
import { type FaceClient, limit } from '../../support/sandbox-betfair/face-stage.ts';

type Policy = BotSettings['reconcile']['foreignOrders'];

const FEEDS = {
  polled: { kind: 'poll', everyMs: 200 },
  streamed: { kind: 'stream', rereadMs: 5_000 },
} as const;
const MODES = Object.keys(FEEDS) as (keyof typeof FEEDS)[];
/** More than three comparisons: what lasts is found by then. */
const COMPARED_MS = 20_000;
const LAPSE_MS = 30_000;
const OUR_PRICE = 8;

const stages: BetfairStage[] = [];

afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.close();
});

interface Resting {
  /** How often it may back the first outcome. */
  readonly times?: number;
  readonly price?: number;
  readonly stake?: number;
}

/** Backs the first outcome, with 4 at 8 if nothing else is said, whenever it has nothing live there. */
function rester({ times = 1, price = OUR_PRICE, stake = 4 }: Resting): StrategyPlugin {
  let left = times;
  return {
    name: 'rester',
    decide({ market, orders }) {
      const [first] = market.outcomes;
      if (first === undefined || orders.length > 0 || left === 0) return [];
      left -= 1;
      const what = { kind: 'place', market: market.id, outcome: first.id, side: 'For' } as const;
      return [{ ...what, price, stake }];
    },
  };
}

interface Shared extends Resting {
  readonly mode: keyof typeof FEEDS;
  readonly countsOthers?: boolean;
}

async function account({ mode, countsOthers = false, ...resting }: Shared) {
  let isAway = false;
  const strike = () => (isAway ? ({ isCarriedOut: false, reply: 'silence' } as const) : undefined);
  const stage = new BetfairStage(FEEDS[mode], strike, { countsOthers });
  stages.push(stage);
  const market = await stage.market();
  const stranger = stage.elsewhere();
  const [book] = stranger.call('listMarketBook', { marketIds: [market.id] });
  const selections = book?.runners?.map(({ selectionId }) => selectionId) ?? [];
  const records: JournalRecord[] = [];
  const begin = (foreignOrders: Policy = 'leave') => {
    const plugin = rester(resting);
    const { clock, gateway } = stage;
    const bot = new Bot({
      ...{ clock, gateway, restored: undefined, run: 'run', limits: {} },
      journal: { append: (_, record) => void records.push(record), commit: () => undefined },
      instances: [newInstance({ index: 0, plugin, params: {}, wallet: 0, signals: new Map() })],
      names: { strategies: ['rester'], wallets: ['main'] },
      settings: { ...SETTINGS, reconcile: { ...SETTINGS.reconcile, foreignOrders } },
      onRecord: () => undefined,
    });
    bot.run$.subscribe();
    stage.listen();
    return bot;
  };
  return {
    ...{ stage, market, stranger, begin, records },
    selections: selections as [number, number],
    of: <K extends JournalRecord['kind']>(kind: K) =>
      records.filter((record): record is Extract<JournalRecord, { kind: K }> => record.kind === kind),
    goAway() {
      isAway = true;
      stage.line.isDead = true;
    },
    traded: () => stage.until(() => records.some(({ kind }) => kind === 'reported'), 'an order of ours'),
  };
}

type Bet = Parameters<typeof limit>[0];

function placed(stranger: FaceClient, marketId: string, bet: Bet, customerStrategyRef?: string): string {
  const more = customerStrategyRef === undefined ? {} : { customerStrategyRef };
  const answer = stranger.call('placeOrders', { marketId, instructions: [limit(bet)], ...more });
  return answer.instructionReports?.[0]?.betId ?? '';
}

/** A market that no run follows, and one of its runners. */
function otherMarket(stranger: FaceClient) {
  const filter = { marketTypeCodes: ['WIN'] };
  const [found] = stranger.call('listMarketCatalogue', {
    ...{ filter, maxResults: 1 },
    marketProjection: ['RUNNER_DESCRIPTION'],
  });
  return { marketId: found?.marketId ?? '', selectionId: found?.runners?.[0]?.selectionId ?? 0 };
}

function currentOf(stranger: FaceClient, ids: readonly string[]) {
  return stranger
    .call('listCurrentOrders', { betIds: ids })
    .currentOrders.map(({ betId, status, sizeRemaining }) => ({ betId, status, sizeRemaining }));
}

/** By hand on the site, by another program with its own references, and in a market that the run does not follow. */
function strangersBets(stranger: FaceClient, market: { readonly id: string }, selections: readonly number[]) {
  const [first = 0, second = 0] = selections;
  const other = otherMarket(stranger);
  return [
    placed(stranger, market.id, { selectionId: first, price: 9, size: 5 }),
    placed(stranger, market.id, { selectionId: second, side: 'LAY', price: 1.5, size: 6 }, 'another-bot'),
    placed(stranger, market.id, { selectionId: second, price: 20, size: 2, customerOrderRef: 'another-run-7' }),
    placed(stranger, other.marketId, { selectionId: other.selectionId, price: 900, size: 3 }),
  ];
}

describe.each(MODES)('live bets of others, %s', (mode) => {
  test('are left alone, told by the status, and are none of our exposure; their funds are gone', async () => {
    const { stage, market, stranger, selections, begin, of, traded } = await account({ mode });
    const ids = strangersBets(stranger, market, selections);
    const before = currentOf(stranger, ids);
    const bot = begin();
    await traded();
    await stage.pass(COMPARED_MS);
    expect(currentOf(stranger, ids)).toEqual(before);
    expect(of('adopted')).toEqual([]);
    expect(bot.status()).toMatchObject({
      ...{ phase: 'trading', orders: { live: 1 }, marketsOff: [], reconciliation: { differences: [] } },
      othersOrders: { orders: 4, live: 4, stake: 16, markets: expect.arrayContaining([market.id]) },
    });
    expect(bot.status().othersOrders?.markets).toHaveLength(2);
    // A back of 5 or one of 2 on another runner with a lay that risks 3 may lose 8 at most; the other market 3.
    const funds = stranger.call('getAccountFunds', {});
    const { exposure, risk } = bot.ledger;
    expect(exposure.lossOfWallet(0)).toBe(4e6);
    const [required, matched] = [exposure.requiredOfWallet(0), exposure.matchedOfWallet(0)];
    expect(risk.funds.available(0, { required, matched })).toBe(Math.round((funds.availableToBetBalance ?? 0) * 1e6));
    expect(funds.availableToBetBalance).toBeLessThan(stage.balance - 4);
  });

  test('outlive the run: at its end ours are cancelled and the heartbeat ends, instead of lapsing over theirs', async () => {
    const { stage, market, stranger, selections, begin, records, traded } = await account({ mode });
    const ids = strangersBets(stranger, market, selections);
    const before = currentOf(stranger, ids);
    const bot = begin();
    await traded();
    bot.stop('test', 'it is over');
    const stoppedAt = stage.clock.now();
    await stage.until(() => records.some(({ kind }) => kind === 'ended'), 'the end');
    expect(records.findLast(({ kind }) => kind === 'ended')).toMatchObject({ liveOrders: 0 });
    expect(stage.clock.now() - stoppedAt).toBeLessThan(SETTINGS.end.deadlineMs / 2);
    expect(bot.left()).toMatchObject({ liveOrders: 0, isUnproven: false });
    await stage.pass(LAPSE_MS);
    const live = stranger.call('listCurrentOrders', { orderProjection: 'EXECUTABLE' }).currentOrders;
    expect(live.map(({ betId }) => betId).sort()).toEqual([...ids].sort());
    expect(currentOf(stranger, ids)).toEqual(before);
  });

  test('are none of what a run leaves that ends while the exchange is away', async () => {
    const { stage, market, stranger, selections, begin, records, traded, goAway } = await account({ mode });
    strangersBets(stranger, market, selections);
    const bot = begin();
    await traded();
    await stage.pass(COMPARED_MS);
    goAway();
    bot.stop('test', 'it is over');
    await stage.until(() => records.some(({ kind }) => kind === 'ended'), 'the end');
    expect(bot.left()).toEqual({ liveOrders: 1, isUnproven: true });
  });

  test('that match are no difference of ours, and what they win or lose is no result of ours', async () => {
    const { stage, market, stranger, selections, begin, of, traded } = await account({ mode });
    const [first, second] = selections;
    const bot = begin();
    await traded();
    await market.take({ outcome: 0, side: 'For', price: OUR_PRICE, stake: 4 });
    await market.rest({ outcome: 1, side: 'Against', price: 3, stake: 20 });
    await market.rest({ outcome: 0, side: 'Against', price: 7, stake: 20 });
    placed(stranger, market.id, { selectionId: second, price: 3, size: 7 });
    placed(stranger, market.id, { selectionId: first, price: 7, size: 1.37 }, 'another-bot');
    await stage.pass(COMPARED_MS);
    expect(of('difference').filter(({ verdict }) => verdict === 'lasting')).toEqual([]);
    expect(bot.status()).toMatchObject({ marketsOff: [], othersOrders: { orders: 2, live: 0, stake: 8.37 } });
    expect(bot.ledger.exposure.lossOfWallet(0)).toBe(4e6);
    await market.settle(0);
    await stage.until(() => of('settled').length > 0, 'the result');
    // 4 at 8.00 win 28; they lost 7 and won 8.22. The account paid 5 % of 29.22: our own winnings alone pay 1.40 of it.
    expect(of('settled')).toMatchObject([{ profit: 26_600_000, commission: 1_400_000 }]);
  });

  test('that lose more than ours win: no commission was paid, and our result is what our bets won', async () => {
    const { stage, market, stranger, selections, begin, of, traded } = await account({ mode });
    begin();
    await traded();
    await market.take({ outcome: 0, side: 'For', price: OUR_PRICE, stake: 4 });
    await market.rest({ outcome: 1, side: 'Against', price: 3, stake: 50 });
    placed(stranger, market.id, { selectionId: selections[1], price: 3, size: 40 });
    await stage.pass(2_000);
    await market.settle(0);
    await stage.until(() => of('settled').length > 0, 'the result');
    expect(of('settled')).toMatchObject([{ profit: 28_000_000, commission: 0 }]);
  });

  test('that alone were in a market bring no result', async () => {
    const { stage, market, stranger, selections, begin, of } = await account({ mode, times: 0 });
    const bot = begin();
    await stage.until(() => bot.status().phase === 'trading', 'trading');
    await market.rest({ outcome: 1, side: 'Against', price: 3, stake: 20 });
    placed(stranger, market.id, { selectionId: selections[1], price: 3, size: 7 });
    await stage.pass(COMPARED_MS);
    await market.settle(0);
    await stage.until(() => of('marketDone').length > 0, 'the end of the market');
    expect(of('settled')).toEqual([]);
  });

  test('count in the result of a run that adopts them, also one that was over before it could be adopted', async () => {
    const { stage, market, stranger, selections, begin, of } = await account({ mode, times: 0, countsOthers: true });
    const bot = begin('adopt');
    await stage.until(() => bot.status().phase === 'trading', 'trading');
    await market.rest({ outcome: 1, side: 'Against', price: 3, stake: 20 });
    placed(stranger, market.id, { selectionId: selections[1], price: 3, size: 7 });
    await market.settle(0);
    await stage.until(() => of('settled').length > 0, 'the result');
    expect(of('adopted')).toEqual([]);
    expect(of('settled')).toMatchObject([{ profit: -7_000_000, commission: 0 }]);
  });

  test('are adopted or cancelled where the configuration says so', async () => {
    const { stage, market, stranger, selections, begin, of } = await account({ mode, times: 0 });
    const [first] = strangersBets(stranger, market, selections);
    begin('adopt');
    await stage.until(() => of('adopted').length >= 3, 'three adopted orders');
    expect(currentOf(stranger, [first ?? ''])).toMatchObject([{ status: 'EXECUTABLE' }]);
    const again = await account({ mode, times: 0 });
    const ids = strangersBets(again.stranger, again.market, again.selections);
    again.begin('cancel');
    const isGone = () => currentOf(again.stranger, ids.slice(0, 3)).every(({ status }) => status !== 'EXECUTABLE');
    await again.stage.until(isGone, 'three cancelled orders');
  });
});

describe.each(MODES)('our bet that somebody else touches, %s', (mode) => {
  test('is known as cancelled where they cancel it by hand, and the strategy may bet again', async () => {
    const { stage, market, stranger, begin, of, traded } = await account({ mode, times: 2 });
    const bot = begin();
    await traded();
    const [own] = stranger.call('listCurrentOrders', {}).currentOrders;
    stranger.call('cancelOrders', { marketId: market.id, instructions: [{ betId: own?.betId ?? '' }] });
    await stage.until(() => of('reported').some(({ status }) => status === 'Cancelled'), 'the cancellation');
    expect(of('reported').find(({ status }) => status === 'Cancelled')).toMatchObject({ reason: 'UserRequest' });
    await stage.until(() => of('sent').length === 2, 'another bet');
    await stage.pass(COMPARED_MS);
    expect(bot.status()).toMatchObject({ phase: 'trading', marketsOff: [], reconciliation: { differences: [] } });
  });

  test('agrees with the account’s position, which Betfair tells in pennies', async () => {
    const { stage, market, begin, of, traded } = await account({ mode, price: 2.02, stake: 3.33 });
    const bot = begin();
    await traded();
    await market.take({ outcome: 0, side: 'For', price: 2.02, stake: 3.33 });
    await stage.until(() => of('reported').some(({ status }) => status === 'Matched'), 'the match');
    await stage.pass(COMPARED_MS);
    expect(of('reported').at(-1)).toMatchObject({ winningsMatched: 3_390_000 });
    expect(of('difference')).toEqual([]);
    expect(bot.status().marketsOff).toEqual([]);
  });

  test('is matched where their bet meets it: ours is whole, and theirs is none of ours', async () => {
    const { stage, market, stranger, selections, begin, of, traded } = await account({ mode });
    const bot = begin();
    await traded();
    placed(stranger, market.id, { selectionId: selections[0], side: 'LAY', price: OUR_PRICE, size: 4 }, 'another-bot');
    await stage.until(() => of('reported').some(({ status }) => status === 'Matched'), 'the match');
    await stage.pass(COMPARED_MS);
    expect(bot.status()).toMatchObject({ marketsOff: [], othersOrders: { orders: 1, live: 0, stake: 4 } });
    expect(bot.ledger.exposure.lossOfWallet(0)).toBe(4e6);
    await market.settle(1);
    await stage.until(() => of('settled').length > 0, 'the result');
    expect(of('settled')).toMatchObject([{ profit: -4_000_000, commission: 0 }]);
  });
});
