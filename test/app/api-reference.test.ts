/** docs/api is what the docstrings say; each public name and member has one, in the sources and in the packed types; their examples type-check. */

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { surfaces } from '../../tools/api/entries.ts';
import { faultsOfExamples } from '../../tools/api/examples.ts';
import { missingDescriptions } from '../../tools/api/missing.ts';
import type { Declared } from '../../tools/api/public-surface.ts';
import { pagesOf } from '../../tools/api-reference.ts';
import { builtMain } from '../support/built-command.ts';

const folder = new URL('../../docs/api/', import.meta.url);
const sources = surfaces('src');
const pages = pagesOf(sources);

test('the API reference is up to date; else run: npm run make:api', () => {
  expect(readdirSync(folder).sort()).toEqual([...pages.keys()].sort());
  for (const [name, text] of pages) expect(readFileSync(new URL(name, folder), 'utf8') === text, name).toBe(true);
});

test('each public name and member has a description', () => {
  expect([...sources.values()].flatMap(missingDescriptions)).toEqual([]);
});

test('so they have in the types that users get, from where an editor takes them', () => {
  builtMain();
  const built = surfaces('dist');
  for (const [entry, surface] of sources) {
    const packed = [...built].find(([{ page }]) => page === entry.page)?.[1] ?? [];
    expect(missingDescriptions(packed)).toEqual([]);
    expect(packed.map(textsOf)).toEqual(surface.map(textsOf));
  }
});

/** All that a hover shows of a name and of its members. */
function textsOf({ name, docs, members, examples, words }: Declared) {
  return {
    name,
    docs,
    examples: examples.map(({ code }) => code),
    words: words.filter(({ meaning }) => !meaning.startsWith('`')),
    members: members.map((each) => [each.name.replace('()', ''), each.docs]),
  };
}

test('each function and class has an example, and all examples type-check against the entries', () => {
  const without = [...sources.values()].flatMap((surface) =>
    surface
      .filter(({ kind, examples }) => (kind === 'function' || kind === 'class') && examples.length === 0)
      .map(({ where, name }) => `${where} ${name}`),
  );
  expect(without).toEqual([]);
  expect(faultsOfExamples(sources)).toEqual([]);
}, 60_000);

test('a name or a member without a description is named with its place, and so is an example with a mistake', () => {
  const [[entry, surface] = []] = sources;
  if (entry === undefined || surface === undefined) expect.fail('there are no entries');
  const level = surface.find(({ name }) => name === 'Level') ?? expect.fail('Level is exported');
  const bare = { ...level, docs: '', members: level.members.map((each) => ({ ...each, docs: '' })) };
  expect(missingDescriptions([bare])).toEqual([
    expect.stringMatching(/^src\/strategy\/views\/views\.ts:\d+ Level$/),
    expect.stringMatching(/^src\/strategy\/views\/views\.ts:\d+ Level\.price$/),
    expect.stringMatching(/^src\/strategy\/views\/views\.ts:\d+ Level\.stake$/),
  ]);
  const examples = [{ code: 'decide: ({ market }) => [back(market, { stake: 2 })],', where: 'src/a.ts:1' }];
  const spoilt = surface.map((each) =>
    each.name === 'back' ? { ...each, examples } : { ...each, examples: [], members: [] },
  );
  expect(faultsOfExamples(new Map([[entry, spoilt]]))).toEqual([
    expect.stringMatching(/^src\/a\.ts:1: line 1 of the example: .*MarketView.* is not assignable/),
  ]);
}, 60_000);

test('links lead to headings that are there, and no page shows what is not exported', () => {
  for (const [page, text] of pages) {
    const links = [...text.matchAll(/\]\(((?:[\w-]+\.md)?)#([\w-]+)\)/g)];
    expect(links.length).toBeGreaterThan(5);
    for (const [link, file, anchor = ''] of links) {
      const target = pages.get(file === '' || file === undefined ? page : file) ?? expect.fail(`${page}: ${link}`);
      expect(anchorsOf(target).has(anchor), `${page}: ${link}`).toBe(true);
    }
    expect([...namesIn(text)].filter((name) => !KNOWN.has(name))).toEqual([]);
  }
});

/** Names in types that are no links: they are the language's or RxJS's, or parameters. */
function namesIn(text: string): ReadonlySet<string> {
  const types = text.split('\n').flatMap((line) => {
    if (line.startsWith('> ')) return [line];
    return line.startsWith('| `') ? (line.split(/(?<!\\)\|/)[2] ?? []) : [];
  });
  const code = types.map((type) => type.replaceAll(/\[`[^`]*`\]\([^)]*\)|'[^']*'/g, '')).join('\n');
  const own = [...text.matchAll(/^> `(\w+)/gm)].map(([, name]) => name);
  const names = [...code.matchAll(/`[^`]*`/g)].flatMap(([span]) => span.match(/\b(?:[A-Z][a-z]\w*|any)\b/g) ?? []);
  return new Set(names.filter((name) => !own.includes(name)));
}

const KNOWN: ReadonlySet<string> = new Set([
  ...[
    'AbortSignal',
    'ArrayBuffer',
    'AsyncGenerator',
    'Error',
    'ErrorOptions',
    'Float64Array',
    'Generator',
    'Int16Array',
  ],
  ...['Iterable', 'NoInfer', 'Omit', 'Partial', 'Promise', 'Readonly', 'ReadonlyMap', 'Record', 'RegExp', 'Uint8Array'],
  ...['Observable', 'Code', 'Figure', 'Row'],
  // What a journal holds of a run: read from there and handed on.
  'RunState',
  // With the gateway's own market in it.
  'MarketMessage',
]);

/** As GitHub makes them of headings. */
function anchorsOf(text: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of text.matchAll(/^#+ (.+)$/gm)) {
    const plain = heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-');
    let anchor = plain;
    for (let times = 1; anchors.has(anchor); times += 1) anchor = `${plain}-${times}`;
    anchors.add(anchor);
  }
  return anchors;
}
