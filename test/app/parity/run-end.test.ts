/** A run that was ended by a signal in the middle of a turn: what its strategies were not asked any more is not compared. */

import { expect, test } from 'vitest';
import { compareRuns } from '../../../src/app/parity/compare-runs.ts';
import { spanOf } from '../../../src/app/parity/parity-run.ts';
import { runTimes } from '../../../src/app/parity/run-times.ts';
import { instant } from '../../../src/core/units.ts';
import { MadeRun, START } from '../../support/paper/records.ts';

/** Trades from its second second on, and is told to end in it: of two markets, one is asked. */
function interrupted(unaskedSince: number | undefined): MadeRun {
  const run = new MadeRun();
  run.add(1_000, { kind: 'phase', from: 'arming', to: 'trading', cause: 'all is known' });
  run.order(1_000, { market: 'm' }, 'status');
  const unasked = unaskedSince === undefined ? {} : { unaskedSince: START + unaskedSince };
  return run.add(1_024, { kind: 'phase', from: 'trading', to: 'ending', cause: 'SIGINT', ...unasked });
}

/** Nobody interrupts a replay. */
function replayed(): MadeRun {
  const replay = new MadeRun();
  for (const market of ['m', 'n']) replay.order(1_000, { market }, 'status');
  return replay;
}

function differencesOf(run: MadeRun) {
  const times = runTimes(run.records);
  const span = spanOf([{ market: { firstAt: instant(START), lastAt: instant(START + 3_000) } }], times);
  return compareRuns({
    ...{ run: run.records, replay: replayed().records, updates: 1, span },
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
