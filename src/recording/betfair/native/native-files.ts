/** Tells the files of native recorders from others, and which of them belong together: those of one market, of all days and recorders. */

import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { SPANS_FILE } from './spans.ts';

/** The directory of the recorder that wrote a file; undefined where it is no such file. */
export function recorderOf(path: string): string | undefined {
  const day = dirname(resolve(path));
  const directory = dirname(day);
  return /^\d{4}-\d{2}-\d{2}$/.test(basename(day)) && existsSync(join(directory, SPANS_FILE)) ? directory : undefined;
}

/** Files that are imported as one: each alone, but those of a market that recorders wrote, which stand where its first one stood. */
export function importUnits(files: readonly string[]): readonly (readonly string[])[] {
  const units: string[][] = [];
  const ofMarket = new Map<string, string[]>();
  for (const file of files) {
    const id = recorderOf(file) === undefined ? undefined : basename(file);
    const known = id === undefined ? undefined : ofMarket.get(id);
    if (known !== undefined) {
      if (!known.some((each) => resolve(each) === resolve(file))) known.push(file);
      continue;
    }
    const unit = [file];
    units.push(unit);
    if (id !== undefined) ofMarket.set(id, unit);
  }
  return units;
}
