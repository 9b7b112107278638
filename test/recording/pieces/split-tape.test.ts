/** Pieces of a tape together are the tape, and are there whole or not at all. */

import { existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import type { BacktestOptions } from '../../../src/backtest/options/backtest-options.ts';
import type { Instant } from '../../../src/core/number/units.ts';
import { hashFile } from '../../../src/recording/pieces/file-hash.ts';
import { parseManifest, readManifest } from '../../../src/recording/pieces/manifest.ts';
import { PiecesDirectory } from '../../../src/recording/pieces/pieces-directory.ts';
import { splitTape } from '../../../src/recording/pieces/split-tape.ts';
import { Tape } from '../../../src/recording/tape/tape.ts';
import type { TapeFailure } from '../../../src/recording/tape/tape-failure.ts';
import { TapeWriter } from '../../../src/recording/tape/tape-writer.ts';
import { verifyTape } from '../../../src/recording/verify.ts';
import { backtestOf } from '../../support/backtest-of.ts';
import { madeFacts } from '../../support/made-market.ts';
import { MADE_DEFINITION, madeDescription } from '../../support/made-tape.ts';
import { SAMPLE_TAPE, sampleStrategy } from '../../support/places.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const goOn = async (): Promise<boolean> => true;

function place(): string {
  return join(temporaryDirectory('pieces'), 'out');
}

async function split(change: Partial<Parameters<typeof splitTape>[0]> = {}) {
  const out = place();
  const done = await splitTape({ tape: SAMPLE_TAPE, by: 'event', out, onPiece: goOn, ...change });
  return { out: change.out ?? out, done, manifest: done?.manifest ?? expect.fail('it was interrupted') };
}

function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'none',
    (error: TapeFailure) => error.code,
  );
}

describe('the pieces', () => {
  test('replay to the result of the whole tape, event by event', async () => {
    const { out, manifest } = await split();
    const files = ['passive-quoter', 'favourite-scalp'].map(sampleStrategy);
    const figures = async (change: Partial<BacktestOptions>) => {
      const result = await backtestOf(files, { isolate: 'event', ...change });
      const { byMarket, total, wallets, updates, curve, refusals, runs } = result;
      const withoutHash = runs.map(({ transcriptSha256: _, ...run }) => run);
      const orders = [...result.orderRows].map((row) => JSON.stringify(row));
      const fills = [...result.fillRows].map((row) => JSON.stringify(row));
      return { byMarket, total, wallets, updates, curve, refusals, runs: withoutHash, orders, fills };
    };
    const whole = await figures({});
    expect(whole.orders.length).toBeGreaterThan(100);
    expect(await figures({ tapes: manifest.pieces.map(({ file }) => join(out, file)) })).toEqual(whole);
  });

  test('hold every market once, to the byte, with the hashes that the list says', async () => {
    const { out, manifest } = await split();
    const whole = Tape.open(SAMPLE_TAPE);
    expect(manifest.pieces.flatMap(({ markets }) => markets).sort()).toEqual(
      whole.markets.map(({ facts }) => facts.id).sort(),
    );
    for (const { file, sha256, content, bytes, markets, updates, from, to } of manifest.pieces) {
      const path = join(out, file);
      expect(verifyTape(path)).toEqual([]);
      expect(hashFile(path)).toEqual({ sha256, bytes });
      const piece = Tape.open(path);
      expect(piece.sha256).toBe(content);
      expect(piece.markets.map(({ facts }) => facts.id)).toEqual(markets);
      expect(piece.markets.reduce((sum, market) => sum + market.updates, 0)).toBe(updates);
      expect([from, to].map((time) => Date.parse(time ?? ''))).toEqual([
        Math.min(...piece.markets.map(({ firstAt }) => firstAt)),
        Math.max(...piece.markets.map(({ lastAt }) => lastAt)),
      ]);
      for (const [index, market] of piece.markets.entries()) {
        const there = whole.markets.findIndex(({ facts }) => facts.id === market.facts.id);
        expect([...piece.packed(index).segments].map(({ bytes: packed }) => packed)).toEqual(
          [...whole.packed(there).segments].map(({ bytes: packed }) => packed),
        );
        expect(piece.definitions(index)).toEqual(whole.definitions(there));
      }
      piece.close();
    }
    whole.close();
  });

  test('are the same bytes each time', async () => {
    const [one, other] = [await split(), await split()];
    expect(one.manifest).toEqual(other.manifest);
    expect(readdirSync(one.out)).toEqual(readdirSync(other.out));
  });

  test('by day: the groups of a day in one piece, in order of time, and no group is cut', async () => {
    const { manifest } = await split({ tape: daysTape(), by: 'day' });
    expect(manifest.pieces.map(({ key, file, markets }) => ({ key, file, markets }))).toEqual([
      { key: '2026-03-01', file: '0001-2026-03-01.tape', markets: ['a-win', 'b', 'a-place'] },
      { key: '2026-03-02', file: '0002-2026-03-02.tape', markets: ['c'] },
    ]);
  });
});

