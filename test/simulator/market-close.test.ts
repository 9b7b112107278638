/** What a result keeps of each market: the off, the close, who won, and what the bets are worth by the outcome that wins. */

import { describe, expect, it } from 'vitest';
import { outcomeEnds } from '../../src/backtest/result/outcome-ends.ts';
import type { CollectedMarket } from '../../src/backtest/simulation/backtest-collector.ts';
import { defined } from '../../src/core/checks/assert.ts';
import type { PlaceIntent } from '../../src/core/intent.ts';
import type { OutcomeStatus } from '../../src/core/market.ts';
import type { OutcomeEnd } from '../../src/result/figures/outcome-end.ts';
import type { StrategyPlugin } from '../../src/strategy/contract.ts';
import { runScript, Script, type ScriptedMarket, START, type Step } from '../support/scripted-run.ts';

/** Both sides of the first outcome, and a last price. */
function shown(against: number, forPrice: number, last: number): readonly Step[] {
  return [{ level: [0, 'Against', against, 100] }, { level: [0, 'For', forPrice, 100] }, { last: [0, last] }];
}

function statuses(...all: readonly OutcomeStatus[]): { readonly status: OutcomeStatus }[] {
  return all.map((status) => ({ status }));
}

const SUSPENDED = { define: { suspended: true } } as const;
const RESUMED = { define: { suspended: false } } as const;
const OFF = { define: { suspended: false, inPlayStatus: 'InPlay' } } as const;
const EMPTIED: readonly Step[] = [{ level: [0, 'Against', 2, 0] }, { level: [0, 'For', 2.2, 0] }];

interface Ended {
  readonly market: CollectedMarket;
  readonly outcomes: readonly OutcomeEnd[];
}

async function ended(
  play: (market: ScriptedMarket) => unknown,
  { bets = [], outcomes = 2, winnerCount = 1 }: { bets?: readonly Bet[]; outcomes?: number; winnerCount?: number } = {},
): Promise<Ended> {
  const script = new Script();
  play(script.market({ outcomes, first: { winnerCount } }));
  const { collector } = await runScript(script, [bettor(bets)]);
  const market = defined(collector.markets[0], 'the market ended');
  return { market, outcomes: endsOf(market) };
}

function endsOf(market: CollectedMarket): readonly OutcomeEnd[] {
  const { worth } = market;
  return outcomeEnds(market, { pessimistic: worth, central: worth, optimistic: worth });
}

type Bet = Pick<PlaceIntent, 'outcome' | 'side' | 'price' | 'stake'>;

/** Places its bets at once, when prices come first. */
function bettor(bets: readonly Bet[]): StrategyPlugin {
  return {
    name: 'bettor',
    state: () => false,
    decide({ market, why, state }) {
      if (why !== 'prices' || state === true) return [];
      return { state: true, intents: bets.map((bet) => ({ ...bet, kind: 'place', market: market.id })) };
    },
  };
}

