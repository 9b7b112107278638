/** Rules with a time, from the stream to the result: withdrawals that are told in play, and delays that are for takers alone. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importBetfair } from '../../src/recording/betfair/import.ts';
import { Tape } from '../../src/recording/tape/tape.ts';
import type { BacktestResult } from '../../src/result/result.ts';
import { backtestOf } from '../support/backtest-of.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const folder = temporaryDirectory('in-play');
const START = Date.UTC(2026, 0, 5, 12);
const tape = join(folder, 'made.tape');

/** Backs the first outcome with 10 at 2 before the off, and in play: 8 at 2, and 5 at 2.2, which nobody offers yet. */
const strategy = join(folder, 'backer.ts');
writeFileSync(
  strategy,
  `import { back, defineStrategy } from 'oddsmith';
export default defineStrategy({ name: 'backer', state: () => ({ before: false, inPlay: false }), decide({ market, state }) {
  const [first] = market.outcomes;
  if (!market.inPlay && !state.before) return { intents: [back(first, { price: 2, stake: 10 })], state: { ...state, before: true } };
  if (!market.inPlay || state.inPlay) return { state };
  const intents = [back(first, { price: 2, stake: 8 }), back(first, { price: 2.2, stake: 5 })];
  return { intents, state: { ...state, inPlay: true } };
} });
`,
);

interface Moment {
  readonly at: number;
  readonly terms?: object;
  readonly runners?: readonly object[];
  readonly rc?: readonly object[];
}

const RUNNERS = [101, 102, 103].map((id, i) => ({ id, sortPriority: i + 1, status: 'ACTIVE' }));
const [ALPHA, BRAVO, CHARLIE] = RUNNERS;
const WON = [
  { ...ALPHA, status: 'WINNER' },
  { ...BRAVO, status: 'LOSER' },
  { ...CHARLIE, status: 'LOSER' },
];

/** Plays a market with these moments, seconds after its start, which turns in play at 600 and is closed at 700. */
async function played(always: object, ...moments: readonly Moment[]): Promise<BacktestResult> {
  const all: readonly Moment[] = [
    { at: 0, terms: {}, rc: [{ id: 101, atb: [[2, 500]], atl: [[2.1, 500]] }] },
    { at: 1, rc: [{ id: 102, atb: [[3, 5]] }] },
    { at: 600, terms: { inPlay: true, betDelay: 5 } },
    { at: 601, rc: [{ id: 101, atb: [[2, 400]] }] },
    ...moments,
    { at: 700, terms: { inPlay: true, betDelay: 5, status: 'CLOSED' }, runners: WON },
  ];
  const terms = { bettingType: 'ODDS', marketType: 'WIN', numberOfWinners: 1, marketBaseRate: 0, eventId: '9' };
  let runners: readonly object[] = RUNNERS;
  const lines = all.map((moment) => {
    runners = moment.runners ?? runners;
    const now = { status: 'OPEN', inPlay: false, turnInPlayEnabled: true, betDelay: 0, ...terms, ...always };
    const definition = moment.terms === undefined ? {} : { marketDefinition: { ...now, ...moment.terms, runners } };
    const change = { id: '1.5', ...definition, ...(moment.rc === undefined ? {} : { rc: moment.rc }) };
    return JSON.stringify({ op: 'mcm', pt: START + moment.at * 1000, mc: [change] });
  });
  const file = join(folder, '1.5');
  writeFileSync(file, lines.join('\n'));
  await importBetfair({ files: [file], tape, mode: 'overwrite' });
  return backtestOf([strategy], { tapes: [tape] });
}

function profitOf({ byMarket }: BacktestResult): number | undefined {
  return byMarket[0]?.profit.central.profitGross;
}

function codesOf({ notices }: BacktestResult): readonly string[] {
  return notices.filter(({ markets }) => markets !== undefined).map(({ code }) => code);
}

const WITHDRAWN = [ALPHA, { ...BRAVO, status: 'REMOVED', adjustmentFactor: 20 }, CHARLIE] as readonly object[];

test('a withdrawal that is told in play reduces only what was matched before the off', async () => {
  const all = { betDelayModels: [] };
  const after = [WON[0], WITHDRAWN[1], WON[2]] as readonly object[];
  const late = { at: 630, terms: { inPlay: true, betDelay: 5 }, runners: WITHDRAWN };
  const close = { at: 690, terms: { inPlay: true, betDelay: 5, status: 'CLOSED' }, runners: after };
  // 10 at 2 became 1.6, 8 at 2 stayed.
  expect(profitOf(await played(all, late, close))).toBe(6 + 8);
});

const OFFERED: readonly Moment[] = [
  { at: 612, rc: [{ id: 101, atb: [[2.2, 50]], atl: [[2.1, 0]] }] },
  { at: 613, rc: [{ id: 101, atb: [[2.2, 0]], atl: [[2.1, 500]] }] },
];
/** The strategy is asked at 600; what waits acts five seconds later. */
const EARLY: readonly Moment[] = [
  { at: 602, rc: [{ id: 101, atb: [[2.2, 50]], atl: [[2.1, 0]] }] },
  { at: 603, rc: [{ id: 101, atb: [[2.2, 0]], atl: [[2.1, 500]] }] },
];

test.each([
  ['all orders wait', { betDelayModels: [] }, EARLY, 18, []],
  ['they wait where nothing is said, which the result says', {}, EARLY, 18, ['DELAY_MODEL_UNKNOWN']],
  ['what would rest does not wait', { betDelayModels: ['PASSIVE'] }, EARLY, 24, []],
  ['a delay that changes is for all', { betDelayModels: ['DYNAMIC'] }, EARLY, 18, []],
  ['both', { betDelayModels: ['DYNAMIC', 'PASSIVE'] }, EARLY, 24, []],
  ['what is offered after the delay is met in any case', { betDelayModels: [] }, OFFERED, 24, []],
])('the delay in play: %s', async (_, terms, moments, profit, codes) => {
  const result = await played(terms, ...moments);
  expect(profitOf(result)).toBe(profit);
  expect(codesOf(result)).toEqual(codes);
  const opened = Tape.open(tape);
  const [definition] = opened.definitions(0);
  opened.close();
  expect(definition?.inPlayDelayModels).toEqual('betDelayModels' in terms ? terms.betDelayModels : undefined);
});

test('a delay that is set for all markets keeps the model of the recording', async () => {
  const { byMarket } = await played({ betDelayModels: ['PASSIVE'] }, ...EARLY);
  const same = await backtestOf([strategy], { tapes: [tape], inPlayDelay: { ms: 9_000 } });
  expect(same.byMarket[0]?.profit.central.profitGross).toBe(byMarket[0]?.profit.central.profitGross);
});
