/** A paper run in which an operator acts at any moment, against its replay: the same records at the same instants. */

import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { money } from '../../../src/core/number/units.ts';
import { BY_DRAWDOWN } from '../../../src/core/run/risk-memory.ts';
import type { LatencyModel } from '../../../src/simulator/gateway/latency.ts';
import { type OperatedRun, operatedParity, operatedRun } from '../../support/paper/operated-run.ts';
import { type KeptRecord, PAPER } from '../../support/paper/paper-run.ts';
import { passive } from '../../support/paper/strategies.ts';

const NOON = Date.UTC(2026, 10, 20, 12);
const FIXED: LatencyModel = { request: { kind: 'fixed', ms: 80 }, response: { kind: 'fixed', ms: 40 } };
const NONE: LatencyModel = { request: { kind: 'fixed', ms: 0 }, response: { kind: 'fixed', ms: 0 } };
/** What strategies, risk and the exchange did; the others are of the process and its operator. */
const KINDS: readonly string[] = ['decided', 'refused', 'sent', 'rejected', 'cancelSent', 'reported', 'settled'];
const plugins = () => [passive('a'), passive('b')];

function within(records: readonly KeptRecord[], { from, to }: { from: number; to: number }): readonly KeptRecord[] {
  return records.filter(({ at, record }) => at >= from && at <= to && KINDS.includes(record.kind));
}

/** What either did within the time that is compared is the same, record by record. */
async function expectSame(seed: number, run: OperatedRun): Promise<void> {
  const { result, replayed, span } = await operatedParity(run, plugins());
  expect({ seed, records: within(replayed, span) }).toEqual({ seed, records: within(run.records, span) });
  expect({ seed, differences: result.differences }).toEqual({ seed, differences: [] });
  expect(result.counts.decision.same).toBeGreaterThan(30);
  // The time of the run does not go back, also where an operator was faster than its timers.
  expect(run.records.map(({ at }) => at)).toEqual(run.records.map(({ at }) => at).toSorted((a, b) => a - b));
  rmSync(run.directory, { recursive: true });
}

test.each([
  ['delays by chance, and a disk that takes no time', PAPER.latency, 0],
  ['delays by chance, and a disk that takes 7 ms', PAPER.latency, 7],
  ['fixed delays, and a disk that takes 7 ms', FIXED, 7],
  ['no delays, and a disk that takes 0.3 ms', NONE, 0.3],
])('with %s, a replay does what the operator did at the same instants, over seeds', async (_, latency, commitMs) => {
  for (let seed = 1; seed <= 3; seed += 1) {
    const run = operatedRun({ seed, startAt: NOON, lengthMs: 20_000, latency, commitMs, plugins });
    expect(run.acts).toBeGreaterThan(10);
    expect(run.cancelled).toBeGreaterThan(5);
    await expectSame(seed, run);
  }
});

// By these seeds other markets are decided on in the millisecond of the result, before it.
test.each([
  [102, 'halted'],
  [117, 'reduceOnly'],
] as const)(
  'a limit on results stops the replay in the middle of an instant, as it did the run: seed %i',
  async (seed, action) => {
    const limits = { drawdown: { amount: money(1_000_000), action } };
    const lengthMs = 10_000;
    const run = operatedRun({ seed, startAt: NOON, lengthMs, latency: PAPER.latency, commitMs: 7, plugins, limits });
    expect(run.records.some(({ record }) => record.kind === 'trading' && record.by === BY_DRAWDOWN)).toBe(true);
    await expectSame(seed, run);
  },
);

test('what a wallet that could not be read refused is refused by the replay', async () => {
  const plain = { seed: 1, startAt: NOON, lengthMs: 20_000, latency: FIXED, commitMs: 0, plugins };
  const run = operatedRun({ ...plain, oddWalletMs: { from: 5_000, to: 12_000 } });
  const late = run.records.filter(({ record }) => record.kind === 'freshness' && record.wallet !== undefined);
  expect(late.map(({ record }) => record)).toMatchObject([
    { wallet: 'second', isLate: true },
    { wallet: 'second', isLate: false },
  ]);
  const [from = 0, to = 0] = late.map(({ at }) => at);
  const of = (kind: string, strategy: string) =>
    run.records.filter(
      ({ at, record }) =>
        at > from && at < to && record.kind === kind && 'strategy' in record && record.strategy === strategy,
    );
  expect([of('sent', 'b').length, of('sent', 'a').length > 0]).toEqual([0, true]);
  await expectSame(1, run);
});