describe('the close', () => {
  const cases: readonly {
    name: string;
    play: (market: ScriptedMarket) => unknown;
    inPlayAt?: number;
    preOffAt?: number;
    preOff?: OutcomeEnd['preOff'];
  }[] = [
    {
      name: 'is what stood before the suspension after which the market turns in play',
      play: (market) =>
        market
          .at(1000, ...shown(2, 2.2, 2.1))
          .at(1500, { trade: [0, 2.2, 40] })
          .at(5000, SUSPENDED, ...EMPTIED)
          .at(8000, OFF, ...shown(3, 3.1, 3))
          .settle(9000, 0),
      ...{ inPlayAt: 8000, preOffAt: 5000, preOff: { bestAgainst: 2, bestFor: 2.2, lastPrice: 2.1, traded: 40 } },
    },
    {
      name: 'is what stood before the switch where the market is not suspended, without what the same message says',
      play: (market) =>
        market
          .at(1000, ...shown(2, 2.2, 2.1))
          .at(8000, OFF, ...EMPTIED, ...shown(3, 3.1, 3))
          .settle(9000, 0),
      ...{ inPlayAt: 8000, preOffAt: 8000, preOff: { bestAgainst: 2, bestFor: 2.2, lastPrice: 2.1, traded: 0 } },
    },
    {
      name: 'is the last one where trading goes on after a suspension',
      play: (market) =>
        market
          .at(1000, ...shown(2, 2.2, 2.1))
          .at(2000, SUSPENDED)
          .at(3000, RESUMED, ...EMPTIED, ...shown(4, 4.1, 4))
          .at(5000, SUSPENDED)
          .at(8000, OFF)
          .settle(9000, 0),
      ...{ inPlayAt: 8000, preOffAt: 5000, preOff: { bestAgainst: 4, bestFor: 4.1, lastPrice: 4, traded: 0 } },
    },
    {
      name: 'comes before the suspension from which a market without in-play trading is settled',
      play: (market) =>
        market
          .at(1000, ...shown(2, 2.2, 2.1))
          .at(5000, SUSPENDED)
          .at(6000, ...EMPTIED, { last: [0, 1.01] })
          .settle(9000, 0),
      ...{ preOffAt: 5000, preOff: { bestAgainst: 2, bestFor: 2.2, lastPrice: 2.1, traded: 0 } },
    },
    {
      name: 'comes before the settlement where the market is not suspended for it',
      play: (market) => market.at(1000, ...shown(2, 2.2, 2.1)).settle(9000, 0),
      ...{ preOffAt: 9000, preOff: { bestAgainst: 2, bestFor: 2.2, lastPrice: 2.1, traded: 0 } },
    },
    {
      name: 'is that of the first switch, since prices after it may know of the event, even where a recording turns back',
      play: (market) =>
        market
          .at(1000, ...shown(2, 2.2, 2.1))
          .at(4000, OFF)
          .at(5000, { define: { inPlayStatus: 'PrePlay' } }, ...EMPTIED, ...shown(4, 4.1, 4))
          .at(8000, OFF)
          .settle(9000, 0),
      ...{ inPlayAt: 4000, preOffAt: 4000, preOff: { bestAgainst: 2, bestFor: 2.2, lastPrice: 2.1, traded: 0 } },
    },
    {
      name: 'has no price where there was none',
      play: (market) =>
        market
          .at(1000, { level: [0, 'Against', 2, 100] })
          .at(5000, OFF)
          .settle(9000, 0),
      ...{ inPlayAt: 5000, preOffAt: 5000, preOff: { bestAgainst: 2, traded: 0 } },
    },
    {
      name: 'is not known where the recording ends before the off',
      play: (market) => market.at(1000, ...shown(2, 2.2, 2.1)).at(5000, SUSPENDED),
    },
    {
      name: 'is known where the recording ends in play',
      play: (market) =>
        market
          .at(1000, ...shown(2, 2.2, 2.1))
          .at(5000, OFF)
          .at(6000, { last: [0, 1.5] }),
      ...{ inPlayAt: 5000, preOffAt: 5000, preOff: { bestAgainst: 2, bestFor: 2.2, lastPrice: 2.1, traded: 0 } },
    },
    {
      name: 'has nothing where nothing was shown before the switch',
      play: (market) =>
        market
          .at(1, OFF)
          .at(1000, ...shown(2, 2.2, 2.1))
          .at(5000, SUSPENDED)
          .settle(9000, 0),
      ...{ inPlayAt: 1, preOffAt: 1, preOff: { traded: 0 } },
    },
  ];

  for (const { name, play, inPlayAt, preOffAt, preOff } of cases) {
    it(name, async () => {
      const { market, outcomes } = await ended(play);
      const instantOf = (ms: number | undefined) => (ms === undefined ? undefined : START + ms);
      expect([market.inPlayAt, market.preOff?.at, outcomes[0]?.preOff]).toEqual([
        instantOf(inPlayAt),
        instantOf(preOffAt),
        preOff,
      ]);
    });
  }

  it('is not known, nor is the switch, where the first definition is in play', async () => {
    const script = new Script();
    script
      .market({ first: { inPlayStatus: 'InPlay' } })
      .at(1000, ...shown(2, 2.2, 2.1))
      .at(5000, SUSPENDED)
      .settle(9000, 0);
    const { collector } = await runScript(script, []);
    expect(collector.markets[0]).toMatchObject({ inPlayAt: undefined, preOff: undefined, status: 'Settled' });
  });
});

