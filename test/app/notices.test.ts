/** What a result says beside its figures: each way to a puzzling zero, over the bundled recording. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import type { BacktestOptions } from '../../src/app/backtest-options.ts';
import { runBacktest } from '../../src/app/backtest-run.ts';
import { backtestJson } from '../../src/report/result-json.ts';
import { resultTable } from '../../src/report/table.ts';
import { OPTIONS, units } from '../support/scripted-run.ts';
import { run } from './fake-terminal.ts';

const sample = fileURLToPath(new URL('../../backtest/sample.tape', import.meta.url));
const MARKET = '99000101';
const OTHER = '99000102';
const work = mkdtempSync(join(tmpdir(), 'oddsmith-notices-'));
afterAll(() => rmSync(work, { recursive: true, force: true }));

/** `body` is what the strategy has beside its name. */
function strategy(name: string, body: string): string {
  const file = join(work, `${name}.ts`);
  writeFileSync(
    file,
    `import { back, defineStrategy, favourites } from 'oddsmith';
const once = (market: { readonly tradable: boolean }, seen: unknown) => market.tradable && seen !== 'seen';
export default defineStrategy({ name: '${name}', ${body} });
`,
  );
  return file;
}

async function result(files: readonly string[], change: Partial<BacktestOptions> = {}) {
  const strategies = files.map((file) => ({ file, params: {}, wallet: 'main' }));
  const markets = { ids: [MARKET, OTHER], types: [], events: [] };
  const options = { ...OPTIONS, strategies, tapes: [sample], markets, fills: 'central' as const, ...change };
  return runBacktest(options, { onProgress: () => {}, signal: new AbortController().signal });
}

/** One order of `stake` on the favourite of each market, at `price`: else at the best one. */
const ordering = (stake: number, price = 'favourite.bestAgainst?.price ?? 2'): string =>
  `decide: ({ market, state }) => {
    const [favourite] = favourites(market);
    if (!once(market, state) || favourite === undefined) return [];
    return { intents: [back(favourite, { stake: ${stake}, price: ${price} })], state: 'seen' };
  }`;

const notices = async (...run: Parameters<typeof result>) => (await result(...run)).notices;

describe('a strategy from which nothing came', () => {
  test('watches no market', async () => {
    const [notice, ...more] = await notices([strategy('blind', 'watches: () => false, decide: () => []')]);
    expect(more).toEqual([]);
    expect(notice).toMatchObject({ code: 'STRATEGY_WATCHES_NOTHING', strategy: 'blind' });
    expect(notice?.what).toBe("Strategy 'blind' watches none of the 2 markets replayed, so it was never asked.");
  });

  test('wished for nothing', async () => {
    const [notice, ...more] = await notices([strategy('idle', 'decide: () => []')]);
    expect(more).toEqual([]);
    expect(notice).toMatchObject({ code: 'STRATEGY_WISHED_NOTHING', strategy: 'idle' });
  });

  test('was refused everything: the commonest code, how often, and what it means', async () => {
    const file = strategy('greedy', ordering(500));
    const [notice, ...more] = await notices([file], { limits: { order: units(100) } });
    expect(more).toEqual([]);
    expect(notice).toMatchObject({ code: 'STRATEGY_ALL_REFUSED', strategy: 'greedy' });
    expect(notice?.what).toBe("Of strategy 'greedy' nothing was sent: all 2 wishes were refused, 2 with LIMIT_ORDER.");
    expect(notice?.next).toContain('the loss of this one order would exceed the limit per order');
  });

  test('was matched nowhere', async () => {
    const [notice, ...more] = await notices([strategy('far', ordering(2, '1000'))]);
    expect(more).toEqual([]);
    expect(notice).toMatchObject({ code: 'STRATEGY_MATCHED_NOTHING', strategy: 'far' });
    expect(notice?.what).toContain('2 orders');
  });

  test('is told beside others that did something, which are not', async () => {
    const files = [strategy('busy', ordering(2)), strategy('blind', 'watches: () => false, decide: () => []')];
    expect((await notices(files)).map(({ code, strategy }) => [code, strategy])).toEqual([
      ['STRATEGY_WATCHES_NOTHING', 'blind'],
    ]);
  });

  test('was halted: its halt says all', async () => {
    const thrown = strategy('thrower', "decide: () => { throw new Error('no'); }");
    const { notices, halts } = await result([thrown]);
    expect([notices, halts.length]).toEqual([[], 1]);
  });
});

test('markets that no strategy watches are named', async () => {
  const half = strategy('half', `watches: ({ id }) => id === '${MARKET}', ${ordering(2)}`);
  const [notice, ...more] = await notices([half]);
  expect(more).toEqual([]);
  expect(notice).toMatchObject({ code: 'MARKETS_UNWATCHED', markets: [OTHER] });
  const rest = strategy('rest', `watches: ({ id }) => id === '${OTHER}', ${ordering(2)}`);
  expect(await notices([half, rest])).toEqual([]);
  expect(await notices([half, rest], { isolate: 'market' })).toEqual([]);
});

test('they stand in the table, in the JSON, and in the report', async () => {
  const file = strategy('blind', 'watches: () => false, decide: () => []');
  const said = await result([file]);
  expect(JSON.parse(backtestJson(said)).notices).toEqual(said.notices);
  expect(resultTable(said)).toMatch(/^notice STRATEGY_WATCHES_NOTHING: Strategy 'blind' watches none/m);
  const { out } = await run('backtest', '--strategy', file, '--tape', sample, '--out', work);
  expect(out).toContain('notice STRATEGY_WATCHES_NOTHING');
});
