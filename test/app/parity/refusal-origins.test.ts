/** Each refusal that the run alone gave, and the cause it is named by. */

import { expect, test } from 'vitest';
import { compareRuns } from '../../../src/app/parity/compare-runs.ts';
import { REFUSAL_ORIGINS } from '../../../src/app/parity/refusal-origins.ts';
import type { RefusalCode } from '../../../src/core/refusal.ts';
import { MadeRun, START } from '../../support/paper/records.ts';

const CODES = Object.keys(REFUSAL_ORIGINS) as RefusalCode[];
/** A rate without any order in the second before is refused for no reason that is known. */
const CAUSES = { alone: 'rule', orders: 'rule', together: 'rule', guard: 'operator', rate: 'unexplained' } as const;

test.each(CODES)('%s of the run alone is named by what the refusal rests on', (code) => {
  const replay = new MadeRun();
  replay.order(1_000);
  const { differences } = compareRuns({
    run: new MadeRun().refused(1_000, code).records,
    replay: replay.records,
    span: { from: START, to: START + 60_000 },
    updates: 1,
    evidence: {
      ...{ mode: 'live', downs: [], stops: [], changed: new Set(), delayMaxMs: 400 },
      ...{ gaps: () => [], hasUpdate: () => true, firstUpdate: () => START },
    },
  });
  expect(differences[0]).toMatchObject({ step: 'refusal', cause: CAUSES[REFUSAL_ORIGINS[code]] });
});
