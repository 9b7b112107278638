/** The index of decisions has a line for each entry, and every decision that is cited is there. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { documents, textOf } from '../support/docs/blocks.ts';
import { ROOT } from '../support/places.ts';
import { filesUnder } from '../support/tidy/source.ts';

const FILES = readdirSync(join(ROOT, 'docs/decisions')).map((name) => `docs/decisions/${name}`);

interface Entry {
  readonly number: number;
  readonly title: string;
  readonly file: string;
  readonly replacedBy: string | undefined;
}

const entries: readonly Entry[] = FILES.flatMap((file) =>
  [...textOf(file).matchAll(/^## (\d+)\. (.+)\n\n(?:Status: replaced by (\d+))?/gm)].map(
    ([, number, title = '', replacedBy]) => ({ number: Number(number), title, file, replacedBy }),
  ),
).toSorted((one, other) => one.number - other.number);

test('the index has one line for each entry, in the order of numbers, with its title', () => {
  const lines = entries.map(({ number, title, file, replacedBy }) => {
    const replaced = replacedBy === undefined ? '' : ` (replaced by ${replacedBy})`;
    return `${number}. ${title}: ${file.replace('docs/', '')}${replaced}`;
  });
  const index = [
    ...textOf('docs/decisions.md').matchAll(/^- (\d+)\. \[(.+)\]\(([^)#]+)#[^)]+\)( \(replaced by \d+\))?$/gm),
  ];
  expect(index.map(([, number, title, file, replaced = '']) => `${number}. ${title}: ${file}${replaced}`)).toEqual(
    lines,
  );
  expect(new Set(entries.map(({ number }) => number)).size).toBe(entries.length);
  expect(entries.length).toBeGreaterThan(190);
});

test('each decision that a source, a test or a document cites is there', () => {
  const sources = ['src', 'tools', 'test']
    .flatMap((folder) => filesUnder(ROOT, folder))
    .filter((path) => /\.tsx?$/.test(path));
  const cited = [...sources, ...documents()].flatMap((path) =>
    [...readFileSync(join(ROOT, path), 'utf8').matchAll(/\bdecisions? ((?:\d+(?:, | and )?)+)/g)].flatMap(
      ([, list = '']) => [...list.matchAll(/\d+/g)].map(([number]) => ({ path, number: Number(number) })),
    ),
  );
  expect(cited.length).toBeGreaterThan(8);
  expect(cited.filter(({ number }) => !entries.some((entry) => entry.number === number))).toEqual([]);
});
