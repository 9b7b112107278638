/** A backtest plays new prices in a loop of their own: every step must be the one that the general way would have made. */

import { afterAll, expect, test } from 'vitest';
import type { BacktestOptions } from '../../src/backtest/options/backtest-options.ts';
import { simulate } from '../../src/backtest/simulation/backtest-simulation.ts';
import { chooseMarkets, MergedUpdates, type UpdateSource } from '../../src/backtest/simulation/backtest-source.ts';
import { newInstance } from '../../src/engine/ledger/strategy-in-market.ts';
import { Transcript } from '../../src/engine/log/transcript.ts';
import { Tape } from '../../src/recording/tape/tape.ts';
import favouriteScalp from '../../strategies/favourite-scalp.ts';
import passiveQuoter from '../../strategies/passive-quoter.ts';
import { SAMPLE_TAPE } from '../support/places.ts';
import { OPTIONS as ORDINARY } from '../support/scripted-run.ts';

const tape = Tape.open(SAMPLE_TAPE);
afterAll(() => tape.close());

const OPTIONS: BacktestOptions = {
  ...ORDINARY,
  wallets: { main: { currency: 'USDC', balance: 'unlimited' } },
  latency: { request: { kind: 'fixed', ms: 120 }, response: { kind: 'fixed', ms: 0 } },
};

/** Has no new prices at hand: each update is asked for by `next`. */
function oneByOne(source: UpdateSource): UpdateSource {
  return {
    startAt: source.startAt,
    get index() {
      return source.index;
    },
    next: () => source.next(),
    recorded: (index) => source.recorded(index),
  };
}

async function run({ isOneByOne }: { isOneByOne: boolean }) {
  const source = new MergedUpdates(chooseMarkets([tape], OPTIONS.markets).markets);
  const transcript = new Transcript('paths');
  const instances = [passiveQuoter, favouriteScalp].map((plugin, index) => {
    const params = Object.fromEntries(Object.entries(plugin.params ?? {}).map(([name, spec]) => [name, spec.default]));
    return newInstance({ index, plugin, params: params as never, wallet: 0, signals: new Map() });
  });
  const { updates, decisions, intended, collector } = await simulate({
    ...{
      options: OPTIONS,
      source: isOneByOne ? oneByOne(source) : source,
      instances,
      transcript,
    },
    ...{ bound: 'central', onSlice: () => false },
  });
  return { updates, decisions, intended, tally: collector.tally, transcript: transcript.close() };
}

test('both ways give the same transcript', async () => {
  const slow = await run({ isOneByOne: true });
  expect(slow.tally.sent).toBeGreaterThan(100);
  expect(await run({ isOneByOne: false })).toEqual(slow);
});
