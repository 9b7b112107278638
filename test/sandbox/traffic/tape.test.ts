import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { Tape } from '../../../src/recording/tape/tape.ts';
import { startTape } from '../../../src/sandbox/traffic/tape.ts';
import { TapePicture } from '../../support/tape-picture.ts';
import { NOW, TrafficStage } from './traffic-stage.ts';

const path = fileURLToPath(new URL('../../../backtest/sample.tape', import.meta.url));
const tape = Tape.open(path);
afterAll(() => tape.close());

const START = Math.min(...tape.markets.map((market) => market.firstAt));
const END = Math.max(...tape.markets.map((market) => market.lastAt));
const MINUTE = 60_000;
const SPEED = 10;
/** A time at which the match has been open for a while. */
const TRADING = (tape.markets[4]?.firstAt ?? 0) + 15 * MINUTE;

const clockTime = (tapeAt: number, from = NOW): number => Math.ceil(from + (tapeAt - START) / SPEED);

function play(stage: TrafficStage, lingerMs = 30 * MINUTE) {
  return startTape(stage.context, { tape, speed: SPEED, lingerMs, onBug: stage.onBug });
}

/** The live market of a recorded one, by its name and event. */
function liveMarket(stage: TrafficStage, index: number): number | undefined {
  const facts = tape.markets[index]?.facts;
  const { markets, events } = stage.world.catalogue;
  const found = [...markets.values()].find(
    ({ name, event }) => name === facts?.name && events.get(event)?.name === facts.eventName,
  );
  return found?.market;
}

/** Levels that the driver shows, as `outcome side price amount`. */
function shown(stage: TrafficStage, market: number): string[] {
  return stage.world.exchange
    .prices(market)
    .map(({ outcome, side, price, amount }) => `${outcome} ${side} ${price / 1000} ${amount / 1_000_000}`)
    .sort();
}

/** Recorded levels, cut to the order step of 0.001, which cross-matched remainders do not keep. */
function recorded(picture: TapePicture): string[] {
  const rows = (outcome: number, side: string, levels: ReadonlyMap<number, number>): string[] =>
    [...levels].flatMap(([price, size]) => {
      const whole = Math.floor(Math.round(size * 1e6) / 1000) / 1000;
      return whole === 0 ? [] : [`${outcome} ${side} ${price} ${whole}`];
    });
  return picture.outcomes
    .flatMap(({ back, lay }, outcome) => [...rows(outcome, 'Against', back), ...rows(outcome, 'For', lay)])
    .sort();
}

/** Whether `shown` equals `recorded`; faster, since it is asked thousands of times. */
function isShown(stage: TrafficStage, market: number, picture: TapePicture): boolean {
  let levels = 0;
  for (const { back, lay } of picture.outcomes)
    for (const side of [back, lay]) for (const size of side.values()) if (Math.round(size * 1e6) >= 1000) levels += 1;
  for (const { outcome, side, price, amount } of stage.world.exchange.prices(market)) {
    const pictured = picture.outcomes[outcome];
    const size = (side === 'For' ? pictured?.lay : pictured?.back)?.get(price / 1000) ?? 0;
    const micros = Math.round(size * 1e6);
    if (micros - (micros % 1000) !== amount) return false;
    levels -= 1;
  }
  return levels === 0;
}

