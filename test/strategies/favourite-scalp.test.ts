import { decideOnce, testMarket } from 'oddsmith/testing';
import { describe, expect, it } from 'vitest';
import strategy from '../../strategies/favourite-scalp.ts';

/** The favourite offered at `price`, with `backing` of stake waiting to back it a tick higher. */
function race(price: number, backing: number) {
  return testMarket({
    outcomes: [
      { id: 'second', against: [[3.15, 50]], for: [[3.5, 50]] },
      { id: 'third', against: [[3.15, 50]], for: [[3.5, 50]] },
      { id: 'favourite', against: [[price, 100]], for: [[price + 0.02, backing]] },
    ],
  });
}

describe('favourite-scalp', () => {
  it('takes the price of the favourite when money leans on it', () => {
    const decided = decideOnce(strategy, { market: race(2.5, 300), params: { stake: 7 } });
    expect(decided.intents).toEqual([
      {
        kind: 'place',
        market: 'market',
        outcome: 'favourite',
        side: 'For',
        price: 2.5,
        stake: 7,
        matchBehavior: 'CancelUnmatched',
      },
    ]);
    expect(decided.refusals).toEqual([]);
    expect(decided.state).toEqual({ held: 'favourite', entry: 2.5 });
  });

  it('stays out when the money leans the other way, the spread is wide or the market is suspended', () => {
    expect(decideOnce(strategy, { market: race(2.5, 100) }).intents).toEqual([]);
    expect(decideOnce(strategy, { market: race(2.5, 300), params: { spread: 1, lean: 0.9 } }).intents).toEqual([]);
    const wide = testMarket({ outcomes: [{ id: 'a', against: [[2, 1]], for: [[2.5, 99]] }] });
    expect(decideOnce(strategy, { market: wide }).intents).toEqual([]);
    const suspended = testMarket({ outcomes: [{ id: 'a', against: [[2, 1]], for: [[2.02, 99]] }], suspended: true });
    expect(decideOnce(strategy, { market: suspended }).intents).toEqual([]);
  });

  const held = {
    state: { held: 'favourite', entry: 2.5 },
    position: [{ outcome: 'favourite', side: 'For', price: 2.5, stake: 10 }],
  } as const;

  it('takes its profit, level over all outcomes, once the price has come in', () => {
    const [exit] = decideOnce(strategy, { market: race(2.44, 300), ...held }).intents;
    expect(exit).toMatchObject({ outcome: 'favourite', side: 'Against', price: 2.46, stake: 10.162 });
  });

  it('cuts the loss once the price has gone out', () => {
    const [exit] = decideOnce(strategy, { market: race(2.56, 300), ...held }).intents;
    expect(exit).toMatchObject({ outcome: 'favourite', side: 'Against', price: 2.58 });
  });

  it('waits in between, and while an order is on its way', () => {
    expect(decideOnce(strategy, { market: race(2.5, 300), ...held }).intents).toEqual([]);
    const orders = [{ outcome: 'favourite', side: 'For', price: 2.5, stake: 10, inFlight: 'place' }] as const;
    expect(decideOnce(strategy, { market: race(2.5, 300), orders }).intents).toEqual([]);
  });
});
