/** The book of the others in a backtest: own orders never move it, however old the book is that a strategy is shown. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BacktestOptions } from '../../src/backtest/options/backtest-options.ts';
import type { Intent } from '../../src/core/intent.ts';
import type { StrategyPlugin } from '../../src/strategy/contract.ts';
import { ticksAway } from '../../src/strategy/helpers/ladder-steps.ts';
import { back, lay } from '../../src/strategy/helpers/place.ts';
import { requote } from '../../src/strategy/helpers/requote.ts';
import type { BookView, OutcomeView } from '../../src/strategy/views/views.ts';
import { budget } from '../support/budget.ts';
import { runScript, Script, START } from '../support/scripted-run.ts';

const PRICES = [3, 3.05, 3.1];
const STEPS = 30;
const STEP_MS = 700;

/** What others rest at each price after so many steps: another stake each time, and now and then none. */
function recordedAt(step: number): readonly (readonly [price: number, stake: number])[] {
  return PRICES.map((price, at) => [price, step === 0 ? 0 : ((step * 7 + at * 5) % 4) * 10]);
}

/** Some trades reach own orders and fill them, in part or whole; recorded stake says what is left of the others. */
function script(): Script {
  const made = new Script();
  const market = made.market();
  market.at(1, { level: [0, 'Against', 2.9, 100] }, { level: [0, 'For', 4, 100] });
  for (let step = 1; step <= STEPS; step += 1) {
    const levels = recordedAt(step).map(([price, stake]) => ({ level: [0, 'For', price, stake] }) as const);
    const trades = step % 3 === 0 ? [{ trade: [0, 3.05, 22] } as const] : [];
    market.at(step * STEP_MS, ...trades, ...levels);
  }
  return made;
}

function othersAt(updatedAt: number): string {
  const step = Math.floor((updatedAt - START) / STEP_MS);
  const levels = [...recordedAt(step), [4, 100] as const].filter(([, stake]) => stake > 0);
  return levels.map(([price, stake]) => `${stake} at ${price}`).join(', ');
}

function textOf(book: BookView): string {
  const levels = book.levels('For', 9).map(({ price, stake }) => `${stake} at ${price}`);
  return levels.join(', ');
}

interface Look {
  readonly expected: string;
  readonly others: string;
  readonly all: string;
}

/** Places and cancels at each of its calls, as a row of numbers says, and tells what it sees. */
function restless(name: string, choices: readonly number[], looks: Look[]): StrategyPlugin {
  let calls = 0;
  return {
    name,
    decide({ market, orders, now }) {
      const [first] = market.outcomes;
      if (first === undefined || !market.tradable || market.updatedAt === START) return [];
      looks.push({ expected: othersAt(market.updatedAt), others: textOf(first.others), all: textOf(first) });
      calls += 1;
      const choice = choices[calls % choices.length] ?? 0;
      const price = PRICES[choice % 3] ?? 3;
      const order = { side: 'For', price, stake: 2 + (choice % 5) } as const;
      const place: Intent = { kind: 'place', market: market.id, outcome: first.id, ...order };
      const [own] = orders;
      const cancel: readonly Intent[] =
        own === undefined || choice % 2 === 1 ? [] : [{ kind: 'cancel', order: own.id }];
      const intents: readonly Intent[] =
        orders.length < 4 ? [place, ...cancel] : [{ kind: 'cancelAll', market: market.id }];
      return { intents, wakeAt: now + 90 };
    },
  };
}

const MODES: readonly (readonly [string, BacktestOptions['feed']])[] = [
  ['each update', { mode: 'stream' }],
  ['what seldom polls return', { mode: 'poll', everyMs: 1_000 }],
  ['what frequent polls return', { mode: 'poll', everyMs: 60 }],
];

const CHOICES = fc.array(fc.nat(1_000), { minLength: 5, maxLength: 40 });
const DELAYS = fc.record({ requestMs: fc.constantFrom(1, 80, 900), responseMs: fc.constantFrom(20, 40, 500) });

describe.each(MODES)('a strategy that is shown %s', (_, feed) => {
  it('sees what the others had then, whatever became of its own orders since', async () => {
    await fc.assert(
      fc.asyncProperty(CHOICES, DELAYS, async (choices, { requestMs, responseMs }) => {
        const looks: Look[] = [];
        const request = { kind: 'fixed', ms: requestMs } as const;
        const latency = { request, response: { kind: 'fixed', ms: responseMs } } as const;
        await runScript(script(), [restless('restless', choices, looks)], { feed, latency });
        expect(looks.filter(({ expected, others }) => expected !== others)).toEqual([]);
        expect(looks.some(({ all, others }) => all !== others)).toBe(true);
      }),
      { numRuns: budget({ each: 10, deep: 300 }) },
    );
  });
});

describe('a maker that quotes a tick before the best prices', () => {
  /** Two hundred updates in which nobody quotes but at 2 and 2.2, and all that changes is how much. */
  const calm = () => {
    const made = new Script();
    const market = made.market({ outcomes: 2 });
    for (let step = 1; step <= 200; step += 1) {
      market.at(step * 1_000, { level: [0, 'Against', 2, 100 + step] }, { level: [0, 'For', 2.2, 100 + step] });
    }
    return made;
  };
  const maker = (bookOf: (outcome: OutcomeView) => BookView): StrategyPlugin => ({
    name: 'maker',
    decide({ market, orders }) {
      const [first] = market.outcomes;
      if (first === undefined || !market.tradable) return [];
      const { bestFor, bestAgainst } = bookOf(first);
      if (bestFor === undefined || bestAgainst === undefined || bestFor.price - bestAgainst.price < 0.05) {
        return [{ kind: 'cancelAll', market: market.id }];
      }
      const bid = back(first, { stake: 4, price: ticksAway(bestFor.price, -1) });
      return requote(orders, [bid, lay(first, { stake: 4, price: ticksAway(bestAgainst.price, 1) })]);
    },
  });
  const sent = async (bookOf: (outcome: OutcomeView) => BookView, feed: BacktestOptions['feed']) =>
    (await runScript(calm(), [maker(bookOf)], { feed })).collector.tally.sent;

  it.each(MODES)(
    'follows itself where it asks the whole book, and stays where it asks that of the others: %s',
    async (_, feed) => {
      expect(await sent((outcome) => outcome, feed)).toBeGreaterThan(100);
      expect(await sent(({ others }) => others, feed)).toBe(2);
    },
  );
});

describe('two strategies in one level', () => {
  it('see each other, and not themselves', async () => {
    const [ones, others]: [Look[], Look[]] = [[], []];
    const feed = { mode: 'poll', everyMs: 1_000 } as const;
    const quoter = (name: string, looks: Look[], stake: number): StrategyPlugin => ({
      name,
      decide({ market, orders }) {
        const [first] = market.outcomes;
        if (first === undefined || !market.tradable) return [];
        looks.push({ expected: '', others: textOf(first.others), all: textOf(first) });
        if (orders.length > 0) return [];
        return [{ kind: 'place', market: market.id, outcome: first.id, side: 'For', price: 3.5, stake }];
      },
    });
    await runScript(script(), [quoter('one', ones, 2), quoter('other', others, 3)], { feed });
    expect(ones.at(-1)?.all).toContain('5 at 3.5');
    expect(ones.at(-1)?.others).toContain('3 at 3.5');
    expect(others.at(-1)?.others).toContain('2 at 3.5');
  });
});
