/** Cut and damaged recordings in every wrapping: a clear reason with its place, and never a half-written tape. */

import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, expect, test } from 'vitest';
import { ImportFailure, type ImportProblem } from '../../src/recording/betfair/decompress/import-failure.ts';
import { type ImportReport, importBetfair } from '../../src/recording/betfair/import.ts';
import type { OnError } from '../../src/recording/betfair/market/recording-import.ts';
import { Tape } from '../../src/recording/tape/tape.ts';
import { verifyTape } from '../../src/recording/verify.ts';
import { bzip2, tar, zip } from '../support/compress.ts';
import { streamLines, streamText } from '../support/made-stream.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

let folder = '';
beforeEach(() => {
  folder = temporaryDirectory('damaged');
});

const LINES = 4000;
const text = Buffer.from(streamText({ updates: LINES }));

const WRAPPED: readonly { name: string; packed: Buffer; truncated: string; corrupt: string }[] = [
  { name: 'gz', packed: gzipSync(text), truncated: 'TRUNCATED_GZIP', corrupt: 'CORRUPT_GZIP' },
  { name: 'bz2', packed: bzip2(text, '-1'), truncated: 'TRUNCATED_BZ2', corrupt: 'CORRUPT_BZ2' },
  { name: 'zip', packed: zip({ a: text }, 'DEFLATED'), truncated: 'TRUNCATED_ZIP', corrupt: 'CORRUPT_ZIP' },
  { name: 'lzma.zip', packed: zip({ a: text }, 'LZMA'), truncated: 'TRUNCATED_ZIP', corrupt: 'CORRUPT_ZIP' },
];

for (const { name, packed, truncated, corrupt } of WRAPPED) {
  test(`a cut .${name} file fails with its byte, and keeps what was whole if asked`, async () => {
    let kept = 0;
    for (const share of [0.02, 0.3, 0.6, 0.9, 0.999]) {
      const cut = Math.floor(packed.length * share);
      const result = await attempt(packed.subarray(0, cut), name, 'fail');
      const problem = result instanceof ImportFailure ? result.problem : allProblemsOf(result)[0];
      expect(problem, `${cut} bytes`).toMatchObject({ code: truncated, byte: cut });
      // An archive without its end may hold a recording that is whole.
      const isKept = !(result instanceof ImportFailure) && result.updatesImported === LINES;
      expect(readdirSync(folder)).toEqual([`cut.${name}`, ...(isKept ? ['out.tape'] : [])]);
      const report = await attempt(packed.subarray(0, cut), name, 'skip');
      if (report instanceof ImportFailure) continue;
      expect(problemsOf(report)).toContain(truncated);
      expect(report.updatesImported).toBeGreaterThanOrEqual(kept);
      expect(report.updatesImported).toBe(await wholeUpdates());
      kept = report.updatesImported;
    }
    expect(kept).toBeGreaterThan(LINES / 2);
  });

  test(`a .${name} file with a flipped byte fails, wherever the byte is`, async () => {
    for (const share of [0.35, 0.5, 0.8]) {
      const flipped = Buffer.from(packed);
      const at = Math.floor(packed.length * share);
      flipped[at] = (flipped[at] as number) ^ 0x10;
      const failure = await failureOf(flipped, name);
      expect([corrupt, truncated, 'BAD_LINE', 'NOT_A_RECORDING'], `byte ${at}`).toContain(failure.code);
      expect(readdirSync(folder)).toEqual([`cut.${name}`]);
    }
  });
}

test('a plain file cut inside a line names the line and the byte at which it begins', async () => {
  const end = text.length - 30;
  const failure = await failureOf(text.subarray(0, end), 'txt');
  const lastLine = text.lastIndexOf('\n', end - 1) + 1;
  expect(failure.problem).toMatchObject({ code: 'BAD_LINE', line: LINES, byte: lastLine });
  const report = await attempt(text.subarray(0, end), 'txt', 'skip');
  expect((report as ImportReport).updatesImported).toBe(LINES - 1);
});

test('a gzip file whose checksum alone is wrong keeps every line if asked', async () => {
  const packed = gzipSync(text);
  packed[packed.length - 8] = (packed[packed.length - 8] as number) ^ 1;
  expect((await failureOf(packed, 'gz')).problem).toMatchObject({ code: 'CORRUPT_GZIP', byte: packed.length - 8 });
  const report = (await attempt(packed, 'gz', 'skip')) as ImportReport;
  expect(report.updatesImported).toBe(LINES);
  expect(problemsOf(report)).toEqual(['CORRUPT_GZIP']);
});

