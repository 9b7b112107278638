/** The pipeline with the real simulator: what strategies see, what is judged, and what becomes of their orders. */

import { map } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { Intent, PlaceIntent } from '../../src/core/intent.ts';
import { instant } from '../../src/core/number/units.ts';
import type { DecideInput, StrategyPlugin } from '../../src/strategy/contract.ts';
import { SignalSeries } from '../../src/strategy/signals.ts';
import { runScript, Script, START, units } from '../support/scripted-run.ts';

type Decide = NonNullable<StrategyPlugin['decide']>;

function plugin(decide: Decide, name = 'tested'): StrategyPlugin {
  return { name, decide };
}

function place(input: DecideInput, change: Partial<PlaceIntent> = {}): PlaceIntent {
  return { kind: 'place', market: input.market.id, outcome: 'o0', side: 'For', price: 2, stake: 10, ...change };
}

/** Gives these intents at the first call from `ms` on, and nothing else. */
function once(ms: number, intents: (input: DecideInput) => readonly Intent[]): Decide {
  let isDone = false;
  return (input) => {
    if (isDone || input.now < START + ms) return [];
    isDone = true;
    return intents(input);
  };
}

/** Best prices 2.0 (100) against 2.02 (100) on outcome 0; quiet updates each second; settled at 60 s. */
function quietMarket(script = new Script()): { script: Script; market: ReturnType<Script['market']> } {
  const market = script.market();
  market.at(1000, { level: [0, 'Against', 2, 100] }, { level: [0, 'For', 2.02, 100] });
  for (let second = 2; second < 60; second += 1) market.at(second * 1000, { last: [1, 2] });
  market.settle(60_000, 0);
  return { script, market };
}

describe('judging a decision', () => {
  it('sends the first of five 10-unit orders against a 10-unit market limit and refuses four', async () => {
    const { script } = quietMarket();
    const burst = once(2000, (input) => Array.from({ length: 5 }, () => place(input)));
    const end = await runScript(script, [plugin(burst)], { limits: { market: units(10) } });
    expect(end.intended).toBe(5);
    expect(end.collector.tally.sent).toBe(1);
    expect([...end.collector.refusals]).toEqual([['LIMIT_MARKET', 4]]);
  });

  it('counts what is in flight in the next decision, before any reply', async () => {
    const { script } = quietMarket();
    let calls = 0;
    const twice: Decide = (input) => {
      if (input.why !== 'prices' || input.now < START + 2000 || calls === 2) return [];
      calls += 1;
      return [place(input)];
    };
    const latency = { request: { kind: 'fixed', ms: 5000 }, response: { kind: 'fixed', ms: 0 } } as const;
    const end = await runScript(script, [plugin(twice)], { latency, limits: { market: units(15) } });
    expect(end.collector.tally.sent).toBe(1);
    expect([...end.collector.refusals]).toEqual([['LIMIT_MARKET', 1]]);
  });

  it('judges the first hundred of a thousand intents and says of the rest that they are too many', async () => {
    const { script } = quietMarket();
    const many = once(2000, (input) => Array.from({ length: 1000 }, () => place(input, { stake: 0.1, price: 3 })));
    const other = once(2000, (input) => [place(input)]);
    const end = await runScript(script, [plugin(many, 'many'), plugin(other, 'other')]);
    expect([...end.collector.refusals]).toEqual([['TOO_MANY_INTENTS', 900]]);
    expect(end.collector.tally.sent).toBe(101);
    expect([...end.collector.orderRows()].at(-1)).toMatchObject({ strategy: 'other', status: 'Won' });
  });

  it('refuses what is no price, stake, market or outcome, each with its code', async () => {
    const { script } = quietMarket();
    const bad = once(2000, (input) => [
      place(input, { price: 2.005 }),
      place(input, { stake: 0 }),
      place(input, { market: 'nowhere' }),
      place(input, { outcome: 'nobody' }),
      { kind: 'cancel', order: 77 },
    ]);
    const end = await runScript(script, [plugin(bad)]);
    expect(Object.fromEntries(end.collector.refusals)).toEqual({
      PRICE_OFF_LADDER: 1,
      STAKE_INVALID: 1,
      UNKNOWN_MARKET: 1,
      UNKNOWN_OUTCOME: 1,
      UNKNOWN_ORDER: 1,
    });
    expect(end.collector.tally.sent).toBe(0);
  });

  it('refuses what the wallet cannot bear', async () => {
    const { script } = quietMarket();
    const wallets = { main: { currency: 'USDC', balance: units(15) } };
    const end = await runScript(script, [plugin(once(2000, (input) => [place(input), place(input)]))], { wallets });
    expect([...end.collector.refusals]).toEqual([['INSUFFICIENT_FUNDS', 1]]);
    expect(end.balances).toEqual([units(15 + 9.5)]);
  });

  it('sends nothing without a heartbeat where the limits ask for one', async () => {
    const { script } = quietMarket();
    const end = await runScript(script, [plugin(once(2000, (input) => [place(input)]))], {
      limits: { heartbeat: true },
    });
    expect([...end.collector.refusals]).toEqual([['HEARTBEAT_NOT_ACTIVE', 1]]);
  });
});

