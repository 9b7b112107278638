/** A whole campaign of fuzzed requests against one sandbox: what is known, the bombardment, and the state afterwards. */

import { readFileSync } from 'node:fs';
import { ControlClient } from '../vendor/control-client.ts';
import type { SandboxProcess } from '../vendor/sandbox-process.ts';
import { type Json, VendorClient } from '../vendor/vendor-client.ts';
import { bombard, type Outcome } from './bombard.ts';

export interface Campaign extends Outcome {
  /** Resident memory of the sandbox in MiB, once each thousand requests. */
  readonly memory: readonly number[];
}

export async function fuzzSandbox(
  sandbox: SandboxProcess,
  { requests, seed, onProgress }: { requests: number; seed: number; onProgress?: (done: number, mib: number) => void },
): Promise<Campaign> {
  const client = new VendorClient(sandbox.url);
  await client.login(sandbox.appId, sandbox.apiKey);
  const known = await worldOf(client, sandbox);
  let token = client.token ?? '';
  let uses = 0;
  const memory: number[] = [];
  const outcome = await bombard({
    ...{ url: sandbox.url, requests, seed, known },
    token: async () => {
      uses += 1;
      if (uses % 5000 === 0) token = (await client.login(sandbox.appId, sandbox.apiKey)).accessToken;
      return token;
    },
    onProgress: (done) => {
      memory.push(residentMib(sandbox.pid));
      onProgress?.(done, memory.at(-1) ?? 0);
    },
  });
  client.close();
  const control = new ControlClient(sandbox);
  return { ...outcome, breaches: [...outcome.breaches, ...(await control.troubles())], memory };
}

async function worldOf(client: VendorClient, sandbox: SandboxProcess): Promise<Map<string, string[]>> {
  const known = new Map<string, string[]>();
  const put = (names: readonly string[], values: readonly string[]) => {
    for (const name of names) known.set(name, [...values]);
  };
  const ids = (documents: readonly Json[]) => documents.map(({ id }: Json) => String(id));
  const { body: markets } = await client.call('GET /markets', { query: { size: 100 } });
  put(['markets.id', 'marketId', 'marketIds'], ids(markets.markets));
  put(['outcomeId'], ids(markets.marketOutcomes));
  put(['events.id', 'eventId', 'eventIds'], ids(markets.events));
  put(['walletId', 'walletIds', 'wallets.id'], [sandbox.walletId]);
  put(['appId', 'appIds', 'ownerAppIds', 'apps.id'], [sandbox.appId]);
  // A key of its own to lose: the session's must last.
  const { body: keys } = await client.call('POST /api-keys', { body: { appId: sandbox.appId } });
  put(['apiKey'], [keys.apiKeys[0].secret]);
  put(['currencyId', 'currencyIds'], ['USDC']);
  put(
    ['reference', 'references'],
    Array.from({ length: 200 }, (_, index) => `fuzz-${index}`),
  );
  put(['source'], ['FFT']);
  return known;
}

function residentMib(pid: number): number {
  const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kib) / 1024);
}
