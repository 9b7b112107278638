/** Requests that no browser makes: whatever their form, they get no word of the source, command nothing, and lock nobody out. */

import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openDashboard } from '../../../src/app/web/dashboard/server/dashboard.ts';
import type { DashboardSource } from '../../../src/app/web/dashboard/server/source.ts';
import { ask, linkIn, type OpenSession, openLink, type PrintedLink } from '../../support/dashboard/dashboard-visit.ts';
import { talkRaw } from '../../support/dashboard/raw-socket.ts';

const SECRET = 'name-of-a-run';
const COMMAND = { key: 'a'.repeat(32), name: 'halt', of: '', word: 'halt', reason: '' };

interface Target {
  readonly port: number;
  readonly link: PrintedLink;
  readonly session: OpenSession;
  readonly carried: readonly string[];
  readonly newLink: () => PrintedLink;
}

async function target(): Promise<Target> {
  const carried: string[] = [];
  const offer = { name: 'halt', title: 'Halt', effect: '', word: 'halt', hasReason: true, tone: 'bad' } as const;
  const source: DashboardSource = {
    ...{ kind: 'live', name: SECRET, currency: '', pages: ['commands'], newLink: SECRET, ring: undefined },
    head: () => ({ at: 1, words: [{ label: SECRET, text: SECRET, tone: 'good' }] }),
    panel: () => undefined,
    linkOf: undefined,
    commands: {
      offers: () => [{ ...offer, group: '', of: '', about: '', off: undefined, fields: [] }],
      subjects: () => undefined,
      carryOut: async ({ name }) => {
        carried.push(name);
        return { progress: () => ({ isDone: true, proof: '' }) };
      },
    },
  };
  const faults: unknown[] = [];
  const dashboard = await openDashboard({
    setting: '--port',
    ...{ port: 0, host: '127.0.0.1', hosts: [], source, now: () => Date.now() },
    onFault: (error) => faults.push(error),
  });
  onTestFinished(async () => {
    await dashboard.close();
    expect(faults).toEqual([]);
  });
  const link = linkIn(dashboard.link());
  return { port: link.port, link, session: await openLink(link), carried, newLink: () => linkIn(dashboard.link()) };
}

/** What a request says with all that a session has; `text` is put before the empty line. */
function full({ port, session }: Target, line: string, text = ''): string {
  const own = `host: 127.0.0.1:${port}\r\norigin: http://127.0.0.1:${port}\r\n`;
  return `${line}\r\n${own}cookie: ${session.cookie}\r\nx-oddsmith-token: ${session.token}\r\n${text}\r\n`;
}

