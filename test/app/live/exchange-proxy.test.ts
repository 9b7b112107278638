/** All that run, record and doctor say to the exchange goes through the proxy that the configuration names, and through none else. */

import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type ConnectProxy, openConnectProxy, PROXY_PASSWORD } from '../../support/daemon/connect-proxy.ts';
import { DaemonStage } from '../../support/daemon/daemon-stage.ts';
import { openTlsFront, trustedCertificate } from '../../support/daemon/tls-front.ts';
import { environmentVariable } from '../../support/record/recording-stage.ts';
import { run, runUntil } from '../fake-terminal.ts';

const STREAMED = { mode: 'stream', rereadMs: 1_000 };

let stage: DaemonStage;
let proxy: ConnectProxy;
beforeEach(async () => {
  stage = await DaemonStage.open();
  proxy = await openConnectProxy();
  vi.stubEnv('RUN_TEST_PROXY', proxy.url);
});

/** Prices come by the stream, which has a connection of its own. */
const streamedBy = (address: string, more: object = {}) =>
  stage.config({ feeds: { prices: STREAMED, orders: { mode: 'poll', everyMs: 200 } }, ...more }, { proxy: address });

/** Where the sandbox listens, as a proxy is asked for it. */
const exchangeHost = () => new URL(stage.sandbox.url).host;

describe('through the proxy', () => {
  test('a run trades, by REST and by stream', async () => {
    const daemon = stage.start(['run', streamedBy(environmentVariable('RUN_TEST_PROXY')), '--json']);
    await daemon.until('"to":"trading"');
    await expect.poll(() => stage.held().orders).toBeGreaterThan(5);
    await expect.poll(() => proxy.begins).toContain('GET / HTTP/1.1');
    daemon.kill('SIGTERM');
    expect(await daemon.ended()).toBe(0);
    expect(stage.held().orders).toBe(0);
    expect(new Set(proxy.tunnels)).toEqual(new Set([exchangeHost()]));
    expect(proxy.begins.some((line) => line.startsWith('POST /sessions'))).toBe(true);
    expect(daemon.said.out + daemon.said.note, 'no password is shown').not.toContain(proxy.url);
  });

  test('a recording is made', async () => {
    const path = join(stage.directory, 'record.yaml');
    const { url, streamUrl } = stage.sandbox;
    const [app, key, by] = ['APP', 'KEY', 'PROXY'].map((name) => environmentVariable(`RUN_TEST_${name}`));
    writeFileSync(
      path,
      `exchange: { url: "${url}", streamUrl: "${streamUrl}", proxy: "${by}", appId: "${app}", apiKey: "${key}" }
feeds: { prices: { mode: stream, rereadMs: 500 } }
out: ${join(stage.directory, 'tapes')}
`,
    );
    const abort = new AbortController();
    const running = runUntil(abort.signal, ['record', path, '--json']);
    await expect.poll(() => proxy.begins).toContain('GET / HTTP/1.1');
    abort.abort('SIGTERM');
    const { code, out } = await running;
    expect({ code, tapes: JSON.parse(out).tapes.length }).toEqual({ code: 0, tapes: 1 });
    expect(new Set(proxy.tunnels)).toEqual(new Set([exchangeHost()]));
  });

  test('doctor asks, and nobody asks a proxy of the environment', async () => {
    for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'])
      vi.stubEnv(name, 'http://127.0.0.1:1');
    const { code, out } = await run('doctor', streamedBy(environmentVariable('RUN_TEST_PROXY')), '--json');
    const { checks } = JSON.parse(out) as { checks: { check: string; status: string }[] };
    const about = checks.filter(({ check }) => ['exchange', 'stream', 'wallets'].includes(check));
    expect({ code, about: about.map(({ check, status }) => `${check} ${status}`) }).toEqual({
      code: 0,
      about: ['exchange ok', 'stream ok', 'wallets ok'],
    });
    expect(proxy.tunnels.length).toBe(2);
    expect((await run('doctor', stage.config())).code, 'without the setting').toBe(0);
  });
});

