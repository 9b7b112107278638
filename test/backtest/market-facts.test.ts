/** What a result says of its markets, against plain walks over their tapes and against what settlement paid. */

import { type BacktestRun, backtest, type MarketResult, type OutcomeEnd } from 'oddsmith/backtest';
import { describe, expect, test } from 'vitest';
import { type NaiveMarket, naiveClose } from '../support/naive-close.ts';
import { SAMPLE_TAPE, sampleStrategy } from '../support/places.ts';
import { recordedTape } from '../support/recorded-tape.ts';
import { describeWithRecordings } from '../support/shared.ts';

const strategies = [{ file: sampleStrategy('favourite-scalp') }, { file: sampleStrategy('passive-quoter') }];

function toldOf({ inPlayAt, preOffAt, outcomes }: MarketResult): NaiveMarket {
  return {
    ...{ inPlayAt, preOffAt },
    outcomes: outcomes.map(({ startingPrice, result, preOff }) => ({ startingPrice, result, preOff })),
  };
}

/** What each bound's bets are worth by the result, and by the commission on it where one outcome won alone. */
function worthByResult({ outcomes, profit }: MarketResult): readonly object[] {
  const [winner, another] = outcomes.filter(({ winShare = 0 }) => winShare > 0);
  return Object.entries(profit).map(([bound, { profitGross, profitNet }]) => {
    const position = (outcome: OutcomeEnd | undefined) => outcome?.position?.[bound as 'central'];
    let gross = 0;
    for (const outcome of outcomes) {
      const { winShare = 0 } = outcome;
      const { betsIfWins = 0, betsIfLoses = 0 } = position(outcome) ?? {};
      gross += winShare * betsIfWins + (1 - winShare) * betsIfLoses;
    }
    const alone = winner !== undefined && another === undefined ? position(winner) : undefined;
    return {
      bound,
      gross: Math.abs(gross - profitGross) < 1e-5,
      alone: alone === undefined || (alone.profitIfWins === profitGross && alone.profitIfWinsNet === profitNet),
    };
  });
}

function check({ summary: { byMarket }, ...tables }: BacktestRun): void {
  const settled = byMarket.filter(({ status }) => status === 'Settled');
  for (const market of settled)
    for (const each of worthByResult(market)) expect(each, market.id).toMatchObject({ gross: true, alone: true });
  expect([...tables.outcomes.rows].length).toBe(byMarket.flatMap(({ outcomes }) => outcomes).length);
}

describe('on the sample recording', () => {
  test('the close and the results of each market are those of its tape', async () => {
    const { summary } = await backtest({ tape: SAMPLE_TAPE, strategies });
    for (const market of summary.byMarket)
      expect(toldOf(market), market.id).toEqual(naiveClose(SAMPLE_TAPE, market.id));
    expect(summary.byMarket.filter(({ inPlayAt }) => inPlayAt !== undefined).length).toBeGreaterThan(3);
    expect(summary.byMarket.every(({ eventId, marketTypeId }) => eventId !== '' && marketTypeId !== '')).toBe(true);
  });

  for (const change of [{ fills: 'all' }, { isolate: 'strategy' }, { isolate: 'event' }] as const)
    test(`bets are worth what settlement paid: ${JSON.stringify(change)}`, async () => {
      const wallets = { main: { balance: 5_000 }, other: { balance: 5_000 } };
      const [scalp, quoter] = strategies;
      const both = [
        { ...(scalp ?? expect.fail()), wallet: 'main' },
        { ...(quoter ?? expect.fail()), wallet: 'other' },
      ];
      const run = await backtest({ tape: SAMPLE_TAPE, wallets, strategies: both, ...change });
      expect(run.summary.total.central.stakeMatched).toBeGreaterThan(0);
      check(run);
    });
});

describeWithRecordings('on real recordings', () => {
  test('the close and the results are those of their tapes, and bets are worth what settlement paid', async () => {
    const tape = await recordedTape(
      ...['betfair_parser__1.185781277.bz2', 'betfair_parser__1.205822330.bz2', 'nautilus__1-166811431.bz2'],
      ...['mzaja-betfair-database__1.230478683.bz2', 'profitbox__BASIC__1.231174264.bz2'],
      ...['profitbox__self_recorded__1.248776885.jsonl.gz', 'corrupt__1.206063952.gz'],
    );
    const run = await backtest({ tape, strategies });
    for (const market of run.summary.byMarket) expect(toldOf(market), market.id).toEqual(naiveClose(tape, market.id));
    const outcomes = run.summary.byMarket.flatMap((market) => market.outcomes);
    expect(outcomes.some(({ startingPrice }) => startingPrice !== undefined)).toBe(true);
    expect(outcomes.some(({ result }) => result === 'Removed')).toBe(true);
    expect(outcomes.some(({ preOff }) => preOff !== undefined && preOff.traded === undefined)).toBe(true);
    check(run);
  }, 120_000);
});
