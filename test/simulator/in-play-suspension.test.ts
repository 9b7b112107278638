/**
 * What suspensions in play, and the switch to in play, do to our resting orders: the same as the recording does to
 * recorded stake.
 */

import { describe, expect, it } from 'vitest';
import type { LiquidityAction } from '../../src/core/market.ts';
import type { RecordedDefinition } from '../../src/recording/tape/definition.ts';
import type { InPlaySuspension } from '../../src/simulator/fill-model/market-life.ts';
import type { StrategyPlugin } from '../../src/strategy/contract.ts';
import { runScript, Script, START } from '../support/scripted-run.ts';

/** A second after the start, places one order that is kept in play and one that is not. */
const rester: StrategyPlugin = {
  name: 'rester',
  decide({ market, why, now }) {
    if (why !== 'prices' || now !== START + 1000) return [];
    const bet = { kind: 'place', market: market.id, outcome: 'o0', side: 'For', price: 2.2, stake: 5 } as const;
    return [bet, { ...bet, keepWhenInPlay: true }];
  },
};

const CROWD = [{ level: [0, 'Against', 2, 100] }, { level: [1, 'For', 2.1, 100] }] as const;
const GONE = [{ level: [0, 'Against', 2, 0] }, { level: [1, 'For', 2.1, 0] }] as const;

/** A market in play that is suspended at 5 s and open again at 60 s. At `emptiedAt` the recorded book becomes empty. */
function suspended(emptiedAt: number | undefined): Script {
  const script = new Script();
  const market = script.market({ first: { inPlayStatus: 'InPlay' } });
  market.at(1000, ...CROWD);
  if (emptiedAt === 4000) market.at(4000, ...GONE);
  market.at(5000, { define: { suspended: true } }, ...(emptiedAt === 5000 ? GONE : []));
  if (emptiedAt === 6000) market.at(6000, GONE[0]).at(6500, GONE[1]);
  if (emptiedAt === undefined) market.at(6000, GONE[0]);
  market.at(60_000, { define: { suspended: false } }, ...(emptiedAt === 60_000 ? GONE : []));
  // Stake that comes then would fill our orders, had they stayed.
  market.at(61_000, { level: [0, 'Against', 2.2, 100] }).settle(90_000, 0);
  return script;
}

async function fates(script: Script, inPlaySuspension: InPlaySuspension) {
  const end = await runScript(script, [rester], { exchange: { inPlaySuspension, minimumStake: 'none' } });
  const rows = [...end.collector.orderRows()].map(({ status, reason }) => reason ?? status);
  return [rows, end.collector.markets[0]?.ordersSuspended];
}

describe('a suspension in play', () => {
  it.each([
    ['with the suspension', 5000],
    ['while it lasts', 6000],
    ['with the update that ends it', 60_000],
  ])('cancels what rests where the recording empties the book %s', async (_when, emptiedAt) => {
    const cancelled = [['MarketSuspended', 'MarketSuspended'], 2];
    expect(await fates(suspended(emptiedAt), 'as-recorded')).toEqual(cancelled);
  });

  it('keeps it where some of the crowd stays, and where nothing rested before', async () => {
    expect(await fates(suspended(undefined), 'as-recorded')).toEqual([['Won', 'Won'], 0]);
    expect(await fates(suspended(4000), 'as-recorded')).toEqual([['Won', 'Won'], 0]);
  });

  it('cancels always, or never, where that is asked for', async () => {
    expect(await fates(suspended(undefined), 'cancel')).toEqual([['MarketSuspended', 'MarketSuspended'], 2]);
    expect(await fates(suspended(6000), 'keep')).toEqual([['Won', 'Won'], 0]);
  });

  it('is none where the market turns in play with it, or is suspended before the off', async () => {
    for (const define of [{ suspended: true }, { suspended: true, inPlayStatus: 'InPlay' }] as const) {
      const script = new Script();
      const market = script.market({ first: { eventStartAction: 'None' } }).at(1000, ...CROWD);
      market
        .at(5000, { define }, ...GONE)
        .at(6000, { define: { suspended: false } })
        .settle(9000, 0);
      for (const rule of ['as-recorded', 'cancel'] as const)
        expect(await fates(script, rule)).toEqual([['MarketSettled', 'MarketSettled'], 0]);
    }
  });
});

describe('a suspension in play that the market does not come back from', () => {
  const ends = async (define: Partial<RecordedDefinition>) => {
    const script = new Script();
    const market = script.market({ first: { inPlayStatus: 'InPlay' } }).at(1000, ...CROWD);
    market.at(5000, { define: { suspended: true } }).at(6000, { define }, ...GONE);
    return await fates(market.settle(9000, 0) && script, 'as-recorded');
  };

  it('leaves what rests to the settlement where that empties the book', async () => {
    const outcomes = [{ status: 'Winner' }, { status: 'Loser' }] as const;
    expect(await ends({ status: 'Settled', outcomes })).toEqual([['MarketSettled', 'MarketSettled'], 0]);
  });

  it('is passed over where the recording goes on after the result', async () => {
    for (const rule of ['as-recorded', 'cancel'] as const) {
      const script = new Script();
      const market = script
        .market({ first: { inPlayStatus: 'InPlay' } })
        .at(1000, ...CROWD)
        .settle(5000, 0);
      market
        .at(6000, { define: { status: 'Open' } })
        .at(7000, { define: { suspended: true } })
        .at(8000, ...GONE);
      expect(await fates(script, rule)).toEqual([['MarketSettled', 'MarketSettled'], 0]);
    }
  });

  it('leaves it where the market is taken back before it opened', async () => {
    expect(await ends({ status: 'Initializing' })).toEqual([['MarketSettled', 'MarketSettled'], 0]);
  });
});

describe('the switch to in play', () => {
  it('cancels what is not kept by the definition that turns the market in play, whatever the first one said', async () => {
    const ends = async (first: LiquidityAction, then: LiquidityAction) => {
      const script = new Script();
      const market = script.market({ first: { eventStartAction: first } }).at(1000, ...CROWD);
      market.at(3000, { define: { eventStartAction: then } });
      market.at(5000, { define: { inPlayStatus: 'InPlay' } }).settle(9000, 0);
      return (await fates(script, 'as-recorded'))[0];
    };
    expect(await ends('None', 'CancelUnmatchedLiquidity')).toEqual(['MarketInPlay', 'MarketSettled']);
    expect(await ends('CancelUnmatchedLiquidity', 'None')).toEqual(['MarketSettled', 'MarketSettled']);
  });
});
