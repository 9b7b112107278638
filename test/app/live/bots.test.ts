/** Several bots at a glance: `oddsmith status --dir` over a directory of state directories. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DaemonStage } from '../../support/daemon/daemon-stage.ts';
import { run } from '../fake-terminal.ts';

test('lists each, with its state, why it does not trade, profit and feeds', async () => {
  const stage = await DaemonStage.open();
  const bots = join(stage.directory, 'bots');
  const first = join(bots, 'first');
  const paper = join(bots, 'second/runs/paper');
  mkdirSync(bots);
  const live = stage.spawn(['run', stage.config({ dir: first })]);
  await live.until('arming → trading');
  const onPaper = stage.spawn(['run', stage.config({ dir: paper }), '--paper']);
  await onPaper.until('arming → trading');
  mkdirSync(join(bots, 'third'), { mode: 0o700 });
  writeFileSync(join(bots, 'third/run.json'), '{}');
  mkdirSync(join(bots, 'no bot'));

  // A busy machine's daemon may take longer to answer than the command waits.
  await expect.poll(async () => (await run('halt', '--dir', paper, '--reason', 'team news')).code).toBe(0);
  const { code, out } = await run('status', '--dir', bots);
  expect(code).toBe(0);
  const [head, ...rows] = out.trimEnd().split('\n');
  expect(head).toMatch(/^bot +mode +state +today +in all +can lose +live +feeds +why it does not trade$/);
  expect(rows).toHaveLength(3);
  expect(rows[0]).toMatch(/^first +live +trading +0\.00 +0\.00 +[\d.]+ +\d+ +in time, \d s$/);
  expect(rows[1]).toMatch(/^second\/runs\/paper +paper +halted .* Trading is halted: team news\.$/);
  expect(rows[2]).toMatch(/^third +not running +no daemon runs$/);

  const json = JSON.parse((await run('status', '--dir', bots, '--json')).out);
  expect(json).toMatchObject({
    command: 'status',
    dir: bots,
    bots: [
      { name: 'first', dir: first, bot: { phase: 'trading' }, daemon: { mode: 'live' } },
      { name: 'second/runs/paper', whyNot: 'Trading is halted: team news.', bot: { trading: 'halted' } },
      { name: 'third', whyNot: 'no daemon runs' },
    ],
  });
  expect(json.bots[0]).not.toHaveProperty('whyNot');

  expect((await run('status', '--dir', first)).out, 'one bot has its page').toMatch(/^run +live-/);
  const none = await run('status', '--dir', join(bots, 'no bot'));
  expect([none.code, none.note]).toEqual([2, expect.stringContaining('DAEMON_NOT_RUNNING')]);
  live.kill('SIGTERM');
  onPaper.kill('SIGTERM');
  expect([await live.ended(), await onPaper.ended()]).toEqual([0, 0]);
});
