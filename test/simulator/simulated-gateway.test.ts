/** The simulated exchange as a bot sees it: delays, fills and their bounds, market life, polls. */

import { describe, expect, it } from 'vitest';
import type { PlaceIntent } from '../../src/core/intent.ts';
import type { RecordedOutcome } from '../../src/recording/tape/definition.ts';
import type { DecideInput, StrategyPlugin } from '../../src/strategy/contract.ts';
import { runScript, Script, START, units } from '../support/scripted-run.ts';

type Decide = NonNullable<StrategyPlugin['decide']>;

function at(schedule: Readonly<Record<number, Partial<PlaceIntent>>>): StrategyPlugin {
  const decide: Decide = (input: DecideInput) => {
    const change = input.why === 'order' ? undefined : schedule[input.now - START];
    if (change === undefined) return [];
    return [{ kind: 'place', market: input.market.id, outcome: 'o0', side: 'For', price: 2, stake: 10, ...change }];
  };
  return { name: 'scheduled', decide };
}

const fixed = (ms: number) => ({ kind: 'fixed', ms }) as const;

describe('requests on their way', () => {
  it('let an order act on the book it finds when it arrives, not on the one it was decided on', async () => {
    const script = new Script();
    const market = script.market();
    market.at(1000, { level: [0, 'Against', 2, 100] });
    market.at(1100, { level: [0, 'Against', 2, 0] }, { level: [0, 'Against', 1.9, 100] });
    market.at(1500, { last: [0, 1.9] }).settle(5000, 0);
    const end = await runScript(script, [at({ 1000: { price: 1.9 } })]);
    expect([...end.collector.orderRows()]).toMatchObject([
      { arrivedAt: START + 1120, averagePrice: 1.9, status: 'Won' },
    ]);
  });

  it('never stamp a fill before the arrival, though the tape crossed the price meanwhile', async () => {
    const script = new Script();
    const market = script.market();
    market.at(1000, { level: [0, 'Against', 1.9, 50] });
    market.at(1050, { trade: [0, 2, 500] }).at(1110, { level: [0, 'Against', 2, 30] });
    market
      .at(1115, { level: [0, 'Against', 2, 0] })
      .at(3000, { last: [0, 2] })
      .settle(5000, 0);
    const end = await runScript(script, [at({ 1000: {} })]);
    expect([...end.collector.fillRows()]).toEqual([]);
    expect([...end.collector.orderRows()]).toMatchObject([{ status: 'Cancelled', reason: 'MarketSettled' }]);
  });

  it('charge the response delay of what was seen and the request delay of the order', async () => {
    const script = new Script();
    script
      .market()
      .at(1000, { last: [0, 2] })
      .at(9000, { last: [0, 2] });
    const latency = { request: fixed(700), response: fixed(300) };
    const end = await runScript(script, [at({ 1000: {} })], { latency });
    expect([...end.collector.orderRows()]).toMatchObject([{ decidedAt: START + 1000, arrivedAt: START + 2000 }]);
  });
});

const ALL = ['central', 'lowest', 'pessimistic', 'optimistic', 'highest'] as const;

