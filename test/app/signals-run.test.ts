/** A backtest whose strategy reads a signal file beside it: nothing before its time, and a bad row by its line. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { OddsmithError } from '../../src/core/checks/oddsmith-error.ts';
import { backtestOf, onlyMarkets } from '../support/backtest-of.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const MARKET = '99000101';
const OUTCOME = '990001011';
const BACK_AT = '2026-03-14T12:20:00.000Z';
const LAY_AT = '2026-03-14T12:25:00.000Z';
let work = '';

beforeAll(() => {
  work = temporaryDirectory('signals');
  writeFileSync(
    join(work, 'model.ts'),
    `import { back, defineStrategy, lay } from 'oddsmith';
export default defineStrategy({
  name: 'model',
  signals: [{ name: 'model', file: 'model.csv' }],
  decide({ market, orders, position, signal }) {
    const outcome = market.outcome('${OUTCOME}');
    if (!market.tradable || outcome === undefined || orders.length > 0) return [];
    const probability = signal('model', outcome.id);
    if (probability === undefined) return [];
    if (probability > 0.5) return position.isFlat ? [back(outcome, { stake: 2 })] : [];
    return position.matched(outcome.id, 'Against').stake === 0 ? [lay(outcome, { stake: 2 })] : [];
  },
});
`,
  );
});

function run(rows: readonly string[]) {
  writeFileSync(join(work, 'model.csv'), ['availableAt,market,outcome,value', ...rows, ''].join('\n'));
  return backtestOf([join(work, 'model.ts')], { markets: onlyMarkets(MARKET), fills: 'central' });
}

describe('a run with signals', () => {
  it('acts on each row at the first update after it was available', async () => {
    const rows = [`${LAY_AT},${MARKET},${OUTCOME},0.01`, `${BACK_AT},${MARKET},${OUTCOME},0.9`];
    const { orderRows: made, halts } = await run(rows);
    const orderRows = [...made];
    expect(halts).toEqual([]);
    const sides = orderRows.map(({ side }) => side);
    expect(sides).toContain('For');
    expect(sides).toContain('Against');
    for (const { side, decidedAt } of orderRows) {
      expect(decidedAt).toBeGreaterThanOrEqual(Date.parse(side === 'For' ? BACK_AT : LAY_AT));
    }
    const backed = orderRows.filter(({ side }) => side === 'For');
    expect(backed[0]?.decidedAt).toBeLessThan(Date.parse(BACK_AT) + 10_000);
  });

  it('refuses a file with a row that is none, and says which', async () => {
    const failure = await run([`${BACK_AT},${MARKET},${OUTCOME},0.9`, `${LAY_AT},${MARKET}`]).catch(
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(OddsmithError);
    if (failure instanceof OddsmithError) {
      expect(failure.parts.code).toBe('SIGNAL_ROW');
      expect(failure.parts.where).toMatch(/model\.csv:3/);
    }
  });
});
