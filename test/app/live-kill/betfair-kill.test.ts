/** The daemon before the Betfair sandbox, both real processes over HTTPS and TLS, is killed a few times; `npm run kill:loop -- --exchange betfair` does it hundreds of times. */

import { expect, test } from 'vitest';
import { killAndAudit } from '../../support/kill/kill-and-audit.ts';
import { reportText } from '../../support/kill/kill-report.ts';

const SEED = 3;
const KILLS = 4;

test('a daemon killed again and again loses, doubles and forgets no bet, and its books are those of the account', async () => {
  const report = await killAndAudit({ kills: KILLS, seed: SEED, exchange: 'betfair' });
  const words = reportText(report);
  expect(report.differences, words).toEqual([]);
  expect(report.kills, words).toBe(KILLS);
  expect(report.orders.sent, words).toBeGreaterThan(20);
  expect(report.orders.trades, words).toBeGreaterThan(0);
});
