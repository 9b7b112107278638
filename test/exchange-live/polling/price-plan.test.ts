/** The plan of which prices are read when: against a slow model, and over simulated hours of all kinds of markets. */

import { describe, expect, it } from 'vitest';
import { callText } from '../../../src/betdex/client/call-text.ts';
import { PRICE_CALL_LIMITS, pricesInput } from '../../../src/betdex/gateway/prices/price-calls.ts';
import { URL_MAX } from '../../../src/betdex/lists/id-lists.ts';
import { type CallLimits, packIds } from '../../../src/exchange-live/connection/pack-ids.ts';
import {
  boundFor,
  callsFor,
  type Pace,
  type PlannedMarket,
  paceFor,
  planPrices,
} from '../../../src/exchange-live/polling/price-plan.ts';
import { Random } from '../../support/random.ts';

const SEEDS = Array.from({ length: 40 }, (_, index) => index + 1);

interface Asked {
  readonly pace: Pace;
  readonly limits: CallLimits;
  readonly now: number;
  readonly callsMax: number;
}

/** The slow, obvious version: again and again, the market whose time ends first is put into a call. */
function slowPlan(markets: readonly PlannedMarket[], { pace, limits, now, callsMax }: Asked): string[][] {
  const timeOf = ({ isUrgent }: PlannedMarket) => (isUrgent ? pace.urgentMs : pace.everyMs);
  const left = [...markets];
  const takeFirst = (isDue: (market: PlannedMarket) => boolean): PlannedMarket | undefined => {
    let first: PlannedMarket | undefined;
    for (const market of left.filter(isDue))
      if (first === undefined || market.askedAt + timeOf(market) < first.askedAt + timeOf(first)) first = market;
    return first;
  };
  const calls: string[][] = [];
  for (const [part, mayOpen] of [
    [11 / 16, true],
    [6 / 16, false],
  ] as const) {
    for (;;) {
      const market = takeFirst((each) => now - each.askedAt >= part * timeOf(each));
      if (market === undefined) break;
      const last = calls.at(-1);
      const length = [...(last ?? []), market.id].reduce((sum, id) => sum + encodeURIComponent(id).length + 3, 0);
      const fits = last !== undefined && last.length < limits.idsMax && length <= limits.room;
      if (!fits && !mayOpen) break;
      left.splice(left.indexOf(market), 1);
      if (fits) last.push(market.id);
      else calls.push([market.id]);
    }
  }
  return calls.slice(0, callsMax);
}

function randomMarkets(random: Random, now: number): PlannedMarket[] {
  return Array.from({ length: random.between(0, 60) }, (_, index) => ({
    id: random.chance(0.2) ? `märket ${index}`.repeat(random.between(1, 4)) : String(10_000_000 + index),
    isUrgent: random.chance(0.3),
    askedAt: random.chance(0.1) ? Number.NEGATIVE_INFINITY : now - random.between(0, 4_000),
  }));
}

describe('a plan', () => {
  it.each(SEEDS)('is that of the slow model (seed %i)', (seed) => {
    const random = new Random(seed);
    for (let round = 0; round < 50; round += 1) {
      const now = 1_000_000;
      const markets = randomMarkets(random, now);
      const urgentMs = random.between(100, 1_000);
      const asked = {
        pace: { urgentMs, everyMs: urgentMs * random.between(1, 8) },
        limits: { idsMax: random.between(1, 30), room: random.between(150, 600) },
        ...{ now, callsMax: random.between(0, 8) },
      };
      expect(planPrices(markets, asked).calls).toEqual(slowPlan(markets, asked));
    }
  });

  it('asks nothing where nothing is due, and says when something is', () => {
    const markets = [
      { id: 'a', isUrgent: false, askedAt: 0 },
      { id: 'b', isUrgent: true, askedAt: 0 },
    ];
    const asked = { pace: { everyMs: 4_000, urgentMs: 1_000 }, limits: PRICE_CALL_LIMITS, callsMax: 9 };
    expect(planPrices(markets, { ...asked, now: 687 })).toEqual({ calls: [], dueAt: 687.5 });
    expect(planPrices(markets, { ...asked, now: 688 })).toEqual({ calls: [['b']], dueAt: 2_750 });
    expect(planPrices(markets, { ...asked, now: 1_600 })).toEqual({
      calls: [['b', 'a']],
      dueAt: Number.POSITIVE_INFINITY,
    });
  });

  it('never fills a URL beyond its limit, nor a call beyond its number of ids', () => {
    for (const length of [1, 8, 40, 300]) {
      const ids = Array.from({ length: 2_000 }, (_, index) => `${index}`.padStart(length, '7'));
      const calls = packIds(ids, PRICE_CALL_LIMITS);
      expect(calls.flat()).toEqual(ids);
      for (const call of calls) {
        expect(call.length).toBeLessThanOrEqual(PRICE_CALL_LIMITS.idsMax);
        const { path } = callText('listPrices', pricesInput(call), 'https://a-host.with.a-rather-long.name/and/a/path');
        expect(path.length).toBeLessThanOrEqual(URL_MAX);
      }
    }
  });
});

