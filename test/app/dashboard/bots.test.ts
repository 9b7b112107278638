/** One page over several runs, links from the command line, and the dashboard of a sandbox. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCli } from '../../../src/app/start/cli.ts';
import { DaemonStage } from '../../support/daemon/daemon-stage.ts';
import { ask, linkIn, openLink, type PrintedLink } from '../../support/dashboard/dashboard-visit.ts';
import { terminalOf } from '../../support/dashboard/open-command.ts';
import { run } from '../fake-terminal.ts';

/** The last picture of a page, once it fits. */
async function picture(link: PrintedLink, cookie: string, query: string): Promise<unknown> {
  const { text } = await ask(link.port, { path: `/events?${query}`, headers: { cookie } });
  const panels = [...text.matchAll(/^event: panel\ndata: (.*)$/gm)];
  return JSON.parse(panels.at(-1)?.[1] ?? 'null');
}

test('lists the runs below a directory, and opens the dashboard of each', async () => {
  const stage = await DaemonStage.open();
  await stage.trading('start', { dashboard: { port: 0 } });
  const ended = join(dirname(stage.dir), 'ended');
  mkdirSync(ended);
  writeFileSync(join(ended, 'run.json'), '{}');
  const { said, until, end } = terminalOf((terminal) =>
    runCli(['dashboard', dirname(stage.dir), '--port', '0', '--json'], terminal),
  );
  await until(/"url"/);
  const link = linkIn(said.out);
  const session = await openLink(link);
  await expect
    .poll(() => picture(link, session.cookie, 'page=bots'))
    .toMatchObject({
      rows: [
        { name: 'ended', why: 'No daemon runs on this state directory.', hasDashboard: false },
        {
          name: expect.stringMatching(/^run · live-/),
          kind: 'live',
          liveOrders: expect.any(Number),
          limit: { label: expect.any(String), used: expect.any(Number), limit: expect.any(Number) },
          alerts: expect.any(Number),
          hasDashboard: true,
        },
      ],
    });
  const opened = await session.post('/open', { dir: stage.dir });
  const { url }: { readonly url: string } = JSON.parse(opened.text);
  expect((await openLink(linkIn(url))).cookie).toMatch(/^oddsmith-\d+=/);
  expect((await session.post('/open', { dir: '/etc' })).status, 'only what is listed').toBe(409);
  expect((await session.post('/commands', { name: 'halt' })).status, 'it commands nobody').toBe(404);
  expect(await end('SIGTERM')).toBe(0);
});

test('dashboard link prints a new link of a running daemon, and says where there is none', async () => {
  const stage = await DaemonStage.open();
  const daemon = stage.start(['run', stage.config({ dashboard: { port: 0 } })]);
  await daemon.until('"to":"trading"');
  const printed = await run('dashboard', 'link', '--dir', stage.dir);
  expect(printed.code).toBe(0);
  await openLink(linkIn(printed.out));
  const json = await run('dashboard', 'link', '--dir', stage.dir, '--json');
  expect(JSON.parse(json.out)).toMatchObject({ command: 'dashboard link', url: expect.stringContaining('#link=') });
  const status = await run('status', '--dir', stage.dir);
  expect(status.out).toMatch(/dashboard +http:\/\/127\.0\.0\.1:\d+\n/);
  daemon.kill('SIGTERM');
  await daemon.ended();

  const without = stage.start(['run', stage.config()]);
  await without.until(/"to":"trading"[\s\S]*"to":"trading"|"to":"trading"/);
  const refused = await run('dashboard', 'link', '--dir', stage.dir, '--json');
  expect(refused.code).toBe(2);
  expect(JSON.parse(refused.out).error).toMatchObject({ code: 'CONTROL_REFUSED', why: 'NO_DASHBOARD' });
});

test('a sandbox shows its markets, and the orders of its users in them', async () => {
  const words = ['sandbox', '--port', '0', '--memory', '--crowd', '--dashboard', '0', '--json'];
  const { said, until, end } = terminalOf((terminal) => runCli(words, terminal));
  onTestFinished(async () => void (await end('SIGTERM')));
  await until(/"dashboard"/);
  const link = linkIn(said.out);
  const { cookie } = await openLink(link);
  const markets = await picture(link, cookie, 'page=markets&find=full');
  expect(markets).toMatchObject({
    part: {
      from: 0,
      rows: expect.arrayContaining([expect.objectContaining({ state: 'Open', favourite: expect.anything() })]),
    },
  });
  const rows: readonly { readonly id: string; readonly favourite?: object }[] = Object(markets).part.rows;
  const row = rows.find(({ favourite }) => favourite !== undefined);
  expect(await picture(link, cookie, `page=market&id=${row?.id}`)).toMatchObject({
    market: {
      outcomes: expect.any(Array),
      ladder: { rows: expect.arrayContaining([expect.objectContaining({ price: expect.any(Number) })]) },
    },
  });
  expect(await picture(link, cookie, 'page=exchange')).toMatchObject({
    accounts: [{ cash: 10_000, profit: 0 }],
    faults: [],
  });
  const offers: readonly { readonly of: string }[] = Object(
    await picture(link, cookie, `page=commands&id=${row?.id}`),
  ).offers;
  expect(new Set(offers.map(({ of }) => of)), 'for the whole, and for the market').toEqual(new Set(['', row?.id]));
});
