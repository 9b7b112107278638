/** A world in a file is restored as it was, and a file that cannot be restored says why. */

import { copyFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { instant } from '../../../src/core/number/units.ts';
import type { Change } from '../../../src/sandbox/world/change.ts';
import { World } from '../../../src/sandbox/world/world.ts';
import { memoryWorldLog, openWorldLog, type WorldLog } from '../../../src/sandbox/world-log/world-log.ts';
import { WorldLogFailure } from '../../../src/sandbox/world-log/world-log-failure.ts';
import { ChangeGenerator } from './change-generator.ts';
import { depositsOf, KILL_START, setUp } from './log-deposits.ts';
import { START } from './made-context.ts';
import { pictureOf } from './picture.ts';

let folder = '';
let file = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'oddsmith-world-'));
  file = join(folder, 'world.sqlite');
});
afterEach(() => rmSync(folder, { recursive: true }));

function open(rules = {}): WorldLog {
  return openWorldLog({ file, now: START, rules });
}

/** Applies generated changes, with time in between as in a running sandbox; returns how many were made. */
function run(world: World, generator: ChangeGenerator, count: number): number {
  let made = 0;
  for (let index = 0; index < count; index += 1) {
    if (world.apply(generator.next()).kind === 'done') made += 1;
    if (index % 7 === 0) world.advance(world.at(generator.now));
  }
  return made;
}

function failureOf(work: () => unknown): WorldLogFailure {
  try {
    work();
  } catch (error) {
    if (error instanceof WorldLogFailure) return error;
    throw error;
  }
  return expect.fail('it was opened');
}

/** Runs SQL statements on the file. */
function tamper(...statements: string[]): void {
  const database = new Database(file);
  for (const statement of statements) database.exec(statement);
  database.close();
}

describe('a world in a file', () => {
  test.each([1, 2, 3, 4, 5])('comes back as it was, restarted in the middle again and again (seed %i)', (seed) => {
    let log = open();
    const live = new World();
    const generator = new ChangeGenerator(seed, live);
    const twin: Change[] = [];
    live.recordWith((change) => twin.push(change));
    for (let round = 0; round < 4; round += 1) {
      const before = twin.length;
      run(live, generator, 250);
      for (const change of twin.slice(before)) expect(log.world.apply(change).kind).toBe('done');
      if (round % 2 === 0) log.world.advance(live.exchange.now);
      log.close();
      log = open();
      expect(log.opening).toEqual({
        isNew: false,
        changes: twin.length - emptied(twin.slice(0, before)),
        cut: undefined,
      });
      log.world.advance(live.exchange.now);
      expect(log.world.exchange.digest(), `seed ${seed}, round ${round}`).toBe(live.exchange.digest());
      expect(pictureOf(log.world)).toBe(pictureOf(live));
      expect(log.world.exchange.brokenLaws()).toEqual([]);
    }
    log.close();
  });

  test('keeps no change that was refused', () => {
    const log = open();
    const made = run(log.world, new ChangeGenerator(9, log.world), 400);
    log.close();
    expect(made).toBeLessThan(400);
    const again = open();
    expect(again.opening.changes).toBe(made);
    again.close();
  });

  test('is empty and new where there was no file, and says so once', () => {
    const log = open();
    expect(log.opening).toEqual({ isNew: true, changes: 0, cut: undefined });
    log.close();
    const again = open();
    expect(again.opening.isNew).toBe(false);
    again.close();
  });

  test('keeps its rules', () => {
    const log = open({ lockAtStopsOrders: false });
    log.close();
    expect(failureOf(() => open({ lockAtStopsOrders: true }))).toMatchObject({ code: 'WORLD_LOG_RULES' });
    const again = openWorldLog({ file, now: START });
    expect(again.world.exchange.inspect().rules.lockAtStopsOrders).toBe(false);
    again.close();
  });

  test('forgets the text of notes that were overwritten, and nothing else', () => {
    const log = open();
    for (let note = 0; note < 50; note += 1) {
      log.world.apply({ at: START, kind: 'setNote', key: `k${note % 3}`, value: `secret-${note}-`.repeat(20) });
    }
    const before = pictureOf(log.world);
    log.close();
    open().close();
    const bytes = new Database(file, { readonly: true });
    expect(bytes.prepare("SELECT count(*) FROM change WHERE body = ''").pluck().get()).toBe(47);
    bytes.close();
    const again = open();
    expect(again.opening.changes).toBe(3);
    expect(pictureOf(again.world)).toBe(before);
    again.close();
  });
});

