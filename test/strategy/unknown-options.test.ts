/** A helper given an unknown option throws, and never does something else instead. */

import { describe, expect, it } from 'vitest';
import {
  back,
  closeTrade,
  defineStrategy,
  dutch,
  greenUp,
  kelly,
  lay,
  type MarketView,
  type OutcomeView,
  type PositionView,
  replace,
} from '../../src/index.ts';
import { decideOnce, testMarket } from '../../src/testing.ts';

interface Given {
  readonly market: MarketView;
  readonly outcome: OutcomeView;
  readonly position: PositionView;
  /** Typed so that it accepts whatever plain JavaScript may pass. */
  readonly odd: object;
}

const prices = { against: [[2, 100]], for: [[2.02, 50]] } as const;

/** Calls a helper with options that contain `odd` in addition to what it needs. */
function ask(odd: object, helper: (given: Given) => unknown): unknown {
  let given: unknown;
  const strategy = defineStrategy({
    name: 'asker',
    decide({ market, position }) {
      const [outcome] = market.outcomes;
      if (outcome !== undefined) given = helper({ market, outcome, position, odd });
      return [];
    },
  });
  decideOnce(strategy, {
    market: testMarket({
      outcomes: [
        { id: 'a', ...prices },
        { id: 'b', ...prices },
      ],
    }),
  });
  return given;
}

const price = 2;
const stake = 5;
const helpers: readonly (readonly [name: string, helper: (given: Given) => unknown])[] = [
  ['back', ({ outcome, odd }) => back(outcome, { stake, price, ...odd })],
  ['lay', ({ outcome, odd }) => lay(outcome, { stake, price, ...odd })],
  ['replace', ({ odd }) => replace(1, { price, ...odd })],
  ['dutch', ({ market, odd }) => dutch(market.outcomes, { stake, ...odd })],
  ['greenUp', ({ market, position, odd }) => greenUp(market, position, odd)],
  ['closeTrade', ({ outcome, position, odd }) => closeTrade(outcome, position, odd)],
  ['kelly', ({ odd }) => kelly({ probability: 0.6, price, bankroll: 100, ...odd })],
];

describe.each(helpers)('%s', (name, helper) => {
  it('does what it is asked where each option is one of its own', () => {
    expect(ask({}, helper)).toBeDefined();
  });

  it('throws where there is no such option, and says which there are', () => {
    expect(() => ask({ orderType: 'MARKET_ON_CLOSE' }, helper)).toThrow(
      new RegExp(`^${name}: its last argument has no 'orderType': it has [\\w, ]+\\.$`),
    );
  });
});

it('a mistyped price is no wish to take the best one', () => {
  expect(() => ask({ prise: 3 }, ({ outcome, odd }) => back(outcome, { stake, ...odd }))).toThrow(
    "back: its last argument has no 'prise': it has stake, price, keepWhenInPlay, matchBehavior, note. Did you mean 'price'?",
  );
});
