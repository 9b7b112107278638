/**
 * The smallest order that the exchange accepts: Betfair's where Betfair was recorded, none on our own exchange, or a
 * given one.
 */

import { describe, expect, it, test } from 'vitest';
import { defined } from '../../src/core/checks/assert.ts';
import { isTooSmall, type MinimumStake } from '../../src/core/minimum-stake.ts';
import { tickOfDecimal } from '../../src/core/number/ladder.ts';
import { type MinimumStakeRule, minimumStakeOf } from '../../src/simulator/replay/minimum-stake.ts';
import type { StrategyPlugin } from '../../src/strategy/contract.ts';
import { backtestOf } from '../support/backtest-of.ts';
import { sampleStrategy } from '../support/places.ts';
import { recordedTape } from '../support/recorded-tape.ts';
import { runScript, Script, START, units } from '../support/scripted-run.ts';
import { describeWithRecordings } from '../support/shared.ts';
import { temporaryFile } from '../support/temporary-directory.ts';

const order = (stake: number, price: number) => ({
  stake: units(stake),
  tick: defined(tickOfDecimal(price), 'a ladder price'),
});

describe('the minimum', () => {
  const betfair = defined(minimumStakeOf('recorded', 'betfair'), 'Betfair has one');

  it.each([
    [1, 2, false],
    [0.999, 2, true],
    // A payout of 10 allows a smaller stake.
    [0.5, 20, false],
    [0.5, 19.5, true],
    [0.01, 1000, false],
  ])('of Betfair: a stake of %d at %d is too small: %s', (stake, price, tooSmall) => {
    expect(isTooSmall(betfair, order(stake, price))).toBe(tooSmall);
  });

  it('that is asked for knows no payout, and our own exchange has none', () => {
    expect(isTooSmall({ stake: units(2) }, order(1.999, 1000))).toBe(true);
    expect(minimumStakeOf('recorded', undefined)).toBeUndefined();
    expect(minimumStakeOf('none', 'betfair')).toBeUndefined();
    const asked: MinimumStake = { stake: units(2) };
    expect(minimumStakeOf(asked, undefined)).toBe(asked);
  });
});

describe('an order under it', () => {
  const shown: unknown[] = [];
  const batch: StrategyPlugin = {
    name: 'batch',
    decide({ market, why, now }) {
      shown[0] = [market.stakeMin, market.payoutMin, market.outcomes[0]?.stakeMin, market.outcomes[0]?.payoutMin];
      if (why !== 'prices' || now !== START + 1000) return [];
      const bet = { kind: 'place', market: market.id, outcome: 'o0', side: 'For', price: 2 } as const;
      return [0.5, 3, 0.25, 2].map((stake) => ({ ...bet, stake }));
    },
  };

  async function placed(minimumStake: MinimumStakeRule) {
    const script = new Script();
    script
      .market()
      .at(1000, { level: [0, 'Against', 2, 3.5] })
      .at(2000, { last: [0, 2] })
      .settle(9000, 0);
    const { collector } = await runScript(script, [batch], {
      exchange: { inPlaySuspension: 'keep', minimumStake },
    });
    const rows = [...collector.orderRows()].map(({ stake, status, stakeMatched }) => [stake, status, stakeMatched]);
    return { rows, refusals: [...collector.refusals], rejections: [...collector.rejections] };
  }
  it('is refused by itself before it is sent; what remains of an order that matched in part may be smaller', async () => {
    const { rows, refusals, rejections } = await placed({ stake: units(1) });
    expect(refusals).toEqual([['STAKE_BELOW_MINIMUM', 2]]);
    expect(rejections).toEqual([]);
    // The second matches 0.5, and its 1.5 rests.
    expect(rows).toEqual([
      [3, 'Won', 3],
      [2, 'Won', 0.5],
    ]);
    expect(shown).toEqual([[1, undefined, 1, undefined]]);
  });

  it('is placed where there is no minimum', async () => {
    const { rows, refusals } = await placed('recorded');
    expect(refusals).toEqual([]);
    expect(shown).toEqual([[undefined, undefined, undefined, undefined]]);
    expect(rows.map(([, , matched]) => matched)).toEqual([0.5, 3, 0, 0]);
  });
});

