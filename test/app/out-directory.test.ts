import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkWritable, makeDirectory } from '../../src/app/cli/out-directory.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const directory = temporaryDirectory('out');

describe('a directory to write into', () => {
  test('is made with its parents, and may be there already', () => {
    const deep = join(directory, 'a', 'b c', 'ü');
    makeDirectory(deep, 'next');
    makeDirectory(deep, 'next');
    expect(existsSync(deep)).toBe(true);
  });

  test('is refused below a file, before the work and when it is made', () => {
    const file = join(directory, 'file');
    writeFileSync(file, '');
    for (const attempt of [checkWritable, makeDirectory])
      expect(() => attempt(join(file, 'runs'), 'next')).toThrow('cannot be written into');
  });

  test('is not made by the check', () => {
    const later = join(directory, 'later', 'still');
    checkWritable(later, 'next');
    expect(existsSync(join(directory, 'later'))).toBe(false);
  });

  // Node's own recursive mkdir never returns there; where there is no /proc, the root of the disk says no.
  test('is refused where the file system makes no directories', () => {
    expect(() => makeDirectory('/proc/oddsmith/runs', 'next')).toThrow('cannot be written into');
  });
});
