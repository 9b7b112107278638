/** What comes from outside into a paper run, such as a command: it has an instant of its own, at which time stands still. */

import { Subject } from 'rxjs';
import { expect, test } from 'vitest';
import { recordedRules, worldConfig } from '../../src/backtest/simulation/exchange-config.ts';
import { type MarketFeedMessage, PaperExchange } from '../../src/simulator/paper-exchange.ts';
import { PAPER } from '../support/paper/paper-run.ts';
import { PassingWall } from '../support/paper/passing-wall.ts';

const START = Date.UTC(2026, 10, 20, 12);

/** A paper exchange without markets, whose feed is subscribed to. */
function stage() {
  const wall = new PassingWall(START);
  const faults: unknown[] = [];
  const paper = new PaperExchange({
    ...{ wall, updates$: new Subject<MarketFeedMessage>(), record: () => undefined, seed: 1, latency: PAPER.latency },
    exchange: { ...recordedRules(PAPER), ...worldConfig(PAPER, 'central'), listener: { filled: () => undefined } },
  });
  paper.gateway.feed$.subscribe({ error: (error) => faults.push(error) });
  const ran: [string, number][] = [];
  const run = (name: string) => () => void ran.push([name, paper.clock.now() - START]);
  return { wall, paper, faults, ran, run };
}

test('what is due before it runs before it, each thing at its own instant, and what is due then runs after it', () => {
  const { wall, paper, ran, run } = stage();
  wall.timers.runUntil(START + 1_000.5);
  paper.clock.schedule(run('before'), 6);
  paper.clock.schedule(run('then'), 20);
  // The process was busy: nothing of this has woken the clock.
  wall.pass(20);
  paper.fromOutside(run('command'));
  wall.timers.runUntil(START + 1_100);
  expect(ran).toEqual([
    ['before', 1_006],
    ['command', 1_020],
    ['then', 1_020],
  ]);
});

test('it has the next millisecond where the present one has begun, and shares one with another from outside', () => {
  const { wall, paper, ran, run } = stage();
  wall.timers.runUntil(START + 1_000);
  paper.clock.schedule(run('timer'), 10);
  wall.timers.runUntil(START + 1_010);
  for (const name of ['command', 'another']) paper.fromOutside(run(name));
  expect(paper.clock.reading()).toBe(START + 1_011);
  // It waits for real time to come to where it is.
  wall.timers.runUntil(START + 1_010.9);
  expect(paper.clock.reading()).toBe(START + 1_011);
  wall.timers.runUntil(START + 1_012.9);
  expect(paper.clock.reading()).toBe(START + 1_012);
  expect(ran).toEqual([
    ['timer', 1_010],
    ['command', 1_011],
    ['another', 1_011],
  ]);
});

test('time stands still in it, and goes on after it', () => {
  const { wall, paper, ran, run } = stage();
  wall.timers.runUntil(START + 1_001.5);
  paper.fromOutside(() => {
    run('begins')();
    wall.pass(9);
    run('ends')();
    paper.fromOutside(run('within'));
    paper.clock.schedule(run('later'), 30);
  });
  expect(paper.clock.now()).toBe(START + 1_010);
  wall.timers.runUntil(START + 1_100);
  expect(ran).toEqual([
    ['begins', 1_001],
    ['ends', 1_001],
    ['within', 1_001],
    ['later', 1_031],
  ]);
});

test('a fault of what is due before it ends the run, and it is not done', () => {
  const { wall, paper, faults, ran, run } = stage();
  const bug = new Error('a bug');
  paper.clock.schedule(() => {
    throw bug;
  }, 5);
  wall.pass(10);
  paper.fromOutside(run('command'));
  expect(faults).toEqual([bug]);
  expect(ran).toEqual([]);
});