test('odd forms of requests get no word of what is shown', async () => {
  const it = await target();
  const { port, session, carried } = it;
  const cookie = `cookie: ${session.cookie}\r\n`;
  const get = (path: string, headers: string) => `GET ${path} HTTP/1.1\r\n${headers}${cookie}connection: close\r\n\r\n`;
  const own = `host: 127.0.0.1:${port}\r\n`;
  const tries: Readonly<Record<string, string>> = {
    'two hosts, ours first': get('/session', `${own}host: evil.test\r\n`),
    'two hosts, ours last': get('/session', `host: evil.test\r\n${own}`),
    'no host by HTTP/1.0': `GET /session HTTP/1.0\r\n${cookie}\r\n`,
    'a name with a dot at its end': get('/session', `host: localhost.:${port}\r\n`),
    'a name before ours': get('/session', `host: evil@127.0.0.1:${port}\r\n`),
    'an address as one number': get('/session', `host: 2130706433:${port}\r\n`),
    'another address of the loopback': get('/session', `host: 127.0.0.2:${port}\r\n`),
    'IPv6 that is not closed': get('/session', `host: [::1:${port}\r\n`),
    'a sandboxed frame': get('/session', `${own}origin: null\r\n`),
    'an upper-case origin of another scheme': get('/session', `${own}origin: FILE://127.0.0.1:${port}\r\n`),
    'a question about headers': full(it, 'HEAD /session HTTP/1.1'),
    'a question about methods': full(it, 'OPTIONS /commands HTTP/1.1', 'access-control-request-method: POST\r\n'),
    'an echo': full(it, 'TRACE /session HTTP/1.1'),
    'a tunnel': full(it, `CONNECT 127.0.0.1:${port} HTTP/1.1`),
    'a full address': full(it, `GET http://127.0.0.1:${port}/session HTTP/1.1`),
    'a full address of another host': full(it, 'GET http://evil.test/session HTTP/1.1'),
    'a WebSocket that another page asks for': `GET /events HTTP/1.1\r\n${own}${cookie}origin: http://evil.test\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
    'a prefetch of another site': get('/session', `${own}sec-purpose: prefetch\r\nsec-fetch-site: cross-site\r\n`),
    'a path in other letters': full(it, 'GET /SESSION HTTP/1.1'),
    'a path with more behind it': full(it, 'GET /session/ HTTP/1.1'),
    'a path with two slashes': full(it, 'GET //session HTTP/1.1'),
    'headers without end': full(it, 'GET /session HTTP/1.1', `x-long: ${'x'.repeat(100_000)}\r\n`),
    'no HTTP': `hello ${session.cookie}\r\n\r\n`,
    'a line that is folded': full(it, 'GET /session HTTP/1.1', 'x-folded: a\r\n b\r\n'),
  };
  for (const [what, sent] of Object.entries(tries)) {
    const { text } = await talkRaw(port, sent);
    expect(text, what).not.toMatch(/^HTTP\/1\.1 (2|101)/);
    expect(text, what).not.toContain(SECRET);
    expect(text, what).not.toContain(session.token);
    expect(text.toLowerCase(), what).not.toContain('access-control-allow');
  }
  expect(carried).toEqual([]);
  expect((await talkRaw(port, get('/session', own))).text, 'and without what is odd').toContain(SECRET);
  const upper = await talkRaw(port, get('/session', `HOST: LOCALHOST:${port}\r\n`));
  expect(upper.text, 'a name in capitals is the same name').toContain(SECRET);
});

test('a command comes by one whole POST of the page alone', async () => {
  const it = await target();
  const { port, carried } = it;
  const body = JSON.stringify(COMMAND);
  const type = 'content-type: application/json\r\n';
  const sized = `${type}content-length: ${body.length}\r\n`;
  const tries: Readonly<Record<string, string>> = {
    'a GET with a body': `${full(it, 'GET /commands HTTP/1.1', sized)}${body}`,
    'a GET with a query': full(it, `GET /commands?${new URLSearchParams(COMMAND)} HTTP/1.1`),
    'a GET that calls itself a POST': full(it, 'GET /commands HTTP/1.1', 'x-http-method-override: POST\r\n'),
    'a PUT': `${full(it, 'PUT /commands HTTP/1.1', sized)}${body}`,
    'two lengths': `${full(it, 'POST /commands HTTP/1.1', `${sized}transfer-encoding: chunked\r\n`)}0\r\n\r\n${body}`,
    'a form': `${full(it, 'POST /commands HTTP/1.1', sized.replace('json', 'x-www-form-urlencoded'))}${body}`,
    'a list': `${full(it, 'POST /commands HTTP/1.1', `${type}content-length: ${body.length + 2}\r\n`)}[${body}]`,
    'less than its length': `${full(it, 'POST /commands HTTP/1.1', `${type}content-length: 5000\r\n`)}${body}`,
    'numbers for texts': `${full(it, 'POST /commands HTTP/1.1', `${type}content-length: 15\r\n`)}{"name": 1e999}`,
  };
  for (const [what, sent] of Object.entries(tries)) {
    expect((await talkRaw(port, sent)).text, what).not.toMatch(/^HTTP\/1\.1 2/);
    expect(carried, what).toEqual([]);
  }
  expect((await talkRaw(port, `${full(it, 'POST /commands HTTP/1.1', sized)}${body}`)).text).toMatch(/^HTTP\/1\.1 200/);
  expect(carried).toEqual(['halt']);
});

test('a link opens one session, also for two that open it at once, and another’s cookie locks nobody out', async () => {
  const { port, session, newLink } = await target();
  const { secret } = newLink();
  const login = {
    ...{ method: 'POST', path: '/login', body: JSON.stringify({ link: secret }) },
    headers: { origin: `http://127.0.0.1:${port}`, 'content-type': 'application/json' },
  };
  const answers = await Promise.all([ask(port, login), ask(port, login), ask(port, login)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
  const [name = ''] = session.cookie.split('=');
  const tossed = await ask(port, { path: '/session', headers: { cookie: `${name}=tossed; ${session.cookie}` } });
  expect(tossed.status).toBe(200);
  const alone = await ask(port, { path: '/session', headers: { cookie: `${name}=${session.cookie.length}` } });
  expect(alone.status).toBe(401);
});

test('connections that say nothing, or say it slowly, are cut off before they keep others out', async () => {
  const { port, session } = await target();
  const slow: Socket[] = [];
  for (let each = 0; each < 140; each += 1) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => socket.destroy());
    slow.push(socket);
    if (each % 3 === 1) socket.write('GET / HT');
    if (each % 3 === 2) socket.write(`POST /login HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-length: 100\r\n\r\n{`);
  }
  onTestFinished(() => {
    for (const socket of slow) socket.destroy();
  });
  // On a connection of its own: one that is open already would serve as ever.
  const sent = `GET /session HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncookie: ${session.cookie}\r\nconnection: close\r\n\r\n`;
  const answered = async () => (await talkRaw(port, sent)).text.slice(0, 12);
  await expect.poll(answered, { message: 'they fill it', interval: 20 }).toBe('');
  await expect.poll(answered, { interval: 500 }).toBe('HTTP/1.1 200');
});
