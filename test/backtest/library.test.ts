/** `oddsmith/backtest` as a program uses it: typed results, errors with the option's path, progress, aborting, several runs. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { back, defineStrategy, favourites, param, type StrategyPlugin } from 'oddsmith';
import {
  AbortedError,
  type BacktestOptions,
  type BacktestProgress,
  type BacktestRun,
  backtest,
  ERROR_CODES,
  OddsmithError,
} from 'oddsmith/backtest';
import { describe, expect, test } from 'vitest';
import { fillsCsv, ordersCsv } from '../../src/result/columns/csv.ts';
import { run } from '../app/fake-terminal.ts';
import { SAMPLE_TAPE, sampleStrategy } from '../support/places.ts';
import { temporaryDirectory, temporaryFile } from '../support/temporary-directory.ts';

const tape = SAMPLE_TAPE;
const file = sampleStrategy('favourite-scalp');
const quoter = sampleStrategy('passive-quoter');
const markets = { ids: ['99000302'] };
const directory = temporaryDirectory('library');

const backer = defineStrategy({
  name: 'backer',
  params: { stake: param.stake({ default: 2 }) },
  state: () => ({ placed: 0 }),
  decide({ market, orders, state: { placed }, params }) {
    const [favourite] = favourites(market);
    if (favourite === undefined || orders.length > 0 || placed === 10 || !market.tradable) return [];
    return { intents: [back(favourite, { stake: params.stake })], state: { placed: placed + 1 } };
  },
});

async function failure(options: unknown): Promise<OddsmithError> {
  const error: unknown = await backtest(options as BacktestOptions).catch((thrown: unknown) => thrown);
  if (!(error instanceof OddsmithError)) expect.fail(`no OddsmithError: ${String(error)}`);
  expect(Object.keys(ERROR_CODES)).toContain(error.code);
  return error;
}

function figures({ summary, ...tables }: BacktestRun): unknown {
  const { elapsedMs: _, ...same } = summary;
  const rows = Object.entries(tables).map(([name, table]) => [name, table.columns, [...table.rows]]);
  return { same, rows };
}

describe('the result', () => {
  test("is the command's: the same hash, figures, orders and fills", async () => {
    const written = [file, tape, directory].map((path) => JSON.stringify(path));
    const config = temporaryFile(
      'run.yaml',
      `strategies: [{ file: ${written[0]}, params: { stake: 3 } }]
tapes: [${written[1]}]
out: ${written[2]}
markets: { ids: ['99000302'] }
latency: { requestMs: 150, responseMs: 30 }
commission: 2
fills: all
limits: { market: 300, liveOrders: 20 }
seed: 7
`,
    );
    const { code, out } = await run('backtest', config, '--json');
    expect(code).toBe(0);
    const command = JSON.parse(out);
    const { summary, orders, fills } = await backtest({
      ...{ tape, markets, strategies: [{ file, params: { stake: 3 } }], fills: 'all', seed: 7, commission: 2 },
      ...{ latency: { requestMs: 150, responseMs: 30 }, limits: { market: 300, liveOrders: 20 } },
    });
    expect(summary.transcriptSha256).toBe(command.transcript.sha256);
    expect(summary.total).toEqual(command.result);
    expect(summary.orders).toEqual(command.orders);
    const written2 = join(directory, `backtest-7-${summary.transcriptSha256.slice(0, 10)}`);
    const rows = { orders: [...orders.rows], fills: [...fills.rows] };
    const lines = (name: string): readonly string[] =>
      readFileSync(join(written2, name), 'utf8').trimEnd().split('\r\n');
    expect(rows.orders).toHaveLength(lines('orders.csv').length - 1);
    expect(rows.fills).toHaveLength(lines('fills.csv').length - 1);
    expect(orders.columns.join()).toBe([...ordersCsv([])].join('').trimEnd());
    expect(fills.columns.join()).toBe([...fillsCsv([])].join('').trimEnd());
  });

  test('has tables whose columns are the keys of their rows, and which add up to the summary', async () => {
    const { summary, ...tables } = await backtest({ tape, markets, strategies: [() => backer] });
    for (const [name, { columns, rows }] of Object.entries(tables))
      for (const row of rows) expect(columns, name).toEqual(expect.arrayContaining(Object.keys(row)));
    const bounds = [...tables.bounds.rows];
    expect(bounds.map(({ bound }) => bound)).toEqual(['pessimistic', 'central', 'optimistic']);
    expect(bounds[1]).toEqual({ bound: 'central', ...summary.total.central });
    expect([...tables.markets.rows]).toMatchObject([
      { id: '99000302', 'profitNet.central': summary.total.central.profitNet },
    ]);
    expect(summary.orders.sent).toBe([...tables.orders.rows].filter(({ flow }) => flow === 'central').length);
    expect(summary.orders.matchedFully).toBeGreaterThan(0);
    expect([...tables.notices.rows]).toEqual(summary.notices);
    // As often as they are asked for.
    expect([...tables.fills.rows]).toEqual([...tables.fills.rows]);
    expect(JSON.parse(JSON.stringify(summary))).toMatchObject({ seed: 1, interrupted: false });
  });

  test('says where a strategy that is an object threw', async () => {
    const thrower: StrategyPlugin = {
      name: 'thrower',
      decide: () => {
        throw new RangeError('too far');
      },
    };
    const { summary } = await backtest({ tape, markets, strategies: [() => thrower] });
    expect(summary.halts).toMatchObject([{ strategy: 'thrower', code: 'STRATEGY_THROW', why: 'RangeError: too far' }]);
    expect(summary.halts[0]?.where).toMatch(/library\.test\.ts:\d+:\d+$/);
  });

  test('of several strategies and wallets', async () => {
    const { summary } = await backtest({
      ...{ tapes: [tape], markets, wallets: { main: { balance: 500 }, other: { unlimited: true } } },
      strategies: [
        { plugin: () => backer, params: { stake: 4 } },
        { file: quoter, wallet: 'other' },
      ],
    });
    expect(summary.strategies.map(({ name, params }) => [name, params['stake']])).toMatchObject([
      ['backer', 4],
      ['passive-quoter', expect.anything()],
    ]);
    expect(summary.wallets).toMatchObject([{ name: 'main', balanceStart: 500 }, { name: 'other' }]);
  });

  test('of a proof, which a strategy with a memory of its own fails', async () => {
    const { summary } = await backtest({ tape, markets, strategies: [() => backer], prove: true });
    expect(summary.proof?.instants.length).toBeGreaterThan(0);
    let calls = 0;
    const remembering: StrategyPlugin = {
      name: 'remembering',
      decide: ({ market, orders }) => {
        calls += 1;
        const [favourite] = favourites(market);
        return market.tradable && favourite !== undefined && orders.length === 0 && calls % 7 === 0
          ? [back(favourite, { stake: 2 })]
          : [];
      },
    };
    expect((await failure({ tape, markets, strategies: [() => remembering], prove: true })).code).toBe('LOOKAHEAD');
  });
});

describe('errors', () => {
  const strategies = [{ file }];
  const cases: readonly (readonly [string, unknown, string, string])[] = [
    ['no options', undefined, 'CONFIG_INVALID', 'options'],
    ['an unknown option', { tape, strategies, latncy: {} }, 'CONFIG_UNKNOWN_KEY', 'latncy'],
    ['no tape', { strategies }, 'CONFIG_INVALID', 'tapes'],
    ['tape and tapes', { tape, tapes: [tape], strategies }, 'CONFIG_INVALID', 'tapes'],
    ['no strategies', { tape }, 'CONFIG_INVALID', 'options'],
    ['an empty list of strategies', { tape, strategies: [] }, 'CONFIG_INVALID', 'strategies'],
    ['what is no strategy', { tape, strategies: [{ name: 'x y' }] }, 'STRATEGY_SHAPE', 'strategies[0]'],
    [
      'an unknown key of a strategy',
      { tape, strategies: [{ file, parms: {} }] },
      'CONFIG_UNKNOWN_KEY',
      'strategies[0].parms',
    ],
    [
      'a plugin and a file',
      { tape, strategies: [{ plugin: () => backer, file }] },
      'CONFIG_INVALID',
      'strategies[0].file',
    ],
    [
      'a parameter of an object',
      { tape, strategies: [() => backer, { plugin: () => backer, params: { stake: -1 } }] },
      'STRATEGY_PARAM',
      'strategies[1].params.stake',
    ],
    ['an unknown wallet', { tape, strategies: [{ file, wallet: 'mian' }] }, 'CONFIG_INVALID', 'strategies[0].wallet'],
    ['a limit', { tape, strategies, limits: { order: -5 } }, 'CONFIG_INVALID', 'limits.order'],
    [
      'a part of a limit',
      { tape, strategies, limits: { drawdown: { amount: 5, action: 'x' } } },
      'CONFIG_INVALID',
      'limits.drawdown',
    ],
    ['a delay', { tape, strategies, latency: { requestMs: 'fast' } }, 'CONFIG_INVALID', 'latency.requestMs'],
    [
      'a distribution',
      { tape, strategies, latency: { requestMs: { p50: 90, p99: 10 } } },
      'CONFIG_INVALID',
      'latency.requestMs',
    ],
    [
      'currencies',
      { tape, strategies, wallets: { main: { currency: 'USDC' }, b: { currency: 'EUR' } } },
      'CONFIG_INVALID',
      'wallets.b.currency',
    ],
    ['a seed', { tape, strategies, seed: 1.5 }, 'CONFIG_INVALID', 'seed'],
    ['a function for data', { tape, strategies, markets: { ids: () => [] } }, 'CONFIG_INVALID', 'markets'],
    ['progress', { tape, strategies, onProgress: true }, 'CONFIG_INVALID', 'onProgress'],
    ['a signal', { tape, strategies, signal: new AbortController() }, 'CONFIG_INVALID', 'signal'],
    ["where files are written, which is the command's", { tape, strategies, out: 'runs' }, 'CONFIG_UNKNOWN_KEY', 'out'],
    ['a tape that is not there', { tape: 'none.tape', strategies }, 'TAPE_NOT_FOUND', 'none.tape'],
    ['what is no tape', { tape: file, strategies }, 'NOT_A_TAPE', file],
  ];

  test.each(cases)('%s', async (_what, options, code, where) => {
    const error = await failure(options);
    expect({ code: error.code, where: error.where }).toEqual({ code, where });
    expect(error.what).toMatch(/^[A-Z"'].*[.?!]$/s);
    expect(error.next).toMatch(/[.?]$/);
    expect(error.message).toBe(error.what);
  });

  test('a strategy file that is not there, and a parameter of one', async () => {
    expect(await failure({ tape, strategies: [{ file: 'none.ts' }] })).toMatchObject({
      code: 'STRATEGY_NOT_FOUND',
      where: 'none.ts',
    });
    const wrong = await failure({ tape, strategies: [{ file, params: { steak: 1 } }] });
    expect(wrong.code).toBe('STRATEGY_PARAM');
  });

  test('no market is left', async () => {
    expect((await failure({ tape, strategies, markets: { ids: ['1.1'] } })).code).toBe('NO_MARKETS');
  });

  test('what a function of the program throws is passed on as it is', async () => {
    const own = new Error('of the program');
    const onProgress = (): void => {
      throw own;
    };
    await expect(backtest({ tape, markets, strategies: [() => backer], onProgress })).rejects.toBe(own);
  });

  test('options are not written into', async () => {
    const options: BacktestOptions = {
      tape,
      markets,
      strategies: [{ plugin: () => backer }],
      wallet: { balance: 50 },
      limits: { order: 40 },
    };
    const before = structuredClone({ ...options, strategies: [] });
    await backtest(options);
    expect({ ...options, strategies: [] }).toEqual(before);
    expect(Object.isFrozen(backer)).toBe(false);
  });
});

describe('progress and aborting', () => {
  test.each(['none', 'market'] as const)('progress rises and ends at 1, isolate %s', async (isolate) => {
    const seen: BacktestProgress[] = [];
    await backtest({
      tape,
      strategies: [() => backer],
      isolate,
      onProgress: (progress) => seen.push(progress),
    });
    const parts = seen.map(({ part }) => part);
    expect(parts.length).toBeGreaterThan(2);
    expect(parts).toEqual([...parts].sort((a, b) => a - b));
    expect(parts.at(-1)).toBe(1);
    expect(seen.at(-1)?.done).toBe(seen.at(-1)?.total);
  });

  test('a signal that is aborted ends the run within a second, with the result until then', async () => {
    const abort = new AbortController();
    let abortedAt = Number.NaN;
    const onProgress = ({ part }: BacktestProgress): void => {
      if (part < 0.05 || abort.signal.aborted) return;
      abortedAt = performance.now();
      abort.abort('enough');
    };
    const error: unknown = await backtest({
      ...{ tape, strategies: [{ file }], signal: abort.signal, onProgress },
    }).catch((thrown: unknown) => thrown);
    expect(performance.now() - abortedAt).toBeLessThan(1_000);
    if (!(error instanceof AbortedError)) expect.fail(String(error));
    expect(error).toMatchObject({ name: 'AbortError', code: 'ABORTED', cause: 'enough' });
    const partial = error.partial as BacktestRun;
    expect(partial.summary.interrupted).toBe(true);
    expect(partial.summary.updates).toBeGreaterThan(0);
  });

  test('a slow strategy keeps neither the signal nor the rest of the program waiting', async () => {
    const slow: StrategyPlugin = {
      name: 'slow',
      decide: () => {
        const until = performance.now() + 3;
        while (performance.now() < until);
        return [];
      },
    };
    const abort = new AbortController();
    const seen: number[] = [];
    const onProgress = ({ done }: BacktestProgress): void => {
      seen.push(done);
      if (seen.length === 5) abort.abort();
    };
    const error = await failure({ tape, strategies: [() => slow], signal: abort.signal, onProgress });
    expect(error.code).toBe('ABORTED');
    // A slice of 4,096 updates would be one turn in twelve seconds.
    expect(seen).toHaveLength(5);
    expect(seen.at(-1)).toBeLessThan(300);
  });

  test('one that is aborted before ends it at once, with nothing', async () => {
    const error = await failure({ tape: 'none.tape', strategies: [() => backer], signal: AbortSignal.abort() });
    expect(error).toMatchObject({ code: 'ABORTED', partial: undefined });
  });
});

test('runs side by side and one after the other give the same as alone', async () => {
  const all: readonly BacktestOptions[] = [
    { tape, markets, strategies: [{ file }] },
    {
      tape,
      markets,
      strategies: [{ plugin: () => backer, params: { stake: 5 } }],
      seed: 9,
      latency: { p50: 80, p99: 400 },
    },
    { tape, strategies: [{ file: quoter }], markets: { ids: ['99000101'] }, fills: 'all' },
  ];
  const alone: unknown[] = [];
  for (const options of all) alone.push(figures(await backtest(options)));
  const together = await Promise.all(all.map((options) => backtest(options)));
  expect(together.map(figures)).toEqual(alone);
});

test("a file's console goes to the program, and nowhere else", async () => {
  const talker = temporaryFile(
    'talker.ts',
    `import { defineStrategy } from 'oddsmith';
let isFirst = true;
export default defineStrategy({ name: 'talker', decide() { if (isFirst) console.log('hello', { a: 1 }); isFirst = false; return []; } });
`,
  );
  const lines: string[] = [];
  await backtest({ tape, markets, strategies: [{ file: talker }], onConsole: (line) => lines.push(line) });
  expect(lines).toEqual(['talker: hello { a: 1 }']);
});
