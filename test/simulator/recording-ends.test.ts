/**
 * A market whose recording ends before it does: from then on nothing trades on it, and no strategy is called for it.
 */

import { describe, expect, it, test } from 'vitest';
import type { StrategyPlugin } from '../../src/strategy/contract.ts';
import { backtestOf } from '../support/backtest-of.ts';
import { recordedTape } from '../support/recorded-tape.ts';
import { runScript, Script, START } from '../support/scripted-run.ts';
import { describeWithRecordings } from '../support/shared.ts';
import { temporaryFile } from '../support/temporary-directory.ts';

const HOUR = 3_600_000;

/** One market that ends after 3 s, and another that is settled an hour later. */
function script(): Script {
  const made = new Script();
  made
    .market()
    .at(1000, { level: [0, 'Against', 2, 100] }, { level: [0, 'For', 2.2, 100] })
    .at(3000, { last: [0, 2] });
  made
    .market()
    .at(2000, { last: [0, 2] })
    .settle(HOUR, 0);
  return made;
}

/** Takes 2.00 in the first market at price changes and timers, and asks to be called again the next second. */
const seen: { why: string; now: number; tradable: boolean }[] = [];
const waker: StrategyPlugin = {
  name: 'waker',
  decide({ market, why, now }) {
    if (market.id !== '1.1' || why === 'order') return [];
    seen.push({ why, now: now - START, tradable: market.tradable });
    const bet = { kind: 'place', market: market.id, outcome: 'o0', side: 'For', price: 2, stake: 1 } as const;
    return { intents: [bet], wakeAt: now + 1000 };
  },
};

describe('a market whose recording ends while it is open', () => {
  it('is suspended by its last update, and takes no order and calls no strategy by a timer from then on', async () => {
    seen.length = 0;
    const end = await runScript(script(), [waker]);
    expect(seen.filter(({ now }) => now >= 3000)).toEqual([
      { why: 'timer', now: 3000, tradable: true },
      { why: 'status', now: 3000, tradable: false },
    ]);
    expect([...end.collector.refusals]).toEqual([['MARKET_SUSPENDED', 1]]);
    // Decided at 3 s by a timer before the last update, the order arrives at 3.12 s.
    expect([...end.collector.orderRows()].at(-1)).toMatchObject({
      decidedAt: START + 3000,
      stakeMatched: 0,
    });
    expect([...end.collector.rejections]).toEqual([['SUSPENDED_MARKET', 1]]);
    expect(end.collector.markets.map(({ index, status, cutOffAt }) => [index, status, cutOffAt])).toEqual([
      [1, 'Settled', undefined],
      [0, 'Open', START + 3000],
    ]);
  });

  it('keeps resting orders as they are, and values its positions at the prices shown last', async () => {
    const once: StrategyPlugin = {
      name: 'once',
      decide({ market, why, now }) {
        if (market.id !== '1.1' || why !== 'prices' || now !== START + 1000) return [];
        const bet = { kind: 'place', market: market.id, outcome: 'o0', side: 'For', stake: 1 } as const;
        return [
          { ...bet, price: 2 },
          { ...bet, price: 2.3 },
        ];
      },
    };
    const end = await runScript(script(), [once]);
    expect([...end.collector.orderRows()].map(({ status }) => status)).toEqual(['Matched', 'Unmatched']);
    // A bet of 1 at 2.00 is closed Against at 2.20, of which 0.909090 is enough: −1 + 2 / 2.2.
    const [, market] = end.collector.markets;
    expect(market?.profit).toMatchObject({ profitGross: 0, markToMarket: -90_910 });
  });

  it('shows so in poll mode too, by the next poll', async () => {
    seen.length = 0;
    await runScript(script(), [waker], { feed: { mode: 'poll', everyMs: 700 } });
    expect(seen.at(-1)).toMatchObject({ why: 'status', tradable: false });
    expect(seen.filter(({ now }) => now > 3700)).toEqual([]);
  });

  it('stays open where the run that was recorded went on', async () => {
    seen.length = 0;
    const end = await runScript(script(), [waker], { goesOnUnrecorded: true });
    expect(seen.length).toBeGreaterThan(HOUR / 1000 - 1);
    expect(end.collector.markets.map(({ cutOffAt }) => cutOffAt)).toEqual([undefined, undefined]);
    expect(end.timerCalls).toEqual([HOUR / 1000]);
  });
});

describeWithRecordings('a recording that breaks off, beside one of two years later', () => {
  test('takes no order after its end, and the result says which market and since when', async () => {
    const tape = await recordedTape('corrupt__1.206063952.gz', 'mzaja-betfair-database__1.230478683.bz2');
    const file = temporaryFile(
      'hourly.ts',
      `export default {
        name: 'hourly',
        decide({ market, why, now }) {
          const bets = market.outcomes.flatMap(({ id, bestAgainst }) => bestAgainst === undefined ? [] :
            [{ kind: 'place', market: market.id, outcome: id, side: 'For', price: bestAgainst.price, stake: 2 }]);
          return { intents: why === 'timer' ? bets : [], wakeAt: now + 3600000 };
        },
      };`,
    );
    const result = await backtestOf([file], { tapes: [tape] });
    const end = Date.parse('2022-11-05T20:11:46.989Z');
    expect(result.byMarket.map(({ id, cutOffAt }) => [id, cutOffAt])).toEqual([
      ['1.206063958', end],
      ['1.230478683', undefined],
    ]);
    const after = [...result.orderRows].filter(({ decidedAt }) => decidedAt > end);
    expect(after.filter(({ marketId }) => marketId === '1.206063958')).toEqual([]);
    expect(result.notices.filter(({ code }) => code === 'MARKETS_CUT_OFF')).toMatchObject([
      {
        what: 'The recording of 1 market ends before the market does, at 2022-11-05 20:11:46. It was suspended from then on: nothing was placed or matched, and no result is final there.',
        markets: ['1.206063958'],
      },
    ]);
  });
});
