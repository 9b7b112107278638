/** Paper runs against replays of their own recordings: nothing differs, and what is changed in a replay is named. */

import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { ParityCause, ParityResult } from '../../../src/result/parity.ts';
import { paperRun } from '../../support/paper/paper-run.ts';
import { type Change, parityOf, replayed } from '../../support/paper/replayed.ts';
import { passive } from '../../support/paper/strategies.ts';

const NOON = Date.UTC(2026, 10, 20, 12);
const SEEDS = [1, 2, 3, 4, 5];

async function parity(seed: number, change?: Change, replays = [passive('a'), passive('b')]): Promise<ParityResult> {
  const plugins = [passive('a'), passive('b')];
  const run = paperRun({ seed, markets: 4, lengthMs: 20_000, startAt: NOON, plugins });
  try {
    return parityOf(run, await replayed(run, replays, change));
  } finally {
    rmSync(run.directory, { recursive: true });
  }
}

function causesOf({ differences }: ParityResult): readonly ParityCause[] {
  return differences.filter(({ follows }) => follows === undefined).map(({ cause }) => cause);
}

test('a paper run and its replay have no difference, over seeds', async () => {
  for (const seed of SEEDS) {
    const result = await parity(seed);
    expect({ seed, differences: result.differences }).toEqual({ seed, differences: [] });
    expect(result.counts.decision.same).toBeGreaterThan(30);
    expect(result.counts.fill.same).toBeGreaterThan(0);
  }
});

test('another latency is the first cause of all differences', async () => {
  for (const seed of SEEDS.slice(0, 3)) {
    const fixed = { kind: 'fixed', ms: 60 } as const;
    const result = await parity(seed, { latency: { request: fixed, response: fixed } });
    expect({ seed, first: causesOf(result)[0] }).toEqual({ seed, first: 'latency' });
    expect(result.causes.unexplained.causes + result.causes.nonDeterminism.causes).toBe(0);
  }
});

test('updates that are not on the tapes are missed polls, also where they lead to other differences', async () => {
  for (const seed of SEEDS.slice(0, 3)) {
    const result = await parity(seed, { isLost: (number) => number % 9 === 0 });
    expect({ seed, causes: [...new Set(causesOf(result))] }).toMatchObject({
      seed,
      causes: expect.arrayContaining(['missedPoll']),
    });
    expect({ seed, first: causesOf(result)[0] }).toEqual({ seed, first: 'missedPoll' });
  }
});

test('a strategy that uses chance is found out', async () => {
  const honest = passive('a');
  let calls = 0;
  const nonDeterministic = {
    ...honest,
    decide: (input: Parameters<NonNullable<typeof honest.decide>>[0]) => {
      calls += 1;
      return calls % 40 === 0 ? [] : (honest.decide?.(input) ?? []);
    },
  };
  const result = await parity(3, undefined, [nonDeterministic, passive('b')]);
  expect(causesOf(result)[0]).toBe('nonDeterminism');
});
