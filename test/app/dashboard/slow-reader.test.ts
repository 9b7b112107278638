/** Readers that do not read cost no memory and hold nobody up, and to nobody nothing is sent and nothing is made. */

import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openDashboard } from '../../../src/app/web/dashboard/server/dashboard.ts';
import { RecordRing } from '../../../src/app/web/dashboard/server/record-ring.ts';
import type { DashboardSource } from '../../../src/app/web/dashboard/server/source.ts';
import { ask, linkIn, openLink } from '../../support/dashboard/dashboard-visit.ts';

const MB = 1_000_000;

/** A source whose every picture is another one, and large. */
function largeSource(bytes = MB) {
  const made = { panels: 0 };
  const source: DashboardSource = {
    ...{
      kind: 'paper',
      name: 'large',
      currency: '',
      pages: ['orders'],
      newLink: '',
      commands: undefined,
      linkOf: undefined,
    },
    ring: new RecordRing(),
    head: () => ({ at: made.panels, words: [] }),
    panel: () => {
      made.panels += 1;
      const note = 'x'.repeat(bytes);
      return { page: 'market', paid: undefined, id: `${made.panels}${note}`, market: undefined };
    },
  };
  return { source, made };
}

async function open(bytes?: number) {
  const { source, made } = largeSource(bytes);
  const faults: unknown[] = [];
  const onFault = (error: unknown): void => void faults.push(error);
  const dashboard = await openDashboard({
    setting: '--port',
    ...{ port: 0, host: '127.0.0.1', hosts: [] },
    source,
    now: () => Date.now(),
    onFault,
  });
  onTestFinished(() => dashboard.close());
  const link = linkIn(dashboard.link());
  return { dashboard, made, faults, port: link.port, session: await openLink(link) };
}

/** A reader that opens a stream and never reads from it. */
function deafReader(port: number, cookie: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.pause();
  onTestFinished(() => void socket.destroy());
  return new Promise((resolve) => {
    socket.once('connect', () => {
      socket.write(`GET /events?page=orders HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncookie: ${cookie}\r\n\r\n`);
      resolve(socket);
    });
  });
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('nothing is made before somebody looks, and nothing after the last one has gone', async () => {
  const { made, port, session } = await open();
  await pause(400);
  expect(made.panels).toBe(0);
  const seen = await ask(port, { path: '/events?page=orders', headers: { cookie: session.cookie } });
  expect(seen.text).toContain('event: head');
  expect(made.panels).toBeGreaterThan(0);
  await pause(300);
  const { panels } = made;
  await pause(600);
  expect(made.panels).toBe(panels);
});

test('readers that do not read are sent nothing more than what fits, while others are served', async () => {
  const { made, port, session, faults } = await open();
  for (let reader = 0; reader < 5; reader += 1) await deafReader(port, session.cookie);
  await pause(1_000);
  const before = process.memoryUsage().external + process.memoryUsage().heapUsed;
  const first = made.panels;
  await pause(2_000);
  expect(made.panels, 'no picture is made for those who take none').toBeLessThan(first + 5);
  const grown = process.memoryUsage().external + process.memoryUsage().heapUsed - before;
  expect(grown).toBeLessThan(20 * MB);
  const seen = await ask(port, { path: '/events?page=orders', headers: { cookie: session.cookie } });
  expect(seen.text.split('event: head').length, 'a reader that reads gets several in half a second').toBeGreaterThan(2);
  expect(faults).toEqual([]);
});

test('a reader too many is told so', async () => {
  const { port, session } = await open(10);
  for (let reader = 0; reader < 40; reader += 1) await deafReader(port, session.cookie);
  await expect
    .poll(async () => (await ask(port, { path: '/events?page=orders', headers: { cookie: session.cookie } })).status, {
      timeout: 120_000,
    })
    .toBe(503);
});

test('a bug of ours ends the dashboard and nothing else', async () => {
  const { source } = largeSource();
  const faults: unknown[] = [];
  const broken = { ...source, head: () => ({ at: 1, words: [] }), panel: () => JSON.parse('no panel') };
  const dashboard = await openDashboard({
    setting: '--port',
    ...{ port: 0, host: '127.0.0.1', hosts: [], source: broken, now: () => 1 },
    onFault: (error) => faults.push(error),
  });
  onTestFinished(() => dashboard.close());
  const link = linkIn(dashboard.link());
  const { cookie } = await openLink(link);
  await ask(link.port, { path: '/events?page=orders', headers: { cookie } }).catch(() => undefined);
  expect(faults).toHaveLength(1);
  expect((await ask(link.port, { path: '/session', headers: { cookie } })).status).toBe(500);
});
