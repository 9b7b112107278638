/** Every block of code in docs/strategies.md compiles, every strategy among them runs over the sample, and the README's behaves as it says. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { afterAll, describe, expect, it, test } from 'vitest';
import { backtestOf, onlyMarkets } from '../support/backtest-of.ts';
import { ROOT } from '../support/places.ts';
import { run } from './fake-terminal.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const blocksOf = (document: string, language: string): readonly string[] =>
  [...read(document).matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, code = '']) => code);

/** What the page's example of a test has above it in a test file. */
const TEST_HEAD = `import { expect } from 'vitest';
import { decideOnce, testMarket } from 'oddsmith/testing';
import strategy from './block-0.ts';
`;

// Inside the project, where 'oddsmith' is its source.
mkdirSync(join(ROOT, 'runs'), { recursive: true });
const directory = mkdtempSync(join(ROOT, 'runs', 'strategy-docs-'));
afterAll(() => rmSync(directory, { recursive: true }));

const blocks = [...blocksOf('docs/strategies.md', 'ts'), ...blocksOf('README.md', 'ts')].map((code, index) => {
  const isTest = code.includes('decideOnce(');
  const file = join(directory, `block-${index}.ts`);
  writeFileSync(file, isTest ? TEST_HEAD + code : code);
  return { file, code, isTest, name: /name: '([\w-]+)'/.exec(code)?.[1] ?? 'test' };
});
writeFileSync(
  join(directory, 'model.csv'),
  'availableAt,market,outcome,value\n2026-03-14T12:00:00Z,99000401,990004011,0.9\n',
);

test('every block type-checks', () => {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) => readFileSync(path, 'utf8'));
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: ['package.json'] }, ts.sys, ROOT);
  const { tsBuildInfoFile: _, ...others } = options;
  const program = ts.createProgram(
    blocks.map(({ file }) => file),
    { ...others, incremental: false, noEmit: true },
  );
  const found = blocks.flatMap(({ file }) => {
    const source = program.getSourceFile(file);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      ({ messageText }) => `${file}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    );
  });
  expect(found).toEqual([]);
  expect(blocks.length).toBeGreaterThan(5);
}, 60_000);

describe.each(blocks.filter(({ isTest }) => !isTest))('$name', ({ file }) => {
  it('runs over markets of the sample', async () => {
    const result = await backtestOf([file], {
      markets: onlyMarkets('99000101', '99000102', '99000401'),
      fills: 'central',
    });
    expect(result.halts).toEqual([]);
    expect(result.orders.accepted).toBeGreaterThan(0);
    expect(result.orders.refused).toBe(0);
  }, 30_000);
});

test('the commands of docs/strategies.md run as they stand', async () => {
  const commands = blocksOf('docs/strategies.md', 'sh').flatMap((block) => block.trim().split('\n'));
  for (const command of commands) {
    const words = command.replace('npm run -s oddsmith -- ', '').split(' ');
    const args = words.map((word) => (word === 'queue-and-level.ts' ? (blocks[0]?.file ?? word) : word));
    const { code } = await run(...args, '--out', directory);
    expect(code, command).toBe(0);
  }
  expect(commands).toHaveLength(1);
}, 30_000);

test('the strategy of the README behaves, and makes what the README says', async () => {
  const [, orders, net] =
    /sends (\d+) orders, none of\s+them refused, and ends at (−?[\d.]+):/.exec(read('README.md')) ?? [];
  const example = blocks.at(-1)?.file ?? '';
  const result = await backtestOf([example], { fills: 'central' });
  expect(result.refusals).toEqual({});
  expect(result.orders.sent).toBe(Number(orders));
  expect(result.total.central.profitNet.toFixed(2).replace('-', '−')).toBe(net);
}, 30_000);
