/** What a result says beside its figures: each way to a puzzling zero, over the bundled recording. */

import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { BacktestOptions } from '../../src/backtest/options/backtest-options.ts';
import { defined } from '../../src/core/checks/assert.ts';
import { tickOfDecimal } from '../../src/core/number/ladder.ts';
import type { Instant } from '../../src/core/number/units.ts';
import { AGAINST } from '../../src/core/side.ts';
import { UpdateBuffer } from '../../src/recording/segment/update-buffer.ts';
import type { RecordedDefinition } from '../../src/recording/tape/definition.ts';
import type { MarketDescription } from '../../src/recording/tape/tape-schema.ts';
import { TapeWriter } from '../../src/recording/tape/tape-writer.ts';
import { resultTable } from '../../src/report/text/table.ts';
import { backtestJson } from '../../src/result/columns/result-json.ts';
import type { OutOfSightRule } from '../../src/simulator/overlay/fill-rules.ts';
import { backtestOf, onlyMarkets } from '../support/backtest-of.ts';
import { DAY, racesTape } from '../support/made-races.ts';
import { MADE_DEFINITION, madeDescription } from '../support/made-tape.ts';
import { SAMPLE_TAPE } from '../support/places.ts';
import { recordedTape } from '../support/recorded-tape.ts';
import { OPTIONS, START, units } from '../support/scripted-run.ts';
import { describeWithRecordings } from '../support/shared.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { run } from './fake-terminal.ts';

const MARKET = '99000101';
const OTHER = '99000102';
const HOUR = 3_600_000;
const OUTCOMES = ['1', '2'].map((id, ordering) => ({ id, title: id, ordering }));
const work = temporaryDirectory('notices');

/** `body` is what the strategy has beside its name. */
function strategy(name: string, body: string): string {
  const file = join(work, `${name}.ts`);
  writeFileSync(
    file,
    `import { back, cancelAll, defineStrategy, favourites } from 'oddsmith';
const once = (market: { readonly tradable: boolean }, seen: unknown) => market.tradable && seen !== 'seen';
export default defineStrategy({ name: '${name}', ${body} });
`,
  );
  return file;
}

async function result(files: readonly string[], change: Partial<BacktestOptions> = {}) {
  return backtestOf(files, { markets: onlyMarkets(MARKET, OTHER), fills: 'central', ...change });
}

/** One order of `stake` on the favourite of each market, at `price`: else at the best one. */
const ordering = (stake: number, price = 'favourite.bestAgainst?.price ?? 2'): string =>
  `decide: ({ market, state }) => {
    const [favourite] = favourites(market);
    if (!once(market, state) || favourite === undefined) return [];
    return { intents: [back(favourite, { stake: ${stake}, price: ${price} })], state: 'seen' };
  }`;

const notices = async (...run: Parameters<typeof result>) => (await result(...run)).notices;

describe('a strategy that does not do what it was meant to', () => {
  const stakes = (...all: number[]) => `decide: ({ market, state }) => {
    const [favourite] = favourites(market);
    if (!once(market, state) || favourite === undefined) return [];
    return { intents: [${all}].map((stake) => back(favourite, { stake })), state: 'seen' };
  }`;

  test('was refused more than a tenth of its intents: the commonest code, how often, and what it means', async () => {
    const limits = { order: units(100) };
    const often = strategy('often', stakes(500, 2, 2, 2, 2, 2, 2, 2, 2));
    const seldom = strategy('seldom', stakes(500, 2, 2, 2, 2, 2, 2, 2, 2, 2));
    const [notice, ...more] = await notices([often, seldom], { limits });
    expect(more).toEqual([]);
    expect(notice).toMatchObject({ code: 'STRATEGY_OFTEN_REFUSED', strategy: 'often' });
    expect(notice?.what).toBe("Of strategy 'often' 2 of 18 intents were refused, 2 with LIMIT_ORDER.");
  });

  test('sends more orders than there are updates', async () => {
    const tape = oneMarket(
      {},
      Array.from({ length: 24 }, (_, second): readonly [number, Fill] => {
        if (second === 0) return [0, (_buffer, define) => define(MADE_DEFINITION)];
        return [second * 1_000, (update) => update.level(0, AGAINST, tickAt(2), 10_000_000 + second)];
      }),
    );
    const moving = (orders: number) => `decide: ({ why, market, state }) => {
      const outcome = market.outcomes[0];
      if (why !== 'prices' || !market.tradable || outcome?.bestAgainst === undefined) return [];
      const first = state === 'seen' ? [] : [back(outcome, { stake: 2 })];
      const quotes = Array.from({ length: ${orders} }, () => back(outcome, { stake: 1, price: 1000 }));
      return { intents: [cancelAll(market), ...first, ...quotes], state: 'seen' };
    }`;
    const files = [strategy('runs-after', moving(60)), strategy('follows', moving(1))];
    const everything = { ids: [], types: [], events: [] };
    const told = await notices(files, { tapes: [tape], markets: everything, limits: {} });
    const orders = told.filter(({ code }) => code === 'STRATEGY_MANY_ORDERS');
    expect(orders.map(({ strategy }) => strategy)).toEqual(['runs-after']);
    expect(orders[0]?.what).toMatch(
      /^Strategy 'runs-after' sent [\d,]+ orders in 24 updates, of which 1 were matched\.$/,
    );
  });
});

