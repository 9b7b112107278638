/** `oddsmith view` over backtests: what it serves is what the run has, and each way to start it wrongly says what to do. */

import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, relative } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { STORE } from '../../../src/sweep/statistics/tried-trials.ts';
import { linkIn } from '../../support/dashboard/dashboard-visit.ts';
import { SAMPLE_TAPE, sampleStrategy } from '../../support/places.ts';
import { builtCommand, startProcess } from '../../support/running-command.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { centralRows, centralRun, copiedSample, isolatedRun, playedRun } from '../../support/view/played-run.ts';
import { loginBy, startView } from '../../support/view/view-visit.ts';
import { run } from '../fake-terminal.ts';

let played = '';
let tape = '';
beforeAll(async () => {
  tape = copiedSample();
  played = await playedRun(tape);
});

const MARKET = '99000101';

async function refused(...words: readonly string[]) {
  const { code, out } = await run('view', ...words, '--port', '0', '--json');
  const { error } = JSON.parse(out);
  expect(error.next).toMatch(/\.$/);
  return { exit: code, code: error.code, where: error.where, what: error.what, why: error.why };
}

test('lists the markets of the run, those with orders first, then by their start', async () => {
  const { welcome, said, link } = await startView(played);
  expect(JSON.parse(said.out)).toMatchObject({ command: 'view', url: `http://127.0.0.1:${link.port}`, dir: played });
  expect(welcome).toMatchObject({
    ...{ kind: 'backtest', currency: 'USDC', strategies: ['passive-quoter'] },
    name: played.split('/').at(-1),
    notes: [
      'The recording is generated: no such event took place.',
      'Strategies lived their own fills in each bound: orders and fills are those of the central one.',
    ],
    newLink: expect.stringContaining(`view ${played}`),
  });
  expect(welcome.markets).toHaveLength(14);
  const keys = welcome.markets.map(({ orders, startsAt = 0 }) => (orders > 0 ? 0 : 1e15) + startsAt);
  expect(keys).toEqual(keys.toSorted((a, b) => a - b));
  expect((await loginBy(link)).status, 'a link works once').toBe(401);
});

test('orders and fills are those of orders.csv and fills.csv', async () => {
  const { welcome, market } = await startView(played);
  const orders = Map.groupBy(centralRows(join(played, 'orders.csv')), ({ marketId = '' }) => marketId);
  const fills = centralRows(join(played, 'fills.csv'));
  const byOrder = Map.groupBy(fills, ({ order = '' }) => order);
  expect(fills.length).toBeGreaterThan(500);
  const ms = (cell = ''): number | undefined => (cell === '' ? undefined : Date.parse(cell));
  const number = (cell = ''): number | undefined => (cell === '' ? undefined : Number(cell));
  const text = (cell = ''): string | undefined => (cell === '' ? undefined : cell);
  for (const row of welcome.markets) {
    const { orders: shown, outcomes } = await market(row.id);
    const own = orders.get(row.id) ?? [];
    expect(shown).toHaveLength(own.length);
    expect([row.orders, row.fills]).toEqual([own.length, fills.filter(({ marketId }) => marketId === row.id).length]);
    const byNumber = new Map(shown.map((order) => [order.number, order]));
    for (const cells of own) {
      const order = byNumber.get(Number(cells['order'])) ?? expect.fail(`order ${cells['order']} is not shown`);
      expect(outcomes[order.outcome]?.id).toBe(cells['outcomeId']);
      expect(order).toEqual({
        ...{ number: Number(cells['order']), strategy: cells['strategy'], outcome: order.outcome, side: cells['side'] },
        ...{ price: number(cells['price']), stake: number(cells['stake']), decidedAt: ms(cells['decidedAt']) },
        ...{ arrivedAt: ms(cells['arrivedAt']), endedAt: ms(cells['endedAt']), status: text(cells['status']) },
        ...{ reason: text(cells['reason']), queueAhead: number(cells['queueAhead']), profit: number(cells['profit']) },
        note: text(cells['note']),
        fills: (byOrder.get(cells['order'] ?? '') ?? []).map((fill) => ({
          ...{ at: ms(fill['at']), price: number(fill['price']), stake: number(fill['stake']) },
        })),
      });
    }
    const arrivals = shown.map(({ arrivedAt, decidedAt = 0 }) => arrivedAt ?? decidedAt);
    expect(arrivals).toEqual(arrivals.toSorted((a, b) => a - b));
  }
});

