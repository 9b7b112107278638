/** The face over HTTPS: its own authority is trusted and kept, a login asks for a certificate, bad bytes are refused. */

import { readFileSync, statSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type BetfairSandbox, openBetfairSandbox } from '../../src/sandbox-betfair/betfair-sandbox.ts';
import { serverCertificate } from '../../src/sandbox-betfair/server/certificates.ts';
import { wallClock } from '../../src/time/wall-clock.ts';
import { limit } from '../support/sandbox-betfair/face-stage.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

interface Sent {
  readonly path: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The client's own certificate and key. */
  readonly cert?: string;
  readonly key?: string;
  /** Its open connections; without one, each call has a connection of its own. */
  readonly agent?: Agent;
}

interface Answered {
  readonly status: number | undefined;
  readonly text: string;
  readonly type: string | undefined;
}

const FLOODED = '/exchange/betting/json-rpc/v1';
const FLOOD = 3_000;

/** Posts to a server whose certificate must be of this authority. */
function post(url: string, ca: string, { path, body = '', headers = {}, ...own }: Sent): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}${path}`, { ca, method: 'POST', headers, agent: false, ...own }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode, text, type: response.headers['content-type'] }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

test('a world that is begun for a tape has no markets of its own, and may be filled later', async () => {
  const directory = temporaryDirectory('world');
  const options = { clock: wallClock, authorityDirectory: directory, file: join(directory, 'betfair.world') };
  const found: number[] = [];
  for (const invents of [false, false, true, false]) {
    const onBug = (error: unknown) => found.push(Number.NaN, String(error).length);
    const { context, ...sandbox } = await openBetfairSandbox({ ...options, invents, onBug });
    expect([...context.world.catalogue.currencies.keys()]).toEqual(['GBP']);
    found.push(context.world.catalogue.markets.size);
    await sandbox.close();
  }
  const [none, still, filled = 0, kept = 0] = found;
  expect([none, still]).toEqual([0, 0]);
  expect(filled).toBeGreaterThan(10);
  expect(kept).toBeGreaterThanOrEqual(filled);
});

test('a client that trusts the authority logs in, with a certificate or without, and calls', async () => {
  const authorityDirectory = temporaryDirectory('authority');
  const bugs: unknown[] = [];
  const onBug = (error: unknown) => bugs.push(error);
  const sandbox = await openBetfairSandbox({ clock: wallClock, authorityDirectory, onBug });
  const ca = readFileSync(sandbox.authorityFile, 'utf8');
  try {
    const form = { body: 'username=mary&password=secret', headers: { 'X-Application': 'app' } };
    const login = await post(sandbox.url, ca, { path: '/api/login', ...form });
    expect(JSON.parse(login.text)).toMatchObject({ status: 'SUCCESS', product: 'app', error: '' });
    // Some clients have the form in the address.
    const asked = { path: `/api/login?${form.body}`, headers: form.headers };
    expect(JSON.parse((await post(sandbox.url, ca, asked)).text)).toMatchObject({ status: 'SUCCESS' });
    // A client compares the type as a whole.
    expect(login.type).toBe('application/json');
    const bare = await post(sandbox.url, ca, { path: '/api/certlogin', ...form });
    expect(JSON.parse(bare.text)).toEqual({ loginStatus: 'CERT_AUTH_REQUIRED' });
    const { certificate: cert, key } = serverCertificate(temporaryDirectory('authority'), Date.UTC(2026, 0, 1));
    const shown = await post(sandbox.url, ca, { path: '/api/certlogin', ...form, cert, key });
    const { sessionToken, loginStatus } = JSON.parse(shown.text);
    expect(loginStatus).toBe('SUCCESS');
    const body = JSON.stringify({ jsonrpc: '2.0', method: 'AccountAPING/v1.0/getAccountFunds', params: {}, id: 'a' });
    const headers = { 'X-Application': 'app', 'X-Authentication': sessionToken };
    const funds = await post(sandbox.url, ca, { path: '/exchange/account/json-rpc/v1', body, headers });
    expect(JSON.parse(funds.text)).toMatchObject({ id: 'a', result: { availableToBetBalance: 10_000 } });
    expect(await post(sandbox.url, ca, { path: '/elsewhere' })).toMatchObject({ status: 404 });
    const large = await post(sandbox.url, ca, { path: '/api/login', body: 'x'.repeat(2_000_000) });
    expect(large.status).toBe(413);
    const stranger = serverCertificate(temporaryDirectory('authority'), Date.UTC(2026, 0, 1)).authority;
    await expect(post(sandbox.url, stranger, { path: '/api/login' })).rejects.toThrow(/certificate|signature/);
  } finally {
    await sandbox.close();
  }
  expect(bugs).toEqual([]);
});

test('the authority is made once, and its key is for its owner alone', () => {
  const directory = temporaryDirectory('authority');
  const first = serverCertificate(directory, Date.UTC(2026, 0, 1));
  const second = serverCertificate(directory, Date.UTC(2026, 0, 2));
  expect(second.authority).toBe(first.authority);
  expect(second.certificate).not.toBe(first.certificate);
  expect(statSync(join(directory, 'betfair-ca.key')).mode & 0o077).toBe(0);
});

test('accounts and bets outlive a restart, and sessions do not', async () => {
  const directory = temporaryDirectory('restart');
  const file = join(directory, 'betfair.world');
  const onBug = (error: unknown) => expect.fail(String(error));
  const open = () => openBetfairSandbox({ clock: wallClock, authorityDirectory: directory, file, onBug });
  const first = await open();
  const call = (sandbox: BetfairSandbox, token: string, name: string, params: unknown) => {
    const body = JSON.stringify({ jsonrpc: '2.0', method: `SportsAPING/v1.0/${name}`, params, id: 1 });
    const headers = { 'X-Application': 'app', 'X-Authentication': token };
    const ca = readFileSync(sandbox.authorityFile, 'utf8');
    return post(sandbox.url, ca, { path: '/exchange/betting/json-rpc/v1', body, headers }).then(({ text }) =>
      JSON.parse(text),
    );
  };
  const login = async (sandbox: BetfairSandbox) => {
    const form = { body: 'username=mary&password=secret', headers: { 'X-Application': 'app' } };
    const { text } = await post(sandbox.url, readFileSync(sandbox.authorityFile, 'utf8'), {
      path: '/api/login',
      ...form,
    });
    return String(JSON.parse(text).token);
  };
  const token = await login(first);
  const query = {
    filter: { inPlayOnly: false },
    marketProjection: ['RUNNER_DESCRIPTION'],
    sort: 'LAST_TO_START',
    maxResults: 1,
  };
  const [found] = (await call(first, token, 'listMarketCatalogue', query)).result;
  const { marketId, runners } = found;
  const instructions = [limit({ selectionId: runners[0].selectionId, price: 1000, size: 6, customerOrderRef: 'mine' })];
  const placed = await call(first, token, 'placeOrders', { marketId, instructions });
  const { betId } = placed.result.instructionReports[0];
  await call(first, token, 'cancelOrders', { marketId, instructions: [{ betId, sizeReduction: 2 }] });
  await first.close();
  const second = await open();
  try {
    const refused = await call(second, token, 'listCurrentOrders', {});
    expect(refused.error.data.APINGException.errorCode).toBe('INVALID_SESSION_INFORMATION');
    const { currentOrders } = (await call(second, await login(second), 'listCurrentOrders', {})).result;
    expect(currentOrders).toMatchObject([{ betId, sizeRemaining: 4, sizeCancelled: 2, customerOrderRef: 'mine' }]);
  } finally {
    await second.close();
  }
});

test('a flood from 100 connections is answered to the last call, and the order calls beyond the limit are refused', async () => {
  const onBug = (error: unknown) => expect.fail(String(error));
  const directory = temporaryDirectory('flood');
  const sandbox = await openBetfairSandbox({ clock: wallClock, authorityDirectory: directory, onBug });
  const ca = readFileSync(sandbox.authorityFile, 'utf8');
  const agent = new Agent({ keepAlive: true, maxSockets: 100 });
  const seen = new Map<string, number>();
  try {
    const form = { body: 'username=mary&password=secret', headers: { 'X-Application': 'app' } };
    const { token } = JSON.parse((await post(sandbox.url, ca, { path: '/api/login', ...form })).text);
    const headers = { 'X-Application': 'app', 'X-Authentication': token };
    const call = async (name: string, params: unknown) => {
      const body = JSON.stringify({ jsonrpc: '2.0', method: `SportsAPING/v1.0/${name}`, params, id: 1 });
      const { status, text } = await post(sandbox.url, ca, { path: FLOODED, body, headers, agent });
      const { result, error } = JSON.parse(text);
      const code = error?.data?.APINGException.errorCode ?? result.status ?? 'answered';
      seen.set(`${status} ${name} ${code}`, (seen.get(`${status} ${name} ${code}`) ?? 0) + 1);
      return result;
    };
    const [{ marketId }] = await call('listMarketCatalogue', { filter: {}, maxResults: 1 });
    seen.clear();
    const book = { marketIds: [marketId], priceProjection: { priceData: ['EX_BEST_OFFERS'] } };
    let left = FLOOD;
    const client = async () => {
      while (left > 0) {
        left -= 1;
        if (left % 3 === 0) await call('listMarketBook', book);
        else await call('cancelOrders', { marketId, instructions: Array(60).fill({ betId: '1' }) });
      }
    };
    await Promise.all(Array.from({ length: 100 }, client));
  } finally {
    agent.destroy();
    await sandbox.close();
  }
  expect(Object.fromEntries(seen), 'no other answer than these').toEqual({
    '200 listMarketBook answered': FLOOD / 3,
    '200 cancelOrders FAILURE': expect.any(Number),
    '200 cancelOrders TOO_MANY_REQUESTS': expect.any(Number),
  });
  expect([...seen.values()].reduce((sum, count) => sum + count, 0)).toBe(FLOOD);
});
