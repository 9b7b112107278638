/** The daemon before the Betfair sandbox as processes: its login by a certificate, bets of others, a second daemon, a refused login. */

import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import forge from 'node-forge';
import { expect, test } from 'vitest';
import { BetfairStage } from '../../support/daemon/betfair-stage.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const TRADING = /arming → trading/;
const DAY_MS = 86_400_000;

/** A certificate that signs itself, as Betfair wants one. */
function writeCertificate(directory: string): string {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(publicKey);
  certificate.serialNumber = '01';
  certificate.validity.notBefore = new Date(Date.now() - DAY_MS);
  certificate.validity.notAfter = new Date(Date.now() + DAY_MS);
  const name = [{ name: 'commonName', value: 'owner' }];
  certificate.setSubject(name);
  certificate.setIssuer(name);
  certificate.sign(forge.pki.privateKeyFromPem(privateKey), forge.md.sha256.create());
  writeFileSync(join(directory, 'client.crt'), forge.pki.certificateToPem(certificate));
  writeFileSync(join(directory, 'client.key'), privateKey);
  return `certificate: ${join(directory, 'client.crt')}\n    key: ${join(directory, 'client.key')}\n    url:`;
}

test('it logs in by its certificate, names the bets of others, leaves them alone, and is the only one of its account', async () => {
  const arrivals = join(temporaryDirectory('arrivals'), 'arrivals.log');
  const stage = await BetfairStage.open(['--arrivals', arrivals]);
  const { owner } = stage.exchange;
  const { followed, other } = await stage.markets();
  const wish = { side: 'For', price: 900, stake: 3 } as const;
  const theirs = [
    ...(await owner.place(followed.id, [{ ...wish, outcomeId: followed.outcomeId }])),
    ...(await owner.place(other.id, [{ ...wish, outcomeId: other.outcomeId, reference: 'another-run-7' }])),
  ];
  const lines = writeCertificate(stage.directory);
  const config = stage.config({ change: (text) => text.replace('url:', lines) });
  const daemon = stage.start('run', config);
  await daemon.until(TRADING, 30_000);
  await daemon.until('bets of others: 2 bets, 2 live, 6.00 at stake in 2 markets', 5_000);
  expect(readFileSync(arrivals, 'utf8')).toContain('/api/certlogin');
  await expect.poll(async () => (await stage.live()).length, { timeout: 10_000 }).toBeGreaterThan(theirs.length);

  const status = await stage.start('status', '--dir', join(stage.directory, 'run'), '--json').ended;
  expect(status.out).toContain('"othersOrders":{"orders":2,"live":2,"stake":6,');

  const second = await stage.start('run', stage.config({ name: 'second' })).ended;
  expect(second.code).toBe(2);
  expect(second.note).toMatch(/HEARTBEAT_OWNED {2}Another run of this account/);

  daemon.kill('SIGTERM');
  expect((await daemon.ended).code).toBe(0);
  expect([...(await stage.live())].sort()).toEqual([...theirs].sort());
}, 90_000);

test('what it records begins without a gap', async () => {
  const stage = await BetfairStage.open();
  const daemon = stage.start('run', stage.config({ change: (text) => `${text}record: true\n` }));
  await daemon.until(TRADING, 30_000);
  await expect.poll(async () => (await stage.live()).length, { timeout: 10_000 }).toBeGreaterThan(0);
  daemon.kill('SIGTERM');
  const { code, out, note } = await daemon.ended;
  expect(code).toBe(0);
  const lines = `${out}${note}`.split('\n');
  expect(lines.filter((line) => /tape: [1-9]\d* markets, [1-9]\d* updates/.test(line))).toHaveLength(1);
  expect(lines.filter((line) => line.includes('RECORDING_GAP'))).toEqual([]);
}, 60_000);

test('without a certificate where one is wanted, a start says so and ends', async () => {
  const stage = await BetfairStage.open();
  await stage.exchange.control.call('POST', '/faults', { kind: 'error', code: 'CERT_AUTH_REQUIRED' });
  const { code, note } = await stage.start('run', stage.config()).ended;
  expect(code).toBe(4);
  expect(note).toMatch(/EXCHANGE_NOT_AUTHORISED[\s\S]*CERT_AUTH_REQUIRED[\s\S]*exchange\.betfair\.certificate/);
}, 60_000);

test('a ban from login is waited for at the start, and named', async () => {
  const stage = await BetfairStage.open();
  const code = 'TEMPORARY_BAN_TOO_MANY_REQUESTS';
  await stage.exchange.control.call('POST', '/faults', { kind: 'error', code });
  const daemon = stage.start('run', stage.config());
  await daemon.until(new RegExp(`cannot be reached: ${code}`), 30_000);
  daemon.kill('SIGTERM');
  expect((await daemon.ended).code).toBe(0);
}, 60_000);

test('a login that is refused for good while it runs ends it, with an alert that says what to do', async () => {
  const stage = await BetfairStage.open();
  const { control, owner } = stage.exchange;
  const daemon = stage.start('run', stage.config());
  await daemon.until(TRADING, 30_000);
  await control.call('POST', '/faults', { kind: 'error', code: 'ACCOUNT_NOW_LOCKED' });
  await control.call('POST', '/sessions/end', { appId: owner.account });
  const { code, out, note } = await daemon.ended;
  expect(code).toBe(4);
  expect(out + note).toMatch(/SESSION_LOST.*ACCOUNT_NOW_LOCKED\. The account is locked, suspended or closed/);
}, 60_000);
