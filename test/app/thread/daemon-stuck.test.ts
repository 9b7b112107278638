/** A daemon whose strategy does not come back ends, and goes on without it; signals and `stop` end it, also while a strategy hangs. */

import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { openAlertService } from '../../support/alerts/alert-service.ts';
import { budget } from '../../support/budget.ts';
import { DaemonStage, RESTER } from '../../support/daemon/daemon-stage.ts';
import { HOSTILE, SLOW, WELL } from '../../support/thread/hostile.ts';

/** A signal takes effect within a second; the rest of the time is for a busy machine. */
const SLACK_MS = 6_000;
const STUCK = 6;

let stage: DaemonStage;
beforeEach(async () => {
  stage = await DaemonStage.open();
});

/** Says that it was asked. */
const WAKER = `import { defineStrategy } from 'oddsmith';
export default defineStrategy({
  name: 'waker',
  decide({ now }) {
    console.log('I was asked');
    return { intents: [], wakeAt: now + 3_600_000 };
  },
});
`;

/** Beside the one that rests an order in each market. */
function configWith(name: string, source: string, more: Readonly<Record<string, unknown>> = {}): string {
  const file = join(stage.directory, `${name}.ts`);
  writeFileSync(file, source.replaceAll(`asked > ${WELL}`, 'asked > 3'));
  return stage.config({ strategies: [{ file }, { file: stage.strategy }], ...more });
}

/** A backtest meets every one of them each time (backtest-stuck.test.ts); a daemon meets some each time, all in the long proofs. */
const EVERY_WAY = Object.keys(HOSTILE) as (keyof typeof HOSTILE)[];
const LIVE_WAYS = budget<typeof EVERY_WAY>({ each: ['loop', 'catching'], deep: EVERY_WAY });
const PAPER_WAYS = budget<typeof EVERY_WAY>({ each: ['regex', 'stream'], deep: EVERY_WAY });
/** The same for what is loaded before any run is told from another. */
const LOADERS = budget<readonly (readonly string[])[]>({ each: [[]], deep: [[], ['--paper']] });

for (const name of LIVE_WAYS) {
  test(`a strategy that hangs (${name}) ends the daemon with 6; the next start halts it and trades on`, async () => {
    const config = configWith(name, HOSTILE[name], { strategyTimeoutMs: 1_000 });
    const first = stage.spawn(['run', config]);
    expect(await first.ended()).toBe(STUCK);
    expect(first.said.note).toContain('error STRATEGY_STUCK');
    expect(first.said.note).toMatch(new RegExp(`where {2}\\S+${name}\\.ts:\\d+:\\d+`));
    expect(first.lines().find(({ alert }) => alert === 'STRATEGY_STUCK')).toMatchObject({ level: 'error' });

    const second = stage.spawn(['run', config]);
    await second.until('"alert":"STRATEGY_HALTED"');
    // Orders whose answer was never read are looked up until they are found or proven absent.
    await second.until('arming → trading');
    while ((await stage.live()) < 3) await new Promise((resolve) => setTimeout(resolve, 100));
    expect((await statusOf()).strategies).toMatchObject([
      { name, isHalted: true, liveOrders: 0 },
      { name: 'rester', isHalted: false },
    ]);
    expect(existsSync(join(stage.dir, 'stuck.json'))).toBe(false);
    second.kill('SIGTERM');
    expect(await second.ended()).toBe(0);
    expect(await stage.live()).toBe(0);
  });
}

describe('those who are told of alerts hear of it, though the daemon can send nothing any more', () => {
  const alerts = (url: string) => ({
    strategyTimeoutMs: 1_000,
    alerts: { name: 'my bot', webhook: { url: `${url}/hook` } },
  });

  // One can be asked for its stack, the other is inside native code.
  test.each(['loop', 'regex'] as const)('by the main thread, once (%s)', async (name) => {
    const service = await openAlertService();
    const daemon = stage.spawn(['run', configWith(name, HOSTILE[name], alerts(service.url))]);
    expect(await daemon.ended()).toBe(STUCK);
    const stuck = service.received.map(({ body }) => JSON.parse(body)).flatMap(({ alerts: told }) => told);
    expect(stuck.filter(({ code }) => code === 'STRATEGY_STUCK')).toMatchObject([
      { level: 'error', subject: name, text: expect.stringContaining('The daemon ends, and the next start goes on') },
    ]);
    expect(daemon.said.note).not.toContain('was not');
  });

  test('a service that does not answer holds up the end by three seconds at most, and it says so', async () => {
    const service = await openAlertService();
    service.answer = () => undefined;
    const daemon = stage.spawn(['run', configWith('loop', HOSTILE.loop, alerts(service.url))]);
    await daemon.until('error STRATEGY_STUCK');
    expect(await ending(() => undefined, daemon.ended())).toBeLessThan(3_000 + SLACK_MS);
    expect(await daemon.ended()).toBe(STUCK);
    expect(daemon.said.note).toMatch(/STRATEGY_STUCK was not received by webhook http:\S+: .*3 s/);
    expect(existsSync(join(stage.dir, 'stuck.json'))).toBe(true);
  });
});

