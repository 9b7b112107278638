/** What a decision can depend on beside its input, found by changing one thing at a time. */

import { OddsmithError } from '../../core/checks/oddsmith-error.ts';
import type { DecisionRecorder } from './decision-recorder.ts';
import { ALTERED_PARTS, ALTERED_WORDS, type AlteredPart } from './futures/alteration.ts';
import type { Future, Play, ProofReplays, ReplayChoice } from './proof-replays.ts';

/** `ids`: by which market or outcome it is, or in which year. */
export type Cause =
  | 'memory'
  | 'again'
  | 'chance'
  | 'clock'
  | 'files'
  | 'environment'
  | 'removed'
  | 'signals'
  | 'ids'
  | AlteredPart;

export const CAUSE_WORDS: Readonly<Record<Cause, string>> = {
  ...ALTERED_WORDS,
  memory: 'what it keeps outside of its state, which the next replay finds: module state, a closure, globals',
  again:
    'chance or a clock, or what it keeps outside of its state (module state, a closure): the same input gave another decision each time',
  chance: 'chance (Math.random, node:crypto), which in an object has no seed',
  clock: "the machine's clock",
  files: 'files',
  environment: 'the environment of the process',
  removed: 'what comes later: it decides otherwise when that is removed',
  signals: 'values of signals that become available later',
  ids: 'which market and outcome it is, or the year: in other years and under other ids, the same prices gave another decision',
};

export const CAUSE_NEXT: Readonly<Partial<Record<Cause, string>>> = {
  memory: 'Keep what it remembers in its `state`, which begins anew with each run.',
  again: 'Keep what it remembers in its `state`, and draw chance from Math.random in a strategy of a file.',
  chance:
    'Draw chance from a generator of its own in its `state`, or make it a strategy of a file, where Math.random is seeded.',
  clock: 'Take `now` from its input in place of Date.',
  files:
    'Declare the data as a signal with availableAt, or import it as JSON if it was made before the recording begins.',
  environment: 'Give the value as one of its params.',
  signals: 'Read signals with `signal(name, outcome)` alone, which gives what was available by then.',
  ids: 'Bring data about single markets in as a signal with availableAt; name markets in `markets.ids` or in its params.',
};

export interface CauseSearch {
  readonly replays: ProofReplays;
  readonly play: Play;
  /** Up to which the decisions differed. */
  readonly instant: number;
  readonly hasObjects: boolean;
  readonly hasFiles: boolean;
  readonly isDisguised: boolean;
  /** Whether replays left something on objects that all runs share. */
  readonly hasLeft: boolean;
  readonly seed: number;
}

/**
 * The causes in the order in which a message names them. Memory stands alone where nothing that can be changed makes a difference any more.
 */
export async function findCauses(search: CauseSearch): Promise<readonly Cause[]> {
  const control = await played(search, {});
  const again = await played(search, {});
  if (differ(control, again)) return [search.hasLeft || (await comesToRest(search, again)) ? 'memory' : 'again'];
  const found: Cause[] = [];
  for (const [cause, change] of experiments(search)) {
    // What lies outside of the run explains all the rest.
    if (cause === 'removed' && found.length > 0) break;
    if (await differs(search, control, change)) found.push(cause);
  }
  return found.length === 0 ? ['memory'] : found;
}

/** Chance goes on; memory is full at some time, and then one replay is like the one before. */
async function comesToRest(search: CauseSearch, last: DecisionRecorder): Promise<boolean> {
  let before = last;
  let alike = 0;
  for (let i = 0; i < REPEATS; i += 1) {
    const next = await played(search, {});
    // Chance that is rarely drawn may be the same twice.
    alike = differ(before, next) ? 0 : alike + 1;
    before = next;
  }
  return alike >= AT_REST;
}

const REPEATS = 6;
const AT_REST = 3;

type Change = Partial<Omit<ReplayChoice, 'play' | 'instants'>>;

function* experiments({ hasFiles, hasObjects, isDisguised, seed }: CauseSearch): Generator<readonly [Cause, Change]> {
  yield ['clock', { clockShiftMs: OTHER_CLOCK_MS }];
  if (hasObjects) yield ['chance', { seed: seed + 1 }];
  if (hasObjects || hasFiles) yield ['files', { areFilesWithheld: true }];
  if (hasObjects) yield ['environment', { isEnvironmentWithheld: true }];
  yield ['removed', { future: { kind: 'removed' } }];
  for (const part of ALTERED_PARTS) yield [part, { future: altered(new Set([part]), 'kept') }];
  yield ['signals', { future: altered(new Set(), 'replaced') }];
  if (isDisguised) yield ['ids', { future: { kind: 'disguised' } }];
}

function altered(alters: ReadonlySet<AlteredPart>, signals: 'kept' | 'replaced'): Future {
  return { kind: 'altered', alters, signals };
}

const OTHER_CLOCK_MS = 7_654_321_987;

async function differs(search: CauseSearch, control: DecisionRecorder, change: Change): Promise<boolean> {
  try {
    return differ(control, await played(search, change));
  } catch (error) {
    // Without its files a strategy may not even load.
    if (change.areFilesWithheld === true && isStrategyError(error)) return true;
    throw error;
  }
}

function played({ replays, play, instant, seed }: CauseSearch, change: Change): Promise<DecisionRecorder> {
  return replays.play({ play, instants: [instant], future: { kind: 'recorded' }, clockShiftMs: 0, seed, ...change });
}

function differ(one: DecisionRecorder, other: DecisionRecorder): boolean {
  return one.firstDifferent(other) !== undefined;
}

/** Whether it says that a strategy could not be loaded. */
export function isStrategyError(error: unknown): error is OddsmithError {
  return error instanceof OddsmithError && error.parts.code.startsWith('STRATEGY_');
}
