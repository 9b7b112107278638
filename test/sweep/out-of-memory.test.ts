/** A unit that takes all memory costs its thread: it is set aside with its error, and the sweep goes on. */

import { expect, test } from 'vitest';
import { threadEngine } from '../../src/app/sweep/open-sweep.ts';
import { SweepStage } from '../support/sweep/sweep-stage.ts';

const HEAP_MB = 96;
/** Of the market `win-1`: what is kept grows without end. */
const GREEDY = "if (market.id === 'win-1') for (const kept: number[][] = []; ; ) kept.push(new Array(5000).fill(0.5));";

test('a strategy that allocates without end ends its thread three times, and no other unit', async () => {
  const stage = new SweepStage({ trials: 2, races: 3 });
  stage.space = { 'params.stake': { values: [2] } };
  stage.writeStrategy(GREEDY);
  const { outcome, counts, failures, ranked } = await stage.play({ engine: threadEngine(stage.tapes, 1, HEAP_MB) });
  expect(outcome.units).toMatchObject({ total: 3, failed: 1 });
  expect(counts).toEqual({ units: 2, computed: 2 });
  expect(ranked.map(({ state }) => state)).toEqual(['failed']);
  expect(failures).toMatchObject([
    {
      ...{ deaths: 3, isAside: true },
      error: {
        code: 'UNIT_DIED',
        what: expect.stringContaining('race-1'),
        where: expect.stringContaining('quote.ts'),
        why: expect.stringMatching(/memory/),
        next: expect.stringContaining('fewer jobs'),
      },
    },
  ]);
});