describe('fills', () => {
  /** 40 queue at 2.0 for us to join; 20 cancel, then 30 trade, then 25 trade. */
  function queue(): Script {
    const script = new Script();
    const market = script.market();
    market.at(1000, { level: [0, 'For', 2, 40] }, { level: [0, 'Against', 1.98, 40] });
    market.at(2000, { level: [0, 'For', 2, 20] });
    market.at(3000, { trade: [0, 2, 15] }, { level: [0, 'For', 2, 5] });
    market.at(4000, { level: [0, 'For', 2, 40] });
    market.at(5000, { trade: [0, 2, 8] }, { level: [0, 'For', 2, 32] });
    market.settle(60_000, 0);
    return script;
  }

  it('differ by bound: last in every queue, in turn with its uncertainties, first in every queue', async () => {
    const ends = await Promise.all(ALL.map((bound) => runScript(queue(), [at({ 1000: {} })], { bound })));
    // Lowest: 20, then 40 ahead at each trade. Pessimistic: 20 ahead once the next update has come, 5 after 15 traded, and of the
    // next 8 the last 3 go to what the order's own size may have kept alive: 2 × 10 × 10/40. Central: the 3 are ours.
    // Optimistic: 5 less ahead by its size, so that all 8 are ours. Highest: the first 10 of the 15.
    const rows = ends.flatMap(({ collector }) => [...collector.orderRows()]);
    expect(rows.map(({ flow, stakeMatched }) => [flow, stakeMatched])).toEqual([
      ...[['central', 3] as const, ['lowest', 0] as const, ['pessimistic', 0] as const],
      ...[['optimistic', 8] as const, ['highest', 10] as const],
    ]);
    const profits = ends.map(({ collector }) => collector.markets[0]?.profit);
    expect(profits[0]).toMatchObject({ profitGross: units(3), commission: units(0.15) });
    expect(profits[1]).toMatchObject({ profitGross: 0, commission: 0 });
    expect(profits[4]).toMatchObject({ profitGross: units(10), commission: units(0.5) });
  });

  it('change the transcript when one of them changes', async () => {
    const script = queue();
    const changed = queue();
    const last = changed.updates.find(({ at: ms }) => ms === START + 5000);
    changed.updates.splice(changed.updates.indexOf(last ?? changed.updates[0]!), 1, {
      at: START + 5000,
      market: 0,
      steps: [{ trade: [0, 2, 9] }, { level: [0, 'For', 2, 31] }],
    });
    const hashes = [];
    for (const run of [script, queue(), changed]) hashes.push((await runScript(run, [at({ 1000: {} })])).transcript);
    expect(hashes[0]).toBe(hashes[1]);
    expect(hashes[2]).not.toBe(hashes[0]);
  });

  it('take recorded stake only once, best price first, and improve the taker', async () => {
    const script = new Script();
    const market = script.market();
    market.at(1000, { level: [0, 'Against', 2.1, 6] }, { level: [0, 'Against', 2.08, 3] });
    market
      .at(2000, { last: [0, 2] })
      .at(3000, { last: [0, 2] })
      .settle(9000, 0);
    const end = await runScript(script, [at({ 1000: { matchBehavior: 'CancelUnmatched' }, 2000: {} })]);
    expect([...end.collector.orderRows()]).toMatchObject([
      { stakeMatched: 9, averagePrice: 2.093333, status: 'Won' },
      { stakeMatched: 0, status: 'Cancelled' },
    ]);
  });
});

describe('market life', () => {
  it('holds an in-play order back for the delay, and fails it where the market is suspended then', async () => {
    const script = new Script();
    const market = script.market();
    market.at(1000, { define: { inPlayStatus: 'InPlay', inPlayDelayMs: 5000 } }, { level: [0, 'Against', 2, 100] });
    market.at(2000, { last: [0, 2] }).at(8000, { last: [0, 2] });
    market.at(10_000, { define: { suspended: true } }).at(14_000, { define: { suspended: false } });
    market.settle(20_000, 0);
    const end = await runScript(script, [at({ 2000: {}, 8000: {} })]);
    const [filled, failed] = [...end.collector.orderRows()];
    expect(filled).toMatchObject({ arrivedAt: START + 2120, status: 'Won' });
    expect([...end.collector.fillRows()].map(({ at: ms }) => ms - START)).toEqual([7120]);
    expect(failed).toMatchObject({ arrivedAt: START + 8120, status: 'Failed', reason: 'CreationFailed' });
  });

  it('cancels unmatched stake at the in-play switch, but for orders that are kept', async () => {
    const script = new Script();
    const market = script.market();
    market.at(1000, { level: [0, 'Against', 1.5, 1] }).at(2000, { last: [0, 2] });
    market
      .at(5000, { define: { inPlayStatus: 'InPlay' } })
      .at(6000, { trade: [0, 2, 10] })
      .settle(9000, 1);
    const end = await runScript(script, [at({ 1000: {}, 2000: { keepWhenInPlay: true, stake: 4 } })]);
    expect([...end.collector.orderRows()]).toMatchObject([
      { status: 'Cancelled', reason: 'MarketInPlay' },
      { status: 'Lost', stakeMatched: 4 },
    ]);
  });

  it('rejects an order that arrives while the market is suspended', async () => {
    const script = new Script();
    const market = script.market();
    market
      .at(1000, { last: [0, 2] })
      .at(1050, { define: { suspended: true } })
      .settle(9000, 1);
    const end = await runScript(script, [at({ 1000: {} })]);
    expect([...end.collector.rejections]).toEqual([['SUSPENDED_MARKET', 1]]);
  });

  it('pays matched bets back where the market is voided', async () => {
    const script = new Script();
    const market = script.market();
    market.at(1000, { level: [0, 'Against', 2, 100] }).at(3000, { define: { status: 'Voided' } });
    const end = await runScript(script, [at({ 1000: {} })]);
    expect([...end.collector.orderRows()]).toMatchObject([{ status: 'Voided' }]);
    expect(end.balances).toEqual([units(10_000)]);
    expect(end.collector.markets).toMatchObject([{ status: 'Voided' }]);
  });

  it('voids bets on a removed outcome and reprices those on the others', async () => {
    const script = new Script();
    const market = script.market({ outcomes: 3 });
    market.at(1000, { level: [0, 'Against', 3, 100] }, { level: [1, 'Against', 4, 100] });
    market.at(2000, { last: [0, 3] });
    const outcomes: RecordedOutcome[] = [
      { status: 'Active' },
      { status: 'Removed', factorPpm: 250_000 },
      { status: 'Active' },
    ];
    market.at(3000, { define: { outcomes, suspended: true } });
    market.at(4000, {
      define: {
        status: 'Settled',
        outcomes: [{ status: 'Winner' }, { status: 'Removed', factorPpm: 250_000 }, { status: 'Loser' }],
      },
    });
    const end = await runScript(script, [at({ 1000: { price: 3 }, 2000: { outcome: 'o1', price: 4 } })]);
    // 10 at 3.0 becomes 10 at 2.25: 12.50 less 5 % commission.
    expect([...end.collector.orderRows()]).toMatchObject([{ status: 'Won', profit: 12.5 }, { status: 'Voided' }]);
    expect(end.balances).toEqual([units(10_000 + 12.5 * 0.95)]);
  });

  it('follows a resettlement, up to the last recorded word', async () => {
    const script = new Script();
    const market = script.market();
    market
      .at(1000, { level: [0, 'Against', 2, 100] })
      .settle(3000, 0)
      .settle(4000, 1);
    const end = await runScript(script, [at({ 1000: {} })]);
    expect([...end.collector.orderRows()]).toMatchObject([{ status: 'Lost', profit: -10 }]);
    expect(end.balances).toEqual([units(9990)]);
  });

  const shorterAtTheEnd = (script: Script) =>
    script
      .market()
      .at(1000, { level: [0, 'Against', 2, 100] }, { level: [0, 'For', 2.02, 100] })
      .at(2000, { level: [0, 'Against', 2, 0] }, { level: [0, 'Against', 1.5, 50] }, { level: [0, 'For', 1.6, 50] });

  it('values an open position at the last prices shown, where the recording ends before its settlement', async () => {
    const script = new Script();
    shorterAtTheEnd(script);
    const end = await runScript(script, [at({ 1000: {} })]);
    // 10 at 2.0 closed at 1.6: stake 12.5 Against, 2.50 either way.
    expect(end.collector.markets[0]?.profit).toMatchObject({ profitGross: 0, markToMarket: units(2.5) });
  });

  it('values nothing of a market that was voided, where every position pays nothing', async () => {
    const script = new Script();
    shorterAtTheEnd(script).at(3000, { define: { status: 'Voided' } });
    const end = await runScript(script, [at({ 1000: {} })]);
    expect(end.collector.markets[0]).toMatchObject({ status: 'Voided', profit: { profitGross: 0 } });
    expect(end.collector.markets[0]?.profit).not.toHaveProperty('markToMarket');
  });
});

