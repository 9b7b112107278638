/** A daemon in front of a sandbox, both real processes, is killed a few times; `npm run kill:loop` does it hundreds of times. */

import { expect, test } from 'vitest';
import { killAndAudit } from '../../support/kill/kill-and-audit.ts';
import { reportText } from '../../support/kill/kill-report.ts';

const SEED = 7;
const KILLS = 6;

test('a daemon killed again and again loses, doubles and forgets no order, and its books are the exchange’s', async () => {
  const report = await killAndAudit({ kills: KILLS, seed: SEED });
  const words = reportText(report);
  expect(report.differences, words).toEqual([]);
  expect(report.kills, words).toBe(KILLS);
  expect(report.orders.sent, words).toBeGreaterThan(20);
  expect(report.orders.trades, words).toBeGreaterThan(0);
});
