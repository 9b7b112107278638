/** The view of a run that goes on, and of the same run when it has ended. */

import { copyFileSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DaemonStage } from '../../support/daemon/daemon-stage.ts';
import { SAMPLE_TAPE } from '../../support/places.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { startView } from '../../support/view/view-visit.ts';

test('shows what was recorded so far, with the orders in it, and more of it later', async () => {
  const stage = await DaemonStage.open();
  const daemon = await stage.trading('start', { record: true });
  const tapes = (): readonly string[] => readdirSync(join(stage.dir, 'tapes'));
  await expect.poll(() => existsSync(join(stage.dir, 'tapes')) && tapes().length).toBeGreaterThan(0);
  await expect
    .poll(
      async () =>
        (await startView(stage.dir)).welcome.markets.filter(({ orders, why }) => orders > 0 && why === undefined)
          .length,
      { timeout: 120_000, interval: 500 },
    )
    .toBeGreaterThan(2);
  const { welcome, market, part, get } = await startView(stage.dir);
  expect(welcome).toMatchObject({ kind: 'live', name: 'run', strategies: ['rester'] });
  expect(welcome.notes.join()).toContain('The recording goes on');
  const row = welcome.markets.find(({ orders, why }) => orders > 0 && why === undefined) ?? expect.fail();
  const first = await market(row.id);
  expect(first.orders[0]).toMatchObject({ strategy: 'rester', side: 'For', price: 1000, stake: 2, outcome: 0 });
  expect(first.orders[0]?.arrivedAt).toBeGreaterThan(first.orders[0]?.decidedAt ?? Number.POSITIVE_INFINITY);
  // The crowd trades on.
  await expect.poll(async () => (await market(row.id)).lastAt).toBeGreaterThan(first.lastAt);
  const later = await market(row.id);
  expect(later.parts.slice(0, first.parts.length)).toEqual(first.parts);
  const last = await part(row.id, later.parts.length - 1);
  expect(last.updates.at(-1)?.at).toBeGreaterThan(first.lastAt);
  // A tape that is read is not held: its recorder can finish it.
  daemon.kill('SIGTERM');
  expect(await daemon.ended()).toBe(0);
  expect(tapes().some((name) => name.endsWith('.unfinished'))).toBe(false);
  const ended = JSON.parse((await get('/session')).text);
  expect(ended.notes).toEqual([]);
  const whole = await market(row.id);
  expect(whole.lastAt).toBeGreaterThanOrEqual(later.lastAt);
  expect(whole.orders[0]?.endedAt).toBeDefined();
  const elsewhere = join(temporaryDirectory('moved'), 'moved.tape');
  copyFileSync(join(stage.dir, 'tapes', tapes()[0] ?? ''), elsewhere);
  const named = await startView(stage.dir, '--tape', elsewhere);
  expect(await named.market(row.id)).toEqual(whole);
  const other = await startView(stage.dir, '--tape', SAMPLE_TAPE);
  expect(other.welcome.markets.filter(({ why }) => why === undefined)).toHaveLength(14);
  expect(other.welcome.markets.find(({ id }) => id === row.id)?.why).toBe('It is on none of the tapes.');
});
