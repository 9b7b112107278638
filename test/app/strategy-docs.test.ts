/** Every strategy in docs/strategies.md and the README runs over the sample, and the README's behaves as it says. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, test } from 'vitest';
import { backtestOf, onlyMarkets } from '../support/backtest-of.ts';
import { ROOT } from '../support/places.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const blocksOf = (document: string, language: string): readonly string[] =>
  [...read(document).matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, code = '']) => code);

// Inside the project, where 'oddsmith' is its source.
mkdirSync(join(ROOT, 'runs'), { recursive: true });
const directory = mkdtempSync(join(ROOT, 'runs', 'strategy-docs-'));
afterAll(() => rmSync(directory, { recursive: true }));

const blocks = [...blocksOf('docs/strategies.md', 'ts'), ...blocksOf('README.md', 'ts')].map((code, index) => {
  const isTest = code.includes('decideOnce(');
  const file = join(directory, `block-${index}.ts`);
  writeFileSync(file, code);
  return { file, code, isTest, name: /name: '([\w-]+)'/.exec(code)?.[1] ?? 'test' };
});
writeFileSync(
  join(directory, 'model.csv'),
  'availableAt,market,outcome,value\n2026-03-14T12:00:00Z,99000401,990004011,0.9\n',
);

describe.each(blocks.filter(({ isTest }) => !isTest))('$name', ({ file }) => {
  it('runs over markets of the sample', async () => {
    const result = await backtestOf([file], {
      markets: onlyMarkets('99000101', '99000102', '99000401'),
      fills: 'central',
    });
    expect(result.halts).toEqual([]);
    expect(result.orders.accepted).toBeGreaterThan(0);
    expect(result.orders.refused).toBe(0);
  });
});

test('the strategy of the README behaves, and makes what the README says', async () => {
  const [, orders, net] =
    /sends (\d+) orders, none of\s+them refused, and ends at (−?[\d.]+):/.exec(read('README.md')) ?? [];
  const example = blocks.at(-1)?.file ?? '';
  const result = await backtestOf([example], { fills: 'central' });
  expect(result.refusals).toEqual({});
  expect(result.orders.sent).toBe(Number(orders));
  expect(result.total.central.profitNet.toFixed(2).replace('-', '−')).toBe(net);
});
