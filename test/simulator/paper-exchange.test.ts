/** A paper run and the replay of its own tapes: the same decisions, orders and fills, instant by instant. */

import { readdirSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { money } from '../../src/core/number/units.ts';
import type { StrategyPlugin } from '../../src/strategy/contract.ts';
import { paperRun } from '../support/paper/paper-run.ts';
import { replayed } from '../support/paper/replayed.ts';
import { passive } from '../support/paper/strategies.ts';

const NOON = Date.UTC(2026, 10, 20, 12);
const BEFORE_MIDNIGHT = Date.UTC(2026, 10, 20, 23, 59, 45);

test.each([
  ['within a day', NOON, undefined],
  ['over midnight, onto a second tape', BEFORE_MIDNIGHT, undefined],
  ['with a heartbeat that the replay knows nothing of', NOON, 12_000],
])('%s, over seeds', async (_name, startAt, heartbeatMs) => {
  for (let seed = 1; seed <= 4; seed += 1) {
    const options = { seed, markets: 5, lengthMs: 30_000, startAt, plugins: [passive('a'), passive('b')] };
    const run = paperRun({ ...options, ...(heartbeatMs === undefined ? {} : { heartbeatMs }) });
    expect(run.records.filter(({ record }) => record.kind === 'decided').length).toBeGreaterThan(50);
    expect(run.records.some(({ record }) => record.kind === 'reported' && record.stakeMatched > 0)).toBe(true);
    expect(readdirSync(run.directory).length).toBe(startAt === NOON ? 1 : 2);
    const again = await replayed(run, options.plugins);
    expect({ seed, records: again.records }).toEqual({ seed, records: run.records });
    rmSync(run.directory, { recursive: true });
  }
});

/** Takes with less than the smallest stake, with a part of the step, and with enough. */
const taker: StrategyPlugin = {
  name: 'taker',
  decide({ market, orders, now }) {
    const [outcome] = market.outcomes;
    const price = outcome?.bestAgainst?.price;
    if (!market.tradable || orders.length > 0 || outcome === undefined || price === undefined) return [];
    const stake = [5, 30.005, 30][now % 3] ?? 0;
    const order = { market: market.id, outcome: outcome.id, side: 'For', price, stake } as const;
    return [{ kind: 'place', ...order, matchBehavior: 'CancelUnmatched' }];
  },
};

test('the smallest stake, its step and the least fill are those of the exchange, and the tapes tell them to the replay', async () => {
  const minimumStake = { stake: money(20_000_000), step: money(10_000) };
  const options = { seed: 3, markets: 3, lengthMs: 20_000, startAt: NOON, plugins: [taker], minimumStake };
  const run = paperRun(options);
  const records = run.records.map(({ record }) => record);
  const codes = records.flatMap((record) => (record.kind === 'refused' ? [record.code] : []));
  expect(codes).toEqual(expect.arrayContaining(['STAKE_BELOW_MINIMUM', 'STAKE_INVALID']));
  const matched = records.flatMap((record) => (record.kind === 'reported' ? [record.stakeMatched] : []));
  expect(matched).toContain(0);
  expect(matched.some((stake) => stake >= 20_000_000)).toBe(true);
  expect(matched.filter((stake) => stake > 0 && stake < 20_000_000)).toEqual([]);
  const again = await replayed(run, options.plugins);
  expect(again.records).toEqual(run.records);
});