/** The place market of event a is scheduled after midnight, its win market before. */
function daysTape(): string {
  const path = join(temporaryDirectory('days'), 'days.tape');
  const writer = TapeWriter.create(path);
  const at = (text: string): Instant => Date.parse(text) as Instant;
  const markets = [
    { id: 'c', eventId: 'c', expectedStartTime: at('2026-03-02T12:00:00Z') },
    { id: 'a-win', eventId: 'a', expectedStartTime: at('2026-03-01T23:59:00Z') },
    { id: 'b', eventId: 'b', expectedStartTime: at('2026-03-01T01:00:00Z') },
    { id: 'a-place', eventId: 'a', expectedStartTime: at('2026-03-02T00:01:00Z') },
  ];
  for (const { id, ...change } of markets) {
    const key = writer.startMarket();
    writer.addDefinition(key, MADE_DEFINITION);
    writer.finishMarket(key, { ...madeDescription(id), facts: madeFacts(id, 2, change) });
  }
  writer.finish();
  return path;
}

describe('a split that ends early', () => {
  test('leaves nothing, asked to end or failed', async () => {
    const out = place();
    let asked = 0;
    const stop = async (): Promise<boolean> => {
      asked += 1;
      return asked < 3;
    };
    expect(await splitTape({ tape: SAMPLE_TAPE, by: 'event', out, onPiece: stop })).toBeUndefined();
    expect(readdirSync(join(out, '..'))).toEqual([]);
    const fail = (): Promise<boolean> => Promise.reject(new Error('no more'));
    await expect(splitTape({ tape: SAMPLE_TAPE, by: 'event', out, onPiece: fail })).rejects.toThrow('no more');
    expect(readdirSync(join(out, '..'))).toEqual([]);
  });

  test('that was killed is begun anew, and what it left is gone', async () => {
    const out = place();
    let left: readonly string[] = [];
    const killed = async (): Promise<boolean> => {
      left = readdirSync(`${out}.partial`);
      return true;
    };
    mkdirSync(`${out}.partial`);
    // As a killed process leaves it: its lock file is there, and nobody holds it.
    const database = new Database(join(`${out}.partial`, '.oddsmith-split'));
    database.exec('CREATE TABLE split (made INTEGER)');
    database.close();
    writeFileSync(join(`${out}.partial`, '0001-half.tape'), 'half');
    await split({ out, onPiece: killed });
    expect(left).not.toContain('0001-half.tape');
    expect(existsSync(`${out}.partial`)).toBe(false);
    expect(readdirSync(out)).not.toContain('.oddsmith-split');
  });

  test('is not disturbed by a second one at the same place', async () => {
    const out = place();
    const first = PiecesDirectory.begin(out);
    expect(await codeOf(split({ out }))).toBe('TAPE_BUSY');
    first.discard();
    expect(existsSync(out)).toBe(false);
    expect((await split({ out })).done?.wasThere).toBe(false);
  });

  test('finds damage of the tape, and leaves nothing', async () => {
    const tape = join(temporaryDirectory('damaged'), 'damaged.tape');
    writeFileSync(tape, readFileSync(SAMPLE_TAPE));
    const database = new Database(tape);
    database.exec("UPDATE segment SET bytes = x'00' WHERE id = 5");
    database.close();
    const out = place();
    expect(await codeOf(split({ tape, out }))).toBe('TAPE_CORRUPT');
    expect(readdirSync(join(out, '..'))).toEqual([]);
  });
});

