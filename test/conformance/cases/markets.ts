/** Markets as the gateway shows them: facts, status, and prices equal to the exchange's own. */

import { describe, expect } from 'vitest';
import type { MarketState } from '../../../src/core/market-state.ts';
import { decimalOfTick, NO_TICK, tick } from '../../../src/core/number/ladder.ts';
import { moneyToDecimal } from '../../../src/core/number/units.ts';
import { AGAINST, FOR, type SideIndex, sideOf } from '../../../src/core/side.ts';
import { at, describeCases, units } from '../../support/conformance/stage.ts';

/** All levels of a side in the order in which a view returns them, best first. */
function levels(market: MarketState, outcome: number, side: SideIndex): readonly (readonly [number, number])[] {
  const found: (readonly [number, number])[] = [];
  for (let level = market.bestTick(outcome, side); level !== NO_TICK; level = market.nextTick(outcome, side, level))
    found.push([decimalOfTick(tick(level)), moneyToDecimal(market.amountAt(outcome, side, level))]);
  return found;
}

export const marketCases = describeCases(({ on, onMarkets }) => {
  describe('a market', () => {
    onMarkets(
      [{ outcomes: 3 }],
      'is listed once, with its facts and before anything else is reported of it',
      async (scene) => {
        await scene.market.suspend(true);
        await scene.sees((market) => market.suspended, 'the suspension');
        const causes = scene.messages('market').map(({ cause }) => cause);
        expect(causes[0]).toBe('listed');
        expect(causes.filter((cause) => cause === 'listed')).toHaveLength(1);
        const { seen } = scene;
        expect(seen.index).toBe(0);
        expect(seen.facts.id).toBe(scene.market.id);
        expect(seen.facts.eventName).toBe('Northgate v Southmoor');
        expect(seen.facts.outcomes.map(({ title }) => title)).toEqual(['Outcome 0', 'Outcome 1', 'Outcome 2']);
        expect(seen).toMatchObject({ status: 'Open', inPlayStatus: 'PrePlay', published: true, winners: { max: 1 } });
        expect([0, 1, 2].map((outcome) => seen.outcomeStatus(outcome))).toEqual(['Active', 'Active', 'Active']);
      },
    );

    on('is one object that reads live', async (scene) => {
      await scene.market.rest({ outcome: 0, side: 'Against', price: 2, stake: 5 });
      await scene.sees((market) => market.bestTick(0, AGAINST) === at(2), 'the price');
      expect(new Set(scene.messages('market').map(({ market }) => market)).size).toBe(1);
    });

    onMarkets([{ inPlayDelayMs: 2_000 }], 'reports suspension and its end, play, and its delay', async (scene) => {
      expect(scene.seen.suspended).toBe(false);
      await scene.market.suspend(true);
      await scene.sees((market) => market.suspended, 'the suspension');
      await scene.market.suspend(false);
      await scene.sees((market) => !market.suspended, 'its end');
      await scene.market.goInPlay();
      await scene.sees((market) => market.inPlayStatus === 'InPlay', 'play');
      expect(scene.seen.inPlayDelayMs).toBe(2_000);
      expect(scene.messages('market').some(({ cause }) => cause === 'status')).toBe(true);
    });

    on('reports who won, and is closed at last', async (scene) => {
      await scene.market.settle(1);
      await scene.sees((market) => market.status === 'Settled', 'the result');
      await scene.stage.until(() => scene.seen.outcomeStatus(1) === 'Winner', 'the winner');
      expect(scene.seen.outcomeStatus(0)).toBe('Loser');
      await scene.market.close();
      await scene.sees((market) => market.status === 'Closed', 'the end');
    });

    on('reports that it is void', async (scene) => {
      await scene.market.void();
      await scene.sees((market) => market.status === 'Voided', 'the void');
    });
  });

  describe('prices', () => {
    on('are the exchange’s levels, best first on either side', async (scene) => {
      const least = scene.traits.stakeStep;
      const book = [
        { outcome: 0, side: 'Against', price: 1.98, stake: 40 },
        { outcome: 0, side: 'Against', price: 2, stake: 12.5 },
        { outcome: 0, side: 'Against', price: 1.01, stake: 3 },
        { outcome: 0, side: 'For', price: 2.1, stake: 8 },
        { outcome: 0, side: 'For', price: 1000, stake: least },
        { outcome: 1, side: 'For', price: 5.5, stake: 100 },
      ] as const;
      for (const level of book) await scene.market.rest(level);
      await scene.sees((market) => market.bestTick(1, FOR) === at(5.5), 'the last level');
      expect(levels(scene.seen, 0, AGAINST)).toEqual([
        [2, 12.5],
        [1.98, 40],
        [1.01, 3],
      ]);
      expect(levels(scene.seen, 0, FOR)).toEqual([
        [2.1, 8],
        [1000, least],
      ]);
      expect(levels(scene.seen, 1, AGAINST)).toEqual([]);
      for (const { outcome, side, price } of book) {
        const seen = scene.seen.amountAt(outcome, side === 'For' ? FOR : AGAINST, at(price));
        expect([sideOf(side === 'For' ? FOR : AGAINST), moneyToDecimal(seen)]).toEqual([
          side,
          scene.market.amountAt({ outcome, side, price }),
        ]);
      }
    });

    on('follow what is taken, what is added and what is withdrawn', async (scene) => {
      await scene.market.rest({ outcome: 0, side: 'For', price: 3, stake: 8 });
      await scene.sees((market) => market.amountAt(0, FOR, at(3)) === units(8), 'a level');
      await scene.market.rest({ outcome: 0, side: 'For', price: 3, stake: 2 });
      await scene.sees((market) => market.amountAt(0, FOR, at(3)) === units(10), 'more of it');
      await scene.market.clear({ outcome: 0, side: 'For', price: 3 });
      await scene.sees((market) => market.bestTick(0, FOR) === NO_TICK, 'nothing of it');
      expect(levels(scene.seen, 0, FOR)).toEqual([]);
    });

    onMarkets([{}, {}], 'of several markets are kept apart', async (scene) => {
      await scene.markets[1]?.rest({ outcome: 0, side: 'For', price: 3, stake: 8 });
      await scene.stage.until(() => scene.state(1).bestTick(0, FOR) === at(3), 'the price');
      expect(levels(scene.state(0), 0, FOR)).toEqual([]);
    });
  });
});
