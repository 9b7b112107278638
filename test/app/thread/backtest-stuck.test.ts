/** A strategy that does not come back ends its backtest with what was replayed, and is named. */

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { SAMPLE_TAPE, sampleStrategy } from '../../support/places.ts';
import { builtCommand, type RunningCommand, startProcess } from '../../support/running-command.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { HOSTILE } from '../../support/thread/hostile.ts';
import { animalFile, ENDLESS } from '../../support/zoo/zoo.ts';

const QUOTER = sampleStrategy('passive-quoter');
const folder = temporaryDirectory('stuck');
let command: RunningCommand | undefined;
afterEach(() => command?.kill());

const strategiesOf = (files: readonly string[]): string =>
  files.map((file) => `  - { file: ${file}, params: {}, wallet: main }`).join('\n');

async function backtest(name: string, files: readonly string[], args: readonly string[]) {
  const config = `strategies:\n${strategiesOf(files)}\ntapes: [${SAMPLE_TAPE}]\nstrategyTimeoutMs: 600\nout: runs-${name}\n`;
  writeFileSync(join(folder, `${name}.yaml`), config);
  command = startProcess(builtCommand(['backtest', `${name}.yaml`, ...args]), { cwd: folder });
  return await command.ended;
}

for (const [name, source] of Object.entries(HOSTILE)) {
  test(`a strategy that hangs (${name}) is named with its file, line and calls; the exit code is 2`, async () => {
    writeFileSync(join(folder, `${name}.ts`), source);
    const { code, out } = await backtest(name, [`${name}.ts`], ['--json']);
    expect(code).toBe(2);
    const result = JSON.parse(out);
    expect(result.interrupted).toBe(true);
    expect(result.halts).toHaveLength(1);
    const [halt] = result.halts;
    expect(halt).toMatchObject({ strategy: name, code: 'STRATEGY_STUCK' });
    expect(halt.what).toContain(`Strategy '${name}' did not come back within 0.6 s.`);
    expect(halt.where).toMatch(new RegExp(`/${name}\\.ts:\\d+:\\d+$`));
    expect(halt.why).toContain(`${name}.ts:`);
  });
}

describe('of the zoo, one that never ends', () => {
  const good = animalFile('good');
  test.each(ENDLESS.flatMap((name) => [[name, 'alone', []] as const, [name, 'beside a good one', [good]] as const]))(
    '%s, %s: it alone is halted, and the run ends with what it has',
    async (name, how, others) => {
      const { code, out } = await backtest(`${name}-${how.length}`, [...others, animalFile(name)], ['--json']);
      expect(code).toBe(2);
      const { halts, interrupted, strategies } = JSON.parse(out);
      expect(interrupted).toBe(true);
      expect(halts).toMatchObject([{ strategy: name, code: 'STRATEGY_STUCK' }]);
      expect(strategies.map((strategy: { readonly name: string }) => strategy.name)).toEqual(
        others.length === 0 ? [name] : ['good', name],
      );
    },
  );
});

type Market = { readonly id: string; readonly settledAt?: number; readonly orders: number };

/** Asks nothing of anybody until an instant, and does not come back then. */
const LATER = (at: number): string => `import { defineStrategy } from 'oddsmith';
export default defineStrategy({
  name: 'later',
  decide({ now }) {
    while (now >= ${at});
    return [];
  },
});
`;

test('what was settled before a strategy hung counts as it does in a whole run, and what was open is reported as open', async () => {
  writeFileSync(join(folder, 'never.ts'), LATER(Number.MAX_SAFE_INTEGER));
  const whole = JSON.parse((await backtest('never', [QUOTER, 'never.ts'], ['--json'])).out);
  const settled: readonly Market[] = [...whole.byMarket].sort((a, b) => a.settledAt - b.settledAt);
  writeFileSync(join(folder, 'later.ts'), LATER((settled[0]?.settledAt ?? 0) + 1_000));
  const { code, out } = await backtest('later', [QUOTER, 'later.ts'], ['--json']);
  expect(code).toBe(2);
  const result = JSON.parse(out);
  const isSettled = (market: Market) => market.settledAt !== undefined;
  const before: readonly Market[] = result.byMarket.filter(isSettled);
  const open: readonly Market[] = result.byMarket.filter((market: Market) => !isSettled(market));
  expect(before.length).toBeGreaterThan(0);
  for (const market of before) expect(market).toEqual(settled.find(({ id }) => id === market.id));
  expect(open.length).toBeGreaterThan(0);
  for (const { id, orders } of open) {
    expect(orders).toBeLessThanOrEqual(settled.find((market) => market.id === id)?.orders ?? 0);
  }
});

test('the table, the block and whole files are left of such a run', async () => {
  writeFileSync(join(folder, 'words.ts'), HOSTILE.loop);
  const { code, out, note } = await backtest('words', [QUOTER, 'words.ts'], []);
  expect(code).toBe(2);
  expect(out).toContain('interrupted: the figures cover only what was replayed until then');
  expect(note).toContain('error STRATEGY_STUCK');
  expect(note).toMatch(/where {2}\S+words\.ts:8:\d+/);
  const [run = ''] = readdirSync(join(folder, 'runs-words'));
  const files = ['result.json', 'report.html', 'report-data.gz', 'orders.csv', 'fills.csv'];
  expect(readdirSync(join(folder, 'runs-words', run)).sort()).toEqual([...files].sort());
  expect(JSON.parse(readFileSync(join(folder, 'runs-words', run, 'result.json'), 'utf8')).halts).toHaveLength(1);
  expect(existsSync(join(folder, 'runs-words', run, 'orders.csv.new'))).toBe(false);
});
