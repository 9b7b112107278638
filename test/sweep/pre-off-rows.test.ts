/** What a unit's row keeps of the bets before the off, against every fill of the same run, and rows of version 2, which keep less. */

import { expect, test } from 'vitest';
import { worldsOf } from '../../src/backtest/options/worlds.ts';
import { RunStrategies } from '../../src/backtest/pieces/run-strategies.ts';
import { runUnit } from '../../src/backtest/pieces/unit-run.ts';
import { chooseMarkets } from '../../src/backtest/simulation/backtest-source.ts';
import { MARKET_STATUSES } from '../../src/core/market.ts';
import type { Money } from '../../src/core/number/units.ts';
import { Tape } from '../../src/recording/tape/tape.ts';
import { RowWriter } from '../../src/sweep/unit/row-bytes.ts';
import { packRow, type UnitRow, unitRowOf, unpackRow } from '../../src/sweep/unit/unit-row.ts';
import { backtestOf } from '../support/backtest-of.ts';
import { naiveFills } from '../support/naive-statistics.ts';
import { SAMPLE_TAPE, sampleStrategy } from '../support/places.ts';
import { OPTIONS } from '../support/scripted-run.ts';
import { COUNTS } from '../support/sweep/unit-counts.ts';

const file = sampleStrategy('passive-quoter');

async function sampleRow(): Promise<UnitRow> {
  const tape = Tape.open(SAMPLE_TAPE);
  const options = { ...OPTIONS, strategies: [{ file, params: {}, wallet: 'main' }], tapes: [SAMPLE_TAPE] };
  const known = new RunStrategies(options);
  const bounds = worldsOf(options);
  const { markets } = chooseMarkets([tape], options.markets);
  const strategies = await known.load();
  const result = await runUnit({ options, bounds, markets, known, strategies, onPlayed: () => undefined });
  tape.close();
  return unpackRow(packRow(unitRowOf(result, bounds))) ?? expect.fail();
}

test('the bets before the off are kept by outcome and bound', async () => {
  const row = await sampleRow();
  const result = await backtestOf([file], { fills: 'bounds' });
  const fills = row.bounds.map((bound) => naiveFills(result, bound));
  let early = 0;
  for (const { id, matchedLate, outcomes } of row.markets) {
    const own = fills.map((all) => all.filter(({ market }) => market.id === id));
    expect(matchedLate, id).toEqual(own.map((all) => all.some(({ isEarly }) => !isEarly)));
    for (const { id: outcome, positions } of outcomes) {
      for (const [at, position] of positions.entries()) {
        const bets = (own[at] ?? []).filter((each) => each.outcome.id === outcome && each.isEarly);
        if (position === undefined) continue;
        early += bets.length;
        const sum = (of: (bet: (typeof bets)[number]) => number) =>
          bets.reduce((total, bet) => total + (bet.fill.side === 'For' ? of(bet) : -of(bet)), 0);
        expect(position.preOff?.ifWins).toBeCloseTo(
          sum(({ fill, reducedPrice }) => fill.stake * (reducedPrice - 1)),
          4,
        );
        expect(position.preOff?.ifLoses).toBeCloseTo(-sum(({ fill }) => fill.stake), 4);
        if (matchedLate[at] === true) continue;
        // Nothing was matched in play: these are all bets.
        expect(position.preOff?.ifWins).toBeCloseTo(position.betsIfWins, 4);
        expect(position.preOff?.ifLoses).toBeCloseTo(position.betsIfLoses, 4);
      }
    }
  }
  expect(early).toBeGreaterThan(100);
  expect(new Set(row.markets.map(({ matchedLate }) => matchedLate.includes(true)))).toEqual(new Set([true, false]));
});

/** One market, as version 2 wrote it: a byte for bets matched in play, and nothing of those before the off alone. */
function rowOfVersion2(isLate: boolean): Uint8Array {
  const writer = new RowWriter();
  const central = 1 << 2;
  writer.byte(2);
  writer.byte(central);
  for (const count of Object.values(COUNTS)) writer.number(count);
  writer.number(1);
  writer.text('m');
  writer.text('e');
  writer.byte(MARKET_STATUSES.indexOf('Settled'));
  writer.numbers(1_000, 2_000, 1, 3);
  writer.numbers(5e6, 2e6, 1e5, undefined);
  writer.byte(Number(isLate));
  writer.number(1);
  writer.text('o');
  writer.byte(1);
  writer.numbers(1, 2.5);
  writer.byte(0);
  writer.numbers(7, 6.65, 7, -5);
  return writer.bytes();
}

test('a row of version 2 is read, and says where it does not know the bets before the off', () => {
  for (const isLate of [false, true]) {
    const { bounds, markets } = unpackRow(rowOfVersion2(isLate)) ?? expect.fail();
    const position = {
      ...{ profitIfWins: 7, profitIfWinsNet: 6.65, betsIfWins: 7, betsIfLoses: -5 },
      preOff: isLate ? undefined : { ifWins: 7, ifLoses: -5 },
    };
    expect(bounds).toEqual(['central']);
    expect(markets).toEqual([
      {
        ...{ id: 'm', eventId: 'e', status: 'Settled', startsAt: 1_000, settledAt: 2_000, winnerCount: 1, orders: 3 },
        profit: [{ stakeMatched: 5e6 as Money, profitGross: 2e6 as Money, commission: 1e5 as Money }],
        matchedLate: [isLate],
        outcomes: [{ id: 'o', result: 'Winner', winShare: 1, startingPrice: 2.5, positions: [position] }],
      },
    ]);
  }
});
