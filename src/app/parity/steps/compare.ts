/** Finds the differences between a run and its replay, in the order of time, without seeking causes. */

import { moneyToDecimal } from '../../../core/number/units.ts';
import type { ParityCount, ParityStep } from '../../../result/parity.ts';
import { type Aligned, byTime, isSame, timeOf } from './align.ts';
import { alignDecisions, alignOutcomes, type Counterpart, counterpartOf } from './align-intents.ts';
import { compareOrders } from './compare-orders.ts';
import type { Found, Tallies, Tally, Tolerance } from './found.ts';
import type { ComparedStream, OrderStory, Origin } from './step.ts';
import type { Settlement, StepSequence } from './step-sequence.ts';

interface Comparison {
  readonly found: readonly Found[];
  /** Orders that both sides sent, by strategy and market. */
  readonly pairs: ReadonlyMap<string, readonly (readonly [OrderStory, OrderStory])[]>;
  /** Orders of either side, with the same one of the other. */
  readonly partners: ReadonlyMap<OrderStory, OrderStory>;
  /** What the other side made of the same intent; undefined where it did not decide the same. */
  readonly counterpart: Counterpart;
  readonly counts: Readonly<Record<ParityStep, ParityCount>>;
}

/** Order of steps of the same instant: reports come before the decisions that follow from them. */
const RANK: readonly ParityStep[] = ['reply', 'fill', 'end', 'decision', 'refusal', 'order', 'cancel', 'settlement'];

export function compare(run: StepSequence, replay: StepSequence, tolerance: Tolerance): Comparison {
  const found: Found[] = [];
  const tallies = noTallies();
  const pairsByLane = new Map<string, (readonly [OrderStory, OrderStory])[]>();
  const partners = new Map<OrderStory, OrderStory>();
  const { stepMs } = tolerance;
  const names = [...new Set([...run.lanes.keys(), ...replay.lanes.keys()])];
  const stepsOf = (name: string) => [run.lanes.get(name)?.steps ?? [], replay.lanes.get(name)?.steps ?? []] as const;
  // Decisions of all lanes before anything else, since one may place orders in other markets than its own.
  const decisions = new Map(names.map((name) => [name, alignDecisions(...stepsOf(name), stepMs)]));
  const counterpart = counterpartOf(decisions.values(), stepMs);
  for (const name of names) {
    const lane = run.lanes.get(name) ?? replay.lanes.get(name);
    if (lane === undefined) continue;
    const outcomes = alignOutcomes(...stepsOf(name), { counterpart, stepMs });
    const aligned = [...(decisions.get(name) ?? []), ...outcomes].sort(byTime);
    const pairs: (readonly [OrderStory, OrderStory])[] = [];
    pairsByLane.set(name, pairs);
    compareLane({ lane, aligned, tolerance, found, tallies, pairs, partners });
    for (const pair of pairs) compareOrders(pair, tolerance, { found, tallies });
  }
  compareSettlements(run, replay, { found, tallies });
  found.sort((a, b) => a.at - b.at || RANK.indexOf(a.step) - RANK.indexOf(b.step));
  const linked = found.map((each) => {
    const of = origin(each);
    return of === undefined ? each : { ...each, counterpart: counterpart(of) };
  });
  return { found: linked, counts: tallies, pairs: pairsByLane, partners, counterpart };
}

/** The origin of a step; if the step came late on one side, that of the side that was first. */
function origin({ runStep, replayStep }: Found): Origin | undefined {
  const isReplayFirst = runStep !== undefined && replayStep !== undefined && replayStep.at < runStep.at;
  return (isReplayFirst ? replayStep : (runStep ?? replayStep))?.origin;
}

interface LaneWork {
  readonly lane: ComparedStream;
  readonly aligned: readonly Aligned[];
  readonly tolerance: Tolerance;
  readonly found: Found[];
  readonly tallies: Tallies;
  readonly pairs: (readonly [OrderStory, OrderStory])[];
  readonly partners: Map<OrderStory, OrderStory>;
}

function compareLane({ lane, aligned, tolerance, found, tallies, pairs, partners }: LaneWork): void {
  let sameBefore = 0;
  let apartUntil = Number.NEGATIVE_INFINITY;
  for (const pair of aligned) {
    const { run, replay } = pair;
    const tally = tallies[(run ?? replay)?.kind ?? 'decision'];
    if (run !== undefined) tally.run += 1;
    if (replay !== undefined) tally.replay += 1;
    if (run?.order !== undefined && replay?.order !== undefined && run.kind === 'order') {
      pairs.push([run.order, replay.order]);
      partners.set(run.order, replay.order).set(replay.order, run.order);
    }
    if (isSame(pair, tolerance.stepMs)) {
      tally.same += 1;
      if (timeOf(pair) > apartUntil) sameBefore += 1;
      continue;
    }
    found.push(laneDifference(lane, pair, sameBefore));
    sameBefore = 0;
    apartUntil = Math.max(apartUntil, ordersDifferUntil(pair, partners));
  }
}

/** The instant until which a strategy sees, because of this difference, other orders of its own on the one side than on the other. */
function ordersDifferUntil({ run, replay }: Aligned, partners: LaneWork['partners']): number {
  const step = run ?? replay;
  if (step?.order === undefined) return Number.NEGATIVE_INFINITY;
  if (run !== undefined && replay !== undefined) return Math.max(run.at, replay.at);
  if (step.kind === 'order') return endedAt(step.order);
  const partner = partners.get(step.order);
  return Math.max(endedAt(step.order), partner === undefined ? Number.NEGATIVE_INFINITY : endedAt(partner));
}

function endedAt({ reports, rejected, repliedAt }: OrderStory): number {
  if (rejected !== undefined) return repliedAt ?? Number.POSITIVE_INFINITY;
  return reports.find(({ stakeUnmatched }) => stakeUnmatched === 0)?.reportedAt ?? Number.POSITIVE_INFINITY;
}

function laneDifference({ strategy, market }: ComparedStream, pair: Aligned, sameBefore: number): Found {
  const { run, replay } = pair;
  const isLate = run !== undefined && replay !== undefined && run.key === replay.key;
  const lateMs = isLate ? run.at - replay.at : 0;
  const late = isLate ? ` (${Math.abs(lateMs)} ms ${lateMs < 0 ? 'before' : 'after'} the replay)` : '';
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

function compareSettlements(run: StepSequence, replay: StepSequence, into: { found: Found[]; tallies: Tallies }): void {
  const tally = into.tallies.settlement;
  tally.run += run.settlements.size;
  tally.replay += replay.settlements.size;
  for (const key of new Set([...run.settlements.keys(), ...replay.settlements.keys()])) {
    const ours = run.settlements.get(key);
    const theirs = replay.settlements.get(key);
    const known = ours ?? theirs;
    if (known === undefined) continue;
    if (ours?.net === theirs?.net && ours?.commission === theirs?.commission) {
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
  const { wallet, net, commission } = settlement;
  return `${wallet}: ${moneyToDecimal(net)} net, commission ${moneyToDecimal(commission)}`;
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
