/** A whole sandbox over HTTP: its pages and limits, and how it is closed. */

import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { ENDPOINTS } from '../../../src/betdex/wire/endpoints.ts';
import { openSandbox } from '../../../src/sandbox/sandbox.ts';
import { wallClock } from '../../../src/time/wall-clock.ts';
import { exchange } from './raw-http.ts';
import { openStand, type Stand } from './stand.ts';

const stands: Stand[] = [];
async function stood(options: Parameters<typeof openStand>[0] = {}): Promise<Stand> {
  const stand = await openStand(options);
  stands.push(stand);
  return stand;
}
afterEach(async () => {
  await Promise.all(stands.splice(0).map((stand) => stand.close()));
});

const LADDER = '/market-prices/ladder';

describe('started without options', () => {
  let stand: Stand;
  beforeAll(async () => {
    stand = await openStand();
  });
  afterAll(() => stand.close());

  test('the index names what is here', async () => {
    const { json } = await stand.call('GET', '/');
    expect(json).toEqual({
      name: 'oddsmith sandbox',
      version: '0.0.0-test',
      openapi: '/openapi.json',
      docs: '/docs',
      control: '/control/openapi.json',
      stream: '/',
    });
    for (const page of [json.openapi, json.docs, json.control])
      expect((await stand.call('GET', page)).status).toBe(200);
  });

  test('the OpenAPI documents list every request that is served, with its address', async () => {
    const requestsOf = async (path: string) => {
      const { json } = await stand.call('GET', path);
      expect(json.openapi).toBe('3.1.0');
      expect(json.servers).toEqual([{ url: '/' }]);
      return Object.entries<object>(json.paths).flatMap(([url, methods]) =>
        Object.keys(methods).map((method) => ({ method: method.toUpperCase(), url })),
      );
    };
    const api = await requestsOf('/openapi.json');
    expect(api.length).toBe(Object.keys(ENDPOINTS).length);
    const control = await requestsOf('/control/openapi.json');
    expect(control.length).toBeGreaterThan(40);
    for (const { method, url } of [...api, ...control]) {
      // Without a session each operation exists but asks for one; the two that open sessions ask for a body.
      const { status } = await stand.call(method, url.replaceAll(/\{\w+\}/g, '1'));
      expect([method, url, status]).toEqual([method, url, url.startsWith('/sessions') ? 400 : 401]);
    }
  });

  test('Swagger UI comes whole from here', async () => {
    const html = (await stand.call('GET', '/docs')).text;
    expect(html).not.toMatch(/(src|href)="(https?:)?\/\//);
    const assets = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(
      ([, asset = '']) => new URL(asset, `${stand.sandbox.url}/docs/`),
    );
    expect(assets.length).toBeGreaterThan(3);
    for (const { pathname } of assets)
      expect([pathname, (await stand.call('GET', pathname)).status]).toEqual([pathname, 200]);
    expect((await stand.call('GET', '/docs/static/swagger-initializer.js')).text).toContain('/openapi.json');
    expect(Object.keys((await stand.call('GET', '/docs/json')).json.paths).length).toBeGreaterThan(50);
  });

  test('a burst of 300 calls meets no limit where none was set', async () => {
    const calls = Array.from({ length: 300 }, () => stand.call('GET', LADDER, { token: stand.token }));
    expect(new Set((await Promise.all(calls)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  test('a token on calls that need none is no fault', async () => {
    const { appId, apiKey } = stand.sandbox;
    const answer = await stand.call('POST', '/sessions', { body: { appId, apiKey }, token: 'anything' });
    expect(answer.status).toBe(200);
  });
});

test('an app over the rate is told when to come back, and no other app is', async () => {
  const stand = await stood({ rate: { perSecond: 2, burst: 10 } });
  const other = await stand.openApp();
  const statuses: number[] = [];
  for (let call = 0; call < 12; call += 1) {
    const answer = await stand.call('GET', LADDER, { token: stand.token });
    statuses.push(answer.status);
    if (answer.status === 429) expect(answer.headers.get('retry-after')).toBe('1');
  }
  expect(statuses.slice(0, 10)).toEqual(Array(10).fill(200));
  expect(statuses).toContain(429);
  expect((await stand.call('GET', LADDER, { token: other.token })).status).toBe(200);
  await expect.poll(async () => (await stand.call('GET', LADDER, { token: stand.token })).status).toBe(200);
});

describe('closing', () => {
  test('with connections kept alive, half open and upgraded it is quick, and what is under way is answered', async () => {
    const stand = await stood();
    await stand.control('POST', '/faults', { kind: 'latency', delayMs: 300, operations: ['listCategories'] });
    const halfOpen = connect(stand.port, '127.0.0.1');
    await new Promise((resolve) => halfOpen.once('connect', resolve));
    const kept = await exchange({
      port: stand.port,
      send: `GET / HTTP/1.1\r\nHost: x\r\nConnection: keep-alive\r\n\r\n`,
    });
    expect(kept.answers[0]?.status).toBe(200);
    const socket = new WebSocket(stand.sandbox.streamUrl);
    await new Promise((resolve) => socket.once('open', resolve));
    const goodbye = new Promise((resolve) => socket.once('close', resolve));
    const underWay = stand.call('GET', '/categories', { token: stand.token });
    await new Promise((resolve) => setTimeout(resolve, 100));
    const started = performance.now();
    await Promise.all(stands.splice(0).map((each) => each.close()));
    expect(performance.now() - started).toBeLessThan(4_000);
    expect((await underWay).status).toBe(200);
    expect(await goodbye).toBe(1001);
    halfOpen.destroy();
    await expect(stand.call('GET', '/')).rejects.toThrow();
  });

  test('where the port is taken it says so, and lets go of the file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'oddsmith-sandbox-'));
    const file = join(folder, 'world.db');
    const { port } = await stood();
    await expect(openStand({ file, port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    const after = await stood({ file });
    expect((await after.call('GET', '/')).status).toBe(200);
    await Promise.all(stands.splice(0).map((each) => each.close()));
    rmSync(folder, { recursive: true });
  });
});

test('where a change cannot be written, whoever runs it is told, and nothing is changed any more', async () => {
  const bugs: unknown[] = [];
  const sandbox = await openSandbox({
    clock: wallClock,
    version: '0',
    checksAnswers: true,
    onBug: (error) => bugs.push(error),
  });
  const post = () =>
    fetch(`${sandbox.url}/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ appId: sandbox.appId, apiKey: sandbox.apiKey }),
    });
  const before = sandbox.context.world.registry.sessionByAccess.size;
  sandbox.context.world.recordWith(() => {
    throw new Error('the disk is full');
  });
  const answer = await post();
  expect([answer.status, await answer.json()]).toEqual([500, { title: 'Internal error', details: [] }]);
  expect(bugs).toMatchObject([{ message: 'the disk is full' }]);
  expect((await post()).status).toBe(500);
  expect(bugs).toMatchObject([{ message: 'the disk is full' }, { name: 'AssertionFailure' }]);
  expect(sandbox.context.world.registry.sessionByAccess.size).toBeLessThanOrEqual(before + 1);
  expect((await fetch(`${sandbox.url}/`)).status).toBe(200);
  await sandbox.close();
});