describe('polls', () => {
  it('show what the market was at the poll, on a grid, and nothing between', async () => {
    const script = new Script();
    const market = script.market();
    market.at(1100, { level: [0, 'Against', 2, 100] }).at(1200, { level: [0, 'Against', 2.1, 5] });
    market
      .at(1900, { level: [0, 'Against', 2.1, 0] })
      .at(3000, { last: [0, 2] })
      .at(9000, { last: [0, 2] });
    const seen: [number, number | undefined][] = [];
    const watch: StrategyPlugin = {
      name: 'watch',
      decide: ({ market: view, now }) => {
        seen.push([now - START, view.outcome('o0')?.bestAgainst?.price]);
        return [];
      },
    };
    await runScript(script, [watch], { feed: { mode: 'poll', everyMs: 500 } });
    expect(seen).toEqual([
      [500, undefined],
      [1500, 2.1],
      [2000, 2],
      [3500, 2],
    ]);
  });

  it('keep the last poll’s prices when an order’s reply comes between two', async () => {
    const script = new Script();
    const market = script.market();
    market.at(100, { level: [0, 'Against', 2, 100] }).at(1050, { level: [0, 'Against', 2, 40] });
    market.at(5000, { last: [0, 2] });
    const seen: [string, number, number | undefined][] = [];
    const decide: Decide = (input) => {
      seen.push([input.why, input.now - START, input.market.outcome('o0')?.bestAgainst?.stake]);
      if (input.now !== START + 1000) return [];
      return [{ kind: 'place', market: '1.1', outcome: 'o0', side: 'Against', price: 1.5, stake: 2 }];
    };
    await runScript(script, [{ name: 'watch', decide }], { feed: { mode: 'poll', everyMs: 1000 } });
    expect(seen).toEqual([
      ['status', 1000, 100],
      ['order', 1120, 100],
      ['prices', 2000, 40],
    ]);
  });
});