describe('a directory that is there', () => {
  test('with the same pieces is left as it is', async () => {
    const { out, manifest } = await split();
    const again = await split({ out });
    expect(again.done).toEqual({ manifest, wasThere: true });
  });

  test.each([
    ['a piece that is cut off', (out: string, file: string) => truncateSync(join(out, file), 4096)],
    ['a list of something else', (out: string) => writeFileSync(join(out, 'manifest.json'), '{}')],
  ])('with %s is refused and kept', async (_, change) => {
    const { out, manifest } = await split();
    change(out, manifest.pieces[2]?.file ?? '');
    const before = readdirSync(out);
    expect(await codeOf(split({ out }))).toBe('PIECES_EXIST');
    expect(readdirSync(out)).toEqual(before);
  });

  test('is refused where it holds other files, the pieces by day, or is a file; taken where it is empty', async () => {
    const other = temporaryDirectory('other');
    writeFileSync(join(other, 'notes'), 'mine');
    expect(await codeOf(split({ out: other }))).toBe('PIECES_EXIST');
    expect(await codeOf(split({ out: join(other, 'notes') }))).toBe('PIECES_EXIST');
    expect(readdirSync(other)).toEqual(['notes']);
    const byDay = await split({ by: 'day' });
    expect(await codeOf(split({ out: byDay.out }))).toBe('PIECES_EXIST');
    expect((await split({ out: temporaryDirectory('empty') })).done?.wasThere).toBe(false);
  });

  test('beside its place, of somebody else, is neither used nor removed', async () => {
    const out = place();
    mkdirSync(`${out}.partial`);
    writeFileSync(join(`${out}.partial`, 'notes'), 'mine');
    expect(await codeOf(split({ out }))).toBe('PIECES_EXIST');
    expect(readdirSync(`${out}.partial`)).toEqual(['notes']);
  });
});

describe('the list', () => {
  test('is read as it was written', async () => {
    const { out, manifest } = await split();
    expect(readManifest(join(out, 'manifest.json'))).toEqual(manifest);
  });

  const hash = 'a'.repeat(64);
  const piece = { file: '0001-a.tape', sha256: hash, content: hash, bytes: 1, key: 'a', markets: ['m'], updates: 0 };
  const good = { format: 1, by: 'event', tape: { content: hash, markets: 1, updates: 0 }, pieces: [piece] };

  test.each([
    ['no JSON', '{'],
    ['no object', [good]],
    ['another format', { ...good, format: 2 }],
    ['another kind', { ...good, by: 'week' }],
    ['no tape', { ...good, tape: { content: 'x' } }],
    ['pieces that are no list', { ...good, pieces: {} }],
    ['a piece outside of its directory', { ...good, pieces: [{ ...piece, file: '../0001-a.tape' }] }],
    ['a hidden piece', { ...good, pieces: [{ ...piece, file: '.tape' }] }],
    ['no hash', { ...good, pieces: [{ ...piece, sha256: `${hash}/` }] }],
    ['a size below nothing', { ...good, pieces: [{ ...piece, bytes: -1 }] }],
    ['markets of another kind', { ...good, pieces: [{ ...piece, markets: [1] }] }],
    ['a file twice', { ...good, pieces: [piece, piece] }],
  ])('is refused with %s', (_, value) => {
    expect(parseManifest(JSON.stringify(good), 'list')).toEqual(good);
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    expect(() => parseManifest(text, 'list')).toThrow(expect.objectContaining({ code: 'PIECES_UNREADABLE' }));
  });
});