describe('a pace', () => {
  const wished = { everyMs: 2_000, urgentMs: 500 };

  it('is the desired one where the budget suffices', () => {
    expect(paceFor(wished, { urgent: 2, others: 3 }, 25 / 1_000)).toEqual(wished);
  });

  it('stretches the others first, and the urgent ones only when an eighth is all that the others have', () => {
    const some = paceFor(wished, { urgent: 5, others: 40 }, 25 / 1_000);
    expect(some.urgentMs).toBe(500);
    expect(some.everyMs).toBeGreaterThan(2_000);
    const all = paceFor(wished, { urgent: 40, others: 40 }, 25 / 1_000);
    expect(all.urgentMs).toBeGreaterThan(500);
    expect(all.everyMs / 2_000).toBeGreaterThan(all.urgentMs / 500);
  });

  it.each(SEEDS)('is one that the budget can keep (seed %i)', (seed) => {
    const random = new Random(seed);
    const needed = { urgent: random.between(0, 50), others: random.between(0, 200) };
    const perMs = random.between(1, 50) / 1_000;
    const { everyMs, urgentMs } = paceFor(wished, needed, perMs);
    const load = needed.urgent / (urgentMs * (11 / 16)) + needed.others / (everyMs * (11 / 16));
    expect(load).toBeLessThanOrEqual(perMs * (1 + 1e-9));
  });
});

/**
 * Simulates markets that become urgent and calm again. They are read by the plan, with a token bucket that fills at the
 * budget's rate.
 */
function simulate(
  seed: number,
  options: { readonly perSecond: number; readonly markets: number; readonly idsMax: number },
) {
  const random = new Random(seed);
  const limits = { idsMax: options.idsMax, room: 6_600 };
  const wished = { everyMs: 2_000, urgentMs: 400 };
  const perMs = options.perSecond / 1_000;
  const burst = Math.max(1, options.perSecond / 5);
  const markets = Array.from({ length: options.markets }, (_, index) => ({
    ...{ id: String(8_000_000 + index), isUrgent: random.chance(0.2), askedAt: Number.NEGATIVE_INFINITY },
    /** The longest guaranteed wait since the market was last requested, ms. */
    boundAt: 0,
  }));
  let tokens = burst;
  let calls = 0;
  let isEverStretched = false;
  const late: string[] = [];
  const lengthMs = 30_000;
  for (let now = 0; now < lengthMs; now += 5) {
    tokens = Math.min(burst, tokens + 5 * perMs);
    const needed = callsFor(markets, limits);
    const pace = paceFor(wished, needed, perMs);
    const bound = boundFor(pace, needed, perMs);
    isEverStretched ||= bound.everyMs > wished.everyMs || bound.urgentMs > wished.urgentMs;
    const { calls: asked } = planPrices(markets, { pace, limits, now, callsMax: Math.floor(tokens + 1e-9) });
    tokens -= asked.length;
    calls += asked.length;
    const read = new Set(asked.flat());
    for (const market of markets) {
      if (random.chance(0.0005)) market.isUrgent = !market.isUrgent;
      const promised = market.isUrgent ? bound.urgentMs : bound.everyMs;
      market.boundAt = Math.max(market.boundAt, promised);
      if (!read.has(market.id)) continue;
      if (now - market.askedAt > market.boundAt + 5 && market.askedAt >= 0)
        late.push(`${market.id} waited ${now - market.askedAt} of ${market.boundAt} ms`);
      market.askedAt = now;
      market.boundAt = 0;
    }
    for (const market of markets) {
      const waited = now - Math.max(0, market.askedAt);
      if (waited > market.boundAt + 5) late.push(`${market.id} waits ${waited} of ${market.boundAt} ms`);
    }
  }
  return { late, calls, isEverStretched, callsMax: lengthMs * perMs + burst };
}

describe('reading by plan', () => {
  it.each(SEEDS.slice(0, 6))('reads every market in its time where the budget suffices (seed %i)', (seed) => {
    const { late, isEverStretched } = simulate(seed, { perSecond: 60, markets: 200, idsMax: 200 });
    expect(late).toEqual([]);
    expect(isEverStretched).toBe(false);
  });

  it.each(SEEDS.slice(0, 6))('keeps what it promises where it does not, and leaves no market out (seed %i)', (seed) => {
    const { late, calls, callsMax, isEverStretched } = simulate(seed, { perSecond: 10, markets: 200, idsMax: 10 });
    expect(isEverStretched).toBe(true);
    expect(late).toEqual([]);
    expect(calls).toBeLessThanOrEqual(callsMax);
  });
});
