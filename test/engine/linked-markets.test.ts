/** Orders, positions and state in all markets of an event, in one decision. */

import { describe, expect, it } from 'vitest';
import type { MarketFacts } from '../../src/core/market.ts';
import { instant } from '../../src/core/number/units.ts';
import { back, cancel, defineStrategy, greenUp, type Intent, lay } from '../../src/index.ts';
import type { DecideInput, StrategyPlugin } from '../../src/strategy/contract.ts';
import { decideOnce, testMarket } from '../../src/testing.ts';
import { runScript, Script, START, units } from '../support/scripted-run.ts';

const race = (hour: number, marketTypeId: string): Partial<MarketFacts> => ({
  ...{ eventId: 'meeting', venue: 'Northgate', marketTypeId, expectedStartTime: instant(START + hour * 3_600_000) },
});

/** The win and the place market of two races of a meeting, and a market of another event. */
function meeting(): Script {
  const script = new Script();
  const facts = [race(1, 'WIN'), race(1, 'PLACE'), race(2, 'WIN'), race(2, 'PLACE'), { eventId: 'match' }];
  for (const each of facts) {
    const { expectedStartTime } = each;
    const made = script.market({ facts: each, first: expectedStartTime === undefined ? {} : { expectedStartTime } });
    for (const at of [1_000, 2_000, 3_000, 4_000, 5_000])
      made.at(at, { level: [0, 'Against', 2, 500 + at] }, { level: [0, 'For', 2.02, 500 + at] });
    made.settle(9_000, 0);
  }
  return script;
}

function decided(plan: (input: DecideInput<Readonly<Record<never, never>>, number>) => readonly Intent[]) {
  const plugin: StrategyPlugin = {
    name: 'linked',
    state: (market) => Number(market.id.slice(2)),
    decide: (input) => plan(input as never),
  };
  return runScript(meeting(), [plugin]);
}

describe('linked', () => {
  it('names the other markets of the race, and those of no other race or event', async () => {
    const seen = new Map<string, readonly string[]>();
    await decided(({ market, linked, now }) => {
      if (now === START + 3_000)
        seen.set(
          market.id,
          linked.map((other) => `${other.market.id} ${other.state}`),
        );
      return [];
    });
    expect(Object.fromEntries(seen)).toEqual({
      ...{ '1.1': ['1.2 2'], '1.2': ['1.1 1'], '1.3': ['1.4 4'], '1.4': ['1.3 3'], '1.5': [] },
    });
  });

  it('enters and leaves both markets from decisions on one of them', async () => {
    const { collector } = await decided(({ market, linked: [place], orders, position, now }) => {
      if (market.id !== '1.1' || place === undefined) return [];
      const [win, alsoPlace] = [market.outcomes[0], place.market.outcomes[0]];
      if (win === undefined || alsoPlace === undefined) return [];
      if (now === START + 2_000) return [back(win, { stake: 10 }), lay(alsoPlace, { stake: 10 })];
      if (orders.length + place.orders.length > 0 || now < START + 3_000) return [];
      return [...greenUp(market, position), ...greenUp(place.market, place.position)];
    });
    const orders = [...collector.orderRows()].map(({ marketId, side, status }) => `${marketId} ${side} ${status}`);
    expect(orders.map((order) => order.split(' ').slice(0, 2).join(' '))).toEqual([
      ...['1.1 For', '1.2 Against', '1.1 Against', '1.2 For'],
    ]);
    expect(collector.refusals.size).toBe(0);
    expect(collector.tally).toMatchObject({ sent: 4, matchedFully: 4 });
  });

  it('sees its orders in the other market at once, and cancels them from here', async () => {
    const seen: string[] = [];
    const { collector } = await decided(({ market, linked: [other], now }) => {
      if (market.id !== '1.1' || other === undefined) return [];
      const [outcome] = other.market.outcomes;
      if (now === START + 2_000 && outcome !== undefined) return [back(outcome, { stake: 5, price: 3 })];
      seen.push(other.orders.map(({ inFlight, status }) => inFlight ?? status).join());
      return now === START + 3_000 ? other.orders.map(cancel) : [];
    });
    expect(seen).toEqual(expect.arrayContaining(['Unmatched', '']));
    expect(collector.tally).toMatchObject({ sent: 1, cancelled: 1 });
  });

  it('counts both markets in the exposure of their event', async () => {
    const limited = await runScript(
      meeting(),
      [
        {
          name: 'limited',
          decide: ({ market, linked: [place], now }) =>
            market.id === '1.1' && now === START + 2_000
              ? [market.outcomes[0], place?.market.outcomes[0]].flatMap((outcome) =>
                  outcome === undefined ? [] : [back(outcome, { stake: 8 })],
                )
              : [],
        },
      ],
      { limits: { event: units(10) } },
    );
    expect([...limited.collector.refusals]).toEqual([['LIMIT_EVENT', 1]]);
  });

  it("tells where another market's position is when it is asked for it here", async () => {
    const { collector } = await decided(({ position }) => {
      position.profitIfWins('nobody');
      return [];
    });
    expect(String(collector.halts[0]?.error)).toMatch(/market 1\.1, which has no outcome 'nobody'.*`linked`/);
    expect(collector.halts[0]?.code).toBe('STRATEGY_THROW');
  });
});

describe('decideOnce', () => {
  const win = testMarket({
    id: 'w',
    marketTypeId: 'WIN',
    outcomes: [{ id: 'a', against: [[4, 100]], for: [[4.1, 100]] }],
  });
  const place = testMarket({
    id: 'p',
    marketTypeId: 'PLACE',
    outcomes: [{ id: 'b', against: [[2, 9]], for: [[2.02, 9]] }],
  });

  it('gives the linked markets with orders, position and state, and judges intents for them', () => {
    const strategy = defineStrategy({
      name: 'both',
      state: () => 'new',
      decide: ({ linked, markets }) => {
        const [other] = linked;
        expect(other?.position.profitIfWins('b')).toBe(5);
        expect(other?.orders.map(({ id, marketId }) => [id, marketId])).toEqual([[2, 'p']]);
        expect([other?.state, markets.all().length, markets.get('p')?.id]).toEqual(['old', 2, 'p']);
        return [
          ...(other?.orders ?? []).map(cancel),
          ...(other?.market.outcomes ?? []).map((o) => back(o, { stake: -1 })),
        ];
      },
    });
    const { intents, refusals } = decideOnce(strategy, {
      market: win,
      orders: [{ outcome: 'a', side: 'For', price: 5, stake: 2 }],
      linked: [
        {
          market: place,
          orders: [{ outcome: 'b', side: 'For', price: 3, stake: 2 }],
          position: [{ outcome: 'b', side: 'For', price: 2, stake: 5 }],
          state: 'old',
        },
      ],
    });
    expect(intents[0]).toEqual({ kind: 'cancel', order: 2 });
    expect(refusals.map(({ code }) => code)).toEqual(['STAKE_INVALID']);
  });
});