describe('an order that may not rest', () => {
  const taker = (stake: number, price: number): StrategyPlugin => ({
    name: 'taker',
    decide: ({ market, why, now }) =>
      why === 'prices' && now === START + 1000
        ? [
            {
              kind: 'place',
              market: market.id,
              outcome: 'o0',
              side: 'For',
              price,
              stake,
              matchBehavior: 'CancelUnmatched',
            },
          ]
        : [],
  });

  async function matched(stake: number, price: number, exchange?: 'betfair'): Promise<unknown> {
    const script = new Script();
    script
      .market({ ...(exchange && { exchange }) })
      .at(
        1000,
        { level: [0, 'Against', 13, 0.7] },
        { level: [0, 'Against', 12, 0.2] },
        { level: [0, 'Against', 11.5, 9] },
      )
      .settle(9000, 0);
    const { collector } = await runScript(script, [taker(stake, price)], {
      exchange: { inPlaySuspension: 'keep', minimumStake: 'recorded' },
    });
    return [...collector.orderRows()].map(({ stakeMatched }) => stakeMatched);
  }

  it('matches nothing where less than the smallest stake is offered, or than all of a smaller order', async () => {
    expect(await matched(5, 12, 'betfair')).toEqual([0]);
    expect(await matched(5, 11.5, 'betfair')).toEqual([5]);
    expect(await matched(0.95, 12, 'betfair')).toEqual([0]);
    expect(await matched(0.9, 12, 'betfair')).toEqual([0.9]);
  });

  it('matches whatever there is where the exchange has no smallest stake', async () => {
    expect(await matched(5, 12)).toEqual([0.9]);
  });
});

describeWithRecordings('a recording of Betfair', () => {
  test('takes no order under 1 that would pay less than 10, unless told otherwise', async () => {
    const tape = await recordedTape('betfair_parser__1.205822330.bz2');
    const file = temporaryFile(
      'pennies.ts',
      `export default {
        name: 'pennies',
        state: () => ({ left: 4 }),
        decide({ market, why, state }) {
          if (why !== 'prices' || !market.tradable || state.left === 0) return { intents: [], state };
          const bets = market.outcomes.flatMap(({ id, bestAgainst }) => bestAgainst === undefined ? [] :
            [{ kind: 'place', market: market.id, outcome: id, side: 'For', price: bestAgainst.price, stake: 0.5, matchBehavior: 'CancelUnmatched' }]);
          return { intents: bets, state: { left: state.left - 1 } };
        },
      };`,
    );
    const run = async (minimumStake: MinimumStakeRule) => {
      const exchange = { inPlaySuspension: 'as-recorded', minimumStake } as const;
      return await backtestOf([file], { tapes: [tape], exchange, fills: 'central' });
    };
    const recorded = await run('recorded');
    const [{ sent }, none] = [recorded.orders, await run('none')];
    const small = [...none.orderRows].filter(({ price }) => 0.5 * price < 10).length;
    expect(small).toBeGreaterThan(10);
    expect([...recorded.orderRows].filter(({ price }) => 0.5 * price < 10)).toEqual([]);
    expect(recorded.refusals).toEqual({ STAKE_BELOW_MINIMUM: small });
    expect(none.refusals).toEqual({});
    expect(none.orders.sent - sent).toBe(small);
  });

  test('is played to its end by every sample strategy, at the stakes that their parameters begin with and at small ones', async () => {
    const tape = await recordedTape('profitbox__ADVANCED__1.231242812.bz2');
    for (const name of ['dutch-book', 'favourite-scalp', 'passive-quoter']) {
      for (const params of [{}, { stake: 2.5 }]) {
        const strategies = [{ file: sampleStrategy(name), params, wallet: 'main' }];
        const result = await backtestOf([], { strategies, tapes: [tape] });
        const codes = result.notices.map(({ code }) => code);
        expect(codes, name).not.toContain('STRATEGY_REPEATS_REJECTED');
        expect(result.orders.sent, name).toBeGreaterThan(0);
      }
    }
  });
});
