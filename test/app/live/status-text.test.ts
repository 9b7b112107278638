/** The page that `oddsmith status` prints: what matters is said, what is wrong is named. */

import { expect, test } from 'vitest';
import { paintFor } from '../../../src/app/cli/terminal.ts';
import { span, statusText } from '../../../src/app/live/control/status-text.ts';
import { AT, madeStatus } from '../../support/daemon/made-status.ts';

const plain = paintFor(false);

test('a daemon that is well, on one page', () => {
  expect(statusText(madeStatus(), plain)).toBe(`run        live-1  live, pid 4711, oddsmith 0.1.0, runs/live
since      2026-11-20 11:58:27 UTC  (1 min 33 s)
phase      trading
trading    running
heartbeat  active
markets    12
orders     3 live, 1 in flight
results    today +4.25, in all −7.50, below the peak 11.75
books      agreed with the exchange 20 s ago, 4 comparisons

feed        age    budget
markets  300 ms  5,000 ms
prices   300 ms  5,000 ms
orders   300 ms  5,000 ms
wallets  300 ms  5,000 ms

strategy        live  worst loss
passive-quoter     3       12.50

wallet   balance  available  worst loss   held
main    1,000.00     987.50       12.50  17.25
`);
});

test('what is wrong is named, each thing in its place', () => {
  const feeds = [{ feed: 'orders' as const, readAt: undefined, budgetMs: 5_000, isLate: true }];
  const text = statusText(
    madeStatus(
      {
        ...{ phase: 'recovering', waitsFor: 'the fate of order 7', trading: 'halted', tradingCause: 'wrong team news' },
        ...{ heartbeat: 'lapsed', orders: { live: 3, unknown: 2, inFlight: 0 }, feeds },
        marketsOff: [{ market: '99', cause: 'prices are late' }],
        othersOrders: { orders: 7, live: 5, stake: 1_250.5, markets: ['1.1', '1.2', '1.3', '1.4'] },
        reconciliation: { done: 9, equalAt: undefined, differences: ['order 7: ours 5, theirs 6'] },
        strategies: [{ name: 'a', isHalted: true, liveOrders: 0, worstLoss: 0 }],
      },
      {
        haltFile: true,
        awaySince: AT - 61_000,
        skewMs: -7_000,
        dashboard: 'http://127.0.0.1:9465',
        dir: '/opt/my bot',
      },
    ),
    plain,
  );
  for (const words of [
    'phase      recovering  waits for the fate of order 7',
    'trading    halted  wrong team news  (the halt file lies there)',
    'heartbeat  lapsed',
    'exchange   no session for 1 min 1 s',
    'dashboard  http://127.0.0.1:9465',
    "open it by npm run -s oddsmith -- dashboard link --dir '/opt/my bot'",
    'clock      7000 ms behind the exchange',
    'markets    12, 1 off',
    'orders     3 live, 0 in flight, 2 of unknown fate',
    'of others  7 bets, 5 live, 1,250.50 at stake in 4 markets (1.1, 1.2, 1.3, and 1 more): left alone',
    'books      never agreed with the exchange yet, 9 comparisons, 1 lasting difference',
    'orders  never  5,000 ms  late',
    'a            0        0.00  halted',
    'off 99: prices are late',
    'difference order 7: ours 5, theirs 6',
  ])
    expect(text).toContain(words);
});

test('hundreds of markets off do not fill the page', () => {
  const marketsOff = Array.from({ length: 300 }, (_, index) => ({ market: String(index), cause: 'prices are late' }));
  const lines = statusText(madeStatus({ marketsOff }), plain).split('\n');
  expect(lines.filter((line) => line.startsWith('off '))).toHaveLength(10);
  expect(lines).toContain('… and 290 more; --json has all');
});

test.each([
  [0, '0 s'],
  [59_999, '59 s'],
  [3_599_000, '59 min 59 s'],
  [47 * 3_600_000, '47 h 0 min'],
  [75 * 3_600_000, '3 d 3 h'],
])('%i ms is %s', (ms, words) => {
  expect(span(ms)).toBe(words);
});

test('names and causes from elsewhere bring no control characters to the terminal', () => {
  const page = statusText(
    madeStatus({
      marketsOff: [{ market: '9', cause: 'a\u001b[31mred\u0007 name' }],
      ordersLeft: [{ client: 7, order: 70, market: '9\u001b]0;x\u0007', marketStatus: 'Locked', asked: 3 }],
    }),
    plain,
  );
  expect(page).toContain('order 7 (70)');
  expect(page.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
});
