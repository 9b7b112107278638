/** Compares a run's records with those of its replay, and says of each difference why. */

import { PARITY_CAUSES, type ParityCause, type ParityDifference, type ParityResult } from '../../report/parity.ts';
import { nameCauses } from './causes.ts';
import { compare } from './compare.ts';
import { Evidence, type EvidenceParts, type Span } from './evidence.ts';
import { laneName, type RunRecord, storyOf } from './story.ts';

export interface ComparedRuns {
  readonly run: Iterable<RunRecord>;
  readonly replay: Iterable<RunRecord>;
  /** Of which the tapes know. */
  readonly span: Span;
  readonly updates: number;
  readonly evidence: Omit<EvidenceParts, 'stepMs' | 'pairsOf'>;
}

/** A paper run and its replay share one logic of time; live answers and fills reach the run by other ways. */
const TOLERANCES = { paper: { stepMs: 0, replyMs: 0 }, live: { stepMs: 250, replyMs: 250 } } as const;

export function compareRuns(parts: ComparedRuns): ParityResult {
  const { span, updates, evidence } = parts;
  const { mode } = evidence;
  const tolerance = TOLERANCES[mode];
  const run = storyOf(parts.run, span);
  const replay = storyOf(parts.replay, span);
  const { found, counts, pairs } = compare(run, replay, tolerance);
  const pairsOf = (strategy: string, market: string) => pairs.get(laneName(strategy, market)) ?? [];
  const differences = nameCauses(found, new Evidence({ ...evidence, stepMs: tolerance.stepMs, pairsOf }));
  const causes = countCauses(differences);
  return { mode, ...span, updates, counts, notCompared: run.leftOut, causes, differences };
}

function countCauses(differences: readonly ParityDifference[]): ParityResult['causes'] {
  const counted = new Map(PARITY_CAUSES.map((cause) => [cause, { causes: 0, consequences: 0 }]));
  for (const { cause, follows } of differences) {
    const count = counted.get(cause);
    if (count !== undefined) count[follows === undefined ? 'causes' : 'consequences'] += 1;
  }
  return Object.fromEntries(counted) as Record<ParityCause, { causes: number; consequences: number }>;
}
