import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { Tape } from '../../../src/recording/tape.ts';
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

const clockTime = (tapeAt: number, from = NOW): number => Math.ceil(from + (tapeAt - START) / SPEED);

function play(stage: TrafficStage, lingerMs = 30 * MINUTE) {
  return startTape(stage.desk, { tape, speed: SPEED, lingerMs, onBug: stage.onBug });
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

/** Levels that the house shows, as `outcome side price amount`. */
function shown(stage: TrafficStage, market: number): string[] {
  return stage.world.exchange
    .prices(market)
    .map(({ outcome, side, price, amount }) => `${outcome} ${side} ${price / 1000} ${amount / 1_000_000}`)
    .sort();
}

function recorded(picture: TapePicture): string[] {
  return picture.outcomes
    .flatMap(({ back, lay }, outcome) => [
      ...[...back].map(([price, size]) => `${outcome} Against ${price} ${size}`),
      ...[...lay].map(([price, size]) => `${outcome} For ${price} ${size}`),
    ])
    .sort();
}

describe('a tape', () => {
  test('played live shows after every update what was recorded, from open to settled', () => {
    const stage = new TrafficStage().settleIn();
    const traffic = play(stage);
    const pictures = tape.markets.map((market) => new TapePicture(tape, market.index));
    const cursor = tape.cursor();
    let compared = 0;
    let dirty = new Set<number>();
    let at = START;
    const compare = (): void => {
      stage.clock.runUntil(clockTime(at));
      for (const index of dirty) {
        const market = liveMarket(stage, index);
        const view = market === undefined ? undefined : stage.world.exchange.market(market);
        if (market === undefined || view?.status !== 'Open' || view.suspended) continue;
        const live = shown(stage, market);
        const tapes = recorded(pictures[index] as TapePicture);
        if (live.join() !== tapes.join()) expect(live, `market ${index} at ${at}`).toEqual(tapes);
        compared += 1;
      }
      dirty = new Set();
    };
    for (let update = cursor.next(); update !== undefined; update = cursor.next()) {
      // At this speed several moments of the tape fall into one of the clock.
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
});