describe('a proxy that makes no tunnel', () => {
  const found = async (address: string) => {
    vi.stubEnv('RUN_TEST_PROXY', address);
    const { code, out } = await run('doctor', streamedBy(environmentVariable('RUN_TEST_PROXY')), '--json');
    expect(out).not.toContain(PROXY_PASSWORD);
    const { checks } = JSON.parse(out) as { checks: { check: string; found: string; code?: string; next?: string }[] };
    return { exit: code, ...checks.find(({ check }) => check === 'exchange') };
  };

  test('is named where nobody listens', async () => {
    const { exit, code, ...said } = await found('http://bot:secret-4410@127.0.0.1:1');
    expect({ exit, code }).toEqual({ exit: 4, code: 'EXCHANGE_UNREACHABLE' });
    expect(JSON.stringify(said)).toMatch(/the proxy 127\.0\.0\.1:1 cannot be reached: connect ECONNREFUSED/);
    expect(JSON.stringify(said)).not.toContain('4410');
    expect(said.next).toContain('Check exchange.proxy');
  });

  test('is named where it wants another password, which is no refusal of our key', async () => {
    const { exit, code, ...said } = await found(proxy.url.replace('bot:', 'nobody:'));
    expect({ exit, code }).toEqual({ exit: 4, code: 'EXCHANGE_UNREACHABLE' });
    expect(JSON.stringify(said)).toMatch(/it answers 407 \(it asks for another user or password\)/);
  });

  test('is named where it never answers', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const address = silent.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const { exit, code, ...said } = await found(`http://127.0.0.1:${port}`);
    silent.close();
    expect({ exit, code }).toEqual({ exit: 4, code: undefined });
    expect(said).toMatchObject({
      found: expect.stringContaining('did not answer within 10 s'),
      next: expect.stringContaining('exchange.proxy'),
    });
  });

  test.each(['socks5://127.0.0.1:1080', 'http://127.0.0.1:1080/path', 'proxy:3128', 'http://a:50%off-9912@h:1'])(
    'is CONFIG_INVALID at its line where its address is %s',
    async (address) => {
      const { code, out } = await run('run', streamedBy(address), '--json');
      const { error } = JSON.parse(out);
      expect({ code, error }).toMatchObject({ code: 2, error: { code: 'CONFIG_INVALID' } });
      expect(error.where).toMatch(/run\.yaml:\d+:\d+$/);
      expect(error.next).toContain('http://USER:PASSWORD@HOST:3128');
      expect(out).not.toContain('9912');
    },
  );
});

test('a run waits for its proxy as for an exchange that is away, and stops while it waits', async () => {
  const daemon = stage.start(['run', streamedBy('http://127.0.0.1:1'), '--json']);
  await daemon.until('EXCHANGE_AWAY');
  expect(daemon.said.note).toContain('the proxy 127.0.0.1:1 cannot be reached');
  daemon.kill('SIGTERM');
  expect(await daemon.ended()).toBe(0);
});

describe('an exchange that speaks TLS, behind the proxy', () => {
  /** The sandbox by REST and by stream under a certificate that signs itself. */
  const behindTls = async (address: string) => {
    const { host } = await openTlsFront(stage.sandbox.url);
    const feeds = { prices: STREAMED, orders: { mode: 'poll', everyMs: 200 } };
    const streamUrl = new URL(stage.sandbox.streamUrl);
    const at = { url: `https://${host}`, streamUrl: `wss://${host}${streamUrl.pathname}`, proxy: address };
    return { host, config: stage.config({ feeds }, at) };
  };

  test('is traded on, by REST and by stream, where its certificate is trusted, and the proxy reads nothing', async () => {
    vi.stubEnv('NODE_EXTRA_CA_CERTS', trustedCertificate(stage.directory));
    const { host, config } = await behindTls(environmentVariable('RUN_TEST_PROXY'));
    const daemon = stage.spawn(['run', config, '--json']);
    await daemon.until('"to":"trading"');
    await expect.poll(() => stage.held().orders).toBeGreaterThan(5);
    await daemon.until('is up');
    daemon.kill('SIGTERM');
    expect(await daemon.ended()).toBe(0);
    expect(stage.held().orders).toBe(0);
    expect(new Set(proxy.tunnels)).toEqual(new Set([host]));
    expect(proxy.tunnels.length, 'one of REST, one of the stream').toBeGreaterThan(1);
    for (const begin of proxy.begins) expect(begin).not.toMatch(/HTTP|sessions/);
    expect(daemon.said.note).not.toContain('STREAM_DOWN');
  });

  test('is waited for where its certificate is not trusted, and the run says why', async () => {
    const { config } = await behindTls(environmentVariable('RUN_TEST_PROXY'));
    const daemon = stage.spawn(['run', config, '--json']);
    await daemon.until('EXCHANGE_AWAY');
    expect(daemon.said.note).toMatch(/no TLS with localhost behind the proxy: self-signed certificate/);
    expect(proxy.begins.every((begin) => !begin.includes('HTTP'))).toBe(true);
    daemon.kill('SIGTERM');
    expect(await daemon.ended()).toBe(0);
  });

  test('is waited for where the proxy wants another password, which the run shows nowhere', async () => {
    vi.stubEnv('RUN_TEST_PROXY', proxy.url.replace('bot:', 'nobody:'));
    const { host, config } = await behindTls(environmentVariable('RUN_TEST_PROXY'));
    const daemon = stage.spawn(['run', config, '--json']);
    await daemon.until('EXCHANGE_AWAY');
    const { host: at } = new URL(proxy.url);
    const why = `the proxy ${at} does not connect to ${host}: it answers 407 (it asks for another user or password)`;
    expect(daemon.said.note).toContain(why);
    expect((await run('status', config)).out).toContain(why);
    expect(daemon.said.note).not.toContain(PROXY_PASSWORD);
    expect(proxy.tunnels).toEqual([]);
    daemon.kill('SIGTERM');
    expect(await daemon.ended()).toBe(0);
  });
});
