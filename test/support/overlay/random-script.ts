/** A fixed script from one seed: the updates of a random recording, our random requests, and pauses. */

import { fillRulesOf, type OutOfSightRule } from '../../../src/simulator/overlay/fill-rules.ts';
import { Random } from '../random.ts';
import { OverlayReplay, type ScriptStep } from './overlay-replay.ts';
import { RandomCrowd } from './random-crowd.ts';
import { randomRequest } from './random-quoter.ts';

export interface Script {
  readonly outcomes: number;
  readonly window: SeenThrough | undefined;
  readonly steps: readonly ScriptStep[];
}

export interface ScriptHabits {
  readonly updates: number;
  readonly crossOwn: boolean;
  readonly pauses: boolean;
  /** Whether at most one order of ours ever comes to a side of an outcome, so that none stands where another one was. */
  readonly lone?: boolean;
  /** Set for a source that shows the best few levels. */
  readonly window?: SeenThrough;
}

/** How many levels of each side a source shows, and the rule for the others. */
export interface SeenThrough {
  readonly depth: number;
  readonly levelsOutOfSight: OutOfSightRule;
}

const DEEP = { taking: 0.5, reach: 6, stakeMax: 100_000_000 };

/**
 * The lowest fill model is run while the script is written. An order that rests under any model rests under that one,
 * so orders that cross none of its orders cross none of ours under any model.
 */
export function randomScript(seed: number, habits: ScriptHabits): Script {
  const random = new Random(seed * 7 + 3);
  const crowd = new RandomCrowd(seed);
  const { depth, levelsOutOfSight = 'always' } = habits.window ?? {};
  const replay = new OverlayReplay(crowd.outcomes, [{ ...fillRulesOf('lowest'), levelsOutOfSight }], depth);
  const exchange = replay.instances[0]!.exchange;
  const steps: ScriptStep[] = [];
  const add = (step: ScriptStep): void => {
    replay.doAt(steps.length, step);
    steps.push(step);
  };
  // A trader who is to reach levels out of sight takes large stakes.
  const taking = habits.window === undefined ? { taking: 0.25, stakeMax: 25_000_000 } : DEEP;
  const quoting = { crossOwn: habits.crossOwn, ...taking };
  const used = new Set<string>();
  let client = 0;
  for (let at = 0; at < habits.updates; at += 1) {
    if (habits.pauses && random.chance(replay.paused ? 0.3 : 0.05)) add({ kind: replay.paused ? 'resume' : 'pause' });
    // A paused market hardly trades, but a starting price may be reconciled then.
    add({ kind: 'update', update: crowd.next({ trades: !replay.paused || random.chance(0.1) }) });
    const live = exchange.resting();
    if (live.length > 0 && random.chance(0.15)) add({ kind: 'cancel', client: random.pick(live).client });
    if (replay.paused || !random.chance(0.5)) continue;
    const request = randomRequest(random, { client, book: replay.book, live: exchange.resting() }, quoting);
    if (request === undefined) continue;
    const row = `${request.outcome} ${request.side}`;
    if (habits.lone === true && used.has(row)) continue;
    used.add(row);
    client += 1;
    add({ kind: 'place', request });
  }
  return { outcomes: crowd.outcomes, window: habits.window, steps };
}
