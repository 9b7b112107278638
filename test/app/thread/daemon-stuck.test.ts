/** A daemon whose strategy does not come back ends, and goes on without it; signals and `stop` end it whatever a strategy does. */

import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DaemonStage } from '../../support/daemon/daemon-stage.ts';
import { HOSTILE, SLOW, WELL } from '../../support/thread/hostile.ts';

/** Heard within a second; what is beyond is a busy machine. */
const SLACK_MS = 6_000;
const STUCK = 6;

let stage: DaemonStage;
beforeEach(async () => {
  stage = await DaemonStage.open();
});
afterEach(() => stage.close());

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

for (const [name, source] of Object.entries(HOSTILE)) {
  test(`a strategy that hangs (${name}) ends the daemon with 6; the next start halts it and trades on`, async () => {
    const config = configWith(name, source, { strategyTimeoutMs: 1_000 });
    const first = stage.spawn(['run', config]);
    expect(await first.ended()).toBe(STUCK);
    expect(first.said.note).toContain('error STRATEGY_STUCK');
    expect(first.said.note).toMatch(new RegExp(`where {2}\\S+${name}\\.ts:\\d+:\\d+`));
    expect(first.lines().find(({ alert }) => alert === 'STRATEGY_STUCK')).toMatchObject({ level: 'error' });

    const second = stage.spawn(['run', config]);
    await second.until('"alert":"STRATEGY_HALTED"');
    // Orders whose answer was never read are sought until they are found or proven absent.
    await second.until('arming → trading', 60_000);
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

async function statusOf() {
  const asking = stage.spawn(['status', '--dir', stage.dir, '--json']);
  expect(await asking.ended()).toBe(0);
  return JSON.parse(asking.said.out);
}

describe('signals', () => {
  test('SIGTERM during a loop that may go on for long ends the daemon at once, and the strategy is kept as halted', async () => {
    const source = HOSTILE.loop.replace('for (;;);', "{ console.log('I am there'); for (;;); }");
    const daemon = stage.spawn(['run', configWith('loop', source, { strategyTimeoutMs: 600_000 })]);
    await daemon.until('I am there', 60_000);
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

test('a paper run whose strategy hangs ends with 6, and its next start halts the strategy', async () => {
  const config = configWith('loop', HOSTILE.loop, { strategyTimeoutMs: 1_000 });
  const first = stage.spawn(['run', config, '--paper']);
  expect(await first.ended()).toBe(STUCK);
  const second = stage.spawn(['run', config, '--paper']);
  await second.until('"alert":"STRATEGY_HALTED"');
  await second.until('arming → trading');
  second.kill('SIGTERM');
  expect(await second.ended()).toBe(0);
});

test('a daemon is gone at once after stop, though a strategy waits to be woken in an hour', async () => {
  const daemon = stage.spawn(['run', configWith('waker', WAKER)]);
  await daemon.until('arming → trading');
  await daemon.until('I was asked');
  const stopping = stage.spawn(['stop', '--dir', stage.dir]);
  expect(await stopping.ended()).toBe(0);
  expect(await ending(() => undefined, daemon.ended())).toBeLessThan(SLACK_MS);
  expect(await daemon.ended()).toBe(0);
});

async function ending(begin: () => void, ended: Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  begin();
  await ended;
  return performance.now() - startedAt;
}
