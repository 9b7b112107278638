/** A worker's pieces: fetched once, never opened unchecked, never removed under somebody who reads them. */

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type PieceServer, servePieces } from '../../../src/app/commands/machines/piece-server.ts';
import type { OddsmithError } from '../../../src/core/checks/oddsmith-error.ts';
import type { TapePiece } from '../../../src/recording/pieces/manifest.ts';
import { splitTape } from '../../../src/recording/pieces/split-tape.ts';
import { Tape } from '../../../src/recording/tape/tape.ts';
import { type CacheTerms, PieceCache } from '../../../src/sweep/pieces/piece-cache.ts';
import { TapeSources } from '../../../src/sweep/pieces/tape-sources.ts';
import { SAMPLE_TAPE } from '../../support/places.ts';
import { startProcess } from '../../support/running-command.ts';
import { type CacheStep, cacheProcess } from '../../support/sweep/cache-process.ts';
import { describeWithSmallDisk, onSmallDisk } from '../../support/sweep/small-disk.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

interface Stage {
  readonly server: PieceServer;
  readonly directory: string;
  readonly pieces: readonly TapePiece[];
  /** Paths that were answered with a piece. */
  readonly served: string[];
}

async function stage(): Promise<Stage> {
  const directory = join(temporaryDirectory('pieces'), 'pieces');
  const split = await splitTape({ tape: SAMPLE_TAPE, by: 'event', out: directory, onPiece: async () => true });
  const served: string[] = [];
  const onServed = ({ path, status }: { readonly path: string; readonly status: number }): void => {
    if (status === 200 && path.startsWith('/blobs/')) served.push(path.slice('/blobs/'.length));
  };
  const server = await servePieces({ directory, host: '127.0.0.1', port: 0, onServed });
  closing.push(() => server.close());
  return { server, directory, pieces: split?.manifest.pieces ?? [], served };
}

function cacheOf(directory: string, change: Partial<CacheTerms> = {}): PieceCache {
  return new PieceCache({ directory, bytesMax: 1e9, owner: 'one', isAlive: () => true, ...change });
}

function kept(directory: string): readonly string[] {
  return readdirSync(join(directory, 'pieces')).map((name) => name.replace('.tape', ''));
}

function sha256Of(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    (error: OddsmithError) => error.code,
  );

/** A server that answers as it is told. */
async function strangeServer(answer: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((_, response) => answer(response));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a piece', () => {
  test('is fetched once, also for several at once, and found by the next process', async () => {
    const { server, pieces, served } = await stage();
    const directory = temporaryDirectory('cache');
    const cache = cacheOf(directory);
    const [first] = pieces;
    const piece = first ?? expect.fail();
    const held = await Promise.all([cache.hold(piece, server.address), cache.hold(piece, server.address)]);
    expect(held.map(({ path }) => sha256Of(path))).toEqual([piece.sha256, piece.sha256]);
    for (const each of held) each.release();
    (await cache.hold(piece, server.address)).release();
    cache.close();
    await cacheOf(directory, { owner: 'two' }).hold(piece, server.address);
    expect(served).toEqual([piece.sha256]);
  });

  test('that was changed on the disk is fetched anew before it is opened', async () => {
    const { server, pieces, served } = await stage();
    const directory = temporaryDirectory('cache');
    const [piece = expect.fail()] = pieces;
    (await cacheOf(directory).hold(piece, server.address)).release();
    writeFileSync(join(directory, 'pieces', `${piece.sha256}.tape`), 'not a tape');
    const { path } = await cacheOf(directory, { owner: 'two' }).hold(piece, server.address);
    expect(sha256Of(path)).toBe(piece.sha256);
    expect(served.length).toBe(2);
  });

  test('is whole for each of two that fetch all of them into one directory at once', async () => {
    const { server, pieces } = await stage();
    const directory = temporaryDirectory('cache');
    const caches = [cacheOf(directory), cacheOf(directory, { owner: 'two' })];
    const held = await Promise.all(
      caches.flatMap((cache) =>
        pieces.map(async (piece) => ({ piece, held: await cache.hold(piece, server.address) })),
      ),
    );
    for (const each of held) expect(sha256Of(each.held.path)).toBe(each.piece.sha256);
    expect([...kept(directory)].sort()).toEqual(pieces.map(({ sha256 }) => sha256).sort());
    for (const cache of caches) cache.close();
    expect(readdirSync(join(directory, 'fetching'))).toEqual([]);
  });
});

