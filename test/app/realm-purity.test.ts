/** Nothing that a strategy of a file is handed was made in our realm, or leads there: not its input, and not what it imports. */

import { describe, expect, it } from 'vitest';
import { simulate } from '../../src/backtest/simulation/backtest-simulation.ts';
import { newInstance } from '../../src/engine/ledger/strategy-in-market.ts';
import { Transcript } from '../../src/engine/log/transcript.ts';
import * as oddsmith from '../../src/index.ts';
import { OFFERED } from '../../src/loader/realm/offered-modules.ts';
import { type LoadChoice, type LoadedStrategy, loadStrategy } from '../../src/loader/strategy-loader.ts';
import type { StrategyPlugin } from '../../src/strategy/contract.ts';
import { SignalSeries } from '../../src/strategy/signals.ts';
import * as testing from '../../src/testing.ts';
import { decideOnce, testMarket } from '../../src/testing.ts';
import { type RealmWalk, walkRealm } from '../support/realm/walk-realm.ts';
import { OPTIONS, Script } from '../support/scripted-run.ts';
import { temporaryDirectory, temporaryFile } from '../support/temporary-directory.ts';

let made = 0;

async function loaded(text: string, choice: LoadChoice = {}): Promise<LoadedStrategy> {
  made += 1;
  const result = await loadStrategy(temporaryFile(`pure-${made}.ts`, text), {}, choice);
  if (result.kind === 'fault') throw new Error(`${result.fault.code}: ${result.fault.what} ${result.fault.why}`);
  return result;
}

/** Its own global, as the strategy hands it out. */
async function globalOf({ plugin }: LoadedStrategy): Promise<object> {
  const realm: unknown = decideOnce(
    { name: plugin.name, decide: () => ({ state: plugin.state?.(FACTS) }) },
    { market },
  ).state;
  if (typeof realm !== 'object' || realm === null) throw new Error('its state is its global');
  return realm;
}

const market = testMarket({ outcomes: [{ id: 'o0', against: [[2, 100]], for: [[2.02, 50]] }, { id: 'o1' }] });
const FACTS = market.state.facts;

/** Two markets of one event, with prices, trades and orders that rest. */
function script(): Script {
  const made = new Script();
  const first = made.market();
  for (let at = 1_000; at <= 3_000; at += 100) first.at(at, { level: [0, 'Against', 2, 50 + at] });
  made.market().at(1_000, { level: [0, 'For', 2, 50] });
  first.settle(4_000, 0);
  return made;
}

/** Runs it with a look at all that it is given: `look` is called by us, in the middle of its calls. */
async function runLooking(strategy: LoadedStrategy, look: (name: string, value: unknown) => void): Promise<void> {
  const { plugin, params, guest } = strategy;
  const { watches, state, decide, run } = plugin;
  const shown =
    <T, R>(name: string, call: (given: T) => R) =>
    (given: T): R => {
      look(name, given);
      return call(given);
    };
  const looking: StrategyPlugin = {
    ...plugin,
    ...(watches && { watches: shown('facts', watches) }),
    ...(state && { state: shown('facts of state', state) }),
    ...(decide && { decide: shown('input', decide) }),
    ...(run && { run: shown('inputs$', run) }),
  };
  const signals = new Map([['model', new SignalSeries()]]);
  const { collector } = await simulate({
    options: OPTIONS,
    source: script().source(),
    instances: [newInstance({ index: 0, plugin: looking, params, wallet: 0, signals, guest })],
    bound: 'central',
    transcript: new Transcript(''),
    onSlice: () => false,
  });
  expect(collector.halts).toEqual([]);
}

const HEAD = "import { back, defineStrategy, param } from 'oddsmith';";
const ORDER = 'const order = (m) => m.tradable ? [back(m.outcomes[0], { stake: 2, price: 3 })] : [];';

