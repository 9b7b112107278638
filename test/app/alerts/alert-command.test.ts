/** `oddsmith alert test` against real services on loopback: well, refusing, cut, gone and silent ones. */

import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { stringify } from 'yaml';
import { type AlertService, openAlertService } from '../../support/alerts/alert-service.ts';
import { listenOnLoopback } from '../../support/loopback.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { run } from '../fake-terminal.ts';

const directory = temporaryDirectory('alert-test');
const SECRETS = { HOOK_KEY: 'hook-5417', BOT_TOKEN: '12:token-5417', TOPIC: 'topic-5417', NTFY_TOKEN: 'tk_5417' };
let service: AlertService;
beforeEach(async () => {
  for (const [name, value] of Object.entries(SECRETS)) vi.stubEnv(name, value);
  service = await openAlertService();
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const variable = (name: string): string => `\${${name}}`;

function config(alerts: unknown): string {
  const path = join(directory, 'run.yaml');
  const exchange = { url: 'http://h', appId: variable('NOT_SET'), apiKey: variable('NOT_SET_EITHER') };
  writeFileSync(path, stringify({ exchange, strategies: [{ file: 's.ts' }], dir: 'runs/main', alerts }));
  return path;
}

const all = (url: string) => ({
  webhook: { url: `${url}/hook/${variable('HOOK_KEY')}`, headers: { 'x-key': `Key ${variable('HOOK_KEY')}` } },
  telegram: { url, token: variable('BOT_TOKEN'), chat: '-100123' },
  ntfy: { url, topic: variable('TOPIC'), token: variable('NTFY_TOKEN') },
  deadMan: { url: `${url}/ping/${variable('HOOK_KEY')}`, every: '5s' },
});

test('each way gets one alert, without the rest of the environment, and says what it answered', async () => {
  const path = config(all(service.url));
  const { code, out, note } = await run('alert', 'test', path);
  expect({ code, note }).toEqual({ code: 0, note: '' });
  const lines = out.trimEnd().split('\n');
  expect(lines.map((line) => line.split(/ +/).slice(0, 5).join(' '))).toEqual(
    ['webhook', 'telegram', 'ntfy', 'deadMan'].map((way) => `${way} sent ${service.url} HTTP 200`),
  );
  expect(service.received.map(({ method, path: at }) => `${method} ${at}`).sort()).toEqual([
    'GET /ping/hook-5417',
    'POST /',
    'POST /bot12:token-5417/sendMessage',
    'POST /hook/hook-5417',
  ]);
  const received = (path: string) => service.received.find((request) => request.path === path);
  expect(received('/hook/hook-5417')?.headers).toMatchObject({ 'x-key': 'Key hook-5417', 'user-agent': 'oddsmith' });
  expect(JSON.parse(received('/hook/hook-5417')?.body ?? '')).toMatchObject({
    name: 'runs/main',
    alerts: [{ code: 'TEST' }],
  });
  expect(JSON.parse(received('/')?.body ?? '')).toMatchObject({ topic: 'topic-5417', priority: 3 });
  expect(received('/')?.headers['authorization']).toBe('Bearer tk_5417');
});

describe('a way that fails ends it with 4', () => {
  test('and its reason, in which no secret is, whatever the service says', async () => {
    service.answer = () => ({
      status: 401,
      body: JSON.stringify({ description: `no ${SECRETS.BOT_TOKEN} \u001b[2J ${SECRETS.HOOK_KEY} topic-5417 tk_5417` }),
    });
    const { code, out, note } = await run('alert', 'test', config(all(service.url)), '--json');
    expect({ code, note }).toEqual({ code: 4, note: '' });
    expect(out).not.toContain('5417');
    expect(out).not.toContain('\u001b');
    const { command, ways } = JSON.parse(out);
    expect(command).toBe('alert test');
    expect(ways).toHaveLength(4);
    expect(ways[1]).toMatchObject({ way: 'telegram', to: service.url, sent: false, status: 401 });
    expect(ways[1].details).toMatch(/^no \[secret\]/);
    expect(ways[1].ms).toBeGreaterThanOrEqual(0);
  });

  test('where it is cut, gone, or no HTTP', async () => {
    const cutting = await listenOnLoopback(createServer((request) => request.socket.destroy()));
    const { webhook, telegram, ntfy } = all(service.url);
    const path = config({
      webhook: { ...webhook, url: `${cutting}/x` },
      telegram: { ...telegram, url: 'http://127.0.0.1:1' },
      ntfy,
    });
    service.answer = () => ({ status: 200, headers: { 'content-encoding': 'gzip' }, body: 'zzz' });
    const { code, out } = await run('alert', 'test', path);
    expect(code).toBe(4);
    const lines = out.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^webhook +failed +\S+ +no answer after \d+ ms: \S/);
    expect(lines[1]).toMatch(/^telegram +failed +\S+ +no answer after \d+ ms: .*ECONNREFUSED/);
    expect(lines[2]).toContain('compressed');
  });

  test('where it redirects: it is not followed', async () => {
    service.answer = () => ({ status: 302, headers: { location: '/elsewhere' } });
    const { code, out } = await run('alert', 'test', config({ ntfy: { url: service.url, topic: 'bots' } }));
    expect([code, service.received.length]).toEqual([4, 1]);
    expect(out).toContain('HTTP 302');
  });

  test('where it never answers: after ten seconds, which is said', async () => {
    service.answer = () => undefined;
    const { code, out } = await run('alert', 'test', config({ deadMan: { url: service.url } }));
    expect(code).toBe(4);
    expect(out).toMatch(/^deadMan +failed +\S+ +no answer after 10\d\d\d ms: no answer within 10 s\n$/);
  });
});

describe('nothing is sent', () => {
  test.each([
    ['no way is configured', 'none', 'CONFIG_INVALID'],
    ['the block is empty', {}, 'CONFIG_INVALID'],
    ['a variable is not set', { ntfy: { topic: variable('NOT_SET') } }, 'CONFIG_SECRET_UNSET'],
  ])('where %s', async (_, alerts, error) => {
    const { code, out } = await run('alert', 'test', config(alerts), '--json');
    expect([code, JSON.parse(out).error.code]).toEqual([2, error]);
    expect(JSON.parse(out).error.where).toMatch(/run\.yaml:\d+:\d+/);
    expect(service.received).toEqual([]);
  });
});
