/** Books rebuilt from snapshots and increments equal the machine's, after thousands of random orders. */

import { afterEach, expect, test } from 'vitest';
import { TICK_COUNT, type Tick } from '../../../src/core/number/ladder.ts';
import { Random } from '../../../src/core/number/random.ts';
import { money } from '../../../src/core/number/units.ts';
import type { PlaceRequest } from '../../../src/matching/messages/command.ts';
import { numericId } from '../../../src/sandbox/world/ids.ts';
import { type Frame, StreamStage } from './stream-stage.ts';

let stage: StreamStage;
afterEach(async () => stage.close());

type Rebuilt = Map<string, Map<string, number>>;

function follow(books: Rebuilt, frames: readonly Frame[]): void {
  for (const frame of frames) {
    if (frame.type !== 'MarketPriceUpdate') continue;
    const known = books.get(frame.marketId);
    if (frame.updateType === 'Incremental' && known === undefined) expect.fail('a snapshot comes first');
    const book = frame.updateType === 'Snapshot' || known === undefined ? new Map<string, number>() : known;
    books.set(frame.marketId, book);
    for (const { side, outcomeId, price, liquidity, change } of frame.prices) {
      const level = `${outcomeId} ${side} ${price}`;
      const rise = liquidity - (book.get(level) ?? 0);
      if (Math.abs(rise - change) > 1e-7) expect.fail(`${level} rose by ${rise}, not ${change}`);
      if (liquidity > 0) book.set(level, liquidity);
      else if (!book.delete(level)) expect.fail(`${level} was removed twice`);
    }
  }
}

function machineBook(market: number): Map<string, number> {
  const record = stage.world.catalogue.markets.get(market);
  return new Map(
    stage.world.exchange
      .prices(market, { cross: true })
      .map(({ outcome, side, price, amount }) => [
        `${record?.outcomes[outcome]?.id} ${side} ${price / 1000}`,
        amount / 1_000_000,
      ]),
  );
}

function randomOrder(random: Random, market: number): PlaceRequest {
  const isFor = random.chance(0.5);
  const middle = 120 + random.below(60) + (isFor ? 5 : -5);
  return {
    wallet: (random.chance(0.5) ? stage.ann : stage.bob).wallet,
    market,
    side: isFor ? 'For' : 'Against',
    outcome: random.below(3),
    tick: (middle % TICK_COUNT) as Tick,
    stake: money((1 + random.below(5_000)) * 1000),
    keepWhenInPlay: random.chance(0.5),
    matchBehavior: random.chance(0.9) ? 'RetainUnmatched' : 'CancelUnmatched',
  };
}

test.each([11, 12, 13])('books rebuilt by late and early subscribers equal the machine (seed %i)', async (seed) => {
  stage = await StreamStage.open();
  const random = Random.fromSeed(seed);
  const markets = [stage.newMarket(), stage.newMarket({ cross: true }), stage.newMarket({ cross: true })];
  const followers: { readonly books: Rebuilt; readonly read: () => Promise<Frame[]> }[] = [];
  const join = async (...ids: readonly string[]): Promise<void> => {
    const client = await stage.connect(stage.bob.token);
    client.subscribe('MarketPriceUpdate', ...ids);
    followers.push({ books: new Map(), read: () => client.after() });
  };
  await join('*');
  await join(...markets.map(numericId));
  const live: number[] = [];
  for (let round = 0; round < 1_500; round += 1) {
    stage.clock.runUntil(stage.clock.now() + random.below(1_000));
    const market = markets[random.below(3)] ?? 0;
    const request = randomOrder(random, market);
    const app = stage.world.registry.wallet(request.wallet).app;
    const others = random.chance(0.2)
      ? [randomOrder(random, market)].filter(({ wallet }) => wallet === request.wallet)
      : [];
    const events = stage.command({ kind: 'place', app, requests: [request, ...others] });
    for (const event of events) if (event.kind === 'orderAccepted') live.push(event.order);
    if (random.chance(0.3)) {
      const orders = live.splice(0, random.below(Math.min(6, live.length + 1)));
      for (const owner of [stage.ann, stage.bob]) stage.command({ kind: 'cancel', app: owner.app, orders });
    }
    if (round === 500) await join('*');
    if (round === 700) stage.command({ kind: 'setInPlay', market: markets[1] ?? 0, inPlay: true });
    if (round === 900)
      stage.command({ kind: 'removeOutcome', market: markets[2] ?? 0, outcome: 2, factorPpm: 200_000, basis: 'win' });
    if (round === 1_200) stage.command({ kind: 'lock', market: markets[0] ?? 0 });
    if (round % 250 !== 249) continue;
    for (const { books, read } of followers) {
      follow(books, await read());
      for (const each of markets)
        expect(books.get(numericId(each)), `seed ${seed}, round ${round}`).toEqual(machineBook(each));
    }
  }
  expect(followers.length).toBe(3);
  expect(machineBook(markets[1] ?? 0).size).toBeGreaterThan(10);
});

test('a snapshot of many markets waits for the network, and nothing is lost meanwhile', async () => {
  stage = await StreamStage.open({ snapshotBacklogBytes: 1_000 });
  const random = Random.fromSeed(5);
  const markets = Array.from({ length: 60 }, () => stage.newMarket());
  for (const market of markets)
    for (let made = 0; made < 4; made += 1) {
      const requests = Array.from({ length: 50 }, () => ({ ...randomOrder(random, market), wallet: stage.ann.wallet }));
      stage.command({ kind: 'place', app: stage.ann.app, requests });
    }
  const client = await stage.connect(stage.bob.token);
  client.socket.pause();
  client.subscribe('MarketPriceUpdate', '*');
  const books: Rebuilt = new Map();
  for (let turn = 0; turn < 30; turn += 1) {
    await new Promise(setImmediate);
    for (const market of markets)
      stage.command({
        kind: 'place',
        app: stage.ann.app,
        requests: [{ ...randomOrder(random, market), wallet: stage.ann.wallet }],
      });
  }
  client.socket.resume();
  while (books.size < markets.length) follow(books, await client.after());
  follow(books, await client.after());
  for (const market of markets) expect(books.get(numericId(market))).toEqual(machineBook(market));
});
