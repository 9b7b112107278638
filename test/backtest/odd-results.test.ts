/** Markets whose number of winners is open, and place markets in which more outcomes won than there are places. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importBetfair } from '../../src/recording/betfair/import.ts';
import type { BacktestResult } from '../../src/result/result.ts';
import { backtestOf } from '../support/backtest-of.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const folder = temporaryDirectory('odd');
const strategy = join(folder, 'backer.ts');
writeFileSync(
  strategy,
  `import { back, defineStrategy, lay } from 'oddsmith';
export default defineStrategy({ name: 'backer', state: () => ({ asked: false }), decide({ market, state }) {
  if (state.asked) return { state };
  console.log(market.winnersMin + ' to ' + market.winnersMax);
  const intents = market.outcomes.map((outcome) => back(outcome, { price: 2, stake: 10 }));
  return { intents: [...intents, lay(market.outcomes[3], { price: 2.2, stake: 10 })], state: { asked: true } };
} });
`,
);

/** A market of four outcomes with these results. */
async function played(
  terms: object,
  ...results: readonly string[]
): Promise<{ readonly result: BacktestResult; readonly words: readonly string[] }> {
  const definition = (status: string, statuses: readonly string[]) => ({
    marketDefinition: {
      ...{ bettingType: 'ODDS', marketBaseRate: 0, betDelay: 0, inPlay: false, eventId: '9', ...terms, status },
      runners: statuses.map((each, i) => ({ id: 101 + i, sortPriority: i + 1, status: each })),
    },
  });
  const prices = { rc: results.map((_, i) => ({ id: 101 + i, atb: [[2, 100]], atl: [[2.2, 100]] })) };
  const active = results.map(() => 'ACTIVE');
  const lines = [{ ...definition('OPEN', active), ...prices }, { rc: [] }, definition('CLOSED', results)];
  const file = join(folder, '1.5');
  const tape = join(folder, `${results.join('-')}.tape`);
  const text = lines.map((line, i) =>
    JSON.stringify({ op: 'mcm', pt: 1_700_000_000_000 + i * 60_000, mc: [{ id: '1.5', ...line }] }),
  );
  writeFileSync(file, text.join('\n'));
  await importBetfair({ files: [file], tape, mode: 'overwrite' });
  const words: string[] = [];
  const hooks = { onWords: (line: string) => words.push(line) };
  return { result: await backtestOf([strategy], { tapes: [tape] }, hooks), words };
}

function codesOf({ notices }: BacktestResult): readonly string[] {
  return notices.filter(({ markets }) => markets !== undefined).map(({ code }) => code);
}

test('of more winners than places each is paid the mean of the possible ties, and the market is named', async () => {
  const { result } = await played({ marketType: 'PLACE', numberOfWinners: 2 }, 'WINNER', 'WINNER', 'WINNER', 'LOSER');
  const [market] = result.byMarket;
  expect(market?.outcomes.map(({ winShare }) => winShare)).toEqual([2 / 3, 2 / 3, 2 / 3, 0]);
  // Each back of 10 at 2: two thirds of 10 won, one third lost. The loser was backed and laid.
  expect(market?.profit.central.profitGross).toBeCloseTo(3 * (10 / 3), 5);
  expect(codesOf(result)).toEqual(['PLACES_SHARED']);
});

test('one place that two share is certain', async () => {
  const { result } = await played({ marketType: 'WIN', numberOfWinners: 1 }, 'WINNER', 'WINNER', 'LOSER', 'LOSER');
  expect(result.byMarket[0]?.outcomes[0]?.winShare).toBe(0.5);
  expect(codesOf(result)).toEqual([]);
});

test.each([
  ['two win', ['WINNER', 'WINNER', 'LOSER', 'LOSER'], 10],
  ['all win', ['WINNER', 'WINNER', 'WINNER', 'WINNER'], 28],
  ['none wins', ['LOSER', 'LOSER', 'LOSER', 'LOSER'], -30],
])(
  'where the number of winners is open each winner is paid in full, and any number is possible: %s',
  async (...row) => {
    const [, results, profit] = row;
    const { result, words } = await played({ marketType: 'TO_MAKE_THE_CUT', numberOfWinners: 0 }, ...results);
    expect(words).toEqual(['backer: 0 to 4']);
    expect(result.byMarket[0]).toMatchObject({ status: 'Settled', winnerCount: 0 });
    expect(result.byMarket[0]?.profit.central.profitGross).toBe(profit);
    expect(codesOf(result)).toEqual([]);
  },
);
