/** A unit's row says under which bounds bets were matched after the close, as a look at every fill of the same run finds. */

import { expect, test } from 'vitest';
import { worldsOf } from '../../src/backtest/options/worlds.ts';
import { RunStrategies } from '../../src/backtest/pieces/run-strategies.ts';
import { runUnit } from '../../src/backtest/pieces/unit-run.ts';
import { chooseMarkets } from '../../src/backtest/simulation/backtest-source.ts';
import { Tape } from '../../src/recording/tape/tape.ts';
import { packRow, unitRowOf, unpackRow } from '../../src/sweep/unit/unit-row.ts';
import { backtestOf } from '../support/backtest-of.ts';
import { SAMPLE_TAPE, sampleStrategy } from '../support/places.ts';
import { OPTIONS } from '../support/scripted-run.ts';

const file = sampleStrategy('passive-quoter');

test('what was matched late is kept by market and bound', async () => {
  const tape = Tape.open(SAMPLE_TAPE);
  const options = { ...OPTIONS, strategies: [{ file, params: {}, wallet: 'main' }], tapes: [SAMPLE_TAPE] };
  const known = new RunStrategies(options);
  const bounds = worldsOf(options);
  const { markets } = chooseMarkets([tape], options.markets);
  const result = await runUnit({
    options,
    bounds,
    markets,
    known,
    strategies: await known.load(),
    onPlayed: () => undefined,
  });
  tape.close();
  const row = unpackRow(packRow(unitRowOf(result, bounds))) ?? expect.fail();

  const { byMarket, fillRows } = await backtestOf([file], { fills: 'bounds' });
  const closes = new Map(byMarket.map(({ id, preOffAt }) => [id, preOffAt ?? 0]));
  const seen = new Map<string, Set<string>>();
  for (const { marketId, flow, at } of fillRows)
    if (at > (closes.get(marketId) ?? 0)) seen.set(marketId, (seen.get(marketId) ?? new Set()).add(flow));

  for (const { id, matchedLate } of row.markets) {
    const late = row.bounds.filter((_, at) => matchedLate[at]);
    expect(late, id).toEqual(row.bounds.filter((bound) => seen.get(id)?.has(bound)));
  }
  const kinds = new Set(row.markets.map(({ matchedLate }) => matchedLate.includes(true)));
  expect(kinds).toEqual(new Set([true, false]));
});