describe('the limit', () => {
  test('removes what was used longest ago, and nothing that anyone uses', async () => {
    const { server, pieces } = await stage();
    const directory = temporaryDirectory('cache');
    const [a = expect.fail(), b = expect.fail(), c = expect.fail(), d = expect.fail()] = pieces;
    const bytesMax = a.bytes + b.bytes + c.bytes;
    const [cache, other] = [cacheOf(directory, { bytesMax }), cacheOf(directory, { bytesMax, owner: 'two' })];
    const inUse = await other.hold(a, server.address);
    for (const piece of [b, c]) (await cache.hold(piece, server.address)).release();
    // Used again: c is now the one that was used longest ago.
    (await cache.hold(b, server.address)).release();
    (await cache.hold(d, server.address)).release();
    expect([...kept(directory)].sort()).toEqual([a, b, d].map(({ sha256 }) => sha256).sort());
    expect(sha256Of(inUse.path)).toBe(a.sha256);
  });

  test('is an error where pieces in use take all of it', async () => {
    const { server, pieces } = await stage();
    const [a = expect.fail(), b = expect.fail()] = pieces;
    const cache = cacheOf(temporaryDirectory('cache'), { bytesMax: a.bytes + b.bytes - 1 });
    const held = await cache.hold(a, server.address);
    expect(await codeOf(cache.hold(b, server.address))).toBe('CACHE_FULL');
    held.release();
    (await cache.hold(b, server.address)).release();
  });

  test('counts nothing that a dead process held', async () => {
    const { server, pieces } = await stage();
    const directory = temporaryDirectory('cache');
    const [a = expect.fail(), b = expect.fail()] = pieces;
    await cacheOf(directory, { owner: 'dead' }).hold(a, server.address);
    const next = cacheOf(directory, { owner: 'next', bytesMax: b.bytes, isAlive: (owner) => owner !== 'dead' });
    expect(readdirSync(join(directory, 'held'))).toEqual(['next']);
    await next.hold(b, server.address);
    expect(kept(directory)).toEqual([b.sha256]);
  });
});

describe('an error that says what to do', () => {
  test.each([
    ['bytes of another piece', (response: ServerResponse, { bytes }: TapePiece) => response.end('x'.repeat(bytes))],
    ['more bytes than listed', (response: ServerResponse, { bytes }: TapePiece) => response.end('x'.repeat(bytes + 1))],
  ])('for %s, of which nothing is kept', async (_, answer) => {
    const { pieces } = await stage();
    const [piece = expect.fail()] = pieces;
    const directory = temporaryDirectory('cache');
    const cache = cacheOf(directory);
    const address = await strangeServer((response) => answer(response, piece));
    await expect(cache.hold(piece, address)).rejects.toMatchObject({
      code: 'PIECE_DAMAGED',
      where: `${address}/blobs/${piece.sha256}`,
    });
    expect([
      kept(directory),
      readdirSync(join(directory, 'held', 'one')),
      readdirSync(join(directory, 'fetching', 'one')),
    ]).toEqual([[], [], []]);
  });

  test('for a server that is not there, and one that does not have it', async () => {
    const { server, pieces } = await stage();
    const [piece = expect.fail()] = pieces;
    const cache = cacheOf(temporaryDirectory('cache'));
    expect(await codeOf(cache.hold({ ...piece, sha256: 'a'.repeat(64) }, server.address))).toBe('PIECE_UNREACHABLE');
    await server.close();
    closing.length = 0;
    expect(await codeOf(cache.hold(piece, server.address))).toBe('PIECE_UNREACHABLE');
  });

  test('and none where the connection breaks now and then', async () => {
    const { pieces, directory } = await stage();
    const [piece = expect.fail()] = pieces;
    const bytes = readFileSync(join(directory, piece.file));
    let asked = 0;
    const address = await strangeServer((response) => {
      asked += 1;
      response.writeHead(asked === 1 ? 503 : 200, { 'Content-Length': bytes.byteLength });
      if (asked > 2) response.end(bytes);
      else if (asked === 2) response.write(bytes.subarray(0, 1000), () => response.destroy());
      else response.destroy();
    });
    const { path } = await cacheOf(temporaryDirectory('cache')).hold(piece, address);
    expect([sha256Of(path), asked]).toEqual([piece.sha256, 3]);
  });

  test('for a directory that is none', () => {
    const directory = temporaryDirectory('cache');
    writeFileSync(join(directory, 'file'), '');
    expect(() => cacheOf(join(directory, 'file'))).toThrow(expect.objectContaining({ code: 'CACHE_NOT_WRITABLE' }));
  });
});

