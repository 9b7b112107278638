/** Whatever a proof alters could have been recorded: it plays to its end, with orders, and no law of the simulator is broken. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { ALTERED_PARTS, type AlteredPart } from '../../src/backtest/prove/futures/alteration.ts';
import { AlteredSource } from '../../src/backtest/prove/futures/altered-source.ts';
import { announcedUpTo } from '../../src/backtest/prove/futures/cut-source.ts';
import { drawInstants } from '../../src/backtest/prove/proof-instants.ts';
import { chooseMarkets, MergedUpdates } from '../../src/backtest/simulation/backtest-source.ts';
import { Tape } from '../../src/recording/tape/tape.ts';
import type { StrategyPlugin } from '../../src/strategy/contract.ts';
import { SAMPLE_TAPE } from '../support/places.ts';
import { OPTIONS, runOver } from '../support/scripted-run.ts';

let tape: Tape;
beforeAll(() => {
  tape = Tape.open(SAMPLE_TAPE);
});
afterAll(() => tape.close());

/** Rests and takes on both sides, again and again. */
function trader(): StrategyPlugin {
  let calls = 0;
  return {
    name: 'trader',
    decide: ({ market, orders }) => {
      calls += 1;
      if (!market.tradable || calls % 5 !== 0) return [];
      if (orders.length > 6) return orders.slice(0, 3).map(({ id }) => ({ kind: 'cancel', order: id }));
      return market.outcomes.slice(0, 2).flatMap((outcome, at) => {
        const price = outcome.bestPrice(calls % 2 === 0 ? 'For' : 'Against');
        const side = at === 0 ? 'For' : 'Against';
        if (price === undefined || outcome.status !== 'Active') return [];
        return [{ kind: 'place', market: market.id, outcome: outcome.id, side, price, stake: 5 }];
      });
    },
  };
}

it.each<[readonly AlteredPart[], number]>([
  [ALTERED_PARTS, 1],
  [ALTERED_PARTS, 2],
  [ALTERED_PARTS.filter((part) => part !== 'order'), 3],
  [['order', 'statuses'], 4],
  [['prices', 'winner'], 5],
])(
  'with other %s',
  async (alters, seed) => {
    // One has a removal, the other suspensions in play.
    const { markets } = chooseMarkets([tape], { ...OPTIONS.markets, ids: ['99000102', '99000302'] });
    const choice = { count: 3, seed };
    for (const { at: instant } of drawInstants(new MergedUpdates(markets), markets, choice)) {
      const announced = announcedUpTo(new MergedUpdates(markets), instant);
      const future = { source: new MergedUpdates(markets), instant, announced, alters: new Set(alters), seed };
      const broken: string[] = [];
      let updates = 0;
      const end = await runOver(new AlteredSource(future), [trader()], {
        afterUpdate: (replay) => {
          updates += 1;
          if (updates % 500 === 0) broken.push(...replay.exchange.brokenLaws());
        },
      });
      expect(broken).toEqual([]);
      expect(end.updates).toBe(markets.reduce((sum, { market }) => sum + market.updates, 0));
      expect(end.collector.tally.matchedFully + end.collector.tally.matchedPartly).toBeGreaterThan(100);
    }
  },
  120_000,
);