describe('changes that belong together', () => {
  const make = (log: WorldLog, id: string) => log.world.apply({ at: START, kind: 'createCurrency', id });

  test('are all there, once they are made', () => {
    const log = open();
    expect(log.together(() => [make(log, 'A'), log.together(() => make(log, 'B'))].length)).toBe(2);
    log.close();
    const again = open();
    expect([...again.world.catalogue.currencies.keys()]).toEqual(['A', 'B']);
    again.close();
  });

  test('are none of them there where they were broken off, and nothing after them', () => {
    const log = open();
    make(log, 'A');
    const broken = () =>
      log.together(() => {
        make(log, 'B');
        throw new Error('broken off');
      });
    expect(broken).toThrow('broken off');
    expect(failureOf(() => make(log, 'C')).code).toBe('WORLD_LOG_WRITE');
    log.close();
    const again = open();
    expect([...again.world.catalogue.currencies.keys()]).toEqual(['A']);
    again.close();
  });
});

describe('a damaged file', () => {
  function written(count: number): string {
    const log = openWorldLog({ file, now: KILL_START });
    setUp(log.world);
    for (let index = 0; index < count; index += 1) {
      const command = { kind: 'deposit', wallet: 2, currency: 0, amount: 1_000_000 } as const;
      log.world.apply({ at: KILL_START, kind: 'command', command } as Change);
    }
    log.close();
    return log.world.exchange.digest();
  }

  test('loses a last change that is torn, says so, and goes on', () => {
    written(5);
    tamper('UPDATE change SET body = substr(body, 1, 20) WHERE number = 8', "DELETE FROM meta WHERE name = 'closing'");
    const log = open();
    expect(log.opening.cut).toContain('change 8');
    expect(depositsOf(log.world)).toBe(4);
    log.world.apply({ at: KILL_START, kind: 'setNote', key: 'a', value: 'b' });
    log.close();
    const again = open();
    expect(again.opening).toEqual({ isNew: false, changes: 8, cut: undefined });
    again.close();
  });

  test.each([
    ['a change in the middle', "UPDATE change SET body = replace(body, '1000000', '2000000') WHERE number = 6"],
    ['a change that is gone', 'DELETE FROM change WHERE number = 5'],
    ['the last changes gone', 'DELETE FROM change WHERE number > 5'],
  ])('is refused for %s', (_, statement) => {
    written(9);
    tamper(statement);
    const bytes = readFileSync(file);
    expect(failureOf(open)).toMatchObject({ code: 'WORLD_LOG_CORRUPT', path: file });
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });

  test('is refused when it was cut short', () => {
    written(2000);
    truncateSync(file, 3 * 4096 + 100);
    expect(failureOf(open).code).toBe('WORLD_LOG_CORRUPT');
  });

  test('is refused when the world comes out otherwise than it was', () => {
    written(3);
    tamper('UPDATE meta SET value = replace(value, \'"digest":"\', \'"digest":"0\') WHERE name = \'closing\'');
    expect(failureOf(open).code).toBe('WORLD_LOG_DIVERGED');
  });

  test('is refused when a change that was made once is refused now', () => {
    written(1);
    const body = JSON.stringify({ at: KILL_START, kind: 'createWallet', app: 77 });
    tamper(`INSERT INTO change VALUES (5, ${crc32(body)}, '${body}')`);
    expect(failureOf(open)).toMatchObject({ code: 'WORLD_LOG_DIVERGED' });
  });

  test('is refused when it is something else', () => {
    writeFileSync(file, 'not a database at all, but long enough to be taken for one'.repeat(100));
    expect(failureOf(open).code).toBe('NOT_A_WORLD_LOG');
    rmSync(file);
    tamper('CREATE TABLE other (a)');
    const bytes = readFileSync(file);
    expect(failureOf(open).code).toBe('NOT_A_WORLD_LOG');
    expect(readFileSync(file).equals(bytes), 'a stranger to be left as it is').toBe(true);
  });

  test('is refused when it is of another format, in no folder, or a folder', () => {
    written(1);
    tamper('PRAGMA user_version = 9');
    expect(failureOf(open).code).toBe('WORLD_LOG_VERSION');
    expect(failureOf(() => openWorldLog({ file: join(folder, 'no', 'world'), now: START })).code).toBe(
      'WORLD_LOG_UNREADABLE',
    );
    expect(failureOf(() => openWorldLog({ file: folder, now: START })).code).toBe('WORLD_LOG_UNREADABLE');
  });
});

