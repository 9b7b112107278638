/**
 * Prices polled by urgency within a budget: two hundred markets, orders in some, and the notices when the budget is too small.
 */

import { describe, expect, it } from 'vitest';
import type { GatewaySettings } from '../../../../src/betdex/gateway/base/gateway-settings.ts';
import { AssertionFailure } from '../../../../src/core/checks/assert.ts';
import {
  answered,
  BESIDE_MARKETS,
  DOWN,
  MARKET,
  orderDocument,
  ordersAnswer,
  paged,
  type ScriptedExchange,
} from '../../../support/conformance/scripted-exchange.ts';
import { request, START, scriptedGateway } from '../../../support/conformance/scripted-gateway.ts';

const EACH_SECOND = { kind: 'poll', everyMs: 1_000 } as const;
const ADAPTIVE = { kind: 'adaptive', everyMs: 2_000, urgentMs: 500, nearOffMs: 60_000 } as const;
const PER_SECOND = 25;
const MINUTE = 60_000;

const FEEDS = { markets: EACH_SECOND, prices: ADAPTIVE, orders: EACH_SECOND, wallets: EACH_SECOND };
const SETTINGS: Partial<GatewaySettings> = {
  feeds: FEEDS,
  pollsPerSecond: PER_SECOND,
};

/** Serves markets that are far from their start and not in play, except for the given changes. */
function serveMarkets(exchange: ScriptedExchange, count: number, change: (index: number) => object = () => ({})): void {
  const markets = Array.from({ length: count }, (_, index) => ({
    ...{ ...MARKET, id: String(9_000_000 + index), inPlayStatus: 'PrePlay' },
    ...change(index),
  }));
  exchange.on('listMarkets', () => paged({ markets, ...BESIDE_MARKETS }));
  exchange.on('listPrices', ({ query }) => {
    const prices = (query?.['marketIds'] ?? []).map((marketId) => ({ marketId, liquidity: 0, traded: 0, prices: [] }));
    return answered({ _meta: { _primary_document: 'prices', _count: prices.length }, prices });
  });
}

function run(count: number, change?: (index: number) => object, settings: Partial<GatewaySettings> = {}) {
  return scriptedGateway({ ...SETTINGS, ...settings }, undefined, 0, (exchange) =>
    serveMarkets(exchange, count, change),
  );
}

/** The longest time between two readings of each market from here on, ms, by market id. */
function longest(bot: ReturnType<typeof run>, from: number): ReadonlyMap<string, number> {
  const last = new Map<string, number>();
  const gaps = new Map<string, number>();
  for (const { operation, at, input } of bot.exchange.asked) {
    if (operation !== 'listPrices' || at - START < from) continue;
    for (const id of input.query?.['marketIds'] ?? []) {
      const before = last.get(id);
      if (before !== undefined) gaps.set(id, Math.max(gaps.get(id) ?? 0, at - before));
      last.set(id, at);
    }
  }
  return gaps;
}

/** The number of polling calls in the second with most of them. */
function fullestSecond(bot: ReturnType<typeof run>, from: number): number {
  const times = bot.exchange.asked.filter(({ at }) => at - START >= from).map(({ at }) => at);
  return Math.max(...times.map((start) => times.filter((at) => at >= start && at < start + 1_000).length));
}

describe('two hundred markets within 25 calls a second', () => {
  it('are each read in their time, the urgent ones more often', () => {
    // Every tenth market is in play, and another tenth is near its lock.
    const change = (index: number) => ({
      ...(index % 10 === 0 ? { inPlayStatus: 'InPlay' } : {}),
      ...(index % 10 === 1 ? { lockAt: new Date(START + 60_000).toISOString() } : {}),
    });
    const bot = run(200, change);
    bot.until(40_000);
    const gaps = longest(bot, 15_000);
    expect(gaps.size).toBe(200);
    for (const [id, ms] of gaps) expect([id, ms <= (Number(id) % 10 < 2 ? 500 : 2_000)]).toEqual([id, true]);
    expect(Math.max(...[...gaps].filter(([id]) => Number(id) % 10 > 1).map(([, ms]) => ms))).toBeGreaterThan(1_000);
    expect(fullestSecond(bot, 1_000)).toBeLessThanOrEqual(PER_SECOND);
    expect(bot.notices).toEqual([]);
  });

  it('become urgent with an order of ours, while it is under way, unknown or live', () => {
    const bot = run(200);
    bot.until(10_000);
    bot.exchange.on('createOrders', () => 'never');
    bot.place(request(1, { market: 7 }));
    bot.until(30_000);
    expect(longest(bot, 12_000).get('9000007')).toBeLessThanOrEqual(500);
    const live = orderDocument({
      id: '730002',
      reference: 'run7-scalp_it-2',
      market: { _ref: 'markets.id', _ids: ['9000008'] },
    });
    bot.exchange.on('listOrders', () => ordersAnswer([live]));
    bot.until(50_000);
    expect(longest(bot, 32_000).get('9000008')).toBeLessThanOrEqual(500);
    expect(longest(bot, 32_000).get('9000009')).toBeGreaterThan(1_000);
  });

  it('report when all of them were read, as of the one read longest ago', () => {
    const bot = run(200);
    bot.until(20_000);
    const reads = bot.received('read').filter(({ said, ms }) => said.feed === 'prices' && ms > 3_000);
    for (const { said, ms } of reads) expect(ms - (said.at - START)).toBeLessThanOrEqual(2_000 + 40);
    expect(reads.length).toBeGreaterThan(8);
    bot.exchange.on('listPrices', () => DOWN);
    bot.until(21_000);
    const reported = bot.received('read').length;
    bot.until(40_000);
    expect(
      bot
        .received('read')
        .slice(reported)
        .filter(({ said }) => said.feed === 'prices'),
    ).toEqual([]);
  });
});