test('after a bad line, a sound gzip file goes on and a damaged one does not', async () => {
  const lines = streamLines({ updates: 100 });
  lines[49] = '{"op":"mcm","pt":';
  const sound = gzipSync(`${lines.join('\n')}\n`);
  expect(((await attempt(sound, 'gz', 'skip')) as ImportReport).updatesImported).toBe(99);
  const damaged = Buffer.from(sound);
  damaged[damaged.length - 5] = (damaged[damaged.length - 5] as number) ^ 1;
  const report = (await attempt(damaged, 'gz', 'skip')) as ImportReport;
  expect(report.updatesImported).toBe(49);
  expect(problemsOf(report)).toEqual(['BAD_LINE', 'CORRUPT_GZIP']);
});

test('the recordings of a tar, packed themselves, are imported each for itself', async () => {
  const one = Buffer.from(streamText({ updates: 30, market: '1.100000001' }));
  const two = Buffer.from(streamText({ updates: 40, market: '1.100000002' }));
  const archive = tar({ '2026/1.100000001.bz2': bzip2(one), '2026/1.100000002.gz': gzipSync(two) });
  for (const packed of [archive, gzipSync(archive), bzip2(archive)]) {
    const report = (await attempt(packed, 'tar', 'fail')) as ImportReport;
    expect(report.updatesImported).toBe(70);
    const names = report.files[0]?.recordings.map((recording) => recording.name);
    expect(names).toEqual(['cut.tar!2026/1.100000001.bz2', 'cut.tar!2026/1.100000002.gz']);
    expect(verifyTape(join(folder, 'out.tape'))).toEqual([]);
  }
  const cut = archive.subarray(0, 600);
  expect((await failureOf(cut, 'tar')).code).toMatch(/^TRUNCATED_/);
});

test('every zip method is read, streamed or not', async () => {
  for (const method of ['STORED', 'DEFLATED', 'LZMA']) {
    const packed = zip({ 'a/1.100000001': text, empty: Buffer.alloc(0) }, method);
    const report = await attempt(packed, 'zip', 'skip');
    expect((report as ImportReport).updatesImported, method).toBe(LINES);
  }
  const streamed = zip({ 'a/1.100000001': text }, 'DEFLATED', true);
  expect(((await attempt(streamed, 'zip', 'fail')) as ImportReport).updatesImported).toBe(LINES);
});

test('what is no recording is refused with a reason', async () => {
  for (const [bytes, code] of [
    ['', 'NOT_A_RECORDING'],
    ['hello\nworld\n', 'NOT_A_RECORDING'],
    ['{"op":"connection"}\n', 'NOT_A_RECORDING'],
    ['[1,2]\n', 'NOT_A_RECORDING'],
    [`${streamLines({ updates: 3 }).slice(1).join('\n')}\n`, 'NO_DEFINITION'],
  ] as const) {
    expect((await failureOf(Buffer.from(bytes), 'txt')).code, bytes.slice(0, 20)).toBe(code);
    expect((await attempt(Buffer.from(bytes), 'txt', 'skip')) as ImportFailure).toMatchObject({ code });
    expect(readdirSync(folder)).toEqual(['cut.txt']);
  }
  const absent = importBetfair({ files: [join(folder, 'absent')], tape: join(folder, 'out.tape') });
  await expect(absent).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
});

test('zero bytes after packed data are passed over, and the next member is read', async () => {
  const lines = streamLines({ updates: 40 });
  const [head, tail] = [lines.slice(0, 20), lines.slice(20)].map((part) => Buffer.from(`${part.join('\n')}\n`));
  const zeros = Buffer.alloc(70_000);
  for (const [name, packed] of [
    ['gz', Buffer.concat([gzipSync(head as Buffer), zeros, gzipSync(tail as Buffer), zeros])],
    ['bz2', Buffer.concat([bzip2(head as Buffer), zeros, bzip2(tail as Buffer), zeros])],
  ] as const)
    expect(((await attempt(packed, name, 'fail')) as ImportReport).updatesImported, name).toBe(40);
});

test('other bytes after the end of gzip data are named as that, and what came before is kept if asked', async () => {
  const packed = gzipSync(streamText({ updates: 30 }));
  const more = Buffer.concat([packed, Buffer.alloc(3), Buffer.from('else')]);
  const { problem } = await failureOf(more, 'gz');
  expect(problem).toMatchObject({
    code: 'CORRUPT_GZIP',
    byte: packed.length + 3,
    why: expect.stringMatching(/no gzip/),
  });
  const report = (await attempt(more, 'gz', 'skip')) as ImportReport;
  expect([report.updatesImported, problemsOf(report)]).toEqual([30, ['CORRUPT_GZIP']]);
});

test('the mark of UTF-8 before the text is passed over', async () => {
  const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(streamText({ updates: 30 }))]);
  for (const [name, bytes] of [
    ['txt', marked],
    ['gz', gzipSync(marked)],
  ] as const)
    expect(((await attempt(bytes, name, 'fail')) as ImportReport).updatesImported, name).toBe(30);
});