describe('two sandboxes', () => {
  test('cannot share a file, and the second leaves it alone', () => {
    const log = open();
    expect(failureOf(open).code).toBe('WORLD_LOG_BUSY');
    expect(log.world.apply({ at: START, kind: 'createCurrency', id: 'USDC' }).kind).toBe('done');
    log.close();
    const again = open();
    expect(again.opening.changes).toBe(1);
    again.close();
  });

  test('can have a copy each', () => {
    const log = open();
    log.world.apply({ at: START, kind: 'createCurrency', id: 'USDC' });
    log.close();
    const copy = join(folder, 'copy.sqlite');
    copyFileSync(file, copy);
    const both = [open(), openWorldLog({ file: copy, now: START })];
    expect(both.map(({ world }) => world.catalogue.currencies.size)).toEqual([1, 1]);
    for (const each of both) each.close();
  });
});

test('a change is recorded before anyone is told of it', () => {
  const order: string[] = [];
  const world = new World();
  world.recordWith((change) => order.push(`recorded ${change.kind}`));
  world.listen((change) => order.push(`told ${change?.kind}`));
  world.apply({ at: START, kind: 'createCurrency', id: 'USDC' });
  world.apply({ at: START, kind: 'createCurrency', id: 'USDC' });
  expect(order).toEqual(['recorded createCurrency', 'told createCurrency']);
});

test('a world whose change could not be recorded does nothing more, and tells nobody', () => {
  const world = new World();
  let told = 0;
  world.listen(() => {
    told += 1;
  });
  world.recordWith(() => {
    throw new Error('the disk is full');
  });
  const change: Change = { at: START, kind: 'createCurrency', id: 'USDC' };
  expect(() => world.apply(change)).toThrow('the disk is full');
  expect(() => world.apply({ ...change, id: 'EURC' })).toThrow('the disk is full');
  expect(world.catalogue.currencies.has('EURC')).toBe(false);
  expect(told).toBe(0);
});

test('a world that is closed takes no more changes', () => {
  const log = open();
  log.close();
  expect(failureOf(() => log.world.apply({ at: START, kind: 'createCurrency', id: 'USDC' })).code).toBe(
    'WORLD_LOG_WRITE',
  );
});

test('a world in memory is a world like any other', () => {
  const log = memoryWorldLog();
  expect(log.opening).toEqual({ isNew: true, changes: 0, cut: undefined });
  expect(log.world.apply({ at: instant(5), kind: 'createCurrency', id: 'USDC' }).kind).toBe('done');
  log.close();
});

/** How many of these changes a later opening skips: notes that were overwritten before the last one. */
function emptied(changes: readonly Change[]): number {
  const keys = changes.flatMap((change) => (change.kind === 'setNote' ? [change.key] : []));
  return keys.length - new Set(keys).size;
}