test('orders of simulations apart that played one market are told apart', async () => {
  const directory = await isolatedRun();
  const { market, welcome } = await startView(directory);
  const rows = centralRows(join(directory, 'orders.csv'));
  const repeated = [...Map.groupBy(rows, ({ marketId, order }) => `${marketId} ${order}`).values()].filter(
    (own) => own.length > 1,
  );
  const [both] = repeated[0] ?? expect.fail('a number is given twice in one market');
  const { orders } = await market(both?.['marketId'] ?? '');
  const keys = orders.map(({ run: of, number }) => `${of} ${number}`);
  const own = rows.filter(({ marketId }) => marketId === both?.['marketId']);
  expect(keys.toSorted()).toEqual(own.map(({ run: of, order }) => `${of} ${order}`).toSorted());
  expect(new Set(keys).size).toBe(keys.length);
  const alone = welcome.markets.find(
    ({ id }) => new Set(rows.filter(({ marketId }) => marketId === id).map(({ run: of }) => of)).size === 1,
  );
  if (alone !== undefined) expect((await market(alone.id)).orders.every(({ run: of }) => of === undefined)).toBe(true);
});

test('a large answer is packed if the caller can unpack it', async () => {
  const { get } = await startView(played);
  const path = `/part?id=${MARKET}&part=0`;
  for (const [accepted, encoding] of [
    ['gzip, deflate, br', 'gzip'],
    ['deflate', 'deflate'],
    ['gzip;q=0, br', undefined],
    ['', undefined],
  ]) {
    const answer = await get(path, { 'accept-encoding': accepted ?? '' });
    expect([answer.status, answer.headers['content-encoding']]).toEqual([200, encoding]);
    expect(answer.text.startsWith('{"part":0,')).toBe(encoding === undefined);
  }
});

test('Ctrl-C ends it as it ends every server of ours, and SIGTERM with 0', async () => {
  const interrupted = await startView(played);
  expect(await interrupted.end('SIGINT')).toBe(130);
  const terminated = await startView(played);
  expect(await terminated.end('SIGTERM')).toBe(0);
});

test('--market opens it there, and says where there is no such market', async () => {
  const { said } = await startView(played, '--market', MARKET);
  expect(JSON.parse(said.out).link).toMatch(new RegExp(`#link=[\\w-]+&market=${MARKET}$`));
  expect(await refused(played, '--market', '1')).toMatchObject({ exit: 2, code: 'NO_MARKETS', where: '--market 1' });
});

test('--open leads a browser to the link through a file that only its owner can read', async () => {
  const place = temporaryDirectory('opener');
  const opener =
    '#!/bin/sh\nls -l "$1" | cut -c 1-10 > "$(dirname "$0")/mode"\nls -ld "$(dirname "$1")" | cut -c 1-10 >> "$(dirname "$0")/mode"\ncp "$1" "$(dirname "$0")/page.html"\n';
  for (const name of ['xdg-open', 'open']) writeFileSync(join(place, name), opener, { mode: 0o755 });
  vi.stubEnv('PATH', `${place}:${process.env['PATH']}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { link, said } = await startView(played, '--market', MARKET, '--open');
  await expect.poll(() => existsSync(join(place, 'page.html'))).toBe(true);
  expect(readFileSync(join(place, 'mode'), 'utf8')).toBe('-rw-------\ndrwx------\n');
  const page = readFileSync(join(place, 'page.html'), 'utf8');
  const [, url = ''] = /content="0;url=([^"]+)"/.exec(page) ?? [];
  expect(url).toMatch(new RegExp(`^http://127.0.0.1:${link.port}/#link=[\\w-]+&amp;market=${MARKET}$`));
  expect(linkIn(url).secret, 'the printed link is not used up').not.toBe(link.secret);
  expect((await loginBy(linkIn(url))).status).toBe(200);
  expect(said.note).toBe('');
});

test('where nothing can open it, it says so and serves on', async () => {
  vi.stubEnv('PATH', temporaryDirectory('nothing'));
  onTestFinished(() => void vi.unstubAllEnvs());
  const { said, get } = await startView(played, '--open');
  await expect.poll(() => said.note).toContain('NOT_OPENED');
  expect((await get('/session')).status).toBe(200);
});

test('a port that is used, and an address that is not of this machine', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => new Promise<void>((done) => void server.close(() => done())));
  await new Promise((done) => server.once('listening', done));
  const { port } = server.address() as AddressInfo;
  const used = await run('view', played, '--port', String(port), '--json');
  expect([used.code, JSON.parse(used.out).error.code]).toEqual([2, 'PORT_IN_USE']);
  expect(JSON.parse(used.out).error.next).toContain('--port');
  expect(await refused(played, '--host', '203.0.113.1')).toMatchObject({ exit: 2, code: 'ADDRESS_NOT_AVAILABLE' });
});

