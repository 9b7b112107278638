/** What a strategy is given cannot be written, what it gives is read once and within bounds, and its failure is its own. */

import { map, Observable, type Subscriber } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { Intent } from '../../src/core/intent.ts';
import { PAST_WAKE_MS } from '../../src/engine/decide.ts';
import { NOBODY } from '../../src/engine/guest/guest.ts';
import { rebuild } from '../../src/journal/history/rebuild.ts';
import type { DecideInput, StrategyPlugin } from '../../src/strategy/contract.ts';
import { stage } from '../support/engine/bot-stage.ts';
import { runScript, Script, START } from '../support/scripted-run.ts';

type Decide = NonNullable<StrategyPlugin['decide']>;

/** A market with another price to take every 100 ms for ten seconds. */
function market(): Script {
  const script = new Script();
  const made = script.market();
  for (let at = 1_000; at <= 11_000; at += 100) made.at(at, { level: [0, 'Against', 2, 50 + (at % 300)] });
  made.settle(12_000, 0);
  return script;
}

function place({ market: { id, outcomes } }: DecideInput, of: Readonly<Record<string, unknown>> = {}): Intent {
  const outcome = outcomes[0]?.id ?? '';
  return { kind: 'place', market: id, outcome, side: 'For', price: 3, stake: 2, ...of };
}

const named = (name: string, decide: Decide): StrategyPlugin => ({ name, decide });

/** Places one order and leaves it. */
const calm = (): StrategyPlugin => named('calm', (input) => (input.orders.length === 0 ? [place(input)] : []));

/** Without the stake ahead of them, since the orders of another strategy may stand there. */
const rowsOf = (end: Awaited<ReturnType<typeof runScript>>, strategy: string) =>
  [...end.collector.orderRows()]
    .filter((row) => row.strategy === strategy)
    .map((row) => ({ ...row, id: 0, queueAhead: 0 }));

/** The guest beside a calm one: how it was halted, with what the calm one has alone. */
async function beside(guest: StrategyPlugin) {
  const both = await runScript(market(), [guest, calm()]);
  const alone = await runScript(market(), [calm()]);
  expect(rowsOf(both, 'calm')).toEqual(rowsOf(alone, 'calm'));
  expect(rowsOf(alone, 'calm')).toHaveLength(1);
  const [halt] = both.collector.halts;
  return { end: both, code: halt?.code, details: halt?.details ?? '' };
}

describe('what a strategy is given', () => {
  it('is not the ledger’s: an order taken out of the list is cancelled all the same when the strategy is halted', async () => {
    let calls = 0;
    const { end, code } = await beside(
      named('thief', (input) => {
        calls += 1;
        if (calls === 5) (input.orders as unknown[]).shift();
        return calls === 1 ? [place(input), place(input)] : [];
      }),
    );
    expect(code).toBe('STRATEGY_THROW');
    expect(rowsOf(end, 'thief').map(({ status }) => status)).toEqual(['Cancelled', 'Cancelled']);
  });

  it('is frozen, all of it, and leads to nothing that is not', async () => {
    const open: string[] = [];
    const look = (name: string, value: unknown): void => {
      if (!Object.isFrozen(value)) open.push(name);
    };
    let orders = 0;
    await runScript(market(), [
      {
        name: 'looker',
        watches: (facts) => {
          look('facts', facts);
          look('facts.outcomes', facts.outcomes);
          look('facts.outcomes[0]', facts.outcomes[0]);
          return true;
        },
        state: (facts) => void look('facts of state', facts),
        decide: (input) => {
          for (const key of ['market', 'markets', 'orders', 'position', 'wallet'] as const) look(key, input[key]);
          look('input', input);
          look('outcomes', input.market.outcomes);
          for (const outcome of input.market.outcomes) look('outcome', outcome);
          for (const order of input.orders) look('order', order);
          orders += input.orders.length;
          look('matched', input.position.matched(input.market.outcomes[0]?.id ?? '', 'For'));
          expect(Object.keys(input)).toEqual([]);
          return input.orders.length === 0 ? [place(input)] : [];
        },
      },
    ]);
    expect(orders).toBeGreaterThan(0);
    expect(open).toEqual([]);
  });

  it('is the same list of orders until one comes or goes', async () => {
    const lists = new Set<unknown>();
    let calls = 0;
    await runScript(market(), [
      named('keeper', (input) => {
        calls += 1;
        lists.add(input.orders);
        return input.orders.length < 2 ? [place(input)] : [];
      }),
    ]);
    expect(calls).toBeGreaterThan(50);
    // None, one, two, and none again when the market ends.
    expect(lists.size).toBeLessThanOrEqual(4);
  });
});

