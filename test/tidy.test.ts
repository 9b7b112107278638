/** The shape of the project, checked from its files. Every rule is also shown a breach that it must find. */

import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { ambientBreaches, timedBreaches } from './support/tidy/ambient.ts';
import { layerRowBreaches, roomBreaches } from './support/tidy/architecture.ts';
import { unusedExportBreaches } from './support/tidy/exports.ts';
import {
  barrelBreaches,
  constructionBreaches,
  cycleBreaches,
  folderCycleBreaches,
  fullFolderBreaches,
  layerBreaches,
  orphanBreaches,
  strategyBreaches,
  UNDER_CONSTRUCTION,
} from './support/tidy/imports.ts';
import { unreadMemberBreaches } from './support/tidy/members.ts';
import {
  brokenPowerBreaches,
  defaultExportBreaches,
  firstLineBreaches,
  longFileBreaches,
  longFunctionBreaches,
  machinePathBreaches,
  markBreaches,
  mutedTestBreaches,
  nameBreaches,
  sharedHookBreaches,
} from './support/tidy/shape.ts';
import { type Breach, readSources, readTexts, type Source, source } from './support/tidy/source.ts';
import { tierBreaches } from './support/tidy/tiers.ts';
import { fragmentBreaches, givenUpWordBreaches } from './support/tidy/words.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const sources = readSources(root, ['src', 'strategies', 'backtest', 'tools', 'test']);
const texts = readTexts(root);
const architecture = texts.find(({ path }) => path === 'ARCHITECTURE.md')?.text ?? '';

interface Rule {
  readonly name: string;
  readonly check: (sources: readonly Source[]) => readonly Breach[];
  /** Path and text of files that break it. */
  readonly breaks: Readonly<Record<string, string>>;
  /** Files that come close and keep it. */
  readonly keeps: Readonly<Record<string, string>>;
}

const EMPTY = 'export const a = 1;\n';

