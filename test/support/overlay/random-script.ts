/** A frozen script from one seed: a random crowd's updates, our random requests, pauses. */

import { fillRulesOf } from '../../../src/simulator/overlay/fill-rules.ts';
import { Random } from '../random.ts';
import { OverlayReplay, type ScriptStep } from './overlay-replay.ts';
import { RandomCrowd } from './random-crowd.ts';
import { randomRequest } from './random-quoter.ts';

export interface Script {
  readonly outcomes: number;
  readonly steps: readonly ScriptStep[];
}

export interface ScriptHabits {
  readonly updates: number;
  readonly crossOwn: boolean;
  readonly pauses: boolean;
}

/**
 * The lowest lane goes along while the script is written: an order that rests in any lane rests there, so that
 * orders which cross none of its orders cross none of ours in any lane.
 */
export function randomScript(seed: number, habits: ScriptHabits): Script {
  const random = new Random(seed * 7 + 3);
  const crowd = new RandomCrowd(seed);
  const replay = new OverlayReplay(crowd.outcomes, [fillRulesOf('lowest')]);
  const desk = replay.seats[0]!.desk;
  const steps: ScriptStep[] = [];
  const add = (step: ScriptStep): void => {
    steps.push(step);
    replay.do(step);
  };
  const quoting = { crossOwn: habits.crossOwn, taking: 0.25, stakeMax: 25_000_000 };
  let client = 0;
  for (let at = 0; at < habits.updates; at += 1) {
    if (habits.pauses && random.chance(replay.paused ? 0.3 : 0.05)) add({ kind: replay.paused ? 'resume' : 'pause' });
    // A paused market hardly trades: a starting price may be reconciled then.
    add({ kind: 'update', update: crowd.next({ trades: !replay.paused || random.chance(0.1) }) });
    const live = desk.resting();
    if (live.length > 0 && random.chance(0.15)) add({ kind: 'cancel', client: random.pick(live).client });
    if (replay.paused || !random.chance(0.5)) continue;
    const request = randomRequest(random, { client, book: replay.book, live: desk.resting() }, quoting);
    if (request === undefined) continue;
    client += 1;
    add({ kind: 'place', request });
  }
  return { outcomes: crowd.outcomes, steps };
}
