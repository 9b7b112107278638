/** A hostile page and a hostile program get nothing of a run’s dashboard, and make it do nothing. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { describeWithBrowser, launchBrowser } from '../../support/browser.ts';
import { DaemonStage, type RunningDaemon } from '../../support/daemon/daemon-stage.ts';
import { ask, openLink, type PrintedLink, printedLink } from '../../support/dashboard/dashboard-visit.ts';

interface Victim {
  readonly daemon: RunningDaemon;
  readonly link: PrintedLink;
  readonly run: string;
}

/** A run that trades, and whose name nobody else may learn. */
async function victim(): Promise<Victim> {
  const stage = await DaemonStage.open();
  const daemon = await stage.trading('start', { dashboard: { port: 0 } });
  const run = /"run":"([\w-]+)"/.exec(daemon.said.note)?.[1] ?? '';
  expect(run).not.toBe('');
  return { daemon, run, link: await printedLink(daemon) };
}

const HALT = { key: 'c'.repeat(32), name: 'halt', reason: 'hostile', word: 'halt' };
const EVENTS = '/events?page=now';
/** By a socket, a script, a prefetch, an object and a window, too. */
const NOTHING = { session: 'nothing', events: 'nothing', command: 'nothing', others: Array(5).fill('nothing') };
const JSON_TYPE = { 'content-type': 'application/json' };

function expectTrading({ daemon }: Victim): void {
  expect(daemon.said.note).not.toContain('TRADING_HALTED');
}

test('raw requests without what a session has get no word of the run', async () => {
  const it = await victim();
  const { port } = it.link;
  const session = await openLink(it.link);
  const origin = { origin: `http://127.0.0.1:${port}` };
  const cookie = { cookie: session.cookie };
  const token = { 'x-oddsmith-token': session.token };
  const post = (headers: Readonly<Record<string, string>>, path = '/commands', fields: object = HALT) =>
    ({ method: 'POST', path, headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(fields) }) as const;
  const tries = {
    'no cookie': { path: EVENTS },
    'a wrong cookie': { path: EVENTS, headers: { cookie: `oddsmith-${port}=wrong` } },
    'the cookie of another port': { path: EVENTS, headers: { cookie: session.cookie.replace(String(port), '1') } },
    'no cookie for the session': { path: '/session' },
    'a rebound name': { path: EVENTS, headers: { ...cookie, host: `evil.test:${port}` } },
    'a rebound name for the page': { path: '/', headers: { host: `evil.test:${port}` } },
    'another origin': { path: EVENTS, headers: { ...cookie, origin: 'http://evil.test' } },
    'another port’s origin': { path: EVENTS, headers: { ...cookie, origin: 'http://127.0.0.1:1' } },
    'another site': { path: '/session', headers: { ...cookie, 'sec-fetch-site': 'cross-site' } },
    'a POST without a token': post({ ...origin, ...cookie }),
    'a POST with a wrong token': post({ ...origin, ...cookie, 'x-oddsmith-token': 'wrong' }),
    'a POST without a cookie': post({ ...origin, ...token }),
    'a POST without an origin': post({ ...cookie, ...token }),
    'a POST of another origin': post({ ...cookie, ...token, origin: 'http://evil.test' }),
    'a form of another type': {
      ...post({ ...origin, ...cookie, ...token }),
      headers: { ...origin, ...cookie, ...token },
    },
    'a body without end': post({ ...origin, ...cookie, ...token }, '/commands', { key: 'x'.repeat(100_000) }),
    'a link that was used': post(origin, '/login', { link: it.link.secret }),
    'a wrong link': post(origin, '/login', { link: 'wrong' }),
    'a path upwards': { path: '/../../../../etc/passwd', headers: cookie },
    'an encoded path upwards': { path: '/%2e%2e/%2e%2e/etc/passwd', headers: cookie },
    'a file beside the page': { path: '/dashboard.js', headers: cookie },
    'an absolute address': { path: `http://127.0.0.1:${port}/session`, headers: cookie },
    'another method': { method: 'DELETE', path: '/session', headers: cookie },
    'a question before a POST': { method: 'OPTIONS', path: '/commands', headers: { origin: 'http://evil.test' } },
  };
  for (const [what, request] of Object.entries(tries)) {
    const answer = await ask(port, request);
    expect([400, 401, 403, 404, 405, 421], `${what}: ${answer.status}`).toContain(answer.status);
    expect(answer.text, what).not.toContain(it.run);
    expect(answer.text, what).not.toContain(session.token);
    expect(answer.headers['access-control-allow-origin'], what).toBeUndefined();
    expect(answer.headers['set-cookie'], what).toBeUndefined();
    expect(answer.headers['content-security-policy'], what).toContain("frame-ancestors 'none'");
  }
  expectTrading(it);
  // The same with all of it: so the tries failed for what they lacked.
  expect((await ask(port, { path: EVENTS, headers: cookie })).text).toContain(it.run);
  const page = await ask(port, { path: '/' });
  expect(page.headers).toMatchObject({
    ...{ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' },
    'content-security-policy': expect.stringMatching(/default-src 'none'.*script-src 'sha256-.*frame-ancestors 'none'/),
  });
  expect(page.headers['content-security-policy']).not.toContain('unsafe');
  expect(page.text).not.toContain(it.run);
});

describeWithBrowser('in a browser that has a session', () => {
  const browsers: { close(): Promise<void> }[] = [];
  afterAll(async () => {
    for (const browser of browsers) await browser.close();
  });

  test('pages of other origins, rebound names and frames get nothing', async () => {
    const it = await victim();
    const { port } = it.link;
    const browser = await launchBrowser([`--host-resolver-rules=MAP evil.test 127.0.0.1`]);
    browsers.push(browser);
    const context = await browser.newContext();
    const own = await context.newPage();
    await own.goto(it.link.url);
    await own.waitForSelector('#why');
    const evil = await hostilePage();
    for (const address of [`http://127.0.0.1:${evil}/`, `http://evil.test:${evil}/`]) {
      const page = await context.newPage();
      await page.goto(address);
      expect(await attack(page, port), address).toEqual(NOTHING);
      expect(await framed(page, port), address).not.toContain('oddsmith');
    }
    const rebound = await context.newPage();
    expect((await rebound.goto(`http://evil.test:${port}/`))?.status()).toBe(421);
    expect(await own.innerText('h1'), 'the victim still sees its run').toBe(it.run);
    expectTrading(it);
  });
});

/** A page on a port of its own, as any program of the machine or any site may serve one. */
function hostilePage(): Promise<number> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<!doctype html><link rel="icon" href="data:,"><title>hostile</title><body>win a prize');
  });
  onTestFinished(() => new Promise<void>((done) => void server.close(() => done()).closeAllConnections()));
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

