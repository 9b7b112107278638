/** Every block of TypeScript in the documents type-checks against the built package, or is lines of a strategy; those that are tests pass. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type Block, documentBlocks, documents } from '../support/docs/blocks.ts';
import { typeErrors } from '../support/docs/type-check.ts';
import { ROOT } from '../support/places.ts';

// Inside the project, where 'oddsmith' is what was built.
mkdirSync(join(ROOT, 'runs'), { recursive: true });
const directory = mkdtempSync(join(ROOT, 'runs', 'docs-typescript-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** A part of our own source: `test/app/adapter-docs.test.ts` compares it with the file that is type-checked. */
const isOfOurSource = ({ document, text }: Block): boolean =>
  document === 'docs/exchange-adapter.md' && text.includes("from '../exchange/");
const isModule = ({ text }: Block): boolean => /^(import|export) /m.test(text);

const blocks = documents()
  .flatMap(documentBlocks)
  // The guide's modules are those of a project that is made while it is walked, which has a check of its own.
  .filter((block) => block.language === 'ts' && !isOfOurSource(block) && block.document !== 'docs/guide.md');
const strategies = readdirSync(join(ROOT, 'strategies'))
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(join(ROOT, 'strategies', name), 'utf8'));

/** Each document's modules lie in a folder of their own, strategies under their names, and what names its file under that. */
const files = blocks.filter(isModule).map((block) => {
  const { document, text, line } = block;
  const [, named] = /^\/\/ ([\w./-]+\.ts)\n/.exec(text) ?? [];
  const [, strategy] = /defineStrategy\(\{\n {2}name: '([\w-]+)'/.exec(text) ?? [];
  const folder = join(directory, document.replaceAll(/\W/g, '-'));
  const file = join(folder, named ?? `${strategy ?? `line-${line}`}.ts`);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
  return { file, text, name: `${document}:${line}` };
});

test('every module type-checks', () => {
  expect(typeErrors(files)).toEqual([]);
  expect(files.length).toBeGreaterThan(8);
});

test('what is no module is lines of a strategy that is there', () => {
  const parts = blocks.filter((block) => !isModule(block));
  expect(parts.length).toBeGreaterThan(5);
  const lost = parts.filter(({ text }) => !strategies.some((strategy) => strategy.includes(text.trim())));
  expect(lost.map(({ document, line, text }) => `${document}:${line}: ${text}`)).toEqual([]);
});

describe('a block that is a test passes', () => {
  const tests = files.filter(({ text }) => text.includes("from 'node:test'"));

  test.each(tests)('$name', ({ file }) => {
    const out = execFileSync(process.execPath, ['--test', file], { cwd: ROOT, encoding: 'utf8', env: withoutRunner() });
    expect(out).toMatch(/pass [1-9]\d*\n/);
  });

  test('and there is one', () => expect(tests.length).toBeGreaterThan(0));
});

/** Node's own test runner must not take itself for a part of another one. */
function withoutRunner(): NodeJS.ProcessEnv {
  const { NODE_TEST_CONTEXT: _, NODE_OPTIONS: __, ...others } = process.env;
  return { ...others, NO_COLOR: '1' };
}
