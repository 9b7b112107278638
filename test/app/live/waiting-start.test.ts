/** A run whose exchange is away at its start waits for it, says so to all who look, obeys, and begins once it is there. */

import { rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DaemonStage, type RunningDaemon } from '../../support/daemon/daemon-stage.ts';
import { createForwarder } from '../../support/daemon/forwarder.ts';
import { listenOnLoopback } from '../../support/loopback.ts';
import { run } from '../fake-terminal.ts';

const AWAY: RequestListener = (_, response) => response.writeHead(503, { 'content-type': 'text/html' }).end();
const SILENT: RequestListener = () => undefined;

interface Waiting {
  readonly stage: DaemonStage;
  readonly config: string;
  readonly child: RunningDaemon;
  /** From now on the exchange is there. */
  readonly come: () => void;
  readonly ask: (path: string) => Promise<{ readonly status: number; readonly text: string }>;
}

async function waiting(how: RequestListener, args: readonly string[] = []): Promise<Waiting> {
  const stage = await DaemonStage.open();
  const exchange = createServer(how);
  const config = stage.config({ metrics: { port: 0 } }, { url: await listenOnLoopback(exchange) });
  const child = stage.spawn(['run', config, ...args, '--json']);
  await child.until('/metrics, /health and /ready');
  const address = /http:\/\/127\.0\.0\.1:\d+(?=\/metrics)/.exec(child.said.note)?.[0];
  const ask = async (path: string) => {
    const answer = await fetch(`${address}${path}`);
    return { status: answer.status, text: await answer.text() };
  };
  const come = () => void exchange.removeAllListeners('request').on('request', createForwarder(stage.sandbox.url));
  return { stage, config, child, come, ask };
}

test('it is seen by status, /ready, /health and /metrics, and trades once the exchange is there', async () => {
  const { config, child, come, ask } = await waiting(AWAY);
  await child.until('EXCHANGE_AWAY');
  const status = await run('status', config);
  const away = /has not begun: the exchange cannot be reached since/;
  expect(status).toMatchObject({ code: 0, out: expect.stringMatching(away) });
  const json = JSON.parse((await run('status', config, '--json')).out);
  expect(json).toMatchObject({ command: 'status', waiting: { mode: 'live', cause: expect.stringContaining('503') } });

  const ready = await ask('/ready');
  expect({ ...ready, text: JSON.parse(ready.text) }).toMatchObject({
    status: 503,
    text: { ready: false, mode: 'live', reasons: [{ code: 'NOT_READY', why: expect.stringMatching(away) }] },
  });
  expect(await ask('/health')).toMatchObject({ status: 503, text: expect.stringMatching(away) });
  const { text } = await ask('/metrics');
  const lines = text.split('\n').filter((line) => /^oddsmith_(ready|not_ready|phase|orders)/.test(line));
  expect(lines.filter((line) => !line.endsWith(' 0'))).toEqual(['oddsmith_not_ready{reason="NOT_READY"} 1']);
  expect(text).toMatch(/^oddsmith_alerts_total\{alert="EXCHANGE_AWAY"\} [1-9]/m);
  expect(text).toMatch(/^process_resident_memory_bytes \d/m);

  come();
  await child.until('"trading"');
  await expect.poll(async () => (await ask('/ready')).status).toBe(200);
  const trading = (await ask('/metrics')).text;
  expect(trading).toContain('oddsmith_ready 1');
  expect(trading).toContain('oddsmith_phase{state="trading"} 1');
  expect(trading, 'what was counted before is kept').toMatch(/^oddsmith_alerts_total\{alert="EXCHANGE_AWAY"\} [1-9]/m);
  expect((await run('stop', config)).code).toBe(0);
  expect(await child.ended()).toBe(0);
});

test('a halt file that comes while it waits lets it begin halted, and no order is sent', async () => {
  const { stage, config, child, come, ask } = await waiting(AWAY);
  await child.until('EXCHANGE_AWAY');
  const refused = await run('halt', config);
  expect(refused.note).toMatch(/cannot be reached since .*halt file/s);
  const file = join(stage.dir, 'halt');
  writeFileSync(file, 'wait for me');
  come();
  await child.until('"halted"');
  await expect.poll(async () => (await ask('/ready')).text).toContain('wait for me');
  expect(await stage.orders()).toEqual([]);
  rmSync(file);
  expect((await run('resume', config)).code).toBe(0);
  await expect.poll(() => stage.held().orders).toBeGreaterThan(5);
  expect((await run('stop', config)).code).toBe(0);
  expect(await child.ended()).toBe(0);
});

test.each([[[]], [['--paper']]])(
  'an exchange that never answers: it is seen and obeys before the first try has failed (%j)',
  async (args) => {
    const { config, child, ask, stage } = await waiting(SILENT, args);
    const dir = args.length === 0 ? [config] : ['--dir', stage.dir];
    const asks = /has not begun: it asks the exchange since \S+ whether it may/;
    // The control socket opens just after the figures are served.
    await expect.poll(async () => (await run('status', ...dir)).out).toMatch(asks);
    expect(await ask('/ready')).toMatchObject({ status: 503, text: expect.stringMatching(asks) });
    expect(child.said.note).not.toContain('EXCHANGE_AWAY');
    expect(await run('stop', ...dir)).toMatchObject({ code: 0, out: expect.stringContaining('stopped by command') });
    expect(await child.ended()).toBe(0);
    await expect(ask('/ready')).rejects.toThrow();
  },
);