describeWithSmallDisk('a disk that is full before the limit is reached', () => {
  test('gets room from pieces that nobody uses, and is an error where all are in use', async () => {
    const { server, pieces, served } = await stage();
    const [a = expect.fail(), b = expect.fail()] = pieces;
    const directory = temporaryDirectory('cache');
    // Room for the larger one, and not for both.
    const bytes = Math.max(a.bytes, b.bytes) + Math.floor(Math.min(a.bytes, b.bytes) / 2);
    const words = ['hold 0', 'release 0', 'hold 1', 'hold 0', 'release 1', 'hold 0'] as const;
    const steps = words.map((step) => ({
      kind: step.startsWith('hold') ? ('hold' as const) : ('release' as const),
      piece: Number(step.slice(-1)),
    }));
    const task = cacheProcess({ directory, address: server.address, pieces: [a, b], steps });
    const { code, out, note } = await startProcess(onSmallDisk(task, { directory, bytes })).ended;
    expect(code, note).toBe(0);
    const did: readonly CacheStep[] = JSON.parse(out);
    expect(did.map(({ kept }) => kept)).toEqual([a, a, b, b, b, a].map(({ sha256 }) => [sha256]));
    expect(did.map(({ error }) => error?.code)).toEqual([
      ...[undefined, undefined, undefined],
      ...['CACHE_NOT_WRITABLE', undefined, undefined],
    ]);
    expect(did[3]?.error).toMatchObject({
      why: expect.stringContaining('ENOSPC'),
      next: expect.stringMatching(/^Make room on the disk, .* --cache/),
    });
    expect(did.map(({ halves }) => halves)).toEqual([0, 0, 0, 0, 0, 0]);
    // Each attempt that met the full disk was made twice: the second one after what was not in use had gone.
    expect(served.filter((sha256) => sha256 === b.sha256)).toHaveLength(2);
  });
});

describe('the tapes of a job', () => {
  test('are those that hold its markets, from a server, a directory or a tape alike', async () => {
    const { server, directory, pieces, served } = await stage();
    const markets = ['99000301', '99000101', '99000102'];
    const cache = cacheOf(temporaryDirectory('cache'));
    for (const place of [
      `${server.address}/manifest.json`,
      server.address,
      `${server.address}/`,
      directory,
      join(directory, 'manifest.json'),
    ]) {
      const held = await (await TapeSources.open([place], cache)).hold(markets);
      expect(held.paths.map(sha256Of)).toEqual([pieces[0]?.sha256, pieces[2]?.sha256]);
      held.release();
    }
    expect(served).toEqual([pieces[0]?.sha256, pieces[2]?.sha256]);
    const whole = await (await TapeSources.open([SAMPLE_TAPE], undefined)).hold(markets);
    expect(whole.paths).toEqual([SAMPLE_TAPE]);
  });

  test('are missing where no place has a market, and damaged where a shared piece is', async () => {
    const { directory, pieces } = await stage();
    const sources = await TapeSources.open([directory], undefined);
    expect(await codeOf(sources.hold(['99000101', 'nowhere']))).toBe('MARKET_NOT_HELD');
    const [piece = expect.fail()] = pieces;
    const path = join(directory, piece.file);
    const bytes = readFileSync(path);
    bytes[5000] = (bytes[5000] ?? 0) ^ 1;
    rmSync(path);
    writeFileSync(path, bytes);
    expect(await codeOf(sources.hold(piece.markets))).toBe('PIECE_DAMAGED');
    expect(existsSync(path)).toBe(true);
  });

  test('opened while another process removes the piece from the cache, are read to their end', async () => {
    const { server, pieces } = await stage();
    const [piece = expect.fail()] = pieces;
    const directory = temporaryDirectory('cache');
    const { path } = await cacheOf(directory).hold(piece, server.address);
    rmSync(join(directory, 'pieces', `${piece.sha256}.tape`));
    const tape = Tape.open(path);
    let updates = 0;
    for (const cursor = tape.cursor(); cursor.next() !== undefined; ) updates += 1;
    expect(updates).toBe(piece.updates);
    tape.close();
  });
});
