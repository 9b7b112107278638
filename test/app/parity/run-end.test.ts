/** The end of a run: what its strategies were not asked any more is not compared, and what they were asked before is. */

import { expect, test } from 'vitest';
import { compareRuns } from '../../../src/app/parity/compare-runs.ts';
import { spanOf } from '../../../src/app/parity/parity-run.ts';
import { runTimes } from '../../../src/app/parity/run-times.ts';
import { instant } from '../../../src/core/number/units.ts';
import { MadeRun, START } from '../../support/paper/records.ts';

/** Trades from its second second on, and is asked to end in it: its strategy is called in one of two markets. */
function interrupted(unaskedSince: number | undefined): MadeRun {
  const run = new MadeRun();
  run.add(1_000, { kind: 'phase', from: 'arming', to: 'trading', cause: 'all is known' });
  run.order(1_000, { market: 'm' }, 'status');
  const unasked = unaskedSince === undefined ? {} : { unaskedSince: START + unaskedSince };
  return run.add(1_024, { kind: 'phase', from: 'trading', to: 'ending', cause: 'SIGINT', ...unasked });
}

/** A replay is not interrupted. */
function replayed(at = 1_000): MadeRun {
  const replay = new MadeRun();
  replay.order(1_000, { market: 'm' }, 'status');
  replay.order(at, { market: 'n' }, 'status');
  return replay;
}

function differencesOf(run: MadeRun, replay = replayed()) {
  const times = runTimes(run.records);
  const span = spanOf([{ market: { firstAt: instant(START), lastAt: instant(START + 3_000) } }], times);
  return compareRuns({
    ...{ run: run.records, replay: replay.records, updates: 1, span },
    evidence: {
      ...{ mode: 'paper', downs: times.downs, stops: times.stops, changed: new Set(), delayMaxMs: 400 },
      ...{ hasUpdate: () => false, firstUpdate: () => START, gaps: () => [] },
    },
  }).differences;
}

test('the instant in which it was interrupted is not compared', () => {
  expect(differencesOf(interrupted(1_000))).toEqual([]);
});

test('what differs before that is', () => {
  const run = interrupted(1_020);
  expect(differencesOf(run)).toMatchObject([{ step: 'decision', market: 'n' }, { step: 'order' }]);
});