describe('what a strategy gives', () => {
  const lengthOf = (length: unknown) =>
    new Proxy([], { get: (list, key) => (key === 'length' ? length : Reflect.get(list, key)) });

  it.each([
    ['200,000 intents', (input: DecideInput) => new Array(200_000).fill(place(input)), 'a list of 200000 intents'],
    ['a list that is all hole', () => Object.assign([], { length: 2 ** 32 - 1 }), 'a list of 4294967295 intents'],
    ['a list whose length is no number', () => lengthOf('many'), 'a list of many intents'],
    ['a promise', async () => [], 'a promise'],
    [
      'a generator',
      function* () {
        yield [];
      },
      'an iterator',
    ],
    ['a map', () => new Map(), 'an iterator'],
    [
      'an order with a word that nobody knows',
      (input: DecideInput) => [place(input), place(input, { price: 1_000, orderType: 'MARKET_ON_CLOSE' })],
      "An intent of kind 'place' has no 'orderType': it has kind, market, outcome, side, price, stake, keepWhenInPlay, matchBehavior, note.",
    ],
    [
      'an order with a mistyped word',
      (input: DecideInput) => [place(input, { keepWhenInplay: true })],
      "has no 'keepWhenInplay': it has kind, market, outcome, side, price, stake, keepWhenInPlay, matchBehavior, note. Did you mean 'keepWhenInPlay'?",
    ],
    [
      'a cancellation of a part',
      () => [{ kind: 'cancel', order: 1, sizeReduction: 2 }],
      "'cancel' has no 'sizeReduction'",
    ],
    [
      'a cancellation of all of a side',
      ({ market: { id } }: DecideInput) => [{ kind: 'cancelAll', market: id, side: 'For' }],
      "'cancelAll' has no 'side': it has kind, market, outcome.",
    ],
    [
      'a replacement with a new side',
      () => [{ kind: 'replace', order: 1, price: 2, side: 'For' }],
      "'replace' has no 'side': it has kind, order, price, stake, note.",
    ],
    [
      'a decision with a mistyped word',
      () => ({ wakAt: 7 }),
      "A decision has no 'wakAt': it has intents, state, wakeAt. Did you mean 'wakeAt'?",
    ],
    ['a thousand keys', () => Object.fromEntries(new Array(1_000).entries()), '1000 keys'],
    ['a wakeAt that is no time', () => ({ wakeAt: Number.NaN }), "'wakeAt' must be a time"],
    ['a wakeAt without end', () => ({ wakeAt: Number.POSITIVE_INFINITY }), "'wakeAt' must be a time"],
    ['a symbol', () => Symbol('x'), 'Symbol(x)'],
  ])('halts it where that is %s', async (_what, decide, words) => {
    const { code, details } = await beside(named('odd', decide as unknown as Decide));
    expect(code).toBe('STRATEGY_BAD_RESULT');
    expect(details).toContain(words);
  });

  it('is none of its orders where one of them says what nobody knows, in its stream form too', async () => {
    const { end, code, details } = await beside({
      name: 'odd',
      run: (inputs$) => inputs$.pipe(map((input) => [place(input), place(input, { orderType: 'MARKET_ON_CLOSE' })])),
    });
    expect(code).toBe('STRATEGY_BAD_RESULT');
    expect(details).toContain("has no 'orderType'");
    expect(rowsOf(end, 'odd')).toEqual([]);
  });

  it('may hold what its realm added to every object: that is no word of its own', async () => {
    const inherited = (input: DecideInput) => Object.assign(Object.create({ spoilt: true }), place(input));
    const { code } = await beside(named('odd', (input) => (input.orders.length === 0 ? [inherited(input)] : [])));
    expect(code).toBeUndefined();
  });

  it.each([
    ['a proxy that throws', () => new Proxy([1], { get: () => fail() })],
    ['an object whose keys throw', () => new Proxy({}, { ownKeys: () => fail() })],
    [
      'a getter that throws',
      () => ({
        get intents() {
          return fail();
        },
      }),
    ],
    [
      'an intent whose getter throws',
      () => [
        {
          get kind() {
            return fail();
          },
        },
      ],
    ],
  ])('halts it where that is %s', async (_what, decide) => {
    const { code, details } = await beside(named('odd', decide as unknown as Decide));
    expect(code).toBe('STRATEGY_THROW');
    expect(details).toContain('read me not');
  });

  it('is read once: a stake that grows with each look is the stake of the first', async () => {
    let looks = 0;
    const growing = {
      get stake() {
        looks += 1;
        return looks === 1 ? 2 : 2_000;
      },
    };
    const { end } = await beside(
      named('growing', (input) =>
        looks > 0 ? [] : [Object.defineProperties(place(input), Object.getOwnPropertyDescriptors(growing))],
      ),
    );
    expect(looks).toBe(1);
    expect(rowsOf(end, 'growing')).toMatchObject([{ stake: 2 }]);
  });

  it('is refused, item by item, where a field is no plain value', async () => {
    const odd: unknown[] = [null, 7, {}, { kind: 'buy' }];
    const fields = [
      { keepWhenInPlay: {} },
      { stake: 2n },
      { price: { valueOf: () => 2 } },
      { market: 'x'.repeat(1e6) },
    ];
    let calls = 0;
    const { end, code } = await beside(
      named('odd', (input) => {
        calls += 1;
        return calls === 1 ? ([...odd, ...fields.map((field) => place(input, field))] as Intent[]) : [];
      }),
    );
    expect(code).toBeUndefined();
    expect([...end.collector.refusals].toSorted()).toEqual([
      ['INTENT_INVALID', 5],
      // The calm one's, when the market has ended.
      ['MARKET_NOT_OPEN', 2],
      ['PRICE_OFF_LADDER', 1],
      ['STAKE_INVALID', 1],
      ['UNKNOWN_MARKET', 1],
    ]);
  });
});

