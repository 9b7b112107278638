/** Strategies given as objects that do what leaks do and know nothing too early: none of them is accused. */

import { back, type DecideInput, defineStrategy, favourites, lay, param, type StrategyPlugin } from 'oddsmith';
import { map } from 'rxjs';
import dutchBook from '../../../strategies/dutch-book.ts';
import favouriteScalp from '../../../strategies/favourite-scalp.ts';
import passiveQuoter from '../../../strategies/passive-quoter.ts';

interface GivenStrategy {
  readonly plugin: StrategyPlugin;
  readonly params?: Readonly<Record<string, unknown>>;
}

export interface CleanObject {
  readonly name: string;
  readonly make: () => GivenStrategy;
}

function clean(name: string, make: () => StrategyPlugin, params: Readonly<Record<string, unknown>> = {}): CleanObject {
  return { name, make: () => ({ plugin: make(), params }) };
}

function backer(name: string, likes: (input: DecideInput) => boolean): StrategyPlugin {
  return defineStrategy({
    name,
    decide: (input) => {
      const [outcome] = input.market.outcomes;
      const isFree = outcome !== undefined && input.market.tradable && input.orders.length === 0;
      return isFree && likes(input) ? [back(outcome, { stake: 2, price: 1.5 })] : [];
    },
  });
}

export const CLEAN_OBJECTS: readonly CleanObject[] = [
  clean('dutch-book', () => dutchBook),
  clean('favourite-scalp', () => favouriteScalp),
  clean('passive-quoter', () => passiveQuoter),
  clean('constants-in-a-closure', () => {
    const limits = [1.2, 3];
    return backer('constants-in-a-closure', ({ market }) => {
      const price = market.outcomes[0]?.bestPrice('Against') ?? 0;
      return price > (limits[0] ?? 0) && price < (limits[1] ?? 0);
    });
  }),
  clean('names', () => backer('names', ({ market }) => market.outcomes.some(({ title }) => title > 'A'))),
  clean('time-of-day', () => backer('time-of-day', ({ now }) => new Date(now).getUTCSeconds() < 20)),
  clean('weekday', () => backer('weekday', ({ now }) => new Date(now).getUTCDay() === 6)),
  clean('time-to-the-off', () =>
    backer('time-to-the-off', ({ now, market }) => (market.expectedStartTime ?? now) - now < 600_000),
  ),
  clean('in-play', () => backer('in-play', ({ market }) => market.inPlayStatus === 'InPlay')),
  clean('order-of-ids', () =>
    backer('order-of-ids', ({ market: { outcomes } }) => (outcomes[0]?.id ?? '') < (outcomes[1]?.id ?? '')),
  ),
  clean('map-in-its-state', () =>
    defineStrategy({
      name: 'map-in-its-state',
      state: () => ({ seen: new Map<string, number>() }),
      decide: ({ market, state, orders }) => {
        const calls = (state.seen.get(market.id) ?? 0) + 1;
        state.seen.set(market.id, calls);
        const [favourite] = favourites(market);
        if (favourite === undefined || !market.tradable || orders.length > 2 || calls % 9 !== 0) return [];
        return [lay(favourite, { stake: 2, price: 1.1 })];
      },
    }),
  ),
  clean('generator-in-its-state', () =>
    defineStrategy({
      name: 'generator-in-its-state',
      state: () => ({ seed: 42 }),
      decide: ({ market, state, orders }) => {
        const seed = (state.seed * 1_103_515_245 + 12_345) % 2_147_483_648;
        const [favourite] = favourites(market);
        const isWanted = favourite !== undefined && market.tradable && orders.length === 0 && seed % 20 === 0;
        return { state: { seed }, intents: isWanted ? [back(favourite, { stake: 2 })] : [] };
      },
    }),
  ),
  clean('wakes-itself', () =>
    defineStrategy({
      name: 'wakes-itself',
      decide: ({ market, now, orders, why }) => {
        const [favourite] = favourites(market);
        const isWanted = why === 'timer' && favourite !== undefined && market.tradable && orders.length === 0;
        return { wakeAt: now + 5_000, intents: isWanted ? [back(favourite, { stake: 2 })] : [] };
      },
    }),
  ),
  clean('stream', () => ({
    name: 'stream',
    run: (inputs$) =>
      inputs$.pipe(
        map(({ market, orders }) => {
          const [favourite] = favourites(market);
          const isWanted = favourite !== undefined && market.tradable && orders.length === 0;
          return isWanted ? [back(favourite, { stake: 2 })] : [];
        }),
      ),
  })),
  clean(
    'market-by-its-params',
    () =>
      defineStrategy({
        name: 'market-by-its-params',
        params: { ids: param.text() },
        decide: ({ market, orders, params }) => {
          const [favourite] = favourites(market);
          const isWanted = favourite !== undefined && market.tradable && orders.length === 0;
          return isWanted && params.ids.includes(market.id) ? [back(favourite, { stake: 2 })] : [];
        },
      }),
    { ids: '99000502, 99000101' },
  ),
];
