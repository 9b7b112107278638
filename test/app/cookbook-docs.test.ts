/** The cookbook is true: each recipe's command runs, prints what the page shows, is refused nothing, and ends as the page says. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { modelSignal } from '../../backtest/model-signal.ts';
import { ROOT, SAMPLE_TAPE } from '../support/places.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { run } from './fake-terminal.ts';

const page = readFileSync(join(ROOT, 'docs/cookbook.md'), 'utf8');

interface Recipe {
  readonly title: string;
  readonly snippet: string;
  readonly command: readonly string[];
  readonly strategy: string;
  readonly printed: readonly string[];
}

function block(section: string, language: string): string {
  return new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(section)?.[1]?.trim() ?? '';
}

const recipes = page
  .split('\n## ')
  .slice(1)
  .map((section): Recipe => {
    const command = block(section, 'sh').replace('npm run -s oddsmith -- ', '').split(' ');
    return {
      title: section.split('\n')[0] ?? '',
      snippet: block(section, 'ts'),
      command,
      strategy: command[command.indexOf('--strategy') + 1] ?? '',
      printed: block(section, 'text').split('\n'),
    };
  });

/** Bets that are held to the result on purpose. */
const HELD = ['Dutching', 'A model from outside'];

interface Written {
  readonly halts: readonly unknown[];
  readonly refusals: object;
  readonly orders: { readonly refused: number; readonly sent: number; readonly matchedFully: number };
  readonly byMarket: readonly {
    readonly outcomes: readonly { readonly position?: { readonly central: { readonly profitIfWins: number } } }[];
  }[];
}

describe.each(recipes)('$title', ({ title, snippet, command, strategy, printed }) => {
  const source = readFileSync(join(ROOT, strategy), 'utf8');

  it('shows a line of its strategy, which reads on one screen', () => {
    expect(snippet).not.toBe('');
    expect(source).toContain(snippet);
    expect(source.split('\n').length).toBeLessThanOrEqual(81);
  });

  it('prints what the page shows, is refused nothing, and leaves no position that it did not mean to hold', async () => {
    const out = temporaryDirectory('cookbook');
    const { code, out: text } = await run(...command, '--out', out);
    expect(code).toBe(0);
    expect(printed.length).toBe(2);
    for (const line of printed) expect(text).toContain(`\n${line}\n`);
    const [directory = ''] = readdirSync(out);
    const { halts, refusals, orders, byMarket }: Written = JSON.parse(
      readFileSync(join(out, directory, 'result.json'), 'utf8'),
    );
    expect([halts, refusals]).toEqual([[], {}]);
    expect(orders.matchedFully).toBeGreaterThan(0);
    const plots = readFileSync(join(out, directory, 'plots.csv'), 'utf8').split('\r\n');
    expect(plots[0]).toBe('run,flow,strategy,marketId,name,at,value');
    expect(plots.length).toBeGreaterThan(10);
    const open = byMarket.map(({ outcomes }) => {
      const profits = outcomes.flatMap(({ position }) => position?.central.profitIfWins ?? []);
      return profits.length === 0 ? 0 : Math.max(...profits) - Math.min(...profits);
    });
    if (HELD.includes(title)) expect(Math.max(...open)).toBeGreaterThan(1);
    else expect(Math.max(...open)).toBeLessThan(0.05);
  });
});

test('there is a recipe for each way to trade, and the table names each file once', () => {
  expect(recipes.map(({ title }) => title)).toEqual([
    ...['Scalping before the off', 'Market making', 'Dutching', 'Greening up', 'In play', 'Linked markets'],
    'A model from outside',
  ]);
  const named = [...page.matchAll(/^\| \[.*\| `([\w-]+\.ts)` \|/gm)].map(([, file]) => `strategies/${file}`);
  expect(named).toEqual(recipes.map(({ strategy }) => strategy));
});

test("the example's model is made of the sample, and of nothing later than itself", async () => {
  const kept = readFileSync(join(ROOT, 'strategies/model-value.csv'), 'utf8');
  expect(await modelSignal(SAMPLE_TAPE)).toBe(kept);
});
