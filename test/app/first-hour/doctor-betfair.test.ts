/** `oddsmith doctor` of a run before the Betfair sandbox: what is wrong with keys, certificate, account, clock and stream, and what to do. */

import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { serverCertificate } from '../../../src/sandbox-betfair/server/certificates.ts';
import { BetfairStage } from '../../support/daemon/betfair-stage.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { run } from '../fake-terminal.ts';

interface Found {
  readonly check: string;
  readonly status: string;
  readonly found: string;
  readonly next?: string;
  readonly code?: string;
}

async function open(args: readonly string[] = []): Promise<BetfairStage> {
  const stage = await BetfairStage.open(args);
  for (const [name, value] of Object.entries(stage.exchange.env)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  return stage;
}

async function doctor(config: string) {
  const { code, out } = await run('doctor', config, '--json');
  const { checks }: { readonly checks: readonly Found[] } = JSON.parse(out);
  return { code, of: (name: string) => checks.find(({ check }) => check === name) };
}

const fault = (stage: BetfairStage, body: object) => stage.exchange.control.call('POST', '/faults', body);

test('all is well, and nothing is placed or armed', async () => {
  const stage = await open();
  const { code, of } = await doctor(stage.config());
  expect(of('exchange')).toMatchObject({ status: 'ok', found: expect.stringContaining('lets the account owner in') });
  expect(of('clock')).toMatchObject({ status: 'ok' });
  expect(of('stream')).toMatchObject({ status: 'ok' });
  expect(of('wallets')).toMatchObject({ status: 'ok' });
  expect(code).toBe(0);
  expect(await stage.live()).toEqual([]);
}, 60_000);

test('what a lapse of the account’s heartbeat would cancel of others is told before a start, and no heartbeat is sent', async () => {
  const arrivals = join(temporaryDirectory('arrivals'), 'arrivals.log');
  const stage = await open(['--arrivals', arrivals]);
  expect((await doctor(stage.config())).of('heartbeat')).toMatchObject({
    ...{ status: 'ok', found: 'a lapse would cancel nothing now; the account has no unmatched orders' },
  });
  const { followed } = await stage.markets();
  const wish = { outcomeId: followed.outcomeId, side: 'For', price: 900, stake: 3 } as const;
  await stage.exchange.owner.place(followed.id, [wish, { ...wish, reference: 'another-run-7' }]);
  const { code, of } = await doctor(stage.config());
  expect(code).toBe(0);
  expect(of('heartbeat')).toMatchObject({
    ...{ status: 'warning', found: expect.stringContaining('cancel 2 unmatched orders of the account') },
    next: expect.stringContaining('heartbeat: none'),
  });
  expect(await stage.live()).toHaveLength(2);
  const lines = readFileSync(arrivals, 'utf8');
  expect(lines).toContain('listCurrentOrders');
  expect(lines).not.toContain('HeartbeatAPING');

  const unguarded = (text: string) => text.replace(/heartbeat: .*/, 'heartbeat: none');
  expect((await doctor(stage.config({ change: unguarded }))).of('heartbeat')).toBeUndefined();
  const daemon = stage.start('run', stage.config({ name: 'at-work' }));
  await daemon.until('arming → trading', 30_000);
  expect((await doctor(stage.config({ name: 'at-work' }))).of('heartbeat')).toBeUndefined();
  daemon.kill('SIGTERM');
  await daemon.ended;
  await fault(stage, { kind: 'error', code: 'TOO_MUCH_DATA', operations: ['listCurrentOrders'] });
  expect((await doctor(stage.config())).of('heartbeat')).toMatchObject({
    ...{ status: 'failed', found: expect.stringContaining('TOO_MUCH_DATA') },
  });
}, 60_000);

test('keys that are missing are named, and the exchange is asked by its own authority all the same', async () => {
  const stage = await open();
  const unset = (text: string) => text.replace('BETFAIR_PASSWORD', 'BETFAIR_NOT_SET');
  const { code, of } = await doctor(stage.config({ change: unset }));
  expect(code).toBe(2);
  expect(of('keys')).toMatchObject({ status: 'failed', found: 'BETFAIR_NOT_SET is not set' });
  expect(of('exchange')).toMatchObject({
    status: 'warning',
    found: expect.stringMatching(/answers; whether it lets us in/),
  });
  expect(of('clock')).toMatchObject({ status: 'ok' });
  const noAuthority = (text: string) => unset(text).replace(/authority: .*/, 'authority: not/there.crt');
  expect((await doctor(stage.config({ change: noAuthority }))).of('exchange')).toMatchObject({
    status: 'failed',
    found: 'the file of its authority, not/there.crt, is not there',
  });
}, 60_000);

test('a wrong password, a wrong key and a locked account are told apart', async () => {
  const stage = await open();
  vi.stubEnv('BETFAIR_PASSWORD', 'another');
  const wrong = await doctor(stage.config());
  expect(wrong.code).toBe(4);
  expect(wrong.of('exchange')).toMatchObject({
    ...{ status: 'failed', code: 'EXCHANGE_NOT_AUTHORISED' },
    found: expect.stringContaining('INVALID_USERNAME_OR_PASSWORD'),
    next: expect.stringContaining('exchange.betfair.password'),
  });
  vi.stubEnv('BETFAIR_PASSWORD', stage.exchange.env['BETFAIR_PASSWORD']);
  await fault(stage, { kind: 'error', code: 'ACCOUNT_NOW_LOCKED', count: 1 });
  expect((await doctor(stage.config())).of('exchange')?.next).toContain('locked, suspended or closed');
  await fault(stage, { kind: 'error', code: 'INVALID_APP_KEY', operations: ['getAccountDetails'] });
  const key = await doctor(stage.config());
  expect(key.of('exchange')).toMatchObject({
    ...{ status: 'failed', code: 'EXCHANGE_NOT_AUTHORISED', found: expect.stringContaining('INVALID_APP_KEY') },
    next: expect.stringContaining('exchange.betfair.appKey'),
  });
}, 60_000);

test('a certificate that is missing, or is none, is named', async () => {
  const stage = await open();
  await fault(stage, { kind: 'error', code: 'CERT_AUTH_REQUIRED', count: 1 });
  expect((await doctor(stage.config())).of('exchange')?.next).toContain('exchange.betfair.certificate');
  const named = (certificate: string, key: string) => (text: string) =>
    text.replace('url:', `certificate: ${certificate}\n    key: ${key}\n    url:`);
  const absent = await doctor(stage.config({ change: named('no.crt', 'no.key') }));
  expect(absent.code).toBe(2);
  expect(absent.of('exchange')?.found).toContain('The file no.crt cannot be read.');
  const file = join(stage.directory, 'garbage.pem');
  writeFileSync(file, 'no certificate');
  const garbage = await doctor(stage.config({ change: named(file, file) }));
  expect(garbage.of('exchange')).toMatchObject({ status: 'failed', next: expect.stringContaining('certificate') });
}, 60_000);

test('an account in another currency is refused with the reason', async () => {
  const stage = await open(['--account', 'owner:EUR']);
  const { code, of } = await doctor(stage.config());
  expect(code).toBe(4);
  expect(of('exchange')).toMatchObject({
    ...{ status: 'failed', found: expect.stringContaining('the account is in EUR') },
    next: expect.stringContaining('Only accounts in GBP'),
  });
}, 60_000);

test('a clock that is away is named', async () => {
  const stage = await open();
  const { key, certificate } = serverCertificate(join(stage.sandbox.directory, 'runs'), Date.now());
  const { port } = new URL(stage.sandbox.url);
  const proxy = createServer({ key, cert: certificate }, (incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const options = { host: '127.0.0.1', port, method, path, headers, rejectUnauthorized: false };
    const onward = request(options, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, {
        ...answer.headers,
        date: new Date(Date.now() + 60_000).toUTCString(),
      });
      answer.pipe(outgoing);
    });
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void proxy.close());
  const url = `https://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const { code, of } = await doctor(stage.config({ change: (text) => text.replace(stage.sandbox.url, url) }));
  expect(code).toBe(2);
  expect(of('clock')).toMatchObject({ status: 'failed', found: expect.stringMatching(/ms behind the exchange/) });
}, 60_000);

test('a stream that is not there, or takes no more connections, is named', async () => {
  const stage = await open();
  const nowhere = await doctor(stage.config({ change: (text) => text.replace(/tls:.*/, 'tls://127.0.0.1:1') }));
  expect(nowhere.code).toBe(4);
  expect(nowhere.of('exchange')).toMatchObject({ status: 'ok' });
  expect(nowhere.of('stream')).toMatchObject({
    ...{ status: 'failed', found: expect.stringContaining('tls://127.0.0.1:1 is not up') },
    next: expect.stringContaining('exchange.betfair.streamUrl'),
  });
  await fault(stage, { kind: 'error', code: 'MAX_CONNECTION_LIMIT_EXCEEDED' });
  expect((await doctor(stage.config())).of('stream')?.found).toContain('MAX_CONNECTION_LIMIT_EXCEEDED');
}, 60_000);