describe('results', () => {
  it('are Winner and Loser, with starting prices of the last definition', async () => {
    const { outcomes } = await ended((market) =>
      market.at(1000, ...shown(2, 2.2, 2.1)).at(9000, {
        define: {
          status: 'Settled',
          outcomes: [
            { status: 'Loser', startingPrice: 2.137 },
            { status: 'Winner', startingPrice: 1.94 },
          ],
        },
      }),
    );
    expect(outcomes).toMatchObject([
      { id: 'o0', title: 'Outcome 0', result: 'Loser', winShare: 0, startingPrice: 2.137 },
      { id: 'o1', title: 'Outcome 1', result: 'Winner', winShare: 1, startingPrice: 1.94 },
    ]);
  });

  it('share the places in a dead heat, and what bets are worth by them is what settlement paid', async () => {
    const bets: readonly Bet[] = [
      { outcome: 'o0', side: 'For', price: 2, stake: 7 },
      { outcome: 'o1', side: 'Against', price: 3.5, stake: 3 },
    ];
    const { market, outcomes } = await ended(
      (made) =>
        made
          .at(1000, ...shown(2, 2.2, 2.1), { level: [1, 'For', 3.5, 100] }, { last: [2, 5] })
          .at(5000, { last: [2, 5] })
          .settle(9000, 0, 1, 2),
      { bets, outcomes: 4, winnerCount: 2 },
    );
    expect(outcomes.map(({ result, winShare }) => [result, winShare])).toEqual([
      ['Winner', 2 / 3],
      ['Winner', 2 / 3],
      ['Winner', 2 / 3],
      ['Loser', 0],
    ]);
    // 2/3 × 7 − 1/3 × 7 on the first; −2/3 × 7.5 + 1/3 × 3 on the second: cut off after the sixth decimal.
    expect(market.profit.profitGross).toBe(-1_666_667);
    expect(worthBy(outcomes)).toBeCloseTo(-1.666667, 5);
  });

  it('are Removed for a non-runner, on which bets are void, with the others repriced', async () => {
    const bets: readonly Bet[] = [
      { outcome: 'o0', side: 'For', price: 2, stake: 10 },
      { outcome: 'o1', side: 'For', price: 4, stake: 5 },
    ];
    const removed = [
      { status: 'Active' as const },
      { status: 'Removed' as const, factorPpm: 100_000 },
      { status: 'Active' as const },
    ];
    const after = [{ status: 'Winner' as const }, removed[1] ?? expect.fail(), { status: 'Loser' as const }];
    const { market, outcomes } = await ended(
      (made) =>
        made
          .at(1000, ...shown(2, 2.2, 2.1), { level: [1, 'Against', 4, 100] })
          .at(3000, { last: [2, 5] })
          .at(4000, { define: { outcomes: removed } })
          .at(9000, { define: { status: 'Settled', outcomes: after } }),
      { bets, outcomes: 3 },
    );
    // 2.00 less a tenth is 1.80; commission is 5 %.
    expect(outcomes.map(({ result, winShare, position }) => [result, winShare, position?.central])).toEqual([
      ['Winner', 1, { profitIfWins: 8, profitIfWinsNet: 7.6, betsIfWins: 8, betsIfLoses: -10 }],
      ['Removed', undefined, undefined],
      ['Loser', 0, { profitIfWins: -10, profitIfWinsNet: -10, betsIfWins: 0, betsIfLoses: 0 }],
    ]);
    expect(market.profit).toMatchObject({ profitGross: 8_000_000, commission: 400_000 });
  });

  it('are absent where the market is voided, and what its bets were worth stays', async () => {
    const { market, outcomes } = await ended(
      (made) =>
        made
          .at(1000, ...shown(2, 2.2, 2.1))
          .at(5000, { last: [0, 2] })
          .at(9000, { define: { status: 'Voided' } }),
      { bets: [{ outcome: 'o0', side: 'For', price: 2, stake: 10 }] },
    );
    expect(market.profit.profitGross).toBe(0);
    expect(outcomes).toMatchObject([
      { position: { central: { profitIfWins: 10, profitIfWinsNet: 9.5 } }, preOff: { bestFor: 2.2 } },
      { position: { central: { profitIfWins: -10, profitIfWinsNet: -10 } } },
    ]);
    expect(outcomes.flatMap((outcome) => Object.keys(outcome))).not.toContain('result');
  });

  it('leave the profit if greened up out where the market is voided: nobody would have been paid it', async () => {
    const bets = [{ outcome: 'o0', side: 'For', price: 2, stake: 10 }] as const;
    const backed = (made: ScriptedMarket) =>
      made.at(1000, ...shown(2, 2.2, 2.1)).at(5000, ...EMPTIED, ...shown(1.8, 1.9, 1.85));
    const settled = await ended((made) => backed(made).settle(9000, 1), { bets });
    const voided = await ended((made) => backed(made).at(9000, { define: { status: 'Voided' } }), { bets });
    // The bet of 10 at 2.00 is laid at 1.90 with 20 / 1.9 = 10.526315 (rounded down): 0.526315 is left, whoever wins.
    expect(settled.market.profit.markToMarket).toBe(526_315);
    expect(voided.market.profit).toEqual({ stakeMatched: 10_000_000, profitGross: 0, commission: 0 });
  });

  it('are absent where the recording ends before, and a non-runner is Removed there too', async () => {
    const { outcomes } = await ended(
      (made) =>
        made
          .at(1000, ...shown(2, 2.2, 2.1))
          .at(4000, { define: { outcomes: statuses('Active', 'Removed', 'Active') } }),
      { outcomes: 3 },
    );
    expect(outcomes.map(({ result, winShare }) => [result, winShare])).toEqual([
      [undefined, undefined],
      ['Removed', undefined],
      [undefined, undefined],
    ]);
  });

  it('are those of the last result where it is corrected, and stay where the recording goes on after it', async () => {
    const { outcomes } = await ended((made) =>
      made
        .at(1000, ...shown(2, 2.2, 2.1))
        .settle(9000, 0)
        .settle(9500, 1)
        .at(9900, { define: { status: 'Open', outcomes: statuses('Active', 'Active') } }),
    );
    expect(outcomes.map(({ result }) => result)).toEqual(['Loser', 'Winner']);
  });

  it('leave out positions where nothing was matched in any bound', async () => {
    const { outcomes } = await ended((made) => made.at(1000, ...shown(2, 2.2, 2.1)).settle(9000, 0));
    expect(outcomes.map(({ position }) => position)).toEqual([undefined, undefined]);
  });
});

/** What the bets are worth by the result: each by the part of it that was paid as won. */
function worthBy(outcomes: readonly OutcomeEnd[]): number {
  let total = 0;
  for (const { winShare, position } of outcomes) {
    if (winShare === undefined || position === undefined) continue;
    const { betsIfWins, betsIfLoses } = position.central;
    total += winShare * betsIfWins + (1 - winShare) * betsIfLoses;
  }
  return total;
}
