/** Compares a run's records with those of its replay, and says of each difference why. */

import {
  PARITY_CAUSES,
  type ParityCause,
  type ParityDifference,
  type ParityResult,
} from '../../report/parity/parity.ts';
import { nameCauses } from './causes.ts';
import { compare } from './compare.ts';
import { Evidence, type EvidenceParts, type Span } from './evidence.ts';
import { laneName, type RunRecord, type StepSequence, stepSequenceOf } from './step-sequence.ts';

/** What the comparison itself finds out about run and replay. */
export type OfStories = 'stepMs' | 'pairsOf' | 'ordersOf' | 'sentBefore';

interface ComparedRuns {
  readonly run: Iterable<RunRecord>;
  readonly replay: Iterable<RunRecord>;
  /** Markets that are on the tapes. */
  readonly span: Span;
  readonly updates: number;
  readonly evidence: Omit<EvidenceParts, OfStories>;
}

/** A paper run and its replay reckon times alike; in a live run answers and fills come over the network, with delays of their own. */
const TOLERANCES = { paper: { stepMs: 0, replyMs: 0 }, live: { stepMs: 250, replyMs: 250 } } as const;

export function compareRuns(parts: ComparedRuns): ParityResult {
  const { span, updates, evidence } = parts;
  const { mode } = evidence;
  const tolerance = TOLERANCES[mode];
  const run = stepSequenceOf(parts.run, span);
  const replay = stepSequenceOf(parts.replay, span);
  const { found, counts, pairs } = compare(run, replay, tolerance);
  const pairsOf = (strategy: string, market: string) => pairs.get(laneName(strategy, market)) ?? [];
  const ordersOf = (market: string) => [...run.orders.values()].filter(({ lane }) => lane.market === market);
  const sentBefore = (at: number) => ({ run: sentIn(run, at), replay: sentIn(replay, at) });
  const { stepMs } = tolerance;
  const differences = nameCauses(found, new Evidence({ ...evidence, stepMs, pairsOf, ordersOf, sentBefore }));
  const causes = countCauses(differences);
  return { mode, ...span, updates, counts, notCompared: run.leftOut, causes, differences };
}

const SECOND_MS = 1_000;

function sentIn({ orders }: StepSequence, at: number): number {
  return [...orders.values()].filter(({ sentAt }) => sentAt > at - SECOND_MS && sentAt <= at).length;
}

function countCauses(differences: readonly ParityDifference[]): ParityResult['causes'] {
  const counted = new Map(PARITY_CAUSES.map((cause) => [cause, { causes: 0, consequences: 0 }]));
  for (const { cause, follows } of differences) {
    const count = counted.get(cause);
    if (count !== undefined) count[follows === undefined ? 'causes' : 'consequences'] += 1;
  }
  return Object.fromEntries(counted) as Record<ParityCause, { causes: number; consequences: number }>;
}