describe('strategies that fail', () => {
  it('halts the one that throws on its hundredth update, cancels its orders, and leaves the other alone', async () => {
    const market = () => {
      const { script } = quietMarket();
      return script;
    };
    let calls = 0;
    const thrower: Decide = (input) => {
      calls += 1;
      if (calls === 40) throw new Error('no more');
      return calls === 3 ? [place(input, { price: 3, stake: 7 })] : [];
    };
    const calm = (): Decide => once(5000, (input) => [place(input)]);
    const both = await runScript(market(), [plugin(thrower, 'thrower'), plugin(calm(), 'calm')]);
    const alone = await runScript(market(), [plugin(calm(), 'calm')]);
    expect(both.collector.halts).toMatchObject([
      { name: 'thrower', code: 'STRATEGY_THROW', error: new Error('no more') },
    ]);
    const [thrown, kept] = [...both.collector.orderRows()];
    expect(thrown).toMatchObject({ strategy: 'thrower', status: 'Cancelled', reason: 'UserRequest' });
    expect({ ...kept, id: 1 }).toEqual([...alone.collector.orderRows()][0]);
    expect(calls).toBe(40);
  });

  it('halts the one whose answer is no decision', async () => {
    const { script } = quietMarket();
    const nonsense: Decide = () => JSON.parse('{"intents":"buy"}');
    const end = await runScript(script, [plugin(nonsense)]);
    expect(end.collector.halts).toMatchObject([{ code: 'STRATEGY_BAD_RESULT' }]);
  });

  it.each([
    ['watches', { watches: () => JSON.parse('{') }],
    ['state', { state: () => JSON.parse('{') }],
  ] as const)('halts the one whose %s throws, and the other trades on', async (_what, part) => {
    const { script } = quietMarket();
    const broken: StrategyPlugin = { name: 'broken', decide: () => [], ...part };
    const end = await runScript(script, [broken, plugin(once(5000, (input) => [place(input)]))]);
    expect(end.collector.halts).toMatchObject([{ name: 'broken', code: 'STRATEGY_THROW', market: '1.1' }]);
    expect(end.collector.tally.sent).toBe(1);
  });

  it('halts a stream that emits what is no list', async () => {
    const { script } = quietMarket();
    const odd: StrategyPlugin = { name: 'odd', run: (inputs$) => inputs$.pipe(map(() => JSON.parse('7'))) };
    const end = await runScript(script, [odd, plugin(once(5000, (input) => [place(input)]))]);
    expect(end.collector.halts).toMatchObject([{ name: 'odd', code: 'STRATEGY_BAD_RESULT' }]);
    expect(end.collector.tally.sent).toBe(1);
  });

  it('halts the one that reads a view after its call', async () => {
    const { script } = quietMarket();
    let kept: DecideInput['market'] | undefined;
    const hoarder: Decide = ({ market }) => {
      kept = market;
      return [];
    };
    await runScript(script, [plugin(hoarder)]);
    expect(() => kept?.outcomes).toThrow('snapshot');
  });
});

describe('cancel and replace', () => {
  it('cancels an order that has no answer yet as soon as it has one', async () => {
    const { script } = quietMarket();
    let step = 0;
    const hasty: Decide = (input) => {
      if (input.why !== 'prices' || input.now < START + 2000) return [];
      step += 1;
      if (step === 1) return [place(input, { price: 3 })];
      if (step === 2) return input.orders.map((order) => ({ kind: 'cancel', order: order.id }));
      return [];
    };
    const latency = { request: { kind: 'fixed', ms: 1500 }, response: { kind: 'fixed', ms: 0 } } as const;
    const end = await runScript(script, [plugin(hasty)], { latency });
    expect([...end.collector.orderRows()]).toMatchObject([{ status: 'Cancelled', arrivedAt: START + 3500 }]);
  });

  it('takes a second cancellation for nothing while the first is on its way, and shows the order as cancelling', async () => {
    const { script } = quietMarket();
    const seen: unknown[] = [];
    const decide: Decide = (input) => {
      if (input.now === START + 2000) return [place(input, { price: 3 })];
      for (const { inFlight, cancelling } of input.orders) seen.push([input.now - START, inFlight, cancelling]);
      if (input.now < START + 3000) return [];
      return input.orders.map((order) => ({ kind: 'cancel', order: order.id }));
    };
    const latency = { request: { kind: 'fixed', ms: 900 }, response: { kind: 'fixed', ms: 600 } } as const;
    const end = await runScript(script, [plugin(decide)], { latency });
    expect([...end.collector.refusals]).toEqual([]);
    expect([end.cancellations, end.cancellationsRepeated]).toEqual([1, 2]);
    expect(seen).toEqual([
      [3000, 'place', false],
      [3500, 'cancel', true],
      [4000, 'cancel', true],
    ]);
  });

  it('replaces only what was voided, at the new price, after the proof', async () => {
    const script = new Script();
    const market = script.market();
    market.at(1000, { level: [0, 'Against', 2, 100] }, { level: [0, 'For', 2.04, 0] });
    market.at(4000, { trade: [0, 2.02, 4] });
    for (let second = 5; second < 20; second += 1) market.at(second * 1000, { last: [1, 2] });
    market.settle(20_000, 1);
    const seen: string[] = [];
    const decide: Decide = (input) => {
      for (const { id, price, stakeMatched, stakeUnmatched } of input.orders) {
        seen.push(`${id} ${price} ${stakeMatched}/${stakeUnmatched}`);
      }
      if (input.now === START + 1000) return [place(input, { price: 2.02 })];
      if (input.now !== START + 5000) return [];
      return [{ kind: 'replace', order: input.orders[0]?.id ?? 0, price: 2.06 }];
    };
    const end = await runScript(script, [plugin(decide)]);
    expect([...end.collector.orderRows()]).toMatchObject([
      { price: 2.02, stake: 10, status: 'Lost', stakeMatched: 4 },
      { price: 2.06, stake: 6, status: 'Cancelled', reason: 'MarketSettled' },
    ]);
    expect([...end.collector.orderRows()][1]?.decidedAt).toBe(START + 5120);
    expect(seen).toContain('1 2.02 4/6');
  });
});

