/** The slow, obvious overlay judges the fast one, step by step, over thousands of seeds. */

import { describe, expect, it } from 'vitest';
import { AGAINST, FOR } from '../../src/core/side.ts';
import {
  type CancellationRule,
  type FillBound,
  type FillRules,
  fillRulesOf,
  type OutOfSightRule,
  type RefillRule,
} from '../../src/simulator/overlay/fill-rules.ts';
import { budget } from '../support/budget.ts';
import { NaiveOverlay } from '../support/naive-overlay.ts';
import { MinimalExchange } from '../support/overlay/minimal-exchange.ts';
import { OverlayReplay, type ScriptStep } from '../support/overlay/overlay-replay.ts';
import { randomScript, type SeenThrough } from '../support/overlay/random-script.ts';
import { Random } from '../support/random.ts';

const SEEDS = budget({ brief: 120, each: 600, deep: 5_000 });
/** The central model comes first and most often: it has the most to get wrong. */
const BOUNDS: readonly FillBound[] = [
  'central',
  'pessimistic',
  'central',
  'lowest',
  'central',
  'optimistic',
  'central',
  'highest',
];
const CANCELLATIONS: readonly CancellationRule[] = ['pro-rata', 'ahead', 'behind', 'log', { power: 2.75 }];
const REFILLS: readonly RefillRule[] = ['never', 'never', 'next-change', { halfLifeMs: 40 }];

const OUT_OF_SIGHT: readonly OutOfSightRule[] = ['never', { maxAgeMs: 60 }, { maxAgeMs: 300 }, 'always'];

function rulesOf(seed: number): FillRules {
  const rules = fillRulesOf(BOUNDS[seed % 8]!, CANCELLATIONS[seed % 5]!);
  return { ...rules, refill: REFILLS[seed % 3 === 0 ? 0 : Math.trunc(seed / 8) % 4]! };
}

describe('the overlay', () => {
  it(`fills and shows the same as the naive one, over ${SEEDS} seeds`, () => {
    const seen = { fills: 0, own: 0, recorded: 0, taken: 0 };
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const count = duel(seed).fills;
      seen.fills += count.length;
      for (const fill of count) seen[fill.how === 'took' ? 'taken' : fill.how] += 1;
    }
    console.log(`overlay against naive: ${SEEDS} seeds,`, seen);
    expect(Math.min(seen.own, seen.recorded, seen.taken)).toBeGreaterThan(SEEDS / 3);
  });

  it(`and where the source shows the best few levels, over ${SEEDS} seeds`, () => {
    const seen = { fills: 0, taken: 0, there: 0, gone: 0 };
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const levelsOutOfSight = OUT_OF_SIGHT[Math.trunc(seed / 3) % 4]!;
      const { fills, asked } = duel(seed, { depth: 1 + (seed % 3), levelsOutOfSight });
      seen.fills += fills.length;
      seen.taken += fills.filter(({ how }) => how === 'took').length;
      seen.there += asked.there;
      seen.gone += asked.gone;
    }
    console.log(`the best few levels: ${SEEDS} seeds,`, seen);
    expect(Math.min(seen.gone, seen.there)).toBeGreaterThan(SEEDS / 3);
  });
});

interface Duelled {
  readonly fills: MinimalExchange['fills'];
  readonly asked: NaiveOverlay['outOfSight']['asked'];
}

function duel(seed: number, window?: SeenThrough): Duelled {
  const crossOwn = Math.trunc(seed / 4) % 2 === 0;
  const habits = { updates: 50, crossOwn, pauses: seed % 5 === 0, ...(window === undefined ? {} : { window }) };
  const script = randomScript(seed, habits);
  const rules = { ...rulesOf(seed), ...(window && { levelsOutOfSight: window.levelsOutOfSight }) };
  const fast = new OverlayReplay(script.outcomes, [rules], window?.depth);
  const naiveDesk = new MinimalExchange();
  const now = () => fast.now;
  const naive = new NaiveOverlay({ rules, sink: naiveDesk, now, ...(window && { depth: window.depth }) });
  naiveDesk.tradeOn(naive);
  const { model, exchange } = fast.instances[0]!;
  if (seed % 7 === 0) for (const each of [exchange, naiveDesk]) withdrawWhileFilling(each, seed);
  let compared = 0;
  for (let at = 0; at < script.steps.length; at += 1) {
    const step = script.steps[at]!;
    fast.doAt(at, step);
    doNaively(naive, naiveDesk, step);
    const place = `seed ${seed}, step ${at} (${step.kind})`;
    if (Math.max(exchange.fills.length, naiveDesk.fills.length) > compared) {
      expect(exchange.fills.slice(compared), place).toEqual(naiveDesk.fills.slice(compared));
    }
    compared = exchange.fills.length;
    if (!naive.invariantsHold()) expect.fail(`${place}: an invariant of the naive overlay is broken`);
    for (const level of naive.levels.values()) {
      const { outcome, side, tick } = level;
      const shown = model.amountAt(outcome, side, tick);
      if (shown !== naive.amountAt(outcome, side, tick)) expect.fail(`${place}: amount at ${outcome} ${side} ${tick}`);
      if (model.consumedAt(outcome, side, tick) !== level.X) expect.fail(`${place}: X at ${outcome} ${side} ${tick}`);
      const displaced = model.displacedAt(outcome, side, tick);
      if (displaced !== level.D)
        expect.fail(`${place}: D is ${displaced}, not ${level.D} at ${outcome} ${side} ${tick}`);
    }
    if (at % 8 === 0) for (let outcome = 0; outcome < script.outcomes; outcome += 1) compareTicks(outcome, place);
  }
  return { fills: exchange.fills, asked: naive.outOfSight.asked };

  function compareTicks(outcome: number, place: string): void {
    for (const side of [FOR, AGAINST]) {
      let mine = model.bestTick(outcome, side);
      let theirs = naive.bestTick(outcome, side);
      while (mine === theirs && mine !== -1) {
        mine = model.nextTick(outcome, side, mine);
        theirs = naive.nextTick(outcome, side, theirs);
      }
      if (mine !== theirs) expect.fail(`${place}: tick ${mine}, not ${theirs}, of outcome ${outcome}, side ${side}`);
    }
  }
}

/** A sink that withdraws other resting orders in the middle of a walk. */
function withdrawWhileFilling(exchange: MinimalExchange, seed: number): void {
  const random = new Random(seed);
  exchange.afterFill = () => {
    const live = exchange.resting();
    if (live.length > 0 && random.chance(0.3)) exchange.cancel(random.pick(live).client);
  };
}

function doNaively(naive: NaiveOverlay, exchange: MinimalExchange, step: ScriptStep): void {
  switch (step.kind) {
    case 'update':
      return naive.apply(step.update);
    case 'place':
      return exchange.place(step.request);
    case 'cancel':
      return exchange.cancel(step.client);
    case 'pause':
      return naive.pause();
    case 'resume':
      return naive.resume();
  }
}
