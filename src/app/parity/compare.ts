/** Finds the differences between a run and its replay, in the order of time, without seeking causes. */

import { moneyToDecimal } from '../../core/number/units.ts';
import type { ParityCount, ParityStep } from '../../report/parity/parity.ts';
import { type Aligned, align, timeOf } from './align.ts';
import { compareOrders } from './compare-orders.ts';
import type { Found, Tallies, Tally, Tolerance } from './found.ts';
import type { ComparedStream, OrderStory, Settlement, StepSequence } from './step-sequence.ts';

interface Comparison {
  readonly found: readonly Found[];
  /** Orders that both sides sent, by strategy and market. */
  readonly pairs: ReadonlyMap<string, readonly (readonly [OrderStory, OrderStory])[]>;
  readonly counts: Readonly<Record<ParityStep, ParityCount>>;
}

/** Order of steps of the same instant: reports come before the decisions that follow from them. */
const RANK: readonly ParityStep[] = ['reply', 'fill', 'end', 'decision', 'refusal', 'order', 'cancel', 'settlement'];

export function compare(run: StepSequence, replay: StepSequence, tolerance: Tolerance): Comparison {
  const found: Found[] = [];
  const tallies = noTallies();
  const pairsByLane = new Map<string, (readonly [OrderStory, OrderStory])[]>();
  for (const name of new Set([...run.lanes.keys(), ...replay.lanes.keys()])) {
    const lane = run.lanes.get(name) ?? replay.lanes.get(name);
    if (lane === undefined) continue;
    const aligned = align(run.lanes.get(name)?.steps ?? [], replay.lanes.get(name)?.steps ?? [], tolerance.stepMs);
    const pairs: (readonly [OrderStory, OrderStory])[] = [];
    pairsByLane.set(name, pairs);
    compareLane({ lane, aligned, tolerance, found, tallies, pairs });
    for (const pair of pairs) compareOrders(pair, tolerance, { found, tallies });
  }
  compareSettlements(run, replay, { found, tallies });
  found.sort((a, b) => a.at - b.at || RANK.indexOf(a.step) - RANK.indexOf(b.step));
  return { found, counts: tallies, pairs: pairsByLane };
}

interface LaneWork {
  readonly lane: ComparedStream;
  readonly aligned: readonly Aligned[];
  readonly tolerance: Tolerance;
  readonly found: Found[];
  readonly tallies: Tallies;
  readonly pairs: (readonly [OrderStory, OrderStory])[];
}

function compareLane({ lane, aligned, tolerance, found, tallies, pairs }: LaneWork): void {
  let sameBefore = 0;
  for (const pair of decisionsMet(aligned, tolerance)) {
    const { run, replay } = pair;
    const tally = tallies[(run ?? replay)?.kind ?? 'decision'];
    if (run !== undefined) tally.run += 1;
    if (replay !== undefined) tally.replay += 1;
    if (run?.order !== undefined && replay?.order !== undefined && run.kind === 'order')
      pairs.push([run.order, replay.order]);
    if (isSame(pair, tolerance)) {
      tally.same += 1;
      sameBefore += 1;
      continue;
    }
    found.push(laneDifference(lane, pair, sameBefore));
    sameBefore = 0;
  }
}

function isSame({ run, replay }: Aligned, { stepMs }: Tolerance): boolean {
  return run !== undefined && replay !== undefined && run.key === replay.key && Math.abs(run.at - replay.at) <= stepMs;
}

function laneDifference({ strategy, market }: ComparedStream, pair: Aligned, sameBefore: number): Found {
  const { run, replay } = pair;
  const isLate = run !== undefined && replay !== undefined && run.key === replay.key;
  const late = isLate ? ` (${run.at - replay.at} ms after the replay)` : '';
  return {
    at: timeOf(pair),
    step: (run ?? replay)?.kind ?? 'decision',
    strategy,
    market,
    sameBefore,
    run: run && `${run.words}${late}`,
    replay: replay?.words,
    runStep: run,
    replayStep: replay,
    runOrder: run?.order,
    replayOrder: replay?.order,
  };
}

/** Two decisions of the same instant with different intents are one difference. */
function decisionsMet(aligned: readonly Aligned[], { stepMs }: Tolerance): readonly Aligned[] {
  const met: Aligned[] = [];
  const alone: number[] = [];
  for (const pair of aligned) {
    const { run, replay } = pair;
    const step = run ?? replay;
    const isAlone = (run === undefined) !== (replay === undefined);
    if (step === undefined || !isAlone || step.kind !== 'decision') {
      met.push(pair);
      continue;
    }
    while (alone.length > 0 && timeOf(met[alone[0] ?? 0] ?? pair) < step.at - stepMs) alone.shift();
    const other = alone.findIndex((index) => (met[index]?.run === undefined) !== (run === undefined));
    if (other < 0) {
      alone.push(met.length);
      met.push(pair);
      continue;
    }
    const [index = 0] = alone.splice(other, 1);
    met[index] = { run: run ?? met[index]?.run, replay: replay ?? met[index]?.replay };
  }
  return met;
}

function compareSettlements(run: StepSequence, replay: StepSequence, into: { found: Found[]; tallies: Tallies }): void {
  const tally = into.tallies.settlement;
  tally.run += run.settlements.size;
  tally.replay += replay.settlements.size;
  for (const key of new Set([...run.settlements.keys(), ...replay.settlements.keys()])) {
    const ours = run.settlements.get(key);
    const theirs = replay.settlements.get(key);
    const known = ours ?? theirs;
    if (known === undefined) continue;
    if (ours?.profit === theirs?.profit && ours?.commission === theirs?.commission) {
      tally.same += 1;
      continue;
    }
    const at = Math.min(ours?.at ?? Number.POSITIVE_INFINITY, theirs?.at ?? Number.POSITIVE_INFINITY);
    into.found.push({
      at,
      step: 'settlement',
      strategy: '',
      market: known.market,
      sameBefore: 0,
      run: settlementText(ours),
      replay: settlementText(theirs),
    });
  }
}

function settlementText(settlement: Settlement | undefined): string | undefined {
  if (settlement === undefined) return undefined;
  const { wallet, profit, commission } = settlement;
  return `${wallet}: ${moneyToDecimal(profit)} net, commission ${moneyToDecimal(commission)}`;
}

function noTallies(): Tallies {
  const none = (): Tally => ({ run: 0, replay: 0, same: 0 });
  return {
    decision: none(),
    refusal: none(),
    order: none(),
    cancel: none(),
    reply: none(),
    fill: none(),
    end: none(),
    settlement: none(),
  };
}
