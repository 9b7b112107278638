/** One live run an app, however its exchange is addressed. */

import { hostname } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { leaseApp } from '../../../src/app/live/exchange/app-lease.ts';

const HOLDER = { pid: process.pid, run: 'live-1', dir: '/tmp/run', since: 1 };

async function held(url: string, appId = `lease-${process.pid}`): Promise<void> {
  const lease = await leaseApp({ url, owner: { kind: 'app', name: appId } }, HOLDER);
  onTestFinished(() => lease.release());
}

test.each([
  ['http://localhost:4999', 'http://127.0.0.1:4999'],
  ['http://127.0.0.1:4999/', 'http://127.0.0.2:4999/api/'],
  ['http://[::1]:4999', 'http://LOCALHOST:4999'],
  ['http://localhost:4999', `http://${hostname()}:4999`],
  ['https://exchange.invalid', 'https://Exchange.invalid:443/'],
  ['https://exchange.invalid./api', 'wss://exchange.invalid'],
])('%s and %s are one exchange', async (one, other) => {
  await held(one);
  await expect(held(other)).rejects.toMatchObject({ parts: { code: 'HEARTBEAT_OWNED' } });
});

test('another port, another host and another app are another one', async () => {
  await held('http://localhost:4999');
  await held('http://localhost:5999');
  await held('http://exchange.invalid:4999');
  await held('http://localhost:4999', 'another');
});
