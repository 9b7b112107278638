/** From what a strategy is given, nothing of the engine, of the simulator or of an exchange can be reached: in all kinds of run. */

import { map, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { Intent } from '../../src/core/intent.ts';
import type { DecideInput, StrategyPlugin } from '../../src/strategy/contract.ts';
import { stage } from '../support/engine/bot-stage.ts';
import { paperRun } from '../support/paper/paper-run.ts';
import { walk } from '../support/reach/walk.ts';
import { runScript, Script, START } from '../support/scripted-run.ts';

/** Walks its inputs, some with and some without orders of its own, and remembers what it found. */
class Explorer {
  readonly found = new Set<string>();
  looked = 0;
  orders = 0;

  /** Places an order where it has none. */
  decide(input: DecideInput): readonly Intent[] {
    const [outcome] = input.market.outcomes;
    const ids = { market: input.market.id, outcome: outcome?.id ?? '' };
    const { looked, found } = walk(input, 'input', ids);
    for (const what of found) this.found.add(what);
    this.looked = Math.max(this.looked, looked);
    this.orders = Math.max(this.orders, input.orders.length);
    if (outcome === undefined || !input.market.tradable || input.orders.length > 0) return [];
    return [{ kind: 'place', ...ids, side: 'For', price: 3, stake: 2 }];
  }

  plugin(form: 'decide' | 'run'): StrategyPlugin {
    if (form === 'decide') return { name: 'explorer', decide: (input) => this.decide(input) };
    return { name: 'explorer', run: (inputs$) => this.#run(inputs$) };
  }

  #run(inputs$: Observable<DecideInput>): Observable<readonly Intent[]> {
    for (const key of Reflect.ownKeys(inputs$)) {
      // RxJS's own, a function that takes a listener in; neither the source nor who else listens.
      if (key !== '_subscribe') this.found.add(`inputs$.${String(key)} is there`);
    }
    if ('next' in inputs$) this.found.add('inputs$.next is there');
    if (!Object.isFrozen(inputs$)) this.found.add('inputs$ can be written');
    return inputs$.pipe(map((input) => this.decide(input)));
  }
}

function expectNothing(explorer: Explorer): void {
  expect([...explorer.found]).toEqual([]);
  // It saw a market, outcomes with prices, its orders, and what leads to them.
  expect(explorer.orders).toBeGreaterThan(0);
  expect(explorer.looked).toBeGreaterThan(30);
}

describe('all that is reached from the input of decide is documented', () => {
  it('in a backtest', async () => {
    const script = new Script();
    const made = script.market();
    for (let at = 1_000; at <= 3_000; at += 100) made.at(at, { level: [0, 'Against', 2, 50 + at] });
    script.market().at(1_000, { level: [0, 'For', 2, 50] });
    made.settle(4_000, 0);
    const explorer = new Explorer();
    await runScript(script, [explorer.plugin('decide')]);
    expectNothing(explorer);
  });

  it('as a stream, and from the stream itself', async () => {
    const script = new Script();
    const made = script.market();
    for (let at = 1_000; at <= 3_000; at += 100) made.at(at, { level: [0, 'Against', 2, 50 + at] });
    const explorer = new Explorer();
    await runScript(script, [explorer.plugin('run')]);
    expectNothing(explorer);
  });

  it('on paper', () => {
    const explorer = new Explorer();
    paperRun({ startAt: START, lengthMs: 20_000, seed: 3, markets: 2, plugins: [explorer.plugin('decide')] });
    expectNothing(explorer);
  });

  it('live', () => {
    const explorer = new Explorer();
    const { until } = stage({ decide: (input) => explorer.decide(input) });
    until(5_000);
    expectNothing(explorer);
  });
});

describe('what reached the simulator once', () => {
  it('is not there: no desk, no setters of the book, and no class behind a view', async () => {
    const script = new Script();
    script.market().at(1_000, { level: [0, 'Against', 2, 50] });
    const seen: unknown[] = [];
    const reach = (from: unknown, ...path: readonly string[]): unknown =>
      path.reduce((at, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined), from);
    await runScript(script, [
      {
        name: 'reacher',
        decide: (input) => {
          seen.push(reach(input, 'desk'), reach(input, 'market', 'state'), reach(input, 'market', 'constructor'));
          seen.push(reach(input, 'orders', 'terms'), reach(input, 'position', 'exposure'), reach(input, 'seat'));
          return [];
        },
      },
    ]);
    expect(seen.length).toBeGreaterThan(5);
    expect(new Set(seen)).toEqual(new Set([undefined]));
  });
});
