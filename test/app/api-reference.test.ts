/** docs/api is what the docstrings say; each public name and member has one, in the sources and in the packed types; their examples type-check. */

import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Comment, ReflectionKind } from 'typedoc';
import { expect, test } from 'vitest';
import { publicModel } from '../../tools/api/entries.ts';
import { ROOT } from '../../tools/api/entry-list.ts';
import { examplesOf, faultsOf } from '../../tools/api/examples.ts';
import { missingDescriptions } from '../../tools/api/missing.ts';
import { commentOf, exportsOf, isTag, membersOf, whereOf } from '../../tools/api/model.ts';
import { pagesOf } from '../../tools/api-reference.ts';
import { builtMain } from '../support/built-command.ts';

const folder = new URL('../../docs/api/', import.meta.url);
const model = await publicModel();
const { project } = model;
const pages = await pagesOf(model);

test('the API reference is up to date; else run: npm run make:api', () => {
  expect(readdirSync(folder).sort()).toEqual([...pages.keys()].sort());
  for (const [name, text] of pages) expect(readFileSync(new URL(name, folder), 'utf8') === text, name).toBe(true);
});

test('each public name and member has a description', () => {
  expect(missingDescriptions(project)).toEqual([]);
});

test('so they have in the types that users get, from where an editor takes them', () => {
  builtMain();
  const packed = new Map<string, string>();
  const lacking = exportsOf(project)
    .flatMap((each) => [each, ...membersOf(each).filter((member) => !isTag(member))])
    .flatMap((each) => {
      const source = whereOf(each).replace(/:\d+$/, '');
      const file = join(ROOT, 'dist', relative('src', source).replace(/\.ts$/, '.d.ts'));
      const text = packed.get(file) ?? wordsOf(readFileSync(file, 'utf8'));
      packed.set(file, text);
      const said = wordsOf((commentOf(each)?.summary ?? []).map((part) => part.text).join(''));
      return text.includes(said) ? [] : [`${file}: ${each.getFullName()}`];
    });
  expect(packed.size).toBeGreaterThan(50);
  expect(lacking).toEqual([]);
});

/** Without the signs and the breaks of lines that a comment has. */
function wordsOf(text: string): string {
  return text.replaceAll(/[\s*]+/g, ' ').trim();
}

test('each function and class has an example, and all examples type-check against the entries', () => {
  const examples = examplesOf(project);
  const without = exportsOf(project).filter(
    (each) =>
      each.kindOf([ReflectionKind.Function, ReflectionKind.Class]) && commentOf(each)?.getTag('@example') === undefined,
  );
  expect(without.map((each) => `${whereOf(each)} ${each.name}`)).toEqual([]);
  expect(examples.length).toBeGreaterThan(30);
  expect(faultsOf(examples, project)).toEqual([]);
});

test('a name or a member without a description is named with its place, and so is an example with a mistake', () => {
  const level = exportsOf(project).find(({ name }) => name === 'Level') ?? expect.fail('Level is exported');
  const all = [level, ...(level.children ?? [])];
  const comments = all.map(({ comment }) => comment ?? new Comment());
  for (const each of all) each.comment = new Comment();
  const missing = missingDescriptions(project);
  for (const [at, each] of all.entries()) each.comment = comments[at] ?? new Comment();
  expect(missing).toEqual([
    expect.stringMatching(/^src\/strategy\/views\/views\.ts:\d+ Level$/),
    expect.stringMatching(/^src\/strategy\/views\/views\.ts:\d+ Level\.price$/),
    expect.stringMatching(/^src\/strategy\/views\/views\.ts:\d+ Level\.stake$/),
  ]);
  const spoilt = { code: 'decide: ({ market }) => [back(market, { stake: 2 })],', where: 'src/a.ts:1' };
  expect(faultsOf([spoilt], project)).toEqual([
    expect.stringMatching(/^src\/a\.ts:1: line 1 of the example: .*MarketView.* is not assignable/),
  ]);
});

test('links lead to headings that are there, and no page shows what is not exported', () => {
  const exported = new Set(exportsOf(project).map(({ name }) => name));
  for (const [page, text] of pages) {
    const links = [...text.matchAll(/\]\((?=[\w#])([\w/-]*(?:\.md)?)(?:#([\w-]+))?\)/g)];
    expect(links.length).toBeGreaterThan(5);
    for (const [link, file, anchor = ''] of links) {
      const target = pages.get(file === '' || file === undefined ? page : file) ?? expect.fail(`${page}: ${link}`);
      expect(anchorsOf(target).has(anchor), `${page}: ${link}`).toBe(true);
    }
    expect([...namesIn(text)].filter((name) => !KNOWN.has(name) && !exported.has(name))).toEqual([]);
  }
});

/** Names in types that are no links: they are the language's or RxJS's, or parameters. */
function namesIn(text: string): ReadonlySet<string> {
  const types = text.split('\n').flatMap((line) => {
    if (line.startsWith('> ')) return [line];
    return line.startsWith('| `') ? (line.split(/(?<!\\)\|/)[2] ?? []) : [];
  });
  const code = types.map((type) => type.replaceAll(/\[`[^`]*`\]\([^)]*\)|'[^']*'/g, '')).join('\n');
  const own = [...text.matchAll(/^> \*\*(\w+)/gm)].map(([, name]) => name);
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