/** A script of the page, with the browser’s own cookies. */
const ATTACK = `async ({ base, halt }) => {
  const read = async (path, more) => {
    try {
      const answer = await fetch(base + path, { credentials: 'include', ...more });
      return answer.type === 'opaque' ? 'nothing' : await answer.text();
    } catch {
      return 'nothing';
    }
  };
  const body = JSON.stringify(halt);
  const events = await new Promise((resolve) => {
    const source = new EventSource(base + '/events?page=now', { withCredentials: true });
    source.addEventListener('head', ({ data }) => resolve(data));
    source.onerror = () => resolve('nothing');
    setTimeout(() => resolve('nothing'), 3000);
  });
  const socket = await new Promise((resolve) => {
    const tried = new WebSocket(base.replace('http', 'ws') + '/events');
    tried.onopen = () => resolve('open');
    tried.onerror = () => resolve('nothing');
  });
  const loaded = (name, more) =>
    new Promise((resolve) => {
      const element = Object.assign(document.createElement(name), more);
      element.onload = () => resolve('loaded');
      element.onerror = () => resolve('nothing');
      setTimeout(() => resolve('nothing'), 1000);
      document.body.append(element);
    });
  const script = await loaded('script', { src: base + '/session' });
  const prefetch = await loaded('link', { rel: 'prefetch', href: base + '/session' });
  const object = await loaded('object', { data: base + '/session' });
  navigator.sendBeacon(base + '/commands', new Blob([body], { type: 'application/json' }));
  navigator.sendBeacon(base + '/commands', body);
  const form = Object.assign(document.createElement('form'), { method: 'POST', action: base + '/commands', enctype: 'text/plain', target: 'hidden' });
  form.append(Object.assign(document.createElement('input'), { name: body.slice(0, -1) + ',"x":"', value: '"}' }));
  document.body.append(Object.assign(document.createElement('iframe'), { name: 'hidden' }), form);
  form.submit();
  const opened = window.open(base + '/session');
  await new Promise((resolve) => setTimeout(resolve, 500));
  let window_ = 'nothing';
  try {
    window_ = opened?.document.body.innerText || 'nothing';
  } catch {}
  opened?.close();
  await read('/commands', { method: 'POST', mode: 'no-cors', headers: { 'content-type': 'text/plain' }, body });
  return {
    session: await read('/session', {}),
    events,
    others: [socket, script, prefetch, object, window_],
    command: await read('/commands', { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
  };
}`;

const FRAME = `(base) => {
  const frame = document.createElement('iframe');
  frame.src = base;
  document.body.append(frame);
  return new Promise((resolve) => {
    frame.onload = () => resolve();
    setTimeout(() => resolve(), 2000);
  });
}`;

/** What a script of the page can read of the dashboard. */
function attack(page: Page, port: number): Promise<unknown> {
  const given = { base: `http://127.0.0.1:${port}`, halt: HALT };
  return page.evaluate(`(${ATTACK})(${JSON.stringify(given)})`);
}

/** What a frame of the page shows. */
async function framed(page: Page, port: number): Promise<string> {
  await page.evaluate(`(${FRAME})(${JSON.stringify(`http://127.0.0.1:${port}/`)})`);
  return (await page.frames().at(-1)?.content()) ?? '';
}
