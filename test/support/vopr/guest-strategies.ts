/** Strategies that misbehave in every way: each is halted alone, and its orders end. */

import type { Intent } from '../../../src/core/intent.ts';
import type { Random } from '../../../src/core/number/random.ts';
import type { DecideInput, Decision, StrategyPlugin } from '../../../src/strategy/contract.ts';

type Decide = (input: DecideInput) => Decision | readonly Intent[];

/** More than any strategy means to ask for at once. */
const THOUSANDS = 3_000;

/** What each does instead of deciding, now and then. By names that say so. */
const MISDEEDS: Readonly<Record<string, (input: DecideInput, random: Random) => unknown>> = {
  'guest-throws': (_, random) => {
    if (random.chance(0.5)) throw new Error('no reason');
    throw random.chance(0.5) ? null : { toString: () => neverSaid() };
  },
  'guest-talks-nonsense': (_, random) =>
    [42, 'buy', Symbol('back'), { intents: 7 }, { propose: [] }, Promise.resolve([]), [null], [{ kind: 'fly' }]][
      random.below(8)
    ],
  'guest-takes-orders': ({ orders }) => {
    const list = orders as unknown[];
    list.shift();
    list.length = 0;
    return [];
  },
  'guest-writes': (input, random) => {
    const { market, wallet } = input as unknown as Record<'market' | 'wallet', Record<string, unknown>>;
    const written = random.chance(0.5) ? market : wallet;
    for (const key of ['id', 'status', 'tradable', 'balance', 'outcomes']) written[key] = 'mine';
    return [];
  },
  'guest-floods': ({ market }) => {
    const [outcome] = market.outcomes;
    const intent = { kind: 'place', market: market.id, outcome: outcome?.id, side: 'For', price: 1.01, stake: 1 };
    return Array.from({ length: THOUSANDS }, () => intent);
  },
  'guest-wakes-oddly': ({ now }, random) => ({
    wakeAt: [
      now - 1e9,
      -1,
      0,
      1e300,
      2 ** 31 + now,
      Number.MAX_SAFE_INTEGER,
      now,
      Number.NaN,
      Number.POSITIVE_INFINITY,
    ][random.below(9)],
  }),
};

export const GUESTS = Object.keys(MISDEEDS);

export function isGuest(name: string): boolean {
  return Object.hasOwn(MISDEEDS, name);
}

/** Trades like the one it is laid over, until it has orders and its time has come. */
export function guest(name: string, random: Random, trader: StrategyPlugin): StrategyPlugin {
  const misdeed = MISDEEDS[name];
  return {
    ...trader,
    name,
    decide(input: DecideInput) {
      const isDue = misdeed !== undefined && random.chance(input.orders.length > 0 ? 0.1 : 0.01);
      const decide = (isDue ? () => misdeed(input, random) : trader.decide) as Decide | undefined;
      return decide?.(input) ?? [];
    },
  };
}

function neverSaid(): string {
  throw new Error('never said');
}
