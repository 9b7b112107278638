/** The examples of docs/api type-check against the built package, and what they say of a value is the value. */

import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as root from 'oddsmith';
import * as library from 'oddsmith/backtest';
import * as testing from 'oddsmith/testing';
import { afterAll, describe, expect, test } from 'vitest';
import { blocksIn, textOf } from '../support/docs/blocks.ts';
import { typeErrors } from '../support/docs/type-check.ts';
import { ROOT } from '../support/places.ts';

const ENTRIES: Readonly<Record<string, object>> = {
  oddsmith: root,
  'oddsmith/testing': testing,
  'oddsmith/backtest': library,
  'node:fs/promises': { writeFile: true },
};
const blocks = readdirSync(join(ROOT, 'docs/api'))
  .map((name) => `docs/api/${name}`)
  .flatMap((document) => blocksIn(document, textOf(document)))
  // What Node says of its own errors is JavaScript.
  .filter(({ language }) => language === 'ts');

// Inside the project, where 'oddsmith' is what was built.
mkdirSync(join(ROOT, 'runs'), { recursive: true });
const directory = mkdtempSync(join(ROOT, 'runs', 'docs-reference-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** What stands around a part of a strategy, or around lines of a program. */
function asModule(text: string): string {
  if (/^export /m.test(text)) return text;
  if (!/^(state|decide)\b/.test(text)) {
    const made = /const (market|run) =/.exec(text)?.[1];
    const given = [
      ...['market: MarketView', 'outcome: OutcomeView', 'strategy: StrategyPlugin', 'run: BacktestRun'],
    ].filter((each) => !each.startsWith(`${made}:`));
    const declared = text.includes('decideOnce(')
      ? given.map((each) => each.replace('MarketView', 'TestMarket'))
      : given;
    return `export async function example(${declared.join(', ')}) {\n${text}\n}\nimport type { MarketView, OutcomeView, StrategyPlugin } from 'oddsmith';\nimport type { BacktestRun } from 'oddsmith/backtest';\nimport type { TestMarket } from 'oddsmith/testing';`;
  }
  const isOpen = text.split('{').length > text.split('}').length;
  const decided = text.includes('decide') ? '' : ',\ndecide: () => []';
  return `export default defineStrategy({\nname: 'example',\n${text}${isOpen ? '\nreturn [];\n}' : ''}${decided} });`;
}

/** With an import of each name of the package in it, below the block, so that its lines keep their numbers. */
function withImports(module: string): string {
  const own = new Set(module.match(/\b\w+\b/g));
  const imports = Object.entries(ENTRIES).map(([entry, exported]) => {
    const names = Object.keys(exported).filter((name) => own.has(name));
    return names.length === 0 ? '' : `import { ${names.join(', ')} } from '${entry}';`;
  });
  return `${module}\n${imports.join('\n')}\n`;
}

test('each type-checks', () => {
  const files = blocks.map(({ document, line, text }, at) => {
    const file = join(directory, `example-${at}.ts`);
    writeFileSync(file, withImports(asModule(text)));
    return { file, name: `${document}:${line}` };
  });
  expect(typeErrors(files, { noUnusedLocals: false, noUnusedParameters: false })).toEqual([]);
  expect(files.length).toBeGreaterThan(25);
}, 60_000);

describe('what an example says of a value is the value', () => {
  const said = blocks.flatMap(({ text }) => [...text.matchAll(/^(\w+\(.*\)); \/\/ (.+)$/gm)]);

  test.each(said.map(([, expression = '', value = '']) => ({ expression, value })))(
    '$expression',
    ({ expression, value }) => {
      const call = new Function(...Object.keys(root), `return ${expression};`);
      expect(call(...Object.values(root))).toBe(Number(value));
    },
  );

  test('and there are some', () => expect(said.length).toBeGreaterThan(4));
});
