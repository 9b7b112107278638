/** What a tape may be written over: nothing, or a tape of ours. Everything else stays as it is. */

import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { instant } from '../../src/core/number/units.ts';
import { RecordingWriter, sealRecording, UNFINISHED } from '../../src/recording/live/recording-writer.ts';
import { Tape } from '../../src/recording/tape/tape.ts';
import { TapeFailure } from '../../src/recording/tape/tape-failure.ts';
import type { TapeMode } from '../../src/recording/tape/tape-target.ts';
import { TapeWriter } from '../../src/recording/tape/tape-writer.ts';
import { SAMPLE_TAPE } from '../support/places.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { thrownBy } from '../support/thrown-by.ts';

const folder = temporaryDirectory('target');

let made = 0;
/** A path in a directory of its own, so that files left beside the target are seen. */
function place(): string {
  made += 1;
  const directory = join(folder, String(made));
  mkdirSync(directory);
  return join(directory, 'target.tape');
}

/** The content of the directory: names, kinds and contents of files. */
function picture(target: string): readonly string[] {
  const directory = join(target, '..');
  return readdirSync(directory).map((name) => {
    const stats = lstatSync(join(directory, name));
    const content = stats.isFile() ? readFileSync(join(directory, name)).toString('base64') : '';
    return `${name} ${stats.mode} ${stats.ino} ${content}`;
  });
}

interface Other {
  readonly name: string;
  readonly make: (path: string) => void;
  readonly words: string;
}

function foreignDatabase(path: string): void {
  const database = new Database(path);
  database.exec('CREATE TABLE shopping (what TEXT); INSERT INTO shopping VALUES (1)');
  database.close();
}

const PLAIN: readonly Other[] = [
  { name: 'a directory', make: mkdirSync, words: 'a directory' },
  { name: 'a pipe', make: (path) => execFileSync('mkfifo', [path]), words: 'a pipe' },
  { name: 'a link to a tape', make: (path) => symlinkSync(SAMPLE_TAPE, path), words: 'a symbolic link' },
  { name: 'a link to nothing', make: (path) => symlinkSync('nowhere', path), words: 'a symbolic link' },
  { name: 'a link to a device', make: (path) => symlinkSync('/dev/null', path), words: 'a symbolic link' },
  { name: 'a text', make: (path) => writeFileSync(path, 'dear diary\n'.repeat(40)), words: 'no tape of oddsmith' },
  { name: 'an empty file', make: (path) => writeFileSync(path, ''), words: 'no tape of oddsmith' },
  { name: 'another database', make: foreignDatabase, words: 'no tape of oddsmith' },
];

/** Making a device needs rights that not every user has, and /dev/null itself must not be put at risk. */
const isAllowed = spawnSync('mknod', [join(folder, 'device'), 'c', '1', '3']).status === 0;
const device = (path: string): void => void execFileSync('mknod', [path, 'c', '1', '3']);
const OTHERS = isAllowed ? [...PLAIN, { name: 'a device', make: device, words: 'a device' }] : PLAIN;

