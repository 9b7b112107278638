/** What the simulated bot trades with: the sample strategies, and some that no risk officer would let near an exchange. */

import type { Intent } from '../../../src/core/intent.ts';
import { decimalOfTick, TICK_COUNT, type Tick, tickOfDecimal } from '../../../src/core/number/ladder.ts';
import type { Random } from '../../../src/core/number/random.ts';
import type { DecideInput, Decision, StrategyPlugin } from '../../../src/strategy/contract.ts';
import { readParams } from '../../../src/strategy/read-params.ts';
import type { MarketView, OutcomeView } from '../../../src/strategy/views/views.ts';
import dutchBook from '../../../strategies/dutch-book.ts';
import favouriteScalp from '../../../strategies/favourite-scalp.ts';
import passiveQuoter from '../../../strategies/passive-quoter.ts';
import { GUESTS, guest } from './guest-strategies.ts';

/** Turned on when the simulation wants to see everything come to rest. */
export interface Hush {
  isOn: boolean;
  /** All that is live is cancelled, once in each market. */
  isFlattening: boolean;
}

type AnyStrategy = StrategyPlugin;

/** By the names that a scenario draws. */
export const STRATEGY_MAKERS: Readonly<Record<string, (random: Random) => AnyStrategy>> = {
  'dutch-book': () => dutchBook,
  'favourite-scalp': () => favouriteScalp,
  'passive-quoter': () => passiveQuoter,
  placer,
  churner,
  flooder,
  sweeper,
  ...Object.fromEntries(GUESTS.map((name) => [name, (random: Random) => guest(name, random, placer(random.fork()))])),
};

/** The given strategy, which returns nothing while the hush is on. */
export function hushed(plugin: AnyStrategy, hush: Hush): AnyStrategy {
  const flattened = new Set<string>();
  return {
    ...plugin,
    decide(input: DecideInput): Decision | readonly Intent[] {
      const { market } = input;
      if (hush.isOn) return [];
      if (!hush.isFlattening) return plugin.decide?.(input) ?? [];
      if (flattened.has(market.id)) return [];
      flattened.add(market.id);
      return [{ kind: 'cancelAll', market: market.id }];
    },
  };
}

/**
 * Acts when its own time has come, and now and then at once when something happened: a strategy that answers each event with
 * three more would never do anything else.
 */
function paced(random: Random, plugin: AnyStrategy & Pick<Required<AnyStrategy>, 'decide'>): AnyStrategy {
  const nextByMarket = new Map<string, number>();
  return {
    ...plugin,
    decide(input: DecideInput): Decision | readonly Intent[] {
      const { market, now } = input;
      if (now < (nextByMarket.get(market.id) ?? 0) && !random.chance(0.04)) return [];
      const decision = plugin.decide(input);
      if ('wakeAt' in decision) nextByMarket.set(market.id, decision.wakeAt ?? now);
      return decision;
    },
  };
}

export function defaultsOf(plugin: AnyStrategy) {
  const params = readParams(plugin.params);
  if (params.kind === 'problems') throw new Error(`${plugin.name} has parameters without defaults`);
  return params.values;
}

/** Orders of any kind at any time. */
function placer(random: Random): AnyStrategy {
  return paced(random, {
    name: 'placer',
    decide({ market, orders, now }) {
      const wakeAt = now + 700 + random.below(2_500);
      const intents: Intent[] = [];
      if (orders.length < 12 && random.chance(0.6))
        for (let i = random.below(4); i >= 0; i -= 1) intents.push(placed(market, random));
      if (orders.length > 6 || random.chance(0.15)) intents.push(...cancelled(orders, random));
      return { intents, wakeAt };
    },
  });
}

/** Never leaves an order alone. */
function churner(random: Random): AnyStrategy {
  return paced(random, {
    name: 'churner',
    decide({ market, orders, now }) {
      const intents: Intent[] = [];
      for (const order of orders) {
        const luck = random.uniform();
        const price = shifted(order.price, random.below(5) - 2);
        if (luck < 0.3) intents.push({ kind: 'replace', order: order.id, price });
        else if (luck < 0.4) intents.push({ kind: 'cancel', order: order.id });
        else if (luck < 0.45) intents.push({ kind: 'replace', order: order.id, price, stake: 1 });
      }
      if (orders.length < 4) intents.push(placed(market, random));
      return { intents, wakeAt: now + 600 + random.below(2_000) };
    },
  });
}

/** More at once than a batch holds, then away with all of it. */
function flooder(random: Random): AnyStrategy {
  return paced(random, {
    name: 'flooder',
    decide({ market, orders, now }) {
      const wakeAt = now + 2_000 + random.below(4_000);
      if (orders.length > 0) {
        const all: Intent = random.chance(0.5) ? { kind: 'cancelAll' } : { kind: 'cancelAll', market: market.id };
        return random.chance(0.5) ? { intents: [all], wakeAt } : { wakeAt };
      }
      if (random.chance(0.6)) return { wakeAt };
      const intents = Array.from({ length: 3 + random.below(random.chance(0.2) ? 60 : 10) }, () =>
        placed(market, random),
      );
      return { intents, wakeAt };
    },
  });
}

/** Takes prices on both sides, and keeps orders in play. */
function sweeper(random: Random): AnyStrategy {
  return paced(random, {
    name: 'sweeper',
    decide({ market, now }) {
      const wakeAt = now + 800 + random.below(2_500);
      const outcome = market.outcomes[random.below(market.outcomes.length)];
      if (outcome === undefined || random.chance(0.5)) return { wakeAt };
      const side = random.chance(0.5) ? 'For' : 'Against';
      const price = (side === 'For' ? outcome.bestAgainst : outcome.bestFor)?.price;
      if (price === undefined) return { wakeAt };
      const terms = { market: market.id, outcome: outcome.id, side, price, stake: stakeOf(random, 8) } as const;
      const matchBehavior = random.chance(0.7) ? 'CancelUnmatched' : 'RetainUnmatched';
      return { intents: [{ kind: 'place', ...terms, matchBehavior, keepWhenInPlay: true }], wakeAt };
    },
  });
}

function placed(market: MarketView, random: Random): Intent {
  const outcome = market.outcomes[random.below(market.outcomes.length)] as OutcomeView;
  const side = random.chance(0.5) ? 'For' : 'Against';
  const best = (side === 'For' ? outcome.bestAgainst : outcome.bestFor)?.price ?? 3;
  const away = random.below(9) - 3;
  return {
    ...{ kind: 'place', market: market.id, outcome: outcome.id, side, stake: stakeOf(random, 6) },
    price: shifted(best, side === 'For' ? away : -away),
    keepWhenInPlay: random.chance(0.3),
    matchBehavior: random.chance(0.2) ? 'CancelUnmatched' : 'RetainUnmatched',
  };
}

function cancelled(orders: DecideInput['orders'], random: Random): readonly Intent[] {
  if (random.chance(0.2)) return [{ kind: 'cancelAll' }];
  return orders.filter(() => random.chance(0.4)).map(({ id }) => ({ kind: 'cancel', order: id }));
}

function stakeOf(random: Random, most: number): number {
  return (500 + random.below(most * 1_000)) / 1_000;
}

function shifted(price: number, ticks: number): number {
  const tick = (tickOfDecimal(price) ?? 100) + ticks;
  return decimalOfTick(Math.min(TICK_COUNT - 1, Math.max(0, tick)) as Tick);
}