describe('a strategy from which nothing came', () => {
  test('watches no market', async () => {
    const [notice, ...more] = await notices([strategy('blind', 'watches: () => false, decide: () => []')]);
    expect(more).toEqual([]);
    expect(notice).toMatchObject({ code: 'STRATEGY_WATCHES_NOTHING', strategy: 'blind' });
    expect(notice?.what).toBe("Strategy 'blind' watches none of the 2 markets replayed, so it was never asked.");
  });

  test('returned no intent', async () => {
    const [notice, ...more] = await notices([strategy('idle', 'decide: () => []')]);
    expect(more).toEqual([]);
    expect(notice).toMatchObject({ code: 'STRATEGY_WISHED_NOTHING', strategy: 'idle' });
  });

  test('was refused everything: the commonest code, how often, and what it means', async () => {
    const file = strategy('greedy', ordering(500));
    const [notice, ...more] = await notices([file], { limits: { order: units(100) } });
    expect(more).toEqual([]);
    expect(notice).toMatchObject({ code: 'STRATEGY_ALL_REFUSED', strategy: 'greedy' });
    expect(notice?.what).toBe("Of strategy 'greedy' nothing was sent: all 2 intents were refused, 2 with LIMIT_ORDER.");
    expect(notice?.next).toContain('the loss of this one order would exceed the limit per order');
  });

  test('was rejected everything: the commonest code, how often, and what it means', async () => {
    // It trades on what an hourly poll showed, in a market that was suspended right after it.
    const tape = oneMarket({}, [
      [0, (_, define) => define(MADE_DEFINITION)],
      [HOUR + 1, (_, define) => define({ ...MADE_DEFINITION, suspended: true })],
      [4 * HOUR, (_, define) => define({ ...MADE_DEFINITION, status: 'Voided' })],
    ]);
    const file = strategy(
      'late',
      'decide: () => [{ kind: "place", market: "1.1", outcome: "1", side: "For", price: 3, stake: 2 }]',
    );
    const feed = { mode: 'poll', everyMs: HOUR } as const;
    const everything = { ids: [], types: [], events: [] };
    const { notices, orders } = await result([file], { tapes: [tape], markets: everything, feed });
    expect([orders.sent, orders.rejected]).toEqual([101, 101]);
    const [notice] = notices;
    expect(notice).toMatchObject({ code: 'STRATEGY_ALL_REJECTED', strategy: 'late' });
    expect(notice?.what).toBe("Of strategy 'late' the exchange rejected all 101 orders, 101 with SUSPENDED_MARKET.");
    expect(notice?.next).toContain('Look up SUSPENDED_MARKET');
    // It also answered each rejection with the same order.
    expect(notices.map(({ code }) => code)).toContain('STRATEGY_REPEATS_REJECTED');
  });

  test('was matched nowhere', async () => {
    const [notice, ...more] = await notices([strategy('far', ordering(2, '1000'))]);
    expect(more).toEqual([]);
    expect(notice).toMatchObject({ code: 'STRATEGY_MATCHED_NOTHING', strategy: 'far' });
    expect(notice?.what).toContain('2 orders');
  });

  test('is named beside others that did something, which are not', async () => {
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

describe('a signal', () => {
  const OUTCOME = '990001011';
  const signalled = (name: string, rows: readonly string[]): string => {
    writeFileSync(join(work, `${name}.csv`), ['availableAt,market,outcome,value', ...rows, ''].join('\n'));
    return strategy(name, `signals: [{ name: 'model', file: '${name}.csv' }], ${ordering(2)}`);
  };
  const AT = '2026-03-14T12:20:00Z';

  test('of no market of the run is reported with an id that it has and one that the run has', async () => {
    const file = signalled('strange', [`${AT},1.1,7,0.5`, `${AT},1.2,7,0.5`]);
    const [notice, ...more] = await notices([file]);
    expect(more).toEqual([]);
    expect(notice).toMatchObject({
      code: 'SIGNAL_MATCHES_NOTHING',
      strategy: 'strange',
      where: join(work, 'strange.csv'),
    });
    expect(notice?.what).toBe(
      "None of the 2 rows of signal 'model' is of a market of the run: the first is of market '1.1', and the run has markets such as '99000101'.",
    );
  });

  test('without rows is reported', async () => {
    const [notice] = await notices([signalled('empty', [])]);
    expect(notice).toMatchObject({ code: 'SIGNAL_MATCHES_NOTHING', what: "Signal 'model' has no rows." });
  });

  test('of outcomes that the market does not have is reported, also where other rows are right', async () => {
    const rows = [`${AT},${MARKET},1,0.5`, `${AT},${MARKET},2,0.5`, `${AT},${MARKET},${OUTCOME},0.5`];
    const [notice, ...more] = await notices([signalled('half-wrong', rows)]);
    expect(more).toEqual([]);
    expect(notice).toMatchObject({ code: 'SIGNAL_OUTCOMES_UNKNOWN', markets: [MARKET] });
    expect(notice?.what).toContain('2 rows of signal');
    expect(notice?.next).toContain(`'${OUTCOME}'`);
  });

  test('that comes after the end of its markets is reported', async () => {
    const [notice, ...more] = await notices([signalled('late', [`2026-03-16T12:20:00Z,${MARKET},${OUTCOME},0.5`])]);
    expect(more).toEqual([]);
    expect(notice).toMatchObject({ code: 'SIGNAL_TOO_LATE', markets: [MARKET] });
  });

  test('of markets that no tape holds is reported beside what is right, with the first of them', async () => {
    const rows = ['1.1', '1.1', '1.2', '1.3', '1.4'].map((market) => `${AT},${market},7,0.5`);
    const [notice, ...more] = await notices([signalled('more', [...rows, `${AT},${MARKET},${OUTCOME},0.5`])]);
    expect(more).toEqual([]);
    expect(notice).toMatchObject({ code: 'SIGNAL_MARKETS_UNKNOWN', strategy: 'more' });
    expect(notice?.what).toBe(
      "5 rows of signal 'model' are of 4 markets that no tape of the run holds, such as '1.1', '1.2', '1.3'.",
    );
  });

  test('of a market whose id lost its last 0 says so', async () => {
    const tape = racesTape([
      { id: '1.90', startAt: DAY, firstAt: DAY - 1_000, settledAt: DAY, lastAt: DAY, updates: 20 },
    ]);
    const file = signalled('cut', [`${AT},1.9,1,0.5`, `${AT},1.90,1,0.5`]);
    const { notices: found } = await backtestOf([file], { tapes: [tape] });
    const [notice] = found.filter(({ code }) => code === 'SIGNAL_MARKETS_UNKNOWN');
    expect(notice?.next).toContain("'1.9' is '1.90' on the tape");
  });

  test('of markets that the tapes hold and the run leaves out gets no notice', async () => {
    const rows = [`${AT},${OTHER},1,0.5`, `${AT},${MARKET},${OUTCOME},0.5`];
    const { notices: found } = await backtestOf([signalled('right', rows)], { markets: onlyMarkets(MARKET) });
    expect(found.filter(({ code }) => code.startsWith('SIGNAL'))).toEqual([]);
  });
});

test('a name in the filter that no market has is reported; where none is left, the error names it', async () => {
  const file = strategy('busy', ordering(2));
  const filtered = await notices([file], { markets: onlyMarkets(MARKET, '1.999') });
  expect(filtered).toMatchObject([{ code: 'FILTER_MATCHES_NOTHING' }]);
  expect(filtered[0]?.what).toContain("'1.999' of `markets.ids`");
  const nothing = notices([file], { markets: { ids: [], types: ['NOWHERE'], events: [] } });
  await expect(nothing).rejects.toMatchObject({
    parts: { code: 'NO_MARKETS', why: "No market of the tapes matches 'NOWHERE' of markets.types." },
  });
});

test('stake that was out of sight of a recording of the best few levels is reported, with the rule that left it out', async () => {
  const file = strategy(
    'sweeper',
    'decide: ({ market, why, state }) => why === "prices" && market.outcomes[0]!.levels("Against").length > 1 && state === undefined ? { intents: [back(market.outcomes[0]!, { stake: 15, price: 2 })], state: 1 } : []',
  );
  const everything = { ids: [], types: [], events: [] };
  const told = async (levelsOutOfSight: OutOfSightRule) => {
    const fillRules = { ...OPTIONS.fillRules, levelsOutOfSight };
    const all = await result([file], { tapes: [bestFewTape()], markets: everything, fillRules });
    return { all, notice: all.notices.find(({ code }) => code === 'LEVELS_OUT_OF_SIGHT') };
  };
  const aged = await told({ maxAgeMs: 20 });
  expect(aged.notice).toMatchObject({ markets: ['1.1'] });
  expect(aged.notice?.what).toBe(
    '5.00 of stake that orders reached for was not matched in 1 market: it stood at levels that the recording, which shows the best few of each side, had not shown for more than 20 ms.',
  );
  expect(JSON.parse(backtestJson(aged.all)).byMarket).toMatchObject([{ stakeOutOfSight: 5 }]);
  expect((await told('never')).notice?.what).toContain('did not show then.');
  expect((await told('always')).notice).toBeUndefined();
});

type Fill = (update: UpdateBuffer, define: (definition: RecordedDefinition) => void) => void;

/** A tape of one market, by what comes so many ms after the start. */
function oneMarket(
  change: Partial<MarketDescription>,
  updates: readonly (readonly [ms: number, fill: Fill])[],
): string {
  const target = join(mkdtempSync(join(work, 'one-market-')), 'one.tape');
  const writer = TapeWriter.create(target);
  const key = writer.startMarket();
  const buffer = new UpdateBuffer(1);
  for (const [ms, fill] of updates) {
    buffer.start((START + ms) as Instant);
    fill(buffer, (definition) => buffer.definition(writer.addDefinition(key, definition)));
    writer.appendUpdate(key, buffer);
  }
  const made = madeDescription('1.1');
  writer.finishMarket(key, { ...made, ...change, facts: { ...made.facts, outcomes: OUTCOMES } });
  writer.finish();
  return target;
}

/** Of each side one level is shown: a better one pushes out that at 2.00. */
const bestFewTape = () =>
  oneMarket({ grade: 'B', depth: 1 }, [
    [0, (_, define) => define(MADE_DEFINITION)],
    [1_000, (update) => update.level(0, AGAINST, tickAt(2), 10_000_000)],
    [2_000, (update) => update.level(0, AGAINST, tickAt(2.02), 10_000_000)],
    [9_000, (update) => update.lastPrice(1, tickAt(3))],
  ]);

const tickAt = (price: number): number => defined(tickOfDecimal(price), `${price} is on the ladder`);

test('markets with orders that were all voided are named', async () => {
  const target = oneMarket({}, [
    [0, (_, define) => define(MADE_DEFINITION)],
    [1_000, (_, define) => define(MADE_DEFINITION)],
    [2_000, (_, define) => define({ ...MADE_DEFINITION, status: 'Voided' })],
  ]);
  const file = strategy(
    'any',
    'decide: ({ market, state }) => market.tradable && state === undefined ? { intents: [back(market.outcomes[0]!, { stake: 2, price: 3 })], state: 1 } : []',
  );
  const everything = { ids: [], types: [], events: [] };
  const codes = (await notices([file], { tapes: [target], markets: everything })).map(({ code, markets }) => [
    code,
    markets,
  ]);
  expect(codes).toContainEqual(['MARKETS_VOIDED', ['1.1']]);
});

describeWithRecordings('recordings of last traded prices only', () => {
  test('are reported, with the grade of the markets replayed, not of their tape', async () => {
    const tape = await recordedTape('profitbox__BASIC__1.231174264.bz2');
    const file = strategy(
      'resting',
      'decide: ({ market, state }) => market.tradable && state === undefined ? { intents: [back(market.outcomes[0]!, { stake: 2, price: 3 })], state: 1 } : []',
    );
    const everything = { ids: [], types: [], events: [] };
    const alone = await result([file], { tapes: [tape], markets: everything });
    expect(alone.orders.sent).toBeGreaterThan(0);
    expect(alone.notices.map(({ code }) => code)).toEqual(['STRATEGY_MATCHED_NOTHING', 'MARKETS_CANNOT_FILL']);
    expect(alone.tapes[0]?.grade).toBe('C');
    const both = await result([file], { tapes: [SAMPLE_TAPE, tape] });
    expect(both.tapes.map(({ grade }) => grade)).toEqual(['A', undefined]);
    expect(JSON.parse(backtestJson(both)).grades).toEqual({ A: 2 });
    expect(both.notices.map(({ code }) => code)).not.toContain('MARKETS_CANNOT_FILL');
  });
});

test('they stand in the table, in the JSON, and in the report', async () => {
  const file = strategy('blind', 'watches: () => false, decide: () => []');
  const said = await result([file]);
  expect(JSON.parse(backtestJson(said)).notices).toEqual(said.notices);
  expect(resultTable(said)).toMatch(/^notice STRATEGY_WATCHES_NOTHING: Strategy 'blind' watches none/m);
  const { out } = await run('backtest', '--strategy', file, '--tape', SAMPLE_TAPE, '--out', work);
  expect(out).toContain('notice STRATEGY_WATCHES_NOTHING');
});
