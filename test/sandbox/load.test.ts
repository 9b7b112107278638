/** Short forms of the long campaigns (`fuzz:requests`, `hammer`, `soak:sessions`) against the sandbox as a process. */

import { afterEach, expect, test } from 'vitest';
import { hammerWithTwoApps } from '../support/hammer/two-apps.ts';
import { fuzzSandbox } from '../support/request-fuzz/campaign.ts';
import { soakSessions } from '../support/session-soak.ts';
import { type SandboxProcess, startSandbox } from '../support/vendor/sandbox-process.ts';

let sandbox: SandboxProcess | undefined;

afterEach(async () => {
  await sandbox?.remove();
  sandbox = undefined;
});

test('fuzzed requests and raw bytes find no 5xx, no trace, no hung connection, and no money moves', async () => {
  sandbox = await startSandbox();
  const { counts, breaches } = await fuzzSandbox(sandbox, { requests: 3000, seed: 7 });
  expect(breaches).toEqual([]);
  // The campaign gets both successful answers and refusals of many kinds.
  for (const status of ['200', '400', '401', '404', '405', '415']) expect(counts.get(status)).toBeGreaterThan(5);
  expect(counts.get('200')).toBeGreaterThan(1000);
});

test('two apps hammer one market from two processes: no order lost, doubled or foreign, all money there', async () => {
  sandbox = await startSandbox();
  const { findings, breaches } = await hammerWithTwoApps(sandbox, { seconds: 3, seed: 7 });
  expect(breaches).toEqual([]);
  for (const found of findings) {
    expect(found.accepted).toBeGreaterThan(100);
    expect(found.trades).toBeGreaterThan(100);
    expect(found.cancelled).toBeGreaterThan(0);
  }
});

test('a bot polls and places through many refreshes and a new log-in without a failed call', async () => {
  sandbox = await startSandbox({ args: ['--memory', '--access-token-ms', '2000', '--refresh-token-ms', '10000'] });
  const { breaches, refreshes, ordersPlaced } = await soakSessions(sandbox, 12);
  expect(breaches).toEqual([]);
  expect(refreshes).toBeGreaterThan(5);
  expect(ordersPlaced).toBeGreaterThan(10);
});