describe('what a strategy is called with', () => {
  it('is called once for a reply that speaks of many of its orders', async () => {
    const { script } = quietMarket();
    const called: number[] = [];
    const decide: Decide = (input) => {
      if (input.why === 'order') called.push(input.orders.length);
      return input.now === START + 2000 ? Array.from({ length: 20 }, () => place(input, { price: 3, stake: 1 })) : [];
    };
    await runScript(script, [plugin(decide)]);
    // One reply with all twenty, then the settlement's twenty reports, which come one by one.
    expect(called).toEqual([20, ...Array.from({ length: 20 }, (_, left) => 19 - left)]);
  });

  it('wakes at the time asked for, and at no earlier wish that a later one replaced', async () => {
    const script = new Script();
    script
      .market()
      .at(1000, { last: [0, 2] })
      .at(9000, { last: [0, 2] });
    const woken: number[] = [];
    const decide: Decide = ({ why, now }) => {
      if (why === 'timer') woken.push(now - START);
      if (now === START) return { wakeAt: START + 3000 };
      return now === START + 1000 ? { wakeAt: START + 2500 } : [];
    };
    await runScript(script, [plugin(decide)]);
    expect(woken).toEqual([2500]);
  });

  it('reads a signal only from the moment it was available', async () => {
    const { script } = quietMarket();
    const series = new SignalSeries();
    series.add({ availableAt: instant(START + 5500), market: '1.1', outcome: 'o0', value: 0.6 });
    series.add({ availableAt: instant(START + 8000), market: '1.1', outcome: 'o0', value: 0.7 });
    const read = new Map<number, number | undefined>();
    // Taken apart as strategies do it: what the input holds must not need the input.
    const decide: Decide = ({ now, signal }) => {
      read.set((now - START) / 1000, signal('model', 'o0'));
      return [];
    };
    await runScript(script, [plugin(decide)], { signals: new Map([['model', series]]) });
    expect([5, 6, 7, 8].map((second) => read.get(second))).toEqual([undefined, 0.6, 0.6, 0.7]);
  });

  it('keeps the state that each market was left with', async () => {
    const script = new Script();
    for (const market of [script.market(), script.market()])
      market.at(1000, { last: [0, 2] }).at(2000, { last: [0, 2] });
    const counts: string[] = [];
    const counting: StrategyPlugin = {
      name: 'counting',
      state: () => 0,
      decide: ({ market, state }) => {
        counts.push(`${market.id} ${state}`);
        return { state: Number(state) + 1 };
      },
    };
    await runScript(script, [counting]);
    expect(counts).toEqual(['1.1 0', '1.2 0', '1.1 1', '1.2 1', '1.1 2', '1.2 2']);
  });

  it('serves the stream form with the same inputs', async () => {
    const { script } = quietMarket();
    const streaming: StrategyPlugin = {
      name: 'streaming',
      run: (inputs$) => inputs$.pipe(map((input) => (input.now === START + 2000 ? [place(input)] : []))),
    };
    const end = await runScript(script, [streaming]);
    expect([...end.collector.orderRows()]).toMatchObject([{ status: 'Won', decidedAt: START + 2000 }]);
  });

  it('halts a stream that fails, and the others go on', async () => {
    const { script } = quietMarket();
    const failing: StrategyPlugin = {
      name: 'failing',
      run: (inputs$) =>
        inputs$.pipe(
          map((input) => {
            if (input.now > START + 3000) throw new Error('broken stream');
            return [];
          }),
        ),
    };
    const end = await runScript(script, [failing, plugin(once(5000, (input) => [place(input)]))]);
    expect(end.collector.halts).toMatchObject([{ name: 'failing', error: new Error('broken stream') }]);
    expect(end.collector.tally.sent).toBe(1);
  });
});