async function statusOf() {
  const asking = stage.spawn(['status', '--dir', stage.dir, '--json']);
  expect(await asking.ended()).toBe(0);
  return JSON.parse(asking.said.out);
}

describe('signals', () => {
  test('SIGTERM during a loop that may go on for long ends the daemon at once, and the strategy is kept as halted', async () => {
    const source = HOSTILE.loop.replace('for (;;);', "{ console.log('I am there'); for (;;); }");
    const daemon = stage.spawn(['run', configWith('loop', source, { strategyTimeoutMs: 600_000 })]);
    await daemon.until('I am there');
    const tookMs = await ending(() => daemon.kill('SIGTERM'), daemon.ended());
    expect(await daemon.ended()).toBe(STUCK);
    expect(tookMs).toBeLessThan(SLACK_MS);
    expect(existsSync(join(stage.dir, 'stuck.json'))).toBe(true);
  });

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    test(`${signal} ends a daemon in order whose strategy takes 400 ms for each decision`, async () => {
      const daemon = stage.spawn(['run', configWith('slow', SLOW)]);
      await daemon.until('arming → trading');
      expect(await ending(() => daemon.kill(signal), daemon.ended())).toBeLessThan(SLACK_MS);
      expect(await daemon.ended()).toBe(signal === 'SIGTERM' ? 0 : 130);
      expect(await stage.live()).toBe(0);
    });
  }
});

test.each(PAPER_WAYS)(
  'a paper run whose strategy hangs (%s) ends with 6; the next start halts it and trades on',
  async (name) => {
    const wallets = { main: { balance: 1_000 } };
    const config = configWith(name, HOSTILE[name], { strategyTimeoutMs: 1_000, wallets });
    const first = stage.spawn(['run', config, '--paper']);
    expect(await first.ended()).toBe(STUCK);
    const second = stage.spawn(['run', config, '--paper']);
    await second.until('"alert":"STRATEGY_HALTED"');
    await second.until('arming → trading');
    await second.until(/"about":"sent".*"strategy":"rester"/);
    expect(second.said.note).not.toMatch(new RegExp(`"about":"sent".*"strategy":"${name}"`));
    second.kill('SIGTERM');
    expect(await second.ended()).toBe(0);
  },
);

test.each(['stop', 'SIGTERM', 'SIGINT'] as const)(
  'a daemon is gone at once after %s, though a strategy waits to be woken in an hour',
  async (how) => {
    const daemon = stage.spawn(['run', configWith('waker', WAKER)]);
    await daemon.until('arming → trading');
    await daemon.until('I was asked');
    expect(daemon.said.note).toMatch(/"about":"console".*"strategy":"waker"/);
    if (how === 'stop') expect(await stage.spawn(['stop', '--dir', stage.dir]).ended()).toBe(0);
    const end = (): void => (how === 'stop' ? undefined : daemon.kill(how));
    expect(await ending(end, daemon.ended())).toBeLessThan(SLACK_MS);
    expect(await daemon.ended()).toBe(how === 'SIGINT' ? 130 : 0);
  },
);

describe('a strategy that fails before it is asked', () => {
  const LOOPS = 'for (;;);\nexport default {};\n';

  test.each(LOADERS.map((more) => [more] as const))(
    'by not coming to the end of its loading: it is named, and nothing runs (run %j)',
    async (more) => {
      const wallets = more.length === 0 ? {} : { wallets: { main: { balance: 1_000 } } };
      const daemon = stage.spawn(['run', configWith('loads', LOOPS, wallets), '--json', ...more]);
      expect(await daemon.ended()).toBe(2);
      expect(JSON.parse(daemon.said.out)).toMatchObject({
        error: { code: 'STRATEGY_LOAD_TIMEOUT', where: expect.stringContaining('loads.ts') },
      });
      expect(await stage.live()).toBe(0);
    },
  );

  test('by throwing when it is offered a market: it stays halted after kill -9, though its file was mended', async () => {
    const broken = RESTER.replace("name: 'rester',", "name: 'offered', watches: () => JSON.parse('{'),");
    const config = configWith('offered', broken);
    const first = stage.spawn(['run', config]);
    await first.until('offered was halted, STRATEGY_THROW');
    await first.until('arming → trading');
    first.kill('SIGKILL');
    await first.ended();
    const second = stage.spawn(['run', configWith('offered', RESTER.replace("'rester'", "'offered'"))]);
    await second.until('arming → trading');
    await second.until(/"about":"sent".*"strategy":"rester"/);
    await expect.poll(() => stage.live()).toBeGreaterThan(5);
    expect((await statusOf()).strategies).toMatchObject([
      { name: 'offered', isHalted: true, liveOrders: 0 },
      { name: 'rester', isHalted: false },
    ]);
    expect(second.said.note).not.toMatch(/"about":"sent".*"strategy":"offered"/);
    second.kill('SIGTERM');
    expect(await second.ended()).toBe(0);
  });
});

async function ending(begin: () => void, ended: Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  begin();
  await ended;
  return performance.now() - startedAt;
}