test('what is no directory of one run', async () => {
  const place = temporaryDirectory('view');
  expect(await refused(join(place, 'none'))).toMatchObject({ exit: 5, code: 'RUN_NOT_FOUND' });
  expect(await refused(place)).toMatchObject({
    exit: 5,
    code: 'RUN_NOT_FOUND',
    what: expect.stringContaining('no run'),
  });
  writeFileSync(join(place, 'file'), '');
  expect(await refused(join(place, 'file'))).toMatchObject({
    code: 'RUN_NOT_FOUND',
    why: expect.stringContaining('a file'),
  });
  writeFileSync(join(place, STORE), '');
  expect(await refused(place)).toMatchObject({
    exit: 5,
    code: 'RUN_NOT_FOUND',
    what: expect.stringContaining('a sweep'),
  });
});

test('a report’s data that is damaged', async () => {
  const place = temporaryDirectory('view');
  writeFileSync(join(place, 'report-data.gz'), 'nonsense');
  expect(await refused(place)).toMatchObject({ exit: 5, code: 'REPORT_DATA_NOT_READABLE' });
});

test('a tape that was moved is named with --tape; another one is refused', async () => {
  const own = copiedSample();
  const directory = await centralRun(own);
  const moved = join(temporaryDirectory('moved'), 'b.tape');
  renameSync(own, moved);
  expect(await refused(directory)).toMatchObject({ exit: 5, code: 'TAPE_NOT_FOUND', where: own });
  const { welcome } = await startView(directory, '--tape', moved);
  expect(welcome.markets.filter(({ why }) => why === undefined)).toHaveLength(14);
  const other = changedSample(moved);
  expect(await refused(directory, '--tape', other)).toMatchObject({ exit: 5, code: 'TAPE_CHANGED', where: other });
  expect(await refused(directory, '--tape', 'none.tape')).toMatchObject({ exit: 5, code: 'TAPE_NOT_FOUND' });
});

/** The same markets, and another content. */
function changedSample(from: string): string {
  const path = join(temporaryDirectory('changed'), 'changed.tape');
  copyFileSync(from, path);
  const database = new Database(path);
  database.prepare("UPDATE tape SET value = ? WHERE name = 'sha256'").run('0'.repeat(64));
  database.close();
  return path;
}

test('a tape that was changed since is not taken for that of the run', async () => {
  const own = copiedSample();
  const directory = await centralRun(own);
  copyFileSync(changedSample(own), own);
  expect(await refused(directory)).toMatchObject({ exit: 5, code: 'TAPE_CHANGED', where: own });
});

test('where one of two tapes is missing or changed, the markets of the other are opened, and the rest say why', async () => {
  const [first, second] = await halves();
  const directory = await centralRun(first, second);
  rmSync(second);
  const missing = await startView(directory);
  const open = missing.welcome.markets.filter(({ why }) => why === undefined);
  expect(open.length).toBeGreaterThan(0);
  expect(missing.welcome.markets.length).toBeGreaterThan(open.length);
  expect(missing.welcome.notes.join()).toContain('TAPE_NOT_FOUND');
  const closed = missing.welcome.markets.find(({ why }) => why !== undefined) ?? expect.fail();
  expect(closed.why).toContain(second);
  expect(closed.orders).toBeGreaterThan(0);
  expect(await missing.get(`/market?id=${closed.id}`)).toMatchObject({
    status: 409,
    text: expect.stringContaining('TAPE_NOT_FOUND'),
  });
  expect((await missing.market(open[0]?.id ?? '')).parts.length).toBeGreaterThan(0);
  copyFileSync(changedSample(first), second);
  const changed = await startView(directory);
  expect(changed.welcome.notes.join()).toContain('TAPE_CHANGED');
  expect(await refused(directory, '--market', closed.id)).toMatchObject({ exit: 2, code: 'NO_MARKETS' });
});

