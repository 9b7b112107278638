/** What BetDEX's refusals mean: whose fault it is that there is no session, and whether a wallet is there. */

import { expect, test } from 'vitest';
import { accessReport, requestEvent, walletReport } from '../../src/betdex/access.ts';

const URL = 'https://exchange.example';
const FAILED = { kind: 'failed', code: 'NO_SESSION', details: 'no' } as const;
const REFUSED = { kind: 'refused', title: 'No', details: [], mayHaveActed: false } as const;

test.each([400, 401, 403])('%i says that the key or the app is wrong', (status) => {
  const report = accessReport({ ...FAILED, status }, { url: URL, proxy: undefined });
  expect(report).toMatchObject({ isRefused: true, next: 'Check exchange.appId and exchange.apiKey.' });
});

test('any other status, and none, is an exchange that is away; a proxy is shown without its password', () => {
  const away = { isRefused: false, where: URL, next: 'Check exchange.url and that the exchange is up.' };
  expect(accessReport({ ...FAILED, status: 503 }, { url: URL, proxy: undefined })).toMatchObject(away);
  expect(accessReport(FAILED, { url: URL, proxy: undefined })).toMatchObject(away);
  expect(accessReport(FAILED, { url: URL, proxy: 'http://user:secret@proxy.example:3128' })).toMatchObject({
    where: `${URL} through the proxy proxy.example:3128`,
    next: 'Check exchange.proxy and exchange.url, and that both are up.',
  });
});

test('a session that the exchange refuses by 401 or 403 would be refused again, and no other', () => {
  const isRefused = (status?: number) => {
    const event = { kind: 'sessionFailed', details: 'no', retryInMs: 1 } as const;
    return requestEvent(status === undefined ? event : { ...event, status });
  };
  expect([401, 403, 400, 503, undefined].map((status) => isRefused(status))).toMatchObject(
    [true, true, false, false, false].map((each) => ({ isRefused: each })),
  );
});

test('a wallet is absent where the exchange itself says so, and not where a proxy does', () => {
  expect(walletReport({ kind: 'answered', answer: {} }).kind).toBe('shown');
  for (const status of [403, 404]) {
    expect(walletReport({ ...REFUSED, status, isOwn: true })).toEqual({ kind: 'absent', details: `${status} No` });
    expect(walletReport({ ...REFUSED, status, isOwn: false }).kind).toBe('failed');
  }
  expect(walletReport({ ...REFUSED, status: 500, isOwn: true }).kind).toBe('failed');
  expect(walletReport({ kind: 'failed', code: 'TIMEOUT', details: 'late', mayHaveActed: false })).toEqual({
    kind: 'failed',
    details: 'late',
  });
});