function fail(): never {
  throw new Error('read me not');
}

describe('what a strategy throws', () => {
  it.each([
    ['null', null],
    ['a symbol', Symbol('up')],
    ['an object whose toString throws', { toString: fail }],
    ['an object without a prototype', Object.create(null)],
    ['a proxy of which nothing can be asked', new Proxy({}, { get: fail, has: fail, getPrototypeOf: fail })],
    ['an error whose stack throws', Object.defineProperty(new Error('x'), 'stack', { get: fail })],
    ['an error with a message of a hundred megabytes', new Error('x'.repeat(1e8))],
  ])('is told in words, also %s', async (_what, thrown) => {
    const { code, details } = await beside(
      named('thrower', () => {
        throw thrown;
      }),
    );
    expect(code).toBe('STRATEGY_THROW');
    expect(details).not.toBe('');
    expect(details.length).toBeLessThan(20_000);
  });

  it('without end of its recursion, through views, is its own: others read the same prices', async () => {
    const seen: unknown[] = [];
    const reader = (): StrategyPlugin =>
      named('reader', ({ market: { outcomes }, now }) => {
        seen.push([now, outcomes[0]?.bestAgainst?.stake]);
        return [];
      });
    const deep: Decide = (input) => {
      const [outcome] = input.market.outcomes;
      return outcome?.bestAgainst === undefined ? [] : deep(input);
    };
    await runScript(market(), [reader()]);
    const alone = seen.splice(0);
    const end = await runScript(market(), [named('deep', deep), reader()]);
    expect(end.collector.halts).toMatchObject([{ name: 'deep', code: 'STRATEGY_THROW' }]);
    expect(seen).toEqual(alone);
  });

  it('later, from its stream, halts it then and not at its next call', async () => {
    let emit: Subscriber<readonly Intent[]> | undefined;
    let calls = 0;
    const streamer: StrategyPlugin = {
      name: 'streamer',
      run: (inputs$) =>
        new Observable((subscriber) => {
          emit = subscriber;
          return inputs$.subscribe((input) => {
            calls += 1;
            if (calls === 1) subscriber.next([place(input)]);
          });
        }),
    };
    // Called before the streamer in each turn, and outside of its call.
    const trigger = named('trigger', ({ now }) => {
      if (now > START + 5_000 && calls < 1_000) emit?.error(new Error('too late'));
      return [];
    });
    const end = await runScript(market(), [trigger, streamer]);
    expect(end.collector.halts).toMatchObject([{ name: 'streamer', code: 'STRATEGY_THROW' }]);
    expect(rowsOf(end, 'streamer')).toMatchObject([{ status: 'Cancelled' }]);
  });
});