const RULES: readonly Rule[] = [
  {
    name: 'imports point down the layers',
    check: layerBreaches,
    breaks: {
      'src/core/a.ts': "import { b } from '../matching/b.ts';",
      'src/risk/a.ts': "type T = 1; const b = await import('../app/b.ts');",
      'src/exchange-live/orders/a.ts': "import type { B } from '../../betdex/wire/b.ts';",
      'src/betdex/wire/a.ts': "import { b } from '../client/b.ts';",
      'src/codec/a.ts': "import { b } from '../betdex/wire/b.ts';",
      'src/betfair/wire/a.ts': "import { b } from '../../betdex/wire/b.ts';",
      'src/sandbox/a.ts': "import { b } from '../betdex/client/b.ts';",
      'src/app/web/a.ts': "import { b } from '../../web/b.tsx';",
      'src/app/live/a.ts': "import type { B } from '../../betdex/wire/b.ts';",
      'src/app/run/a.ts': "const b = await import('../../betdex/b.ts');",
      'src/web/parts/a.tsx': "import { b } from '../../engine/b.ts';",
      'src/web/parts/b.tsx': "import { b } from '../../report/html/b.ts';",
    },
    keeps: {
      'src/matching/a.ts': "import { b } from '../core/b.ts'; import { c } from './c.ts';",
      'src/app/run/exchange-choice.ts': "import '../../betdex/b.ts';",
      'src/betdex/client/a.ts': "import { b } from '../wire/b.ts'; import { c } from '../stream/c.ts';",
      'src/betdex/wire/codec/a.ts': "import { b } from '../b.ts'; import { c } from '../../../core/c.ts';",
      'src/sandbox/http/a.ts':
        "import { b } from '../../betdex/wire/codec/b.ts'; import { c } from '../../codec/c.ts';",
      'src/web/report.tsx': "import { b } from './report/b.tsx'; import { c } from '../pages/c.ts';",
    },
  },
  {
    name: 'imports make no cycle',
    check: cycleBreaches,
    breaks: {
      'src/core/a.ts': "import './b.ts';",
      'src/core/b.ts': "export * from './c.ts';",
      'src/core/c.ts': "import type { a } from './a.ts';",
    },
    keeps: {
      'src/core/a.ts': "import './b.ts'; import './c.ts';",
      'src/core/b.ts': "import './c.ts';",
      'src/core/c.ts': EMPTY,
    },
  },
  {
    name: 'a folder of src and those inside it import each other in no circle',
    check: folderCycleBreaches,
    breaks: {
      'src/risk/a.ts': "import './limits/b.ts';",
      'src/risk/limits/b.ts': "import type { c } from '../c.ts';",
      'src/risk/c.ts': EMPTY,
    },
    keeps: {
      'src/risk/a.ts': "import './limits/b.ts';",
      'src/risk/limits/b.ts': "import './c.ts'; import '../../core/d.ts';",
      'src/risk/limits/c.ts': EMPTY,
      'src/core/d.ts': EMPTY,
    },
  },
  {
    name: 'rooms of src import each other in no circle, however deep the files lie',
    check: folderCycleBreaches,
    breaks: {
      'src/app/run/a.ts': "import '../web/page/b.ts';",
      'src/app/web/page/b.ts': EMPTY,
      'src/app/web/server/c.ts': "import type { d } from '../../run/report/d.ts';",
      'src/app/run/report/d.ts': EMPTY,
    },
    keeps: {
      'src/app/run/a.ts': "import '../web/page/b.ts'; import './report/d.ts';",
      'src/app/web/page/b.ts': EMPTY,
      'src/app/web/server/c.ts': "import '../page/b.ts';",
      'src/app/run/report/d.ts': EMPTY,
    },
  },
  {
    name: 'a folder of src has at most 15 entries',
    check: fullFolderBreaches,
    breaks: Object.fromEntries(Array.from('abcdefghijklmnop', (name) => [`src/core/${name}.ts`, EMPTY])),
    keeps: Object.fromEntries(Array.from('abcdefghijklmno', (name) => [`src/core/${name}.ts`, EMPTY])),
  },
  {
    name: 'only the public entries pass on exports',
    check: barrelBreaches,
    breaks: { 'src/core/a.ts': "export { b } from './b.ts';" },
    keeps: { 'src/index.ts': "export { b } from './core/b.ts';", 'src/core/b.ts': EMPTY },
  },
  {
    name: 'every file but an entry is imported by someone who is no test',
    check: orphanBreaches,
    breaks: { 'src/core/a.ts': EMPTY, 'test/a.test.ts': "import { a } from '../src/core/a.ts';" },
    keeps: { 'src/core/a.ts': EMPTY, 'src/app/main.ts': "const a = await import('../core/a.ts');" },
  },
  {
    name: "strategies import 'oddsmith' alone",
    check: strategyBreaches,
    breaks: { 'strategies/a.ts': "import { assert } from '../src/core/checks/assert.ts';" },
    keeps: { 'strategies/a.ts': "import { back } from 'oddsmith';" },
  },
  {
    name: 'nothing below time and app reaches for clock, chance, process or console',
    check: ambientBreaches,
    breaks: {
      'src/core/a.ts': 'const now = Date.now();',
      'src/core/b.ts': 'const now = new Date();',
      'src/core/c.ts': 'const chance = Math.random();',
      'src/risk/d.ts': "console.log('x');",
      'src/engine/e.ts': 'setTimeout(() => 1, 5);',
      'src/recording/f.ts': 'const home = process.env;',
      'src/engine/g.ts': 'const home = process.env; // edge: an engine has no edge',
      'src/matching/h.ts': "import { randomUUID } from 'node:crypto';",
      'strategies/i.ts': 'const now = performance.now();',
    },
    keeps: {
      'src/core/a.ts':
        'const at = new Date(5); const x = clock.now(); interface P { process(): void } const o = { console: 1 };',
      'src/app/b.ts': 'console.log(Date.now());',
      'src/recording/c.ts': 'const at = Date.now(); // edge: when the message was received',
    },
  },
  {
    name: 'timed operators name the clock',
    check: timedBreaches,
    breaks: {
      'src/engine/a.ts': "import { delay, timer as later } from 'rxjs'; delay(5); later(7);",
      'src/engine/b.ts': "import { retry } from 'rxjs'; retry({ count: 3, delay: 1000 });",
    },
    keeps: {
      'src/engine/a.ts':
        "import { delay, retry, timer } from 'rxjs'; delay(5, clock); retry({ delay: () => timer(5, clock) });",
    },
  },
  {
    name: 'files have at most 400 lines',
    check: longFileBreaches,
    breaks: { 'src/core/a.ts': 'const a = 1;\n'.repeat(401) },
    keeps: { 'src/core/a.ts': 'const a = 1;\n'.repeat(400) },
  },
  {
    name: 'functions have at most 60 lines',
    check: longFunctionBreaches,
    breaks: {
      'src/core/a.ts': `function a() {\n${'  a();\n'.repeat(59)}}`,
      'src/core/b.ts': `class B { c() {\n${'  d();\n'.repeat(59)}} }`,
    },
    keeps: {
      'src/core/a.ts': `function a() {\n${'  a();\n'.repeat(58)}}`,
      'test/b.test.ts': `describe('b', () => {\n${'  t();\n'.repeat(99)}});`,
    },
  },
  {
    name: 'a file begins with what it is for, said once',
    check: firstLineBreaches,
    breaks: {
      'src/core/a.ts': "import { b } from './b.ts';",
      'src/core/b.ts': '/** Says b. */\n/**\n * Says b again.\n */\n\nconst b = 1;',
    },
    keeps: {
      'src/core/a.ts': '/** Says a. */\n\n/** What b is. */\nconst b = 1;',
      'src/app/main.ts': '#!/usr/bin/env node\n/** The command. */',
      'strategies/b.ts': '/**\n * Says b.\n */',
    },
  },
  {
    name: 'file names are kebab-case and name a concept',
    check: nameBreaches,
    breaks: { 'src/core/utils.ts': EMPTY, 'src/core/orderBook.ts': EMPTY, 'src/web/parts/priceTable.tsx': EMPTY },
    keeps: { 'src/core/order-book.ts': EMPTY },
  },
  {
    name: 'only strategies have a default export',
    check: defaultExportBreaches,
    breaks: { 'src/core/a.ts': 'export default 1;', 'src/core/b.ts': 'export default function b() {}' },
    keeps: { 'strategies/a.ts': 'export default 1;' },
  },
  {
    name: 'no mark of unfinished work is left',
    check: markBreaches,
    breaks: { 'src/core/a.ts': `// ${'TO' + 'DO'}: later` },
    keeps: { 'src/core/a.ts': '// Todoist is a name.' },
  },
  {
    name: "no file names a path of somebody's machine",
    check: machinePathBreaches,
    breaks: { 'src/core/a.ts': `const a = '${'/home'}/ann/a.tape';`, 'test/b.test.ts': `read('${'/work'}/shared');` },
    keeps: { 'src/core/a.ts': "const a = './home/a.tape'; const b = '/usr/bin/chromium'; // ../other/main" },
  },
  {
    name: 'a result is the same on each Node',
    check: brokenPowerBreaches,
    breaks: { 'src/research/a.ts': 'const a = x ** 1.5;', 'src/risk/b.ts': 'const b = x ** -2;' },
    keeps: { 'src/research/a.ts': 'const a = x ** 2 + 2 ** 0 * Math.sqrt(x);', 'src/web/b.ts': 'const b = x ** 0.5;' },
  },
  {
    name: 'tests are skipped through test/support alone',
    check: mutedTestBreaches,
    breaks: {
      'test/a.test.ts': "test.skip('a', () => {});",
      'test/b.test.ts': "describe.only('b', () => {});",
      'test/c.test.ts': "it.skipIf(x)('c', f);",
    },
    keeps: {
      'test/support/a.ts': "test.skip('a', () => {});",
      'test/b.test.ts': "buffer.skip(4); test('b', () => {});",
    },
  },
  {
    name: 'no hook stands at the top of a module that files of tests share',
    check: sharedHookBreaches,
    breaks: { 'test/support/a.ts': 'afterAll(() => {});' },
    keeps: {
      'test/a.test.ts': 'afterAll(() => {});',
      'test/support/a.ts': 'export function open(): void {\n  afterAll(() => {});\n}',
      'test/support/clean-up.ts': 'afterAll(clean);',
    },
  },
  {
    name: 'what is exported is imported by another file, and not by tests alone',
    check: (all) => unusedExportBreaches(all),
    breaks: {
      'src/core/a.ts': 'export const a = 1;\n',
      'src/core/b.ts': "import { c } from './c.ts';\nexport const b = c;\n",
      'src/core/c.ts': 'export function c(): void {}\nexport function d(): void {}\n',
    },
    keeps: {
      'src/core/a.ts': 'export interface A {\n  a: 1;\n}\nexport function made(): A {\n  return { a: 1 };\n}\n',
      'src/core/b.ts': "import { made } from './a.ts';\nexport const checked = made;\nexport const used = checked;\n",
      'src/core/c.ts': "import { used } from './b.ts';\nconsole.log(used);\n",
      'test/b.test.ts': "import { checked } from '../src/core/b.ts';",
    },
  },
  {
    name: 'what a class offers is read by code, and not by tests alone',
    check: unreadMemberBreaches,
    breaks: {
      'src/core/a.ts': 'export class A {\n  count = 1;\n}\n',
      'src/core/b.ts': 'export class B {\n  get size(): number {\n    return 1;\n  }\n}\n',
    },
    keeps: {
      'src/core/a.ts': 'export class A {\n  count = 1;\n  static made(): A {\n    return new A();\n  }\n}\n',
      'src/core/b.ts':
        "import type { Handler } from 'undici';\nexport class B implements Handler {\n  onError(): void {}\n}\n",
      'src/core/c.ts': "import { A } from './a.ts';\nconst { count } = A.made();\nconsole.log(count);\n",
    },
  },
  {
    name: 'words that were given up are not used',
    check: givenUpWordBreaches,
    breaks: {
      'src/core/a.ts': 'const desk = 1;',
      'src/core/b.ts': 'class StrategySeat {}',
      'src/core/c.ts': '/** The same, once more. */',
      'docs/d.md': 'Each order is told of once.',
    },
    keeps: {
      'src/core/a.ts': "const desktop = 'seated at the desktop'; /** The same price in both. */",
      'docs/decisions/core.md': 'A desk was an entry.',
    },
  },
  {
    name: 'at most 4 in 100 doc comments of a layer begin with a fragment',
    check: fragmentBreaches,
    breaks: {
      'src/sweep/a.ts': '/** Of each trial, its value. */\nconst a = 1;',
      'src/core/b.ts': `${'/** A value. */\n'.repeat(23)}/**\n * By index.\n */\n`,
    },
    keeps: {
      'src/sweep/a.ts': '/** The value of each trial. */\n/** Notes it. */\n/** Assigned by hand. */',
      'src/core/b.ts': `${'/** A value. */\n'.repeat(24)}/** By index. */\n`,
      'test/c.test.ts': '/** As it was. */',
    },
  },
  {
    name: 'fast tests start no process and open no socket',
    check: tierBreaches,
    breaks: {
      'test/core/a.test.ts': "import { spawn } from 'node:child_process';",
      'test/core/b.test.ts': "import { helped } from './a.test.ts';",
    },
    keeps: {
      'test/app/live/a.test.ts': "import { spawn } from 'node:child_process';",
      'test/core/c.test.ts': "import type { Socket } from 'node:net';",
    },
  },
];