/** The sample on two tapes. */
async function halves(): Promise<readonly [string, string]> {
  const out = temporaryDirectory('halves');
  await run('tape', 'split', SAMPLE_TAPE, '--by', 'event', '--out', out, '--json');
  const pieces = readdirSync(out)
    .filter((name) => name.endsWith('.tape'))
    .sort();
  const place = temporaryDirectory('halves');
  const [first = '', second = ''] = pieces.map((name) => join(out, name));
  const names = [join(place, 'first.tape'), join(place, 'second.tape')] as const;
  renameSync(first, names[0]);
  renameSync(second, names[1]);
  return names;
}

test('a damaged market says so, and the others open', async () => {
  const own = copiedSample();
  const directory = await centralRun(own);
  const database = new Database(own);
  const { key } = database.prepare('SELECT key FROM market WHERE id = ?').get(MARKET) as { key: number };
  database.prepare('UPDATE segment SET bytes = zeroblob(length(bytes)) WHERE key = ?').run(key);
  database.close();
  const { get, market, welcome } = await startView(directory);
  const answer = await get(`/market?id=${MARKET}`);
  expect(answer.status).toBe(409);
  expect(JSON.parse(answer.text)).toMatchObject({
    ...{ code: 'TAPE_CORRUPT', where: own, next: expect.stringContaining('tape verify') },
    why: expect.stringContaining(`market ${MARKET}, segment 0`),
  });
  const other = welcome.markets.find(({ id }) => id !== MARKET) ?? expect.fail();
  expect((await market(other.id)).parts.length).toBeGreaterThan(0);
  expect((await get(`/market?id=${MARKET}`)).status, 'it is asked again and again').toBe(409);
});

test('a relative path of a tape is found from another directory', async () => {
  const project = temporaryDirectory('project');
  mkdirSync(join(project, 'data'));
  copyFileSync(SAMPLE_TAPE, join(project, 'data/own.tape'));
  const words = [
    'backtest',
    '--strategy',
    sampleStrategy('passive-quoter'),
    '--tape',
    'data/own.tape',
    '--fills',
    'central',
    '--json',
  ];
  const ended = await startProcess(builtCommand(words), { cwd: project }).ended;
  expect(ended.code, ended.note).toBe(0);
  const [name = ''] = readdirSync(join(project, 'runs'));
  const directory = join(project, 'runs', name);
  expect((await startView(directory)).welcome.markets.every(({ why }) => why === undefined)).toBe(true);
});

test('the bundled tape is found from anywhere, by a process that a real signal ends', async () => {
  const directory = await centralRun(relative(process.cwd(), SAMPLE_TAPE));
  const words = ['view', directory, '--port', '0', '--json'];
  const { until, said, kill, ended } = startProcess(builtCommand(words), { cwd: temporaryDirectory('elsewhere') });
  await until('"link"');
  const login = await loginBy(linkIn(said.out));
  expect(JSON.parse(login.text).markets.every(({ why }: { why?: string }) => why === undefined)).toBe(true);
  kill('SIGTERM');
  expect(await ended).toMatchObject({ code: 0, note: '' });
});

test('names are data: they come as they are, and nothing of them is a header or a page', async () => {
  const evil = '</script><script>alert(1)</script>"\'\u001b[2J\r\nset-cookie: a=b =cmd|';
  const own = copiedSample();
  const database = new Database(own);
  const rows = database.prepare('SELECT key, description FROM market').all() as { key: number; description: string }[];
  for (const { key, description } of rows) {
    const { facts, ...rest } = JSON.parse(description);
    const outcomes = facts.outcomes.map((outcome: object) => ({ ...outcome, title: evil }));
    const named = { ...rest, facts: { ...facts, name: evil, eventName: evil, outcomes } };
    database.prepare('UPDATE market SET description = ? WHERE key = ?').run(JSON.stringify(named), key);
  }
  database.close();
  const directory = await centralRun(own);
  const { welcome, get, market } = await startView(directory);
  expect(welcome.markets[0]).toMatchObject({ name: evil, event: evil });
  expect(await market(MARKET)).toMatchObject({
    name: evil,
    outcomes: expect.arrayContaining([{ id: expect.any(String), title: evil }]),
  });
  const answer = await get(`/market?id=${MARKET}`);
  expect(answer.headers['content-type']).toBe('application/json');
  expect(answer.headers['set-cookie']).toBeUndefined();
  expect((await get('/')).text).not.toContain('alert(1)');
});