describe('a tape', () => {
  test('played live shows after every update what was recorded, from open to settled', () => {
    const stage = new TrafficStage().settleIn();
    const traffic = play(stage);
    const pictures = tape.markets.map((market) => new TapePicture(tape, market.index));
    const cursor = tape.cursor();
    let compared = 0;
    const lives = new Map<number, number>();
    let dirty = new Set<number>();
    let at = START;
    const compare = (): void => {
      stage.clock.runUntil(clockTime(at));
      for (const index of dirty) {
        const market = lives.get(index) ?? liveMarket(stage, index);
        if (market !== undefined) lives.set(index, market);
        const view = market === undefined ? undefined : stage.world.exchange.market(market);
        if (market === undefined || view?.status !== 'Open' || view.suspended) continue;
        const picture = pictures[index] as TapePicture;
        if (!isShown(stage, market, picture))
          expect(shown(stage, market), `market ${index} at ${at}`).toEqual(recorded(picture));
        compared += 1;
      }
      dirty = new Set();
    };
    for (let update = cursor.next(); update !== undefined; update = cursor.next()) {
      // At this speed several times of the tape fall on one millisecond of the clock.
      if (clockTime(update.publishedAt) !== clockTime(at)) compare();
      at = update.publishedAt;
      pictures[update.market]?.apply(update);
      dirty.add(update.market);
    }
    compare();
    stage.check();
    expect(compared).toBeGreaterThan(10_000);
    const results = tape.markets.map((market) => {
      const last = tape.definitions(market.index).at(-1);
      const live = stage.world.exchange.market(liveMarket(stage, market.index) ?? -1);
      const winners = last?.outcomes.flatMap(({ status }, outcome) => (status === 'Winner' ? [outcome] : []));
      return { live: [live?.status, live?.winners], tape: [last?.status, winners] };
    });
    for (const { live, tape: expected } of results.filter(
      ({ live: [status] }) => status !== undefined && status !== 'Closed',
    ))
      expect(live).toEqual(expected);
    stage.clock.runUntil(clockTime(END) + 60 * MINUTE);
    expect([...stage.world.exchange.marketIds()]).toEqual([]);
    expect(stage.bugs).toEqual([]);
    traffic.stop();
  }, 120_000);

  test('fills a resting order of a user behind what rested before it, at its own price', () => {
    const stage = new TrafficStage().settleIn();
    const fills: string[] = [];
    const orders = new Map<number, number>();
    stage.world.listen((_change, events) => {
      for (const event of events)
        if (event.kind === 'orderMatched' && orders.has(event.order)) fills.push(`${event.order} ${event.price}`);
    });
    const traffic = play(stage);
    stage.clock.runUntil(clockTime(TRADING));
    const market = liveMarket(stage, 4) ?? -1;
    const lay = stage.world.exchange.prices(market).find(({ side }) => side === 'Against');
    if (lay === undefined) throw new Error('the market has prices');
    const { outcome } = lay;
    const resting = stage.place({ market, side: 'Against', price: lay.price / 1000, stake: 2, outcome });
    orders.set(resting, lay.price);
    const shownThere = stage.world.exchange
      .prices(market)
      .find((level) => level.outcome === outcome && level.side === 'Against' && level.tick === lay.tick);
    expect(shownThere?.amount).toBe(lay.amount + 2_000_000);
    stage.clock.runUntil(clockTime(TRADING + 40 * MINUTE));
    const order = stage.world.exchange.order(resting);
    expect(order?.status).toBe('Matched');
    expect(new Set(fills)).toEqual(new Set([`${resting} ${lay.price}`]));
    stage.clock.runUntil(clockTime(END) + MINUTE);
    stage.check();
    expect(stage.world.exchange.order(resting)?.status).toMatch(/Won|Lost/);
    traffic.stop();
  }, 120_000);

  test('lets a user take what is shown; it is back when the recording next names the level', () => {
    const stage = new TrafficStage().settleIn();
    const traffic = play(stage);
    stage.clock.runUntil(clockTime(TRADING));
    const market = liveMarket(stage, 4) ?? -1;
    const before = stage.world.exchange.prices(market);
    const best = before.find(({ side }) => side === 'Against');
    if (best === undefined) throw new Error('the market has prices');
    const half = Math.floor(best.amount / 2000) / 1000;
    const taker = stage.place({ market, side: 'For', price: best.price / 1000, stake: half, outcome: best.outcome });
    expect(stage.world.exchange.order(taker)?.status).toBe('Matched');
    const after = stage.world.exchange.prices(market).find(({ side }) => side === 'Against');
    expect(after).toMatchObject({ tick: best.tick, amount: best.amount - Math.round(half * 1e6) });
    stage.clock.runUntil(clockTime(TRADING + 40 * MINUTE));
    stage.check();
    const picture = pictureAt(4, TRADING + 40 * MINUTE);
    expect(shown(stage, market)).toEqual(recorded(picture));
    traffic.stop();
  });

  test('goes on where it was after a restart, with the same markets and the same prices', () => {
    const stage = new TrafficStage().settleIn();
    play(stage);
    const stopAt = START + 40 * MINUTE;
    stage.clock.runUntil(clockTime(stopAt));
    const before = tape.markets.map(({ index }) => liveMarket(stage, index));
    expect(before.filter((market) => market !== undefined).length).toBeGreaterThan(4);
    const userIn = before.findIndex(
      (id) => id !== undefined && stage.world.exchange.market(id)?.inPlayStatus === 'PrePlay',
    );
    const mine = stage.place({ market: before[userIn] ?? -1, side: 'For', price: 1000, stake: 1 });

    const later = 6 * 60 * MINUTE;
    const next = stage.restarted(later);
    const traffic = play(next);
    for (const { index } of tape.markets) {
      const market = before[index];
      const view = market === undefined ? undefined : next.world.exchange.market(market);
      if (market === undefined || view?.status !== 'Open' || view.suspended) continue;
      const others = shown(next, market).filter((row) => !row.startsWith('0 For 1000 '));
      const noted = shown(stage, market).filter((row) => !row.startsWith('0 For 1000 '));
      // The note may be a second of the clock old, which is ten seconds of the tape.
      expect(others.filter((row) => noted.includes(row)).length).toBeGreaterThan(noted.length * 0.7);
    }
    expect(next.world.exchange.order(mine)?.status).toBe('Unmatched');
    const restartedAt = stage.clock.now() + later;
    next.clock.runUntil(restartedAt + (END - stopAt) / SPEED + 2_000);
    next.check();
    const names = [...next.world.catalogue.markets.values()].map(({ name, event }) => `${event} ${name}`);
    expect(new Set(names).size).toBe(names.length);
    expect(liveMarket(next, userIn)).toBe(before[userIn]);
    const statuses = tape.markets.map(({ index }) => next.world.exchange.market(liveMarket(next, index) ?? -1)?.status);
    for (const status of statuses) expect(['Settled', 'Voided', 'Closed', undefined]).toContain(status);
    expect(next.world.exchange.order(mine)?.status).toBe('Cancelled');
    traffic.stop();
  }, 120_000);

  test('keeps strangers to the recorded in-play delay', () => {
    const stage = new TrafficStage().settleIn();
    const traffic = play(stage);
    let inPlay: number | undefined;
    while (inPlay === undefined && stage.clock.runNext())
      inPlay = [...stage.world.exchange.marketIds()].find((id) => {
        const view = stage.world.exchange.market(id);
        return view?.inPlayStatus === 'InPlay' && view.status === 'Open' && !view.suspended && view.inPlayDelayMs > 0;
      });
    const order = stage.place({ market: inPlay ?? -1, side: 'For', price: 1000, stake: 1 });
    const view = stage.world.exchange.order(order);
    const delay = stage.world.exchange.market(inPlay ?? -1)?.inPlayDelayMs ?? 0;
    expect(view).toMatchObject({ status: 'Pending', due: stage.clock.now() + delay });
    const house = [...stage.world.exchange.ordersOfMarket(inPlay ?? -1)].filter(({ app }) => app !== stage.app);
    expect(house.filter(({ status }) => status === 'Pending')).toEqual([]);
    traffic.stop();
  });
});

function pictureAt(index: number, until: number): TapePicture {
  const picture = new TapePicture(tape, index);
  const cursor = tape.cursor({ markets: [index] });
  for (let update = cursor.next(); update !== undefined && update.publishedAt <= until; update = cursor.next())
    picture.apply(update);
  return picture;
}
