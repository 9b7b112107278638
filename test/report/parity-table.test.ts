/** The text of parity: its first line says what is the same, what each side brought, and why they differ. */

import { expect, test } from 'vitest';
import { fitted } from '../../src/report/text/fitted.ts';
import { parityTable } from '../../src/report/text/parity-table.ts';
import { PARITY_CAUSES, PARITY_STEPS, type ParityDifference, type ParityResult } from '../../src/result/parity.ts';

const NONE = { run: 0, replay: 0, same: 0 };
const STEPS = Object.fromEntries(PARITY_STEPS.map((step) => [step, NONE])) as ParityResult['counts'];
const CAUSES = Object.fromEntries(
  PARITY_CAUSES.map((cause) => [cause, { causes: 0, consequences: 0 }]),
) as ParityResult['causes'];
const DIFFERENCE: ParityDifference = {
  ...{ number: 1, at: 0, strategy: 'quoter', market: '57', step: 'order', cause: 'queue', details: 'it was filled' },
};
const RESULT: ParityResult = {
  mode: 'live',
  from: Date.UTC(2026, 7, 1, 14),
  to: Date.UTC(2026, 7, 1, 15),
  updates: 5_000,
  counts: { ...STEPS, decision: { run: 100, replay: 90, same: 38 }, order: { run: 41, replay: 80, same: 41 } },
  profit: [{ wallet: 'main', run: 0.74, replay: 0.31 }],
  notCompared: 0,
  notExplained: [],
  causes: { ...CAUSES, latency: { causes: 6, consequences: 1_497 }, queue: { causes: 19, consequences: 0 } },
  differences: [DIFFERENCE],
};

function firstLine(result: ParityResult): string {
  return parityTable(result).split('\n')[0] ?? '';
}

test('the first line has shares of the side with more, the money, and the commonest cause first', () => {
  expect(firstLine(RESULT)).toBe(
    'Same decisions 38 %, same orders 51 %; profit run +0.74, replay +0.31; cause: queue 19, timing 6',
  );
  const wallets = [
    { wallet: 'eur', run: -1, replay: 2 },
    { wallet: 'gbp', run: 0, replay: 0 },
  ];
  expect(firstLine({ ...RESULT, profit: wallets })).toContain(
    'profit of eur run −1.00, replay +2.00; profit of gbp run 0.00, replay 0.00;',
  );
  expect(firstLine({ ...RESULT, profit: [] })).toContain('; profit not known, no market is settled; ');
});

test('100 % is said only where all are the same', () => {
  const counts = { ...RESULT.counts, decision: { run: 10_000, replay: 10_000, same: 9_999 } };
  expect(firstLine({ ...RESULT, counts })).toMatch(/^Same decisions 99\.9 %, /);
  const whole = { ...RESULT, counts: { ...STEPS, decision: { run: 3, replay: 3, same: 3 } }, causes: CAUSES };
  expect(firstLine({ ...whole, differences: [] })).toBe(
    'Same decisions 100 %, no orders; profit run +0.74, replay +0.31; no difference',
  );
});

test('causes have a row each with their numbers below each other, and all of it fits 80 columns', () => {
  const text = fitted(parityTable(RESULT), 80);
  expect(text).toContain(
    '1 difference       first follow\ntiming                 6  1,497  the same answer, decision or order at another\n',
  );
  expect(Math.max(...text.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(80);
  expect(text.match(/UTC/g)).toHaveLength(1);
});
