import { describe, expect, it } from 'vitest';
import type { MarketState } from '../../src/core/market-state.ts';
import { createFixedMarket } from '../../src/strategy/testing/fixed-market.ts';
import { createMarketView } from '../../src/strategy/views/market-view.ts';
import { ViewClosed, ViewGate } from '../../src/strategy/views/view-gate.ts';
import type { MarketView } from '../../src/strategy/views/views.ts';
import { gatedView } from '../support/strategy-view.ts';

const first = createFixedMarket({
  id: 'm',
  name: 'Winner',
  eventName: 'Final',
  venue: 'Ascot',
  expectedStartTime: 1_000,
  updatedAt: 500,
  inPlayDelay: 5,
  outcomes: [
    {
      id: 'a',
      title: 'Alpha',
      against: [
        [1.98, 3],
        [2, 1],
        [1.99, 2],
      ],
      for: [
        [2.06, 5],
        [2.02, 4],
      ],
      lastPrice: 2.5,
      traded: 12.5,
    },
    { id: 'b', title: 'Beta', status: 'Removed' },
  ],
});
const later = createFixedMarket({
  inPlay: true,
  suspended: true,
  outcomes: [{ id: 'a', against: [[3, 7]] }, { id: 'b' }, { id: 'c' }],
});

/** One object whose content changes, as the gateway's market states do. */
function changing(): { readonly state: MarketState; become(other: MarketState): void } {
  let now = first;
  const state = new Proxy(first, { get: (_, key) => Reflect.get(now, key) });
  return {
    state,
    become: (other) => {
      now = other;
    },
  };
}

/** Every value that a view has, by name. */
function readers(view: MarketView): Readonly<Record<string, () => unknown>> {
  const names = Object.entries(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(view)))
    .filter(([, descriptor]) => descriptor.get !== undefined)
    .map(([name]) => [name, () => Reflect.get(view, name)] as const);
  return Object.fromEntries(names);
}

