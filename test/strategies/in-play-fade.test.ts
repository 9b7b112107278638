import { simpleAverage } from 'oddsmith';
import { decideOnce, testMarket } from 'oddsmith/testing';
import { describe, expect, it } from 'vitest';
import strategy from '../../strategies/in-play-fade.ts';

const NOW = 10_000_000;

/** In play, with the leader laid at `toLay`. */
const market = (toLay: number, change: object = {}) =>
  testMarket({
    inPlay: true,
    inPlayDelay: 5,
    ...change,
    outcomes: [
      { id: 'a', against: [[1.5, 100]], for: [[toLay, 80]] },
      { id: 'b', against: [[4, 100]], for: [[4.1, 80]] },
    ],
  });

function usually(price: number) {
  const usual = simpleAverage('3m');
  usual.add(NOW - 600_000, price);
  return { usual, leader: 'a', since: 0, trades: 0 };
}

describe('in-play-fade', () => {
  it('lays a leader that fell far below its average', () => {
    const decided = decideOnce(strategy, { market: market(1.6), now: NOW, state: usually(1.9) });
    expect(decided.intents).toMatchObject([{ outcome: 'a', side: 'Against', price: 1.6, stake: 10, note: 'fallen' }]);
    expect(decided.state).toMatchObject({ since: NOW, trades: 1 });
  });

  it('does not where it fell little, has traded enough, is new, or the market is not open in play', () => {
    const of = (toLay: number, state: ReturnType<typeof usually>, change = {}) =>
      decideOnce(strategy, { market: market(toLay, change), now: NOW, state }).intents;
    expect(of(1.8, usually(1.9))).toEqual([]);
    expect(of(1.6, { ...usually(1.9), trades: 5 })).toEqual([]);
    expect(of(1.6, { ...usually(1.9), leader: 'b' })).toEqual([]);
    expect(of(1.6, usually(1.9), { suspended: true })).toEqual([]);
    expect(of(1.6, usually(1.9), { inPlay: false })).toEqual([]);
  });

  it('levels the bet ninety seconds later, and asks to be called then', () => {
    const held = {
      market: market(1.6),
      state: { ...usually(1.6), since: NOW, trades: 1 },
      position: [{ outcome: 'a', side: 'Against', price: 1.6, stake: 10 }] as const,
    };
    const early = decideOnce(strategy, { ...held, now: NOW + 1_000 });
    expect([early.intents, early.wakeAt]).toEqual([[], NOW + 90_000]);
    const [exit] = decideOnce(strategy, { ...held, now: NOW + 90_000 }).intents;
    expect(exit).toMatchObject({ outcome: 'a', side: 'For', price: 1.5, note: 'level' });
  });

  it('waits while an order waits out its delay', () => {
    const orders = [{ outcome: 'a', side: 'Against', price: 1.6, stake: 10, inFlight: 'place' }] as const;
    expect(decideOnce(strategy, { market: market(1.6), now: NOW, state: usually(1.9), orders }).intents).toEqual([]);
  });
});
