/** Recordings of the best few levels: what becomes of a level that a better one pushed out of the window. */

import { describe, expect, it } from 'vitest';
import { instant, STAKE_STEP } from '../../src/core/number/units.ts';
import { AGAINST, FOR } from '../../src/core/side.ts';
import type { RecordedDefinition } from '../../src/recording/tape/definition.ts';
import type { FillBound, OutOfSightRule } from '../../src/simulator/overlay/fill-rules.ts';
import type { StrategyPlugin } from '../../src/strategy/contract.ts';
import { forSide, OneModel } from '../support/overlay/level-script.ts';
import { OPTIONS, runScript, Script, START, units } from '../support/scripted-run.ts';

/** Two levels are shown: at second 10 a better one pushes the one at 102 out. */
function pushedOut(levelsOutOfSight: OutOfSightRule, bound: FillBound = 'central'): OneModel {
  const market = new OneModel(bound, { levelsOutOfSight }, 2);
  market.update(forSide(101, 10), forSide(102, 20));
  market.replay.now = instant(10_000);
  market.update(forSide(100, 5));
  return market;
}

describe('a taker at a level out of sight', () => {
  it.each([
    ['always', 1e9, 30],
    ['never', 0, 15],
    [{ maxAgeMs: 1_000 }, 1_000, 30],
    [{ maxAgeMs: 1_000 }, 1_001, 15],
  ] as const)('is matched by the rule %j, %d ms after the level left the window', (rule, age, matched) => {
    const market = pushedOut(rule);
    market.replay.now = instant(10_000 + age);
    expect(market.matched(market.place(AGAINST, 102, 30))).toBe(matched);
  });

  it('is matched with whatever is shown, however old', () => {
    const market = pushedOut('never');
    market.replay.now = instant(1e9);
    expect(market.matched(market.place(AGAINST, 102, 15))).toBe(15);
  });

  it('knows no age where the source shows all levels', () => {
    const market = new OneModel('central', { levelsOutOfSight: 'never' });
    market.update(forSide(100, 5), forSide(101, 10), forSide(102, 20));
    expect(market.matched(market.place(AGAINST, 102, 30))).toBe(30);
  });

  it('is matched with an order of ours that rests there, and not with the recorded stake before it', () => {
    const market = pushedOut('never');
    const own = market.place(FOR, 102, 4);
    expect(market.takenFrom(AGAINST, 102, 19)).toEqual(['recorded', 'recorded', own]);
  });
});

describe('a level that was found gone', () => {
  it('is there again once the source shows it, and meets the order of ours that found it gone', () => {
    const market = pushedOut('never');
    const taker = market.place(AGAINST, 102, 30);
    expect(market.matched(taker)).toBe(15);
    // The best level goes, and 102 moves up into the window, usually without a message of its own.
    market.update(forSide(100, 0));
    expect(market.matched(taker)).toBe(30);
    expect(market.shown(FOR)).toEqual([[102, 5]]);
  });

  it('comes with what the source then says it holds', () => {
    const market = pushedOut('never');
    const taker = market.place(AGAINST, 102, 30);
    market.update(forSide(100, 0), forSide(102, 3));
    expect(market.matched(taker)).toBe(18);
  });

  it('fills no order while the market is suspended, and then at the end of the update that resumes it', () => {
    const market = pushedOut('never');
    const taker = market.place(AGAINST, 102, 30);
    market.model.pause();
    market.update(forSide(100, 0));
    expect(market.matched(taker)).toBe(15);
    market.model.resume();
    market.update();
    expect(market.matched(taker)).toBe(30);
  });

  it('is kept from every order under the lowest fill model, where crossing stake fills none', () => {
    const market = pushedOut('never', 'lowest');
    const taker = market.place(AGAINST, 102, 30);
    market.update(forSide(100, 0));
    expect([market.matched(taker), market.consumed(FOR, 102)]).toEqual([15, 15]);
  });

  it('was shown until a taker asked for it, and is shown as before where nothing of ours is left', () => {
    const market = pushedOut('never');
    market.replay.now = instant(1e9);
    expect(market.shown(FOR)).toHaveLength(3);
    const taker = market.place(AGAINST, 102, 30);
    expect(market.shown(FOR)).toEqual([]);
    market.exchange.cancel(taker);
    market.update(forSide(100, 0), forSide(101, 0), forSide(98, 1), forSide(99, 1));
    expect(market.shown(FOR)).toEqual([
      [98, 1],
      [99, 1],
      [102, 20],
    ]);
  });
});

it('an order of ours that rests out of sight stands behind the stake that was shown there last', () => {
  const market = pushedOut('never');
  market.replay.now = instant(1e9);
  const order = market.place(FOR, 102, 10);
  market.update(forSide(100, 0), forSide(101, 0), forSide(102, 8));
  expect(market.takenFrom(AGAINST, 102, 10)).toEqual(['recorded', order]);
});

it('counts what takers did not match, once for each taker however many levels were gone', () => {
  const market = pushedOut('never');
  market.update(forSide(99, 1));
  // Shown are 1 and 5; 10 and 20 are out of sight, and the taker wants 24 more.
  market.place(AGAINST, 102, 30);
  expect(market.model.stakeOutOfSight).toBe(24 * STAKE_STEP);
  market.place(AGAINST, 102, 7);
  expect(market.model.stakeOutOfSight).toBe(24 * STAKE_STEP);
});

describe('a backtest over the best few levels', () => {
  const level = (price: number) => ({ level: [0, 'Against', price, 10] as const });

  /** Three levels are shown: at second 10 a better one pushes the one at 1.97 out. */
  function script(first: Partial<RecordedDefinition> = {}): Script {
    const script = new Script();
    const market = script.market({ depth: 3, first });
    market.at(1_000, level(1.99), level(1.98), level(1.97)).at(10_000, level(2)).settle(90_000, 0);
    return script;
  }

  /** Takes 35 of the 40 at the update of second 10. */
  const sweeper: StrategyPlugin = {
    name: 'sweeper',
    decide({ market, why, now }) {
      if (why !== 'prices' || now !== START + 10_000) return [];
      const bet = { kind: 'place', market: market.id, outcome: 'o0', side: 'For', price: 1.97, stake: 35 } as const;
      return [{ ...bet, matchBehavior: 'CancelUnmatched' }];
    },
  };

  async function played(script: Script, levelsOutOfSight: OutOfSightRule) {
    const fillRules = { ...OPTIONS.fillRules, levelsOutOfSight };
    const { collector } = await runScript(script, [sweeper], { fillRules });
    const [order] = collector.orderRows();
    return [order?.stakeMatched, collector.markets[0]?.stakeOutOfSight];
  }

  const all = 35;
  const shown = 30;

  it('counts the age until the order acts, which is after its latency', async () => {
    expect(await played(script(), { maxAgeMs: 120 })).toEqual([all, 0]);
    expect(await played(script(), { maxAgeMs: 119 })).toEqual([shown, units(5)]);
    expect(await played(script(), 'always')).toEqual([all, 0]);
  });

  it('and in play after the delay of the market', async () => {
    const inPlay = { inPlayStatus: 'InPlay', inPlayDelayMs: 5_000 } as const;
    expect(await played(script(inPlay), { maxAgeMs: 5_120 })).toEqual([all, 0]);
    expect(await played(script(inPlay), { maxAgeMs: 5_119 })).toEqual([shown, units(5)]);
  });
});