/** Rules about every text of the project, not its sources alone. */
const TEXTUAL: ReadonlySet<Rule['check']> = new Set([markBreaches, machinePathBreaches, givenUpWordBreaches]);

/** Rules that are broken by files together: one breach names them all. */
const WHOLE: ReadonlySet<Rule['check']> = new Set([cycleBreaches, folderCycleBreaches, fullFolderBreaches]);

describe.each(RULES)('$name', ({ check, breaks, keeps }) => {
  test('holds in the project', () => {
    const words = TEXTUAL.has(check);
    expect(check(words ? (texts as readonly Source[]) : sources)).toEqual([]);
  });

  test('fails on each counter-example', () => {
    const files = Object.entries(breaks).map(([path, text]) => source(path, text));
    const breaches = check(files);
    const whole = WHOLE.has(check) || breaches.some((each) => each.endsWith('nobody imports it'));
    if (whole) expect(breaches.length).toBe(1);
    else
      for (const file of files)
        expect(breaches.filter((each) => each.startsWith(file.path)).length, file.path).toBeGreaterThan(0);
  });

  test('lets near misses pass', () => {
    const near = check(Object.entries(keeps).map(([path, text]) => source(path, text)));
    expect(near).toEqual([]);
  });
});

test('a folder that is no layer yet is named once, with what to do', () => {
  const imports = "import { a } from '../core/a.ts'; import { b } from '../exchange/b.ts';";
  const breaches = layerBreaches(['src/made-up/a.ts', 'src/made-up/b.ts'].map((path) => source(path, imports)));
  expect(breaches).toEqual([expect.stringMatching(/^src\/made-up\/: no layer: add it.* to LAYERS .*ARCHITECTURE\.md/)]);
});

