/** Short forms of the long campaigns (`fuzz:requests`, `hammer`, `soak:sessions`) against the sandbox as a process. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hammerWithTwoApps } from '../support/hammer/two-apps.ts';
import { fuzzSandbox } from '../support/request-fuzz/campaign.ts';
import { soakSessions } from '../support/session-soak.ts';
import { type SandboxProcess, startSandbox } from '../support/vendor/sandbox-process.ts';

describe('a sandbox as it starts', () => {
  let sandbox: SandboxProcess;
  beforeAll(async () => {
    sandbox = await startSandbox();
  });
  afterAll(() => sandbox.remove());

  test('gives fuzzed requests and raw bytes no 5xx, no trace, no hung connection, and moves no money', async () => {
    const { counts, breaches } = await fuzzSandbox(sandbox, { requests: 1_500, seed: 7 });
    expect(breaches).toEqual([]);
    // The campaign gets both successful answers and refusals of many kinds.
    for (const status of ['200', '400', '401', '404', '405', '415']) expect(counts.get(status)).toBeGreaterThan(2);
    expect(counts.get('200')).toBeGreaterThan(500);
  });

  test('hammered by two apps in two processes on one market loses, doubles and mixes up no order and no money', async () => {
    const { findings, breaches } = await hammerWithTwoApps(sandbox, { seconds: 1, seed: 7 });
    expect(breaches).toEqual([]);
    for (const found of findings) {
      expect(found.accepted).toBeGreaterThan(100);
      expect(found.trades).toBeGreaterThan(100);
      expect(found.cancelled).toBeGreaterThan(0);
    }
  });
});

test('a bot polls and places through many refreshes of its tokens without a failed call', async () => {
  const args = ['--memory', '--access-token-ms', '1000', '--refresh-token-ms', '5000'];
  const sandbox = await startSandbox({ args });
  const { breaches, refreshes, ordersPlaced } = await soakSessions(sandbox, 4).finally(() => sandbox.remove());
  expect(breaches).toEqual([]);
  expect(refreshes).toBeGreaterThan(4);
  expect(ordersPlaced).toBeGreaterThan(4);
});