describe('a budget that does not suffice', () => {
  /** Ids so long that one call holds twenty. */
  const longIds = (index: number) => ({ id: `${9_000_000 + index}`.padStart(300, '9') });

  it('is said once, keeps to its calls, and reads everyone within what was said', () => {
    const bot = run(400, longIds, { pollsPerSecond: 12 });
    bot.until(40_000);
    const stretched = bot.notices.filter((notice) => notice.kind === 'pollingStretched');
    expect(stretched.length).toBeGreaterThan(0);
    expect(stretched.length).toBeLessThanOrEqual(4);
    const last = stretched.at(-1);
    expect(last?.isStretched).toBe(true);
    const worst = Math.max(...longest(bot, 20_000).values());
    expect(longest(bot, 20_000).size).toBe(400);
    expect(worst).toBeLessThanOrEqual(Math.max(...stretched.map(({ everyMs }) => everyMs)) + 50);
    const calls = bot.exchange.asked.filter(({ at }) => at - START >= 10_000).length;
    expect(calls / 30).toBeLessThanOrEqual(12.1);
  });

  it('is not said where it suffices, however many readings are due at once', () => {
    const usual = { kind: 'adaptive', everyMs: 1_000, urgentMs: 250, nearOffMs: 300_000 } as const;
    // As a run has it unless its configuration says otherwise: eight tenths of 25 requests a second.
    const feeds = { ...FEEDS, prices: usual, orders: { kind: 'poll', everyMs: 500 } } as GatewaySettings['feeds'];
    const inPlay = (index: number) => (index % 7 === 0 ? { inPlayStatus: 'InPlay' } : {});
    const bot = run(49, inPlay, { feeds, pollsPerSecond: 20 });
    bot.until(60_000);
    expect(bot.notices.filter((notice) => notice.kind === 'pollingStretched')).toEqual([]);
    expect(longest(bot, 20_000).get('9000000')).toBeLessThanOrEqual(250);
  });

  it('and suffices again is said too', () => {
    const bot = run(400, longIds, { pollsPerSecond: 12 });
    bot.until(20_000);
    const over = (index: number) => ({ ...longIds(index), ...(index < 390 ? { published: false } : {}) });
    serveMarkets(bot.exchange, 400, over);
    bot.until(45_000);
    expect(bot.notices.filter((notice) => notice.kind === 'pollingStretched').at(-1)).toEqual({
      ...{ kind: 'pollingStretched', isStretched: false, everyMs: 2_000, urgentMs: 500 },
    });
  });
});

describe('adaptive polling', () => {
  it('reads again soon what could not be read', () => {
    const bot = run(3, undefined, {
      feeds: { ...SETTINGS.feeds, prices: { ...ADAPTIVE, everyMs: MINUTE } } as GatewaySettings['feeds'],
    });
    bot.until(1_000);
    bot.exchange.on('listPrices', () => DOWN);
    bot.until(50_000);
    // The retries must not follow each other as fast as the network allows.
    expect(
      bot.exchange.times('listPrices', START + 1_000, () => true).filter((ms) => ms > 0).length,
    ).toBeLessThanOrEqual(25);
    const from = bot.exchange.asked.length;
    serveMarkets(bot.exchange, 3);
    bot.until(54_000);
    expect(bot.exchange.asked.slice(from).some(({ operation }) => operation === 'listPrices')).toBe(true);
  });

  it('leaves out a market that is not shown any more, and goes on with the others', () => {
    const bot = run(3);
    bot.until(5_000);
    serveMarkets(bot.exchange, 3, (index) => (index === 0 ? { published: false } : {}));
    bot.until(10_000);
    const from = bot.exchange.asked.length;
    bot.until(20_000);
    const ids = bot.exchange.asked.slice(from).flatMap(({ input }) => input.query?.['marketIds'] ?? []);
    expect(new Set(ids)).toEqual(new Set(['9000001', '9000002']));
  });

  it('finds out which market spoils the answer for the others', () => {
    const markets = (ids: readonly string[]) => ids.map((id) => ({ ...MARKET, id, inPlayStatus: 'PrePlay' }));
    const bot = run(3, undefined, { feeds: { ...FEEDS, markets: { kind: 'poll', everyMs: 60 * MINUTE } } });
    bot.until(5_000);
    bot.exchange.on('listMarkets', () => paged({ markets: markets(['9000001', '9000002']), ...BESIDE_MARKETS }));
    const refused = {
      kind: 'refused',
      status: 404,
      title: 'Unknown market',
      details: [],
      isOwn: true,
      mayHaveActed: false,
    } as const;
    bot.exchange.on('listPrices', ({ query }) => {
      const ids = query?.['marketIds'] ?? [];
      if (ids.includes('9000000')) return refused;
      const prices = ids.map((marketId) => ({ marketId, liquidity: 0, traded: 0, prices: [] }));
      return answered({ _meta: { _primary_document: 'prices', _count: prices.length }, prices });
    });
    bot.until(12_000);
    const reported = bot.received('market').filter(({ ms, said }) => ms > 9_000 && said.cause === 'prices');
    expect(new Set(reported.map(({ said }) => said.market.facts.id))).toEqual(new Set(['9000001', '9000002']));
  });

  it.each([
    ['no budget', { pollsPerSecond: 0 }],
    ['urgent ones read less often', { feeds: { ...SETTINGS.feeds, prices: { ...ADAPTIVE, urgentMs: 9_000 } } }],
  ])('is refused with %s', (_, change) => {
    expect(() => run(1, undefined, change as Partial<GatewaySettings>)).toThrow(AssertionFailure);
  });
});
