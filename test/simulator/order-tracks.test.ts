import { describe, expect, test } from 'vitest';
import type { Tick } from '../../src/core/ladder.ts';
import { Random } from '../../src/core/random.ts';
import type { Instant, Money } from '../../src/core/units.ts';
import type { OrderRequest } from '../../src/exchange/gateway.ts';
import { OrderTrack } from '../../src/simulator/order-track.ts';
import { OrderTracks } from '../../src/simulator/order-tracks.ts';

const REQUEST: OrderRequest = {
  client: 1,
  strategy: 0,
  wallet: 0,
  market: 0,
  outcome: 0,
  side: 'For',
  tick: 10 as Tick,
  stake: 1_000_000 as Money,
  keepWhenInPlay: false,
  matchBehavior: 'RetainUnmatched',
};

describe('orders by id', () => {
  test('are what a map holds, however far apart those that stay are, over 40 seeds', () => {
    for (let seed = 0; seed < 40; seed += 1) {
      const random = Random.fromSeed(seed);
      const tracks = new OrderTracks();
      const model = new Map<number, OrderTrack>();
      const first = random.below(1_000);
      const stays = 1 + random.below(2_000);
      for (let order = first; order < first + 6_000; order += 1) {
        const track = new OrderTrack(REQUEST, 0, order, 'Unmatched', 0 as Instant);
        tracks.add(track);
        model.set(order, track);
        const ended = order - random.below(stays);
        tracks.delete(ended);
        model.delete(ended);
        const asked = first - 10 + random.below(6_020);
        expect(tracks.get(asked), `seed ${seed}, order ${asked}`).toBe(model.get(asked));
      }
      for (let order = first - 5; order < first + 6_005; order += 1) expect(tracks.get(order)).toBe(model.get(order));
    }
  });

  test('are numbered one by one', () => {
    const tracks = new OrderTracks();
    tracks.add(new OrderTrack(REQUEST, 0, 7, 'Unmatched', 0 as Instant));
    expect(() => tracks.add(new OrderTrack(REQUEST, 0, 9, 'Unmatched', 0 as Instant))).toThrow('numbered one by one');
  });
});
