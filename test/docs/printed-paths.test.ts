/** Documents that the program names, in messages, comments and configurations, are there with the section that is named. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { anchorsOf, headingsOf } from '../support/docs/headings.ts';
import { ROOT } from '../support/places.ts';
import { filesUnder } from '../support/tidy/source.ts';

interface Named {
  readonly place: string;
  readonly document: string;
  readonly anchor: string | undefined;
  readonly heading: string | undefined;
}

/** `docs/sweep.md`, `docs/sweep.md#folds` and `docs/errors.md, "Notices of a result"`; a comment may break the line before the heading. */
function namedIn(place: string, text: string): readonly Named[] {
  const names = text.matchAll(/(?<![\w.])docs\/([\w/-]+\.md)(?:#([\w-]+))?(?:,[\s*#]+"([^"]+)")?/g);
  return [...names].map(([, name = '', anchor, heading]) => ({
    ...{ place, document: `docs/${name}`, anchor },
    heading: heading?.replaceAll(/\s*\n[\s*#]*/g, ' '),
  }));
}

/** What is wrong with a name; undefined where a reader finds what it says. */
function lost({ place, document, anchor, heading }: Named): string | undefined {
  if (!existsSync(join(ROOT, document))) return `${place}: there is no ${document}`;
  if (anchor !== undefined && !anchorsOf(document).has(anchor)) return `${place}: ${document} has no anchor ${anchor}`;
  if (heading !== undefined && !headingsOf(document).includes(heading))
    return `${place}: ${document} has no heading "${heading}"`;
  return undefined;
}

test('each document that the program names is there, and has the section', () => {
  const places = ['src', 'config', 'packaging', 'tools', 'strategies'].flatMap((folder) => filesUnder(ROOT, folder));
  const named = places.flatMap((place) => namedIn(place, readFileSync(join(ROOT, place), 'utf8')));
  expect(named.flatMap((each) => lost(each) ?? [])).toEqual([]);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(({ heading }) => heading !== undefined).length).toBeGreaterThan(2);
});

test.each([
  ['See docs/nothing.md.', 'src/a.ts: there is no docs/nothing.md'],
  ['See docs/operations.md#no-such.', 'src/a.ts: docs/operations.md has no anchor no-such'],
  ['document: \'docs/errors.md, "Notices"\',', 'src/a.ts: docs/errors.md has no heading "Notices"'],
  [
    ' * (docs/backtest.md, "What a\n * result brings")',
    'src/a.ts: docs/backtest.md has no heading "What a result brings"',
  ],
])('a name that leads nowhere is found: %s', (text, why) => {
  expect(namedIn('src/a.ts', text).map(lost)).toEqual([why]);
});

test('names that lead somewhere pass', () => {
  const text = 'docs/operations.md#recover, docs/errors.md, "Notices of a result"; node_modules/oddsmith/docs/guide.md';
  expect(namedIn('src/a.ts', text).map(lost)).toEqual([undefined, undefined, undefined]);
});