function expectPure({ looked, calls, found }: RealmWalk, least: { readonly looked: number; readonly calls: number }) {
  expect(found).toEqual([]);
  expect(looked).toBeGreaterThan(least.looked);
  expect(calls).toBeGreaterThan(least.calls);
}

describe('of our realm nothing reaches a strategy', () => {
  it('by its input: markets, books, orders, positions, lists, functions, and errors that they throw', async () => {
    const strategy = await loaded(`${HEAD} ${ORDER}
      export default defineStrategy({
        name: 'explorer', watches: () => true, state: () => globalThis, params: { stake: param.stake({ default: 2 }) },
        decide: ({ market, orders }) => orders.length < 2 ? order(market) : [],
      });`);
    const realm = await globalOf(strategy);
    const walks: RealmWalk[] = [];
    let orders = 0;
    await runLooking(strategy, (name, value) => {
      walks.push(walkRealm({ [name]: value }, realm));
      orders = Math.max(orders, Number(Reflect.get(Object(value), 'orders')?.length ?? 0));
    });
    expect(orders).toBe(2);
    for (const { found } of walks) expect(found).toEqual([]);
    const widest = walks.toSorted((a, b) => b.looked - a.looked)[0] ?? expect.fail('it was called');
    expectPure(widest, { looked: 100, calls: 300 });
  });

  it('by the stream of its inputs, and by who listens to what it emits', async () => {
    const strategy = await loaded(`${HEAD} import { map, Observable } from 'rxjs'; ${ORDER}
      let listener;
      export default defineStrategy({
        name: 'streamer', state: () => globalThis,
        run: (inputs$) => {
          const intents$ = inputs$.pipe(map(({ market, orders }) => orders.length < 2 ? order(market) : []));
          return { subscribe: (observer) => { globalThis.observer = observer; return intents$.subscribe(observer); } };
        },
      });`);
    const realm = await globalOf(strategy);
    const walks: RealmWalk[] = [];
    await runLooking(strategy, (name, value) => void walks.push(walkRealm({ [name]: value }, realm)));
    walks.push(walkRealm({ observer: Reflect.get(realm, 'observer') }, realm));
    for (const { found } of walks) expect(found).toEqual([]);
    expect(Reflect.get(realm, 'observer')).toBeDefined();
  });

  it('by what it imports from oddsmith and from RxJS', async () => {
    const modules = { oddsmith: Object.keys(oddsmith), 'oddsmith/testing': Object.keys(testing) };
    const imports = Object.entries(modules).map(
      ([module, names]) => `import { ${names.join(', ')} } from '${module}';`,
    );
    const names = Object.values(modules).flat();
    const strategy = await loaded(`${imports.join('\n')} import * as rxjs from 'rxjs';
      export default { name: 'importer', state: () => globalThis, decide: () => ({ state: { rxjs, ${names.join(', ')} } }) };`);
    const imported: unknown = decideOnce(strategy.plugin, { market }).state;
    expect(Object.keys(Object(imported))).toHaveLength(names.length + 1);
    expectPure(walkRealm({ imported }, await globalOf(strategy)), { looked: 300, calls: 500 });
  });

  it('by the modules of Node, by the platform and its console, and by what loads it', async () => {
    const imports = [...OFFERED.keys(), 'fs'].map((name, at) => `import * as module${at} from 'node:${name}';`);
    const all = imports.map((_, at) => `module${at}`).join(', ');
    const directory = temporaryDirectory('granted');
    const strategy = await loaded(
      `${imports.join('\n')}
       const named = { module, exports, require, entered: Object.keys(globalThis) };
       export default { name: 'importer', state: () => globalThis, decide: () => ({ state: { named, all: [${all}], globalThis } }) };`,
      { files: { paths: [directory] } },
    );
    const imported: unknown = decideOnce(strategy.plugin, { market }).state;
    expectPure(walkRealm({ imported }, await globalOf(strategy)), { looked: 1_000, calls: 1_000 });
  });
});
