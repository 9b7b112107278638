import { describe, expect, test } from 'vitest';
import { startCrowd } from '../../../src/sandbox/traffic/crowd.ts';
import { NOW, TrafficStage } from './traffic-stage.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;

function crowdOn(stage: TrafficStage, seed = 7, markets = 4) {
  return startCrowd(stage.context, { seed, markets, pace: 0.2, lingerMs: 10 * MINUTE, onBug: stage.onBug });
}

function statuses(stage: TrafficStage): string[] {
  return [...stage.world.exchange.marketIds()].map((id) => stage.world.exchange.market(id)?.status ?? 'gone');
}

/** Counts of what the machine and the catalogue hold. */
function held(stage: TrafficStage) {
  const { exchange, catalogue } = stage.world;
  const markets = [...exchange.marketIds()];
  return {
    markets: catalogue.markets.size,
    orders: markets.reduce((sum, market) => sum + [...exchange.ordersOfMarket(market)].length, 0),
    slots: exchange.inspect().orders.slots,
    wallets: stage.world.registry.wallets.size,
  };
}

describe('the crowd', () => {
  test('keeps markets rolling for hours: laws hold, what is held stays level, and nothing is refused', () => {
    const stage = new TrafficStage().settleIn();
    const seen = new Set<string>();
    const refusals: unknown[] = [];
    stage.world.listen((_change, events) => {
      for (const event of events) {
        if (event.kind === 'marketChanged') seen.add(`${event.status} ${event.inPlayStatus}`);
        if (event.kind === 'orderRefused' || event.kind === 'refused') refusals.push(event);
      }
    });
    const traffic = crowdOn(stage);
    const levels: ReturnType<typeof held>[] = [];
    for (let hour = 1; hour <= 5; hour += 1) {
      stage.clock.runUntil(NOW + hour * HOUR);
      stage.check();
      levels.push(held(stage));
      expect(statuses(stage).filter((status) => status === 'Open' || status === 'Locked').length).toBe(4);
      const quoted = [...stage.world.exchange.marketIds()].filter((id) => stage.world.exchange.prices(id).length > 4);
      expect(quoted.length).toBeGreaterThan(0);
    }
    expect(refusals).toEqual([]);
    expect(seen).toContain('Settled InPlay');
    expect(seen).toContain('Settled NotApplicable');
    expect(seen).toContain('Closed InPlay');
    expect(stage.world.catalogue.events.size).toBeGreaterThan(12);
    const [, , third, ...later] = levels;
    for (const level of later) {
      expect(level.markets).toBeLessThanOrEqual(10);
      expect(level.slots).toBeLessThanOrEqual((third?.slots ?? 0) * 2);
      expect(level.orders).toBeLessThan((third?.orders ?? 0) * 2);
      expect(level.wallets).toBeLessThan((third?.wallets ?? 0) + 5);
    }
    traffic.stop();
    const digest = stage.world.exchange.digest();
    stage.clock.runUntil(stage.clock.now() + HOUR);
    expect(stage.world.exchange.digest()).toBe(digest);
  });

  test('makes the same orders for the same seed, and others for another', () => {
    const digests = [3, 3, 4].map((seed) => {
      const stage = new TrafficStage().settleIn();
      crowdOn(stage, seed, 2);
      stage.clock.runUntil(NOW + 5 * MINUTE);
      stage.check();
      return stage.world.exchange.digest();
    });
    expect(digests[1]).toBe(digests[0]);
    expect(digests[2]).not.toBe(digests[0]);
  });

  test('trades with strangers, and keeps the markets they traded in', () => {
    const stage = new TrafficStage().settleIn();
    const traffic = crowdOn(stage, 7, 3);
    stage.clock.runUntil(NOW + 2 * MINUTE);
    const [market = 0] = [...stage.world.exchange.marketIds()];
    const order = stage.place({ market, side: 'For', price: 1.01, stake: 5 });
    expect(stage.world.exchange.order(order)?.status).toBe('Matched');
    stage.clock.runUntil(NOW + 3 * HOUR);
    stage.check();
    expect(stage.world.exchange.market(market)?.status).toBe('Closed');
    expect(stage.world.exchange.order(order)?.status).toMatch(/Won|Lost/);
    expect(statuses(stage).filter((status) => status === 'Closed').length).toBe(1);
    traffic.stop();
  });

  test('goes on after a restart: old orders are cancelled, the same markets live to their end', () => {
    const stage = new TrafficStage().settleIn();
    crowdOn(stage);
    stage.clock.runUntil(NOW + 12 * MINUTE);
    const before = [...stage.world.exchange.marketIds()];
    const resting = before.reduce((sum, market) => sum + stage.world.exchange.liquidityOf(market), 0);
    expect(resting).toBeGreaterThan(0);

    const next = stage.restarted(5 * MINUTE);
    const [kept = 0] = before.filter((market) => next.world.exchange.market(market)?.inPlayStatus === 'PrePlay');
    const user = next.place({ market: kept, side: 'For', price: 990, stake: 1 });
    const traffic = crowdOn(next);
    const { exchange } = next.world;
    const left = before
      .flatMap((market) => [...exchange.ordersOfMarket(market)])
      .filter(({ stakeUnmatched, matchBehavior }) => stakeUnmatched > 0 && matchBehavior === 'RetainUnmatched');
    expect(left.map(({ id }) => id)).toEqual([user]);
    next.clock.runUntil(next.clock.now() + 2 * MINUTE);
    for (const market of before)
      if (exchange.market(market)?.status === 'Open') expect(exchange.prices(market).length).toBeGreaterThan(3);
    next.clock.runUntil(next.clock.now() + 2 * HOUR);
    next.check();
    expect(before.filter((market) => exchange.market(market) !== undefined)).toEqual([kept]);
    expect(exchange.market(kept)?.status).toBe('Closed');
    expect(statuses(next).filter((status) => status === 'Open' || status === 'Locked').length).toBe(4);
    traffic.stop();
  });

  test('settles what should have ended while nobody was there', () => {
    const stage = new TrafficStage().settleIn();
    crowdOn(stage, 9, 3);
    stage.clock.runUntil(NOW + MINUTE);
    const before = [...stage.world.exchange.marketIds()];
    const next = stage.restarted(48 * HOUR);
    crowdOn(next, 9, 3);
    next.clock.runUntil(next.clock.now() + MINUTE);
    expect(before.map((market) => next.world.exchange.market(market)?.status)).toEqual([
      'Settled',
      'Settled',
      'Settled',
    ]);
    expect(statuses(next).filter((status) => status === 'Open').length).toBe(3);
    next.check();
  });

  test('lets go of a market that whoever runs the sandbox has ended', () => {
    const stage = new TrafficStage().settleIn();
    const traffic = crowdOn(stage, 7, 2);
    stage.clock.runUntil(NOW + 2 * MINUTE);
    const [market = 0] = [...stage.world.exchange.marketIds()];
    stage.command({ kind: 'void', market });
    stage.clock.runUntil(NOW + 2 * HOUR);
    stage.check();
    expect(stage.world.exchange.market(market)).toBeUndefined();
    expect(statuses(stage).filter((status) => status === 'Open' || status === 'Locked').length).toBe(2);
    traffic.stop();
  });
});