test('one bad recording leaves out itself: in a folder, and in an archive of either kind', async () => {
  const [one, bad, two] = ['1.100000001', '1.100000002', '1.100000003'].map((market, index) => {
    const whole = Buffer.from(streamText({ updates: 3000, market }));
    return index === 1 ? Buffer.from(whole.toString().replace('"mc"', '"m')) : whole;
  }) as [Buffer, Buffer, Buffer];
  const entries = { '1.100000001': one, '1.100000002': bad, '1.100000003': two };
  for (const packed of [zip(entries, 'DEFLATED'), zip(entries, 'STORED'), gzipSync(tar(entries))]) {
    const report = (await attempt(packed, 'archive', 'fail')) as ImportReport;
    expect([report.markets, report.faulty, problemsOf(report)]).toEqual([2, 1, ['NOT_A_RECORDING']]);
    expect(await wholeUpdates()).toBe(6000);
  }
  const files = [...Object.entries(entries).map(([name, bytes]) => written(name, bytes)), join(folder, 'absent')];
  rmSync(join(folder, 'out.tape'));
  const report = await importBetfair({ files, tape: join(folder, 'out.tape') });
  expect([report.markets, report.faulty, problemsOf(report)]).toEqual([2, 2, ['NOT_A_RECORDING', 'FILE_NOT_FOUND']]);
  expect(await wholeUpdates()).toBe(6000);
});

test.each([
  ['another stream', '{"op":"rcm","pt":1,"rc":[{"mid":"1.1"}]}\n', /the race stream \(op rcm\).*op mcm/],
  ['orders', '{"op":"connection"}\n{"op":"ocm","pt":1,"oc":[]}\n', /the order stream \(op ocm\)/],
  ['a stream of another kind', '{"op":"xcm"}\n', /messages of another kind \(op xcm\)/],
  ['heartbeats alone', '{"op":"mcm","pt":1,"ct":"HEARTBEAT"}\n', /heartbeats/],
  [
    'one array of messages',
    `[${streamLines({ updates: 3 }).join(',\n')}]`,
    /one array of messages; .*one message a line/,
  ],
  ['an array', '[1,2]\n', /one array of JSON/],
  ['an answer of the API', '{"jsonrpc":"2.0","result":[]}\n', /an answer of the betting API/],
  ['UTF-16', Buffer.from('\ufeff{"op":"mcm"}', 'utf16le'), /UTF-16/],
])('what a text is that is no recording is said, and what would be read: %s', async (_, bytes, why) => {
  for (const packed of [Buffer.from(bytes), gzipSync(bytes)])
    expect((await failureOf(packed, 'txt')).problem).toMatchObject({
      code: 'NOT_A_RECORDING',
      why: expect.stringMatching(why),
    });
});

test('a publish time that goes back is a bad line, not a reordering', async () => {
  const lines = streamLines({ updates: 5 });
  lines[3] = (lines[3] as string).replace(/"pt":\d+/, '"pt":5');
  const failure = await failureOf(Buffer.from(lines.join('\n')), 'txt');
  expect(failure.problem).toMatchObject({ code: 'BAD_LINE', line: 4 });
});

function written(name: string, bytes: Buffer): string {
  const file = join(folder, name);
  writeFileSync(file, bytes);
  return file;
}

async function attempt(bytes: Buffer, name: string, onError: OnError): Promise<ImportReport | ImportFailure> {
  const file = written(`cut.${name}`, bytes);
  const path = join(folder, 'out.tape');
  rmSync(path, { force: true });
  try {
    return await importBetfair({ files: [file], tape: path, onError });
  } catch (error) {
    if (error instanceof ImportFailure) return error;
    throw error;
  }
}

async function failureOf(bytes: Buffer, name: string): Promise<ImportFailure> {
  const failure = await attempt(bytes, name, 'fail');
  expect(failure).toBeInstanceOf(ImportFailure);
  return failure as ImportFailure;
}

function allProblemsOf({ files }: ImportReport): readonly ImportProblem[] {
  return files.flatMap(({ recordings, problems }) => [
    ...recordings.flatMap((recording) => recording.problems),
    ...problems,
  ]);
}

function problemsOf(report: ImportReport): readonly string[] {
  return allProblemsOf(report).map(({ code }) => code);
}

/** Checks the tape, and returns how many updates it gives when read. */
async function wholeUpdates(): Promise<number> {
  const path = join(folder, 'out.tape');
  expect(verifyTape(path)).toEqual([]);
  const tape = Tape.open(path);
  const cursor = tape.cursor();
  let updates = 0;
  while (cursor.next() !== undefined) updates += 1;
  tape.close();
  return updates;
}