describe('what is no tape of ours is not replaced', () => {
  const cases = OTHERS.flatMap((other) =>
    (['new', 'overwrite', 'append'] as const).map((mode) => ({ ...other, mode })),
  );

  test.each(cases)('$name, with mode $mode', ({ make, words, mode }) => {
    const target = place();
    make(target);
    const before = picture(target);
    const failure = thrownBy(TapeFailure, () => TapeWriter.create(target, mode));
    const isFile = lstatSync(target).isFile();
    expect(failure).toMatchObject({
      code: isFile && mode === 'new' ? 'TAPE_EXISTS' : 'TAPE_NOT_REPLACEABLE',
      path: target,
    });
    if (failure.code === 'TAPE_NOT_REPLACEABLE') expect(failure.message).toContain(words);
    expect(picture(target)).toEqual(before);
  });

  test.each(OTHERS.filter(({ name }) => name !== 'an empty file'))(
    'nor where the tape is written before it is whole: $name',
    ({ make, words }) => {
      const target = place();
      make(`${target}.partial`);
      const before = picture(target);
      const failure = thrownBy(TapeFailure, () => TapeWriter.create(target));
      expect(failure).toMatchObject({ code: 'TAPE_NOT_REPLACEABLE', path: `${target}.partial` });
      expect(failure.message).toContain(words);
      expect(picture(target)).toEqual(before);
    },
  );

  test.each([
    ['new', 'TAPE_EXISTS'],
    ['overwrite', 'TAPE_NOT_REPLACEABLE'],
  ] as const)('nor what came to lie there meanwhile, with mode %s', (mode, code) => {
    const target = place();
    const writer = TapeWriter.create(target, mode);
    writeFileSync(target, 'dear diary');
    expect(thrownBy(TapeFailure, () => writer.finish()).code).toBe(code);
    writer.discard();
    expect(readFileSync(target, 'utf8')).toBe('dear diary');
    expect(existsSync(`${target}.partial`)).toBe(false);
  });
});

describe('a tape of ours is', () => {
  test.each([
    ['whole', () => undefined],
    ['damaged', (path: string) => writeFileSync(path, readFileSync(path).subarray(0, 5000))],
  ] as const)('replaced where it is %s', (_what, damage) => {
    const target = place();
    copyFileSync(SAMPLE_TAPE, target);
    damage(target);
    TapeWriter.create(target, 'overwrite').finish();
    const tape = Tape.open(target);
    expect(tape.markets).toEqual([]);
    tape.close();
  });

  test.each(['overwrite', 'append'] as const)('left alone by %s while it is recorded', (mode: TapeMode) => {
    const target = place();
    const recording = RecordingWriter.create(target, instant(0));
    const failure = thrownBy(TapeFailure, () => TapeWriter.create(`${target}${UNFINISHED}`, mode));
    expect(['TAPE_BUSY', 'TAPE_NOT_REPLACEABLE']).toContain(failure.code);
    expect(recording.finish().path).toBe(target);
  });

  test('not added to where it is damaged, and stays', () => {
    const target = place();
    writeFileSync(target, readFileSync(SAMPLE_TAPE).subarray(0, 5000));
    const before = picture(target);
    expect(['TAPE_CORRUPT', 'NOT_A_TAPE']).toContain(
      thrownBy(TapeFailure, () => TapeWriter.create(target, 'append')).code,
    );
    expect(picture(target)).toEqual(before);
  });
});

test.each([
  ['a folder that is not there', 'none/x.tape'],
  ['too long a name', `${'x'.repeat(300)}.tape`],
  ['a folder that is a file', ''],
])('a tape cannot be written in %s', (_what, name) => {
  const target = place();
  writeFileSync(target, '');
  const path = name === '' ? join(target, 'x.tape') : join(target, '..', name);
  expect(thrownBy(TapeFailure, () => TapeWriter.create(path)).code).toBe('TAPE_NOT_WRITABLE');
  expect(thrownBy(TapeFailure, () => RecordingWriter.create(path, instant(0))).code).toBe('TAPE_NOT_WRITABLE');
});

describe('what a killed recorder leaves', () => {
  test.each(OTHERS.filter(({ name }) => name !== 'an empty file'))('is not $name', ({ make }) => {
    const target = place();
    make(`${target}${UNFINISHED}`);
    const before = picture(target);
    expect(['TAPE_NOT_REPLACEABLE', 'TAPE_CORRUPT']).toContain(thrownBy(TapeFailure, () => sealRecording(target)).code);
    expect(picture(target)).toEqual(before);
  });

  test('stays under its name where something lies at its place', () => {
    const target = place();
    const recording = RecordingWriter.create(target, instant(0));
    writeFileSync(target, 'dear diary');
    const { path } = recording.finish();
    expect(path).toBe(`${target}${UNFINISHED}`);
    expect(readFileSync(target, 'utf8')).toBe('dear diary');
    Tape.open(path).close();
  });
});
