import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as oddsmith from '../../src/index.ts';
import { type LoadedStrategy, loadBundled, loadStrategy } from '../../src/loader/strategy-loader.ts';
import { bundleStrategy } from '../../src/loader/strategy-loader-bundle.ts';
import type { StrategyFault } from '../../src/loader/strategy-loader-fault.ts';
import { decideOnce, testMarket } from '../../src/testing.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const dir = temporaryDirectory('user');

let made = 0;
/** Writes files into a fresh directory outside the repository and gives the first one's path. */
function write(files: Readonly<Record<string, string>>): string {
  made += 1;
  const paths = Object.entries(files).map(([name, text]) => {
    const path = join(dir, `project-${made}`, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  });
  return paths[0] ?? '';
}

async function loaded(path: string, params?: Readonly<Record<string, unknown>>): Promise<LoadedStrategy> {
  const result = await loadStrategy(path, params);
  if (result.kind === 'fault') throw new Error(`${result.fault.code}: ${result.fault.what} ${result.fault.why}`);
  return result;
}

async function faultIn(path: string, params?: Readonly<Record<string, unknown>>): Promise<StrategyFault> {
  const result = await loadStrategy(path, params);
  if (result.kind === 'loaded') throw new Error('expected a fault, but the strategy loaded');
  return result.fault;
}

const market = testMarket({ outcomes: [{ id: 'a', against: [[2, 100]], for: [[2.02, 50]] }, { id: 'b' }] });

const plain = (body: string) =>
  `import { back, defineStrategy } from 'oddsmith';\nexport default defineStrategy({ name: 'mine', decide: ${body} });\n`;

describe('a strategy of the user’s own', () => {
  it('runs from a directory without packages, importing oddsmith, rxjs and a file beside it', async () => {
    const path = write({
      'mine.ts': `
        import { map } from 'rxjs';
        import { back, defineStrategy, type MarketView } from 'oddsmith';
        import { stake } from './stakes.ts';
        const first = (market: MarketView) => market.outcomes.slice(0, 1);
        export default defineStrategy({
          name: 'mine',
          run: (inputs$) => inputs$.pipe(map(({ market }) => first(market).map((o) => back(o, { stake })))),
        });`,
      'stakes.ts': 'export const stake: number = 3;',
    });
    const strategy = await loaded(path);
    expect(decideOnce(strategy.plugin, { market }).intents).toEqual([
      { kind: 'place', market: 'market', outcome: 'a', side: 'For', price: 2, stake: 3 },
    ]);
    expect(strategy.files.toSorted()).toEqual([path, join(dirname(path), 'stakes.ts')].toSorted());
  });

  it('has a copy of the library of its own', async () => {
    const path = write({
      'copy.ts': `
        import * as library from 'oddsmith';
        import { decideOnce } from 'oddsmith/testing';
        import { Observable } from 'rxjs';
        export const seen = { running: library, decideOnce, Observable };
        export default library.defineStrategy({ name: 'copy', state: () => seen, decide: ({ state }) => ({ state: { ...state } }) });`,
    });
    const { plugin } = await loaded(path);
    const { state } = decideOnce(plugin, { market });
    const seen = state as { running: typeof oddsmith; decideOnce: unknown; Observable: unknown };
    expect(seen.running.defineStrategy).not.toBe(oddsmith.defineStrategy);
    expect(seen.running.defineStrategy).toBeTypeOf('function');
    expect(Object.keys(seen.running).toSorted()).toEqual(Object.keys(oddsmith).toSorted());
    expect(seen.decideOnce).toBeTypeOf('function');
    expect(seen.decideOnce).not.toBe(decideOnce);
    expect(seen.Observable).toBeTypeOf('function');
    expect(seen.Observable).not.toBe((await import('rxjs')).Observable);
  });

  it('keeps an RxJS that the user’s project has itself', async () => {
    const path = write({
      'own.ts': `
        import { map } from 'rxjs';
        import { defineStrategy } from 'oddsmith';
        export default defineStrategy({ name: 'own', state: () => map, decide: ({ state }) => ({ state }) });`,
      'node_modules/rxjs/package.json': '{ "name": "rxjs", "main": "index.js" }',
      'node_modules/rxjs/index.js': 'exports.map = "the user’s own";',
    });
    const { plugin } = await loaded(path);
    expect(decideOnce(plugin, { market }).state).toBe('the user’s own');
  });

  it('may be JavaScript, CommonJS or not, and import JSON and node modules', async () => {
    const cjs = write({
      'mine.cjs': `const { back, defineStrategy } = require('oddsmith');
        module.exports = defineStrategy({ name: 'mine', decide: () => [] });`,
    });
    expect((await loaded(cjs)).plugin.name).toBe('mine');
    const mjs = write({
      'mine.mjs': `import { basename } from 'node:path';
        import model from './model.json';
        import { defineStrategy } from 'oddsmith';
        export default defineStrategy({ name: basename('/x/' + model.name), decide: () => [] });`,
      'model.json': '{ "name": "from-json" }',
    });
    expect((await loaded(mjs)).plugin.name).toBe('from-json');
  });

  it('is identified by its code: not by its place or comments, but by every file that it imports', async () => {
    const helped = (comment: string, stake: number) =>
      write({
        'mine.ts': `// ${comment}\nimport { stake } from './stakes.ts';\n${plain('({ market }) => market.outcomes.map((o) => back(o, { stake }))')}`,
        'stakes.ts': `export const stake = ${stake};`,
      });
    const [one, moved, other] = await Promise.all(
      [helped('a', 3), helped('b', 3), helped('a', 4)].map((p) => loaded(p)),
    );
    expect(one?.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(moved?.sha256).toBe(one?.sha256);
    expect(other?.sha256).not.toBe(one?.sha256);
  });

  it('is read anew each time', async () => {
    const path = write({ 'mine.ts': plain('() => []') });
    expect((await loaded(path)).plugin.name).toBe('mine');
    writeFileSync(path, plain('() => []').replace('mine', 'changed'));
    expect((await loaded(path)).plugin.name).toBe('changed');
  });

  it('gets its params read and its signals found beside its file', async () => {
    const path = write({
      'mine.ts': `import { defineStrategy, param } from 'oddsmith';
        export default defineStrategy({ name: 'mine', params: { stake: param.stake({ default: 2 }) },
          signals: [{ name: 'model', file: 'data/model.csv' }], decide: () => [] });`,
    });
    const strategy = await loaded(path, { stake: '7.5' });
    expect(strategy.params).toEqual({ stake: 7.5 });
    expect(strategy.signals).toEqual([{ name: 'model', file: join(dirname(path), 'data/model.csv') }]);
  });
});

describe('a file that is no strategy', () => {
  it('fails with the place where its syntax is wrong, in characters rather than bytes', async () => {
    const path = write({ 'bad.ts': "import { back } from 'oddsmith';\nconst é = 'é'; const x = = 2;\n" });
    expect(await faultIn(path)).toMatchObject({
      code: 'STRATEGY_SYNTAX',
      what: 'Unexpected "=".',
      file: path,
      line: 2,
      column: 26,
    });
  });

  it('fails with a syntax error in a file that it imports', async () => {
    const path = write({ 'mine.ts': "import './helper.ts';\nexport default 1;", 'helper.ts': '\n\nlet a b;' });
    expect(await faultIn(path)).toMatchObject({
      code: 'STRATEGY_SYNTAX',
      file: join(dirname(path), 'helper.ts'),
      line: 3,
    });
  });

  it('fails with the name that oddsmith does not export, where, and which it may have meant', async () => {
    const path = write({ 'bad.ts': "import {\n  bakc,\n  defineStrategy,\n} from 'oddsmith';\nbakc;" });
    expect(await faultIn(path)).toMatchObject({
      code: 'STRATEGY_IMPORT',
      what: "'oddsmith' has no export 'bakc'.",
      file: path,
      line: 2,
      column: 3,
      next: 'Did you mean to import "back" instead?',
    });
  });

  it.each([
    ["import x from './nowhere.ts';\nx();", "The module './nowhere.ts' was not found.", 1, 15],
    ["\nimport x from 'no-such-package';\nx();", "The module 'no-such-package' was not found.", 2, 15],
    ["import { Tick } from 'oddsmith/core/ladder';\nTick;", "The module 'oddsmith/core/ladder' was not found.", 1, 22],
    ['const here = import.meta.url;\nexport default here;', "The file uses 'import.meta'.", 1, 14],
  ])('is told what it cannot import: %s', async (text, what, line, column) => {
    const path = write({ 'bad.ts': text });
    expect(await faultIn(path)).toMatchObject({ code: 'STRATEGY_IMPORT', what, file: path, line, column });
  });

  it('may not reach into oddsmith’s own files', async () => {
    const internal = join(import.meta.dirname, '../../src/core/number/ladder.ts');
    const path = write({ 'bad.ts': `import { tick } from '${internal}';\nexport default tick;` });
    expect(await faultIn(path)).toMatchObject({
      code: 'STRATEGY_IMPORT',
      what: `'${internal}' is one of oddsmith's own files.`,
      file: path,
      line: 1,
      column: 22,
    });
  });

  it('may not await at its top level', async () => {
    const path = write({ 'bad.ts': 'export default 1;\nawait fetch("x");' });
    expect(await faultIn(path)).toMatchObject({
      code: 'STRATEGY_SYNTAX',
      what: 'The file awaits at its top level.',
      line: 2,
    });
  });

  it('fails without a default export', async () => {
    const named = write({ 'bad.ts': plain('() => []').replace('export default', 'export const mine =') });
    expect(await faultIn(named)).toMatchObject({ code: 'STRATEGY_NO_DEFAULT_EXPORT', file: named, line: 1, column: 1 });
    expect((await faultIn(write({ 'empty.ts': '' }))).code).toBe('STRATEGY_NO_DEFAULT_EXPORT');
  });

  it('fails with everything that is wrong with its shape, at the call of defineStrategy', async () => {
    const path = write({
      'bad.ts':
        "import { defineStrategy } from 'oddsmith';\n\nexport default defineStrategy({ name: 'My Bot', on: 1 } as never);",
    });
    const fault = await faultIn(path);
    expect(fault).toMatchObject({ code: 'STRATEGY_SHAPE', file: path, line: 3, column: 16 });
    expect(fault.what).toContain("not 'My Bot'");
    expect(fault.what).toContain("needs 'decide'");
    expect(fault.what).toContain("no 'on'");
  });

  it.each(['42', '{ name: "x" }', '() => []', 'null'])(
    'is told that its default export %s is no strategy',
    async (value) => {
      expect((await faultIn(write({ 'bad.js': `export default ${value};` }))).code).toBe('STRATEGY_SHAPE');
    },
  );

  it('fails with the place where it threw while it was loaded', async () => {
    const path = write({ 'bad.ts': "type X = 1;\n\nthrow new Error('no model');\n" });
    expect(await faultIn(path)).toMatchObject({
      code: 'STRATEGY_THROW',
      file: path,
      line: 3,
      column: 7,
      why: 'Error: no model',
    });
  });

  it('fails if it is not there', async () => {
    expect((await faultIn(join(dir, 'nowhere.ts'))).code).toBe('STRATEGY_NOT_FOUND');
    expect((await faultIn(dir)).code).toBe('STRATEGY_NOT_FOUND');
  });

  it('fails with all its wrong params and what is allowed', async () => {
    const path = write({
      'mine.ts': `import { defineStrategy, param } from 'oddsmith';
        export default defineStrategy({ name: 'mine', decide: () => [],
          params: { stake: param.stake({ default: 2, max: 100 }), ticks: param.number({ default: 1 }) } });`,
    });
    const fault = await faultIn(path, { stake: 1000, tick: 2 });
    expect(fault).toMatchObject({ code: 'STRATEGY_PARAM', file: path });
    expect(fault.what).toContain("There is no param 'tick'. The strategy's params are stake, ticks.");
    expect(fault.what).toContain(
      "'stake' is 1000, which is not a positive stake of at most three decimals, at most 100.",
    );
  });
});

describe('a strategy that throws while it decides', () => {
  it('is shown with its own line, through helpers of its own and of oddsmith', async () => {
    const path = write({
      'mine.ts': `import { defineStrategy, kelly } from 'oddsmith';
import { chance } from './model.ts';

export default defineStrategy({
  name: 'mine',
  state: () => 0,
  decide({ market, state }) {
    if (state < 99) return { state: state + 1 };
    if (market.inPlay) return [chance(market.id)];
    kelly({ probability: 1.2, price: 2, bankroll: 100 });
    return [];
  },
});`,
      'model.ts': `interface Unused { readonly a: 1 }\n\nexport function chance(id: string): never {\n  throw new TypeError('no chance for ' + id);\n}`,
    });
    const strategy = await loaded(path);
    let state: unknown = 0;
    for (let at = 0; at < 99; at += 1) state = decideOnce(strategy.plugin, { market, state }).state;
    expect(strategy.faultOf(thrownBy(() => decideOnce(strategy.plugin, { market, state })))).toMatchObject({
      code: 'STRATEGY_THROW',
      what: "The strategy 'mine' threw.",
      why: 'RangeError: kelly: probability must be from 0 to 1, got 1.2.',
      file: path,
      line: 10,
      column: 5,
    });
    const inPlay = testMarket({ outcomes: [{ id: 'a' }], inPlay: true });
    const fault = strategy.faultOf(thrownBy(() => decideOnce(strategy.plugin, { market: inPlay, state })));
    const model = join(dirname(path), 'model.ts');
    expect(fault).toMatchObject({ why: 'TypeError: no chance for market', file: model, line: 4, column: 9 });
    expect(fault.stack).toContain(`${model}:4:9`);
    expect(fault.stack).toContain(`${path}:9:`);
  });

  it('is named even when it throws what is no error', async () => {
    const strategy = await loaded(write({ 'mine.ts': plain("() => { throw 'up'; }") }));
    const fault = strategy.faultOf(thrownBy(() => decideOnce(strategy.plugin, { market })));
    expect(fault).toMatchObject({
      code: 'STRATEGY_THROW',
      file: strategy.file,
      why: 'The thrown value is up, no Error.',
    });
  });
});

function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (thrown) {
    return thrown;
  }
  throw new Error('expected a throw');
}

describe('a bundle', () => {
  it('crosses threads as plain data, and each load of it begins anew with its own params', async () => {
    const path = write({
      'counting.ts': `
        import { back, defineStrategy, param } from 'oddsmith';
        let calls = 0;
        export default defineStrategy({
          name: 'counting',
          params: { stake: param.stake({ default: 2 }) },
          decide({ market, params }) {
            calls += 1;
            if (calls > 1) throw new Error('called before');
            return market.outcomes.slice(0, 1).map((outcome) => back(outcome, { stake: params.stake }));
          },
        });`,
    });
    const bundle = await bundleStrategy(path, false);
    if (bundle.kind === 'fault') throw new Error(bundle.fault.what);
    const sent = structuredClone(bundle);
    for (const stake of [3, 4]) {
      const strategy = loadBundled(sent, { stake }, {});
      if (strategy.kind === 'fault') throw new Error(strategy.fault.what);
      expect(strategy).toMatchObject({ file: path, sha256: (await loaded(path)).sha256, files: [path] });
      const { intents } = decideOnce(strategy.plugin, { market, params: strategy.params });
      expect(intents).toMatchObject([{ stake }]);
      const again = () => decideOnce(strategy.plugin, { market, params: strategy.params });
      expect(again).toThrow('called before');
      try {
        again();
      } catch (error) {
        expect(strategy.faultOf(error)).toMatchObject({ file: path, line: 9 });
      }
    }
    const refused = loadBundled(sent, { stakes: 1 }, {});
    expect(refused).toMatchObject({ kind: 'fault', fault: { code: 'STRATEGY_PARAM' } });
  });
});
