/** A paper run and the replay of its own tapes: the same decisions, orders and fills, instant by instant. */

import { readdirSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
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