describe('a market view', () => {
  it('shows the market in decimals, best prices first', () => {
    const live = gatedView(first);
    live.open();
    const { view } = live;
    expect(view).toMatchObject({
      id: 'm',
      name: 'Winner',
      eventId: 'event',
      eventName: 'Final',
      marketTypeId: 'WIN',
      venue: 'Ascot',
      countryCode: undefined,
      status: 'Open',
      inPlayStatus: 'PrePlay',
      inPlay: false,
      tradable: true,
      suspended: false,
      inPlayDelay: 5,
      expectedStartTime: 1_000,
      winnersMin: 1,
      winnersMax: 1,
      updatedAt: 500,
    });
    const alpha = view.outcome('a');
    expect(alpha).toMatchObject({
      id: 'a',
      marketId: 'm',
      title: 'Alpha',
      ordering: 0,
      status: 'Active',
      bestAgainst: { price: 2, stake: 1 },
      bestFor: { price: 2.02, stake: 4 },
      lastPrice: 2.5,
      traded: 12.5,
    });
    expect(alpha?.bestPrice('Against')).toBe(2);
    expect(alpha?.bestPrice('For')).toBe(2.02);
    expect(view.outcomes[1]?.bestPrice('Against')).toBeUndefined();
    expect(alpha?.levels('Against').map(({ price }) => price)).toEqual([2, 1.99, 1.98]);
    expect(alpha?.levels('Against', 2)).toHaveLength(2);
    expect(alpha?.levels('For', 10)).toEqual([
      { price: 2.02, stake: 4 },
      { price: 2.06, stake: 5 },
    ]);
    expect(view.outcomes[1]).toMatchObject({
      status: 'Removed',
      bestFor: undefined,
      bestAgainst: undefined,
      lastPrice: undefined,
    });
    expect(view.outcome('nobody')).toBeUndefined();
  });

  it('is one object that always shows the present, also when outcomes are added', () => {
    const market = changing();
    const live = gatedView(market.state);
    live.open();
    const alpha = live.view.outcome('a');
    expect(alpha?.bestAgainst?.price).toBe(2);
    market.become(later);
    live.open();
    expect(alpha?.bestAgainst).toEqual({ price: 3, stake: 7 });
    expect(live.view.outcome('a')).toBe(alpha);
    expect(live.view.outcomes.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(live.view.outcome('c')?.title).toBe('c');
    expect(live.view).toMatchObject({ inPlay: true, suspended: true, tradable: false });
  });

  it('walks once for all who ask in one moment, and gives them a level that nobody can change', () => {
    const walks: number[] = [];
    const state = new Proxy(first, {
      get: (target, key) => {
        if (key === 'bestTick') walks.push(1);
        const value: unknown = Reflect.get(target, key);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const gate = new ViewGate();
    const view = createMarketView(state, gate);
    gate.open();
    const outcome = view.outcome('a');
    const best = outcome?.bestAgainst;
    gate.close();
    gate.openAgain(1);
    const again = outcome?.bestAgainst;
    expect(again).toBe(best);
    expect(() => Object.assign(best ?? {}, { price: 1.01 })).toThrow('read only');
    expect(best).toEqual({ price: 2, stake: 1 });
    expect(walks).toHaveLength(1);
    gate.close();
    gate.open();
    expect(outcome?.bestAgainst).toEqual(best);
    expect(walks).toHaveLength(2);
  });

  it('builds nothing that is not asked for', () => {
    const asked: string[] = [];
    const spied = new Proxy(first, {
      get: (target, key) => {
        asked.push(String(key));
        return Reflect.get(target, key);
      },
    });
    const live = gatedView(spied);
    live.open();
    expect(live.view.inPlay).toBe(false);
    expect(asked).toEqual(['inPlayStatus']);
  });

  it('cannot be read before it is opened nor after it is closed, in any of its parts', () => {
    const live = gatedView(first);
    expect(() => live.view.id).toThrow(ViewClosed);
    live.open();
    const [alpha] = live.view.outcomes;
    live.close();
    for (const [name, read] of Object.entries(readers(live.view))) expect(read, name).toThrow(/snapshot\(\)/);
    expect(() => live.view.outcome('a')).toThrow(ViewClosed);
    expect(() => live.view.snapshot()).toThrow(ViewClosed);
    expect(() => alpha?.bestFor).toThrow(ViewClosed);
    expect(() => alpha?.levels('For')).toThrow(ViewClosed);
    expect(() => alpha?.bestPrice('For')).toThrow(ViewClosed);
    live.open();
    expect(alpha?.id).toBe('a');
  });

  it('opens and closes with others through one gate', () => {
    const gate = new ViewGate();
    const views = [createMarketView(first, gate), createMarketView(later, gate)];
    gate.open();
    expect(views.map(({ inPlay }) => inPlay)).toEqual([false, true]);
    gate.close();
    for (const view of views) expect(() => view.inPlay).toThrow(ViewClosed);
  });
});

describe('a snapshot', () => {
  it('keeps what the view showed, frozen, after the call and after the market has changed', () => {
    const market = changing();
    const live = gatedView(market.state);
    live.open();
    const kept = live.view.snapshot(2);
    const same = JSON.stringify(kept);
    market.become(later);
    live.close();
    expect(JSON.stringify(kept)).toBe(same);
    expect(kept.outcome('a')).toMatchObject({ bestAgainst: { price: 2, stake: 1 }, lastPrice: 2.5 });
    expect(
      kept
        .outcome('a')
        ?.levels('Against', 9)
        .map(({ price }) => price),
    ).toEqual([2, 1.99]);
    expect(kept.outcome('a')?.bestPrice('Against')).toBe(2);
    expect(kept.outcome('a')?.bestPrice('For')).toBe(2.02);
    expect(kept.snapshot()).toBe(kept);
    for (const part of [kept, kept.outcomes, kept.outcomes[0], kept.outcome('a')?.bestFor]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });

  it('has every value that the view has', () => {
    const live = gatedView(first);
    live.open();
    const kept = live.view.snapshot();
    for (const [name, read] of Object.entries(readers(live.view))) {
      if (name !== 'outcomes') expect(Reflect.get(kept, name), name).toEqual(read());
    }
  });
});
