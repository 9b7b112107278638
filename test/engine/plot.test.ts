/** What a strategy plots: kept by time, in the transcript only where it is used, bounded, and harmless. */

import { describe, expect, it, test } from 'vitest';
import { PLOT_LINE_POINTS_MAX, PLOT_NAMES_MAX, PlotTable } from '../../src/backtest/simulation/plot-table.ts';
import { defineStrategy } from '../../src/index.ts';
import type { DecideInput, StrategyPlugin } from '../../src/strategy/contract.ts';
import { decideOnce, testMarket } from '../../src/testing.ts';
import { runScript, Script, START } from '../support/scripted-run.ts';

type Plan = Readonly<Record<number, (input: DecideInput) => unknown>>;

function market(): Script {
  const script = new Script();
  for (const _ of [1, 2]) {
    const made = script.market();
    for (const at of [1_000, 2_000, 3_000, 4_000]) made.at(at, { level: [0, 'Against', 2, 50 + at] });
    made.settle(9_000, 0);
  }
  return script;
}

const planned = (plan: Plan): StrategyPlugin => ({
  name: 'plotter',
  decide: (input) => {
    if (input.why === 'prices' && input.market.id === '1.1') plan[input.now - START]?.(input);
    return [];
  },
});

const played = (plan: Plan) => runScript(market(), [planned(plan)]);

/** `name: ms value, ms value …` for each line. */
async function lines(plan: Plan): Promise<readonly string[]> {
  const { collector } = await played(plan);
  return collector.plots.lines.map(({ strategy, marketId, name, at, value }) => {
    expect([strategy, marketId]).toEqual(['plotter', '1.1']);
    return `${name}: ${[...at].map((each, index) => `${each - START} ${value[index]}`).join(', ')}`;
  });
}

describe('plot', () => {
  it('keeps values by time and name, each only where it changes', async () => {
    const kept = await lines({
      1000: ({ plot }) => plot({ fair: 2, trend: 0.5 }),
      2000: ({ plot }) => plot({ fair: 2 }),
      3000: ({ plot }) => plot({ fair: 2.5, trend: undefined }),
      4000: ({ plot }) => {
        plot({ fair: 3, trend: Number.NaN });
        plot({ fair: 4 });
      },
    });
    expect(kept).toEqual(['fair: 1000 2, 3000 2.5, 4000 4', 'trend: 1000 0.5, 3000 NaN']);
  });

  it('is in the transcript where it is used, and only there', async () => {
    const hash = async (plan: Plan) => (await played(plan)).transcript;
    const one = await hash({ 1000: ({ plot }) => plot({ fair: 2 }) });
    const all = [
      one,
      await hash({}),
      await hash({ 1000: ({ plot }) => plot({ fair: 3 }) }),
      await hash({ 1000: ({ plot }) => plot({ fail: 2 }) }),
      await hash({ 2000: ({ plot }) => plot({ fair: 2 }) }),
      await hash({ 1000: ({ plot }) => plot({ fair: undefined }) }),
    ];
    expect(new Set(all).size).toBe(all.length);
    expect(await hash({ 1000: ({ plot }) => plot({ fair: 2 }) })).toBe(one);
    expect(await hash({ 1000: ({ plot }) => plot({}) })).toBe(await hash({}));
  });

  test.each<[what: string, values: unknown, why: RegExp]>([
    ['a text', { fair: '2' }, /plot takes numbers: 'fair' is a string/],
    ['an object', { fair: { toString: () => '2' } }, /'fair' is an object/],
    ['null', { fair: null }, /'fair' is null/],
    ['no object', 5, /plot takes an object of numbers by name.*not a number/],
    ['a name that a spreadsheet would calculate', { '=cmd|x': 1 }, /cannot keep a value named "=cmd\|x"/],
    ['a name with a control character', { 'a\u001b[2J': 1 }, /cannot keep a value named/],
    ['a long name', { ['x'.repeat(41)]: 1 }, /1 to 40 characters/],
    ['a hundred names and one', Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`n${i}`, 1])), /at most 100/],
  ])('refuses %s at the line that plots it', async (_what, values, why) => {
    const { collector } = await played({ 1000: ({ plot }) => Reflect.apply(plot, undefined, [values]) });
    expect(collector.halts.map(({ code }) => code)).toEqual(['STRATEGY_THROW']);
    expect(String(collector.halts[0]?.error)).toMatch(why);
  });

  it('cannot be used outside the call', async () => {
    let kept: DecideInput['plot'] | undefined;
    await played({
      1000: ({ plot }) => {
        kept = plot;
      },
    });
    expect(() => kept?.({ fair: 2 })).toThrow(/outside the call/);
  });

  it('asks each value once, and a getter that throws halts its strategy alone', async () => {
    let asked = 0;
    const values = {
      get fair() {
        asked += 1;
        return asked;
      },
    };
    expect(await lines({ 1000: ({ plot }) => plot(values) })).toEqual(['fair: 1000 1']);
    expect(asked).toBe(1);
  });

  it('is shown by decideOnce', () => {
    const strategy = defineStrategy({
      name: 'shown',
      decide: ({ plot }) => {
        plot({ a: 1, b: 2 });
        plot({ a: 3, b: undefined });
        return [];
      },
    });
    const { plotted } = decideOnce(strategy, { market: testMarket({ outcomes: [{ id: 'a' }] }) });
    expect(plotted).toEqual({ a: 3, b: Number.NaN });
  });
});