test('an adapter under construction may have a gateway that tests alone import, until something else does', () => {
  const gateway = source('src/made-up/gateway.ts', 'export function gateway(): void {}');
  const tested = source('test/a.test.ts', "import { gateway } from '../src/made-up/gateway.ts';");
  const used = source('src/app/a.ts', "import { gateway } from '../made-up/gateway.ts';");
  expect(unusedExportBreaches([gateway, tested])).toHaveLength(1);
  expect(unusedExportBreaches([gateway, tested], ['src/made-up/'])).toEqual([]);
  expect(constructionBreaches([gateway, tested], [gateway.path])).toEqual([]);
  expect(constructionBreaches([gateway, used], ['src/made-up/'])).toHaveLength(1);
  expect(constructionBreaches([tested], [gateway.path])).toHaveLength(1);
  expect(constructionBreaches(sources, Object.keys(UNDER_CONSTRUCTION))).toEqual([]);
});

test('ARCHITECTURE.md has a row for each layer, with what it may import', () => {
  const text = architecture;
  expect(layerRowBreaches(text)).toEqual([]);
  expect(layerRowBreaches(text.replace('| core, time, exchange |', '| core, exchange |'))).toHaveLength(1);
  expect(layerRowBreaches(text.replace('| `time/` |', '| `clock/` |'))).toHaveLength(2);
});

test('ARCHITECTURE.md names each room of a layer, and no other', () => {
  expect(roomBreaches(architecture, sources)).toEqual([]);
  const room = source('src/core/book/a.ts', EMPTY);
  expect(roomBreaches('| `core/` | `number/` |', [room])).toHaveLength(2);
  expect(roomBreaches('| `core/` | `a.ts` · `book/` stakes |', [room])).toEqual([]);
});

test('the checks see the project', () => {
  expect(sources.length).toBeGreaterThan(50);
  expect(texts.some((each) => each.path === 'package.json')).toBe(true);
});
