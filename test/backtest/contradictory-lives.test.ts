/** Markets whose definitions contradict themselves, from the stream to the result: paid as the last of them says, beside one that is as it should be. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importBetfair } from '../../src/recording/betfair/import.ts';
import { backtestOf } from '../support/backtest-of.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const folder = temporaryDirectory('lives');

/** Backs the first runner with 10 at 2, and lays the third one with 10 at 6. */
const BETTER = `import { back, defineStrategy, lay } from 'oddsmith';
const bettedIn = new Set();
export default defineStrategy({ name: 'better', decide({ market }) {
  const [first, , third] = market.outcomes;
  if (bettedIn.has(market.id)) return [];
  bettedIn.add(market.id);
  return [back(first, { price: 2, stake: 10 }), lay(third, { price: 6, stake: 10 })];
} });
`;
const strategy = join(folder, 'better.ts');
writeFileSync(strategy, BETTER);

type Runner = string | { readonly status: string; readonly adjustmentFactor: number };

/** A definition with the runners in their order; those that are undefined are not listed. */
function definition(status: string, ...runners: readonly (Runner | undefined)[]): object {
  const listed = runners.flatMap((runner, index) => {
    if (runner === undefined) return [];
    const said = typeof runner === 'string' ? { status: runner } : runner;
    return [{ id: 101 + index, sortPriority: index + 1, name: `Runner ${index + 1}`, ...said }];
  });
  const terms = { bettingType: 'ODDS', marketType: 'WIN', numberOfWinners: 1, marketBaseRate: 0, eventId: '9' };
  return { marketDefinition: { status, inPlay: false, betDelay: 0, ...terms, runners: listed } };
}

const OPEN = definition('OPEN', 'ACTIVE', 'ACTIVE', 'ACTIVE');
const WON = definition('CLOSED', 'WINNER', 'LOSER', 'LOSER');
const PRICES = { rc: [101, 102, 103].map((id) => ({ id, atb: [[2, 100]], atl: [[6, 100]] })) };

function lines(market: string, changes: readonly object[]): readonly string[] {
  return [{ ...OPEN, ...PRICES }, { rc: [{ id: 101, atb: [[1.9, 5]] }] }, ...changes].map((change, index) =>
    JSON.stringify({ op: 'mcm', pt: 1_700_000_000_000 + index * 60_000, mc: [{ id: market, ...change }] }),
  );
}

const twoRemoved = (adjustmentFactor: number, first: string, third: string, status: string): object =>
  definition(status, first, { status: 'REMOVED', adjustmentFactor }, third);
const impossible = (factor: number): readonly object[] => [
  twoRemoved(factor, 'ACTIVE', 'ACTIVE', 'OPEN'),
  twoRemoved(factor, 'WINNER', 'LOSER', 'CLOSED'),
];
const VOID = definition('CLOSED', 'REMOVED', 'REMOVED', 'REMOVED');

interface Life {
  readonly what: string;
  readonly changes: readonly object[];
  readonly profit: number;
  readonly status: string;
  readonly notice: string | undefined;
}

type Row = readonly [what: string, changes: readonly object[], profit: number, status: string, notice?: string];

const ROWS: readonly Row[] = [
  ['a runner is removed after the result', [WON, twoRemoved(10, 'WINNER', 'LOSER', 'CLOSED')], 18, 'Settled'],
  [
    'the winner is removed after the result, and another one named',
    [WON, definition('CLOSED', 'REMOVED', 'WINNER', 'LOSER')],
    10,
    'Settled',
  ],
  ['it is voided, then settled', [VOID, definition('CLOSED', 'LOSER', 'LOSER', 'WINNER')], -60, 'Settled'],
  ['it is settled, then voided', [WON, VOID], 0, 'Voided'],
  ['it is settled, then open again', [WON, OPEN], 20, 'Settled'],
  [
    'a removed runner comes back and wins',
    [twoRemoved(0, 'ACTIVE', 'ACTIVE', 'OPEN'), definition('CLOSED', 'LOSER', 'WINNER', 'LOSER')],
    0,
    'Settled',
    'MARKETS_WITHOUT_WINNER',
  ],
  ['all lose', [definition('CLOSED', 'LOSER', 'LOSER', 'LOSER')], 0, 'Settled', 'MARKETS_WITHOUT_WINNER'],
  ...[100, -3, 120].map(
    (factor) => [`a reduction of ${factor} %`, impossible(factor), 20, 'Settled', 'RECORDING_NOT_KEPT'] as const,
  ),
  [
    'only a removed runner is listed at the end',
    [twoRemoved(0, 'ACTIVE', 'ACTIVE', 'OPEN'), definition('CLOSED', undefined, 'REMOVED')],
    0,
    'Open',
    'MARKETS_CUT_OFF',
  ],
  [
    'some are still active beside losers',
    [definition('CLOSED', 'ACTIVE', 'LOSER', 'LOSER')],
    0,
    'Open',
    'MARKETS_CUT_OFF',
  ],
  ['nobody won or lost', [definition('CLOSED', 'ACTIVE', 'ACTIVE', 'ACTIVE')], 0, 'Open', 'MARKETS_CUT_OFF'],
];

const LIVES: readonly Life[] = ROWS.map(([what, changes, profit, status, notice]) => ({
  what,
  changes,
  profit,
  status,
  notice,
}));

test.each(LIVES)('$what', async ({ what, changes, profit, status, notice }) => {
  const files = [['1.5', changes] as const, ['1.6', [WON]] as const].map(([market, of]) => {
    const file = join(folder, `${market}.jsonl`);
    writeFileSync(file, lines(market, of).join('\n'));
    return file;
  });
  const tape = join(folder, `${what.replaceAll(/\W/g, '-')}.tape`);
  await importBetfair({ files, tape, onError: 'fail' });
  const { byMarket, notices, leftOut } = await backtestOf([strategy], { tapes: [tape] });
  expect(byMarket.map((market) => [market.id, market.status, market.profit.central.profitGross])).toEqual([
    ['1.5', status, profit],
    ['1.6', 'Settled', 20],
  ]);
  expect(leftOut).toEqual([]);
  expect(notices.filter(({ markets }) => markets?.join() === '1.5').map(({ code }) => code)).toEqual(
    notice === undefined ? [] : [notice],
  );
});