describe('what is kept of plots', () => {
  const event = (at: number, name: string, value: number, market = 0) =>
    ({ kind: 'plotted', at, strategy: 0, market, name, value }) as const;
  const id = (index: number): string => `m${index}`;

  it('is at most twenty names a market', () => {
    const table = new PlotTable(['s']);
    for (let i = 0; i < 25; i += 1) table.add(event(i, `n${i}`, 1));
    table.add(event(30, 'n0', 2, 1));
    const { lines: kept, namesLeftOut } = table.kept(id);
    expect(kept.filter(({ marketId }) => marketId === 'm0')).toHaveLength(PLOT_NAMES_MAX);
    expect(kept.at(-1)).toMatchObject({ marketId: 'm1', name: 'n0' });
    expect(namesLeftOut).toEqual(['s']);
  });

  it('is thinned beyond the points of a line, with every extreme and every gap in its place', () => {
    const table = new PlotTable(['s']);
    const points = 10 * PLOT_LINE_POINTS_MAX;
    const peaks = new Map([
      [7, 900],
      [points / 2 + 1, 1_000],
      [points - 3, -1_000],
    ]);
    for (let i = 0; i < points; i += 1) table.add(event(i, 'x', peaks.get(i) ?? (i % 50) / 10));
    const { lines: kept, thinned } = table.kept(id);
    const [line = expect.fail('there is a line')] = kept;
    expect(thinned).toBe(1);
    expect(line.at.length).toBeLessThanOrEqual(PLOT_LINE_POINTS_MAX);
    expect(line.at.length).toBeGreaterThan(PLOT_LINE_POINTS_MAX / 4);
    for (const [at, value] of peaks) expect(line.value[line.at.indexOf(at)]).toBe(value);
    for (let i = 1; i < line.at.length; i += 1) expect(line.at[i]).toBeGreaterThan(line.at[i - 1] ?? 0);
    expect(line.value.length).toBe(line.at.length);
  });

  it('ends where all lines together are too long, and says since when', () => {
    const table = new PlotTable(['s'], 5);
    for (let i = 0; i < 4; i += 1) table.add(event(i, 'a', i));
    for (let i = 4; i < 8; i += 1) table.add(event(i, 'b', i));
    const { lines: kept, fullSince } = table.kept(id);
    expect(kept.map(({ value }) => [...value])).toEqual([[0, 1, 2, 3], [4]]);
    expect(fullSince).toBe(5);
  });
});
