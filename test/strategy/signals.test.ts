import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Instant } from '../../src/core/number/units.ts';
import { type SignalRow, SignalSeries } from '../../src/strategy/signals.ts';

const row = (availableAt: number, value: number, market = 'm', outcome = 'o'): SignalRow => ({
  availableAt: availableAt as Instant,
  market,
  outcome,
  value,
});

function seriesOf(rows: readonly SignalRow[]): SignalSeries {
  const series = new SignalSeries();
  for (const added of rows) series.add(added);
  return series;
}

/** The slow, obvious way: of the rows available, the newest; of the newest, the one added last. */
function newest(rows: readonly SignalRow[], market: string, outcome: string, now: number): number | undefined {
  let best: SignalRow | undefined;
  for (const candidate of rows) {
    if (candidate.market !== market || candidate.outcome !== outcome || candidate.availableAt > now) continue;
    if (best === undefined || candidate.availableAt >= best.availableAt) best = candidate;
  }
  return best?.value;
}

describe('a signal series', () => {
  it('answers with the newest value available, per market and outcome', () => {
    const series = seriesOf([row(10, 1), row(20, 2), row(15, 9, 'm', 'p'), row(5, 8, 'n')]);
    expect(series.valueAt('m', 'o', 9)).toBeUndefined();
    expect(series.valueAt('m', 'o', 10)).toBe(1);
    expect(series.valueAt('m', 'o', 19)).toBe(1);
    expect(series.valueAt('m', 'o', 1e15)).toBe(2);
    expect(series.valueAt('m', 'p', 15)).toBe(9);
    expect(series.valueAt('n', 'o', 5)).toBe(8);
    expect(series.valueAt('n', 'p', 5)).toBeUndefined();
    expect(series.valueAt('x', 'o', 5)).toBeUndefined();
  });

  it('goes back in time as well as forward', () => {
    const series = seriesOf([row(10, 1), row(20, 2), row(30, 3)]);
    expect([35, 12, 22, 9, 31].map((now) => series.valueAt('m', 'o', now))).toEqual([3, 1, 2, undefined, 3]);
  });

  it('answers as the slow way does, with rows in any order, added while it is read', () => {
    const steps = fc.array(
      fc.oneof(
        fc.record({ add: fc.integer({ min: 0, max: 30 }), outcome: fc.constantFrom('o', 'p') }),
        fc.record({ ask: fc.integer({ min: -1, max: 31 }), outcome: fc.constantFrom('o', 'p') }),
      ),
      { maxLength: 80 },
    );
    fc.assert(
      fc.property(steps, (made) => {
        const rows: SignalRow[] = [];
        const series = new SignalSeries();
        for (const [at, step] of made.entries()) {
          if ('add' in step) {
            rows.push(row(step.add, at, 'm', step.outcome));
            series.add(row(step.add, at, 'm', step.outcome));
          } else {
            expect(series.valueAt('m', step.outcome, step.ask)).toBe(newest(rows, 'm', step.outcome, step.ask));
          }
        }
      }),
    );
  });

  it('never looks ahead: what becomes available after now changes no answer', () => {
    const rows = fc.array(fc.tuple(fc.integer({ min: 0, max: 50 }), fc.double({ noNaN: true })), { maxLength: 40 });
    fc.assert(
      fc.property(rows, fc.integer({ min: 0, max: 50 }), (made, now) => {
        const all = made.map(([at, value]) => row(at, value));
        const past = all.filter(({ availableAt }) => availableAt <= now);
        const shaken = all.map((each) => (each.availableAt <= now ? each : { ...each, value: -1e9 }));
        const answer = seriesOf(past).valueAt('m', 'o', now);
        expect(seriesOf(all).valueAt('m', 'o', now)).toBe(answer);
        expect(seriesOf(shaken).valueAt('m', 'o', now)).toBe(answer);
      }),
    );
  });
});