describe('a wish to be called', () => {
  const wakes = async (wakeAt: (now: number) => number): Promise<readonly number[]> => {
    const times: number[] = [];
    await runScript(market(), [
      named('sleeper', ({ why, now }) => {
        if (why === 'timer') times.push(now - START);
        return times.length === 0 || why === 'timer' ? { wakeAt: wakeAt(now) } : {};
      }),
    ]);
    return times;
  };

  it.each([
    ['0', () => 0],
    ['negative', () => -1e300],
    ['past', (now: number) => now - 1],
    ['now', (now: number) => now],
  ])('at a time that is %s is granted a little later, again and again without end', async (_what, wakeAt) => {
    const times = await wakes(wakeAt);
    expect(times.length).toBeGreaterThan(50);
    expect(times.length).toBeLessThanOrEqual(12_000 / PAST_WAKE_MS + 1);
  });

  it('after the end of all time is never granted', async () => {
    expect(await wakes(() => 1e300)).toEqual([]);
    expect(await wakes(() => Number.MAX_VALUE)).toEqual([]);
  });
});

describe('a strategy that is halted while it is resumed', () => {
  it('is halted after a restart too', () => {
    const { bot, until, of, journal } = stage({
      watches: () => {
        throw new Error('no market for me');
      },
    });
    until(3_000);
    expect(of('strategyHalted')).toHaveLength(1);
    bot.resume('command');
    until(4_000);
    expect(of('strategyHalted')).toHaveLength(2);
    const known = rebuild(
      'run',
      journal.records.map((record) => ({ at: 0, record })),
    );
    expect(known.haltedStrategies).toEqual([{ strategy: 'quoter', code: 'STRATEGY_THROW' }]);
  });

  it('by its new version, is halted after a restart too', () => {
    const { bot, until, of, journal } = stage({ quotes: false });
    until(3_000);
    const plugin: StrategyPlugin = { name: 'quoter', decide: () => [], watches: () => fail() };
    const version = { plugin, params: {}, signals: new Map(), guest: { ...NOBODY, describe: String } };
    expect(bot.replaceStrategy(0, version, 'f00')).toBe('replaced');
    until(4_000);
    expect(of('strategyHalted')).toHaveLength(1);
    const known = rebuild(
      'run',
      journal.records.map((record) => ({ at: 0, record })),
    );
    expect(known.haltedStrategies).toEqual([{ strategy: 'quoter', code: 'STRATEGY_THROW' }]);
  });
});
