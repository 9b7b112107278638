/** A run and its replay, written by hand and compared: the differences as short lines. */

import { compareRuns } from '../../../src/app/parity/compare-runs.ts';
import type { EvidenceParts } from '../../../src/app/parity/evidence.ts';
import { runTimes } from '../../../src/app/parity/run-times.ts';
import type { ParityResult } from '../../../src/result/parity.ts';
import { type MadeRun, START } from './records.ts';

/** Of a live run, whose tapes have an update at each instant. */
export function comparedSides(run: MadeRun, replay: MadeRun, evidence: Partial<EvidenceParts> = {}): ParityResult {
  const { downs, stops, rateMoves, olderLimits } = runTimes(run.records);
  return compareRuns({
    ...{ run: run.records, replay: replay.records, updates: 1 },
    span: { from: START, to: START + 60_000 },
    evidence: {
      ...{ mode: 'live', downs, stops, rateMoves, olderLimits, changed: new Set(), delayMaxMs: 400, gaps: () => [] },
      ...{ hasUpdate: () => true, firstUpdate: () => START },
      ...evidence,
    },
  });
}

/** `number step cause`, with what it follows. */
export function told({ differences }: ParityResult): readonly string[] {
  return differences.map(
    ({ number, step, cause, follows }) =>
      `#${number} ${step} ${cause}${follows === undefined ? '' : ` follows #${follows}`}`,
  );
}
