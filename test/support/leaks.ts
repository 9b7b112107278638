/** Strategies that know, or try to know, what they are not told: what each does, and how it is found out. */

/**
 * `halted` and `STRATEGY_…`: what it reaches for is not there. `LOOKAHEAD` and `PROOF_FILES`: the proof finds it. `nothing`: what it reaches
 * for says nothing, and so it never trades.
 */
export type FoundBy = 'halted' | 'nothing' | 'STRATEGY_IMPORT' | 'LOOKAHEAD' | 'PROOF_FILES' | 'PROOF_IDS';

export interface Leak {
  readonly name: string;
  readonly foundBy: FoundBy;
  /** Whether the directory of its winners is granted to it. */
  readonly isGranted?: boolean;
  /** `DIR` is the directory that holds winners.json, signal.csv and the recording as recording.jsonl. */
  readonly code: string;
  /** Words of the error with which it is halted, as its author reads them. */
  readonly says?: RegExp | undefined;
}

interface LeakOptions {
  readonly imports?: string;
  readonly isGranted?: boolean;
  readonly says?: RegExp;
}

/** `body` answers whether to back the first outcome now. */
function leak(
  name: string,
  foundBy: FoundBy,
  body: string,
  { imports = '', isGranted = false, says }: LeakOptions = {},
): Leak {
  const code = `import { back, defineStrategy, favourites } from 'oddsmith';
${imports}
const from = (value: unknown, ...path: readonly string[]): any => path.reduce((at: any, key) => at[key], value);
export default defineStrategy({
  name: '${name}',
  decide(input) {
    const { market, now } = input;
    const [outcome] = market.outcomes;
    if (outcome === undefined || !market.tradable) return [];
    const isWanted = (() => { ${body} })();
    return isWanted ? [back(outcome, { stake: 2, price: 1.5 })] : [];
  },
});
`;
  return { name, foundBy, code, isGranted, says };
}

/** Trades if the next update of the market, which the recording has and nobody told yet, sets the price of an outcome. */
const NEXT_UPDATE = `
  if (lines.length === 0) {
    const text = readFileSync('DIR/recording.jsonl', 'utf8');
    for (const line of text.trim().split('\\n')) {
      const { publishedAt, events } = JSON.parse(line);
      if (events !== undefined) lines.push({ at: Date.parse(publishedAt), events });
    }
  }
  const next = lines.find(({ at }) => at > now);
  return input.orders.length === 0 && next?.events.some(({ kind }: any) => kind === 'level');`;
const LINES = 'const lines: any[] = [];';

const READ = "import { readFileSync } from 'node:fs';";

/** Remembers each price somewhere that outlives the run, and trades when it will have moved. */
const memory = (holder: string) => `
  const held: any = ${holder};
  const memo: Map<string, number> = (held.memo ??= new Map());
  const price = outcome.bestPrice('Against') ?? 0;
  const next = memo.get(market.id + now);
  memo.set(market.id + (input as any).last, price);
  memo.set(market.id + now, price);
  return next !== undefined;`;

/** Clocks beside Date: each is shifted with it, or not there. */
const CLOCKS: readonly Leak[] = [
  leak(
    'month-of-a-format',
    'LOOKAHEAD',
    "return Number(new Intl.DateTimeFormat('en', { month: 'numeric' }).format()) % 2 === 0;",
  ),
  leak(
    'month-in-parts',
    'LOOKAHEAD',
    "return Number(new Intl.DateTimeFormat('en', { month: 'numeric' }).formatToParts()[0]?.value) % 2 === 0;",
  ),
  leak('month-of-rxjs', 'LOOKAHEAD', 'return new Date(asyncScheduler.now()).getMonth() % 2 === 0;', {
    imports: "import { asyncScheduler } from 'rxjs';",
  }),
  leak('month-of-a-subclass', 'LOOKAHEAD', 'return new (class extends Date {})().getMonth() % 2 === 0;'),
  leak(
    'month-through-a-prototype',
    'LOOKAHEAD',
    'return new (Date.prototype.constructor as any)().getMonth() % 2 === 0;',
  ),
  leak('clock-of-a-file', 'halted', "return new (File as any)([], 'x').lastModified % 2 === 0;", {
    imports: "import { File } from 'node:buffer';",
    says: /buffer\.File is not for strategies/,
  }),
  leak('performance', 'halted', 'return (globalThis as any).performance.now() % 2 < 1;'),
  leak('console-time', 'halted', "(console as any).time('x'); return true;", {
    says: /console\.time is not a function/,
  }),
];

/** Chance without a seed, and memory that is cleaned up when the machine likes to, or not at all. */
const CHANCES: readonly Leak[] = [
  ...['randomInt(20) === 0', 'randomBytes(1)[0] === 0', "randomUUID().startsWith('0')"].map((body) => {
    const [name = ''] = body.split('(');
    return leak(`chance-by-${name.toLowerCase()}`, 'halted', `return ${body};`, {
      imports: `import { ${name} } from 'node:crypto';`,
      says: new RegExp(`crypto\\.${name} is not for strategies: of crypto they have .*createHash`),
    });
  }),
  leak('chance-of-the-web', 'halted', 'return (webcrypto as any).getRandomValues(new Uint8Array(1))[0] === 0;', {
    imports: "import { webcrypto } from 'node:crypto';",
  }),
  leak(
    'weak-references',
    'nothing',
    'refs.push(new WeakRef(new Array(10_000))); return refs.some((ref) => ref.deref() === undefined);',
    {
      imports: 'const refs: WeakRef<object>[] = [];',
    },
  ),
  leak('registry', 'nothing', 'registry.register(new Array(10_000), 1); return collected > 0;', {
    imports: 'let collected = 0; const registry = new FinalizationRegistry(() => { collected += 1; });',
  }),
  leak('uncleared-memory', 'nothing', 'return Buffer.allocUnsafe(64).some((byte) => byte !== 0);', {
    imports: "import { Buffer } from 'node:buffer';",
  }),
  leak('memory-of-others', 'nothing', "return Buffer.from('mine').buffer.byteLength > 4;", {
    imports: "import { Buffer } from 'node:buffer';",
  }),
];

/** What would come when the machine is ready for it: between which updates that is depends on its speed. */
const LATE: readonly Leak[] = [
  leak('turns-of-promises', 'nothing', 'Promise.resolve().then(() => { turns += 1; }); return turns > 0;', {
    imports: 'let turns = 0;',
  }),
  leak('turns-of-async', 'nothing', '(async () => { await null; turns += 1; })(); return turns > 0;', {
    imports: 'let turns = 0;',
  }),
  leak(
    'turns-of-imports',
    'halted',
    "new Function('turn', 'import(\"node:fs\").then(turn, turn)')(() => { turns += 1; }); return turns > 0;",
    {
      imports: 'let turns = 0;',
      says: /dynamic import callback/,
    },
  ),
  leak(
    'timer-of-atomics',
    'halted',
    '(Atomics as any).waitAsync(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1); return true;',
  ),
  leak('wait-of-atomics', 'halted', 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1); return true;'),
  leak(
    'compiled-later',
    'halted',
    '(WebAssembly as any).compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])); return true;',
  ),
  leak('timer-of-rxjs', 'halted', 'interval(1).subscribe(() => {}); return true;', {
    imports: "import { interval } from 'rxjs';",
    says: /Strategies have no timers/,
  }),
  leak('callback-of-crypto', 'halted', '(pbkdf2 as any)("a", "b", 1, 1, "sha1", () => {}); return true;', {
    imports: "import { pbkdf2 } from 'node:crypto';",
  }),
  leak('stream', 'halted', 'Readable.from(["text"]); return true;', {
    imports: "import { Readable } from 'node:stream';",
  }),
];

/** From each, `constructor.constructor` was a way to our process. */
const HANDED: Readonly<Record<string, string>> = {
  ...{ 'a-list': 'market.outcomes', 'a-list-of-orders': 'input.orders', 'linked-markets': 'input.linked' },
  ...{ 'a-level': "outcome.levels('Against')", 'a-snapshot': 'market.snapshot().outcomes', params: 'input.params' },
  ...{
    signals: 'input.signal',
    plots: 'input.plot',
    markets: 'input.markets.get',
    'all-markets': 'input.markets.all()',
  },
  'a-getter': "Object.getOwnPropertyDescriptor(Object.getPrototypeOf(market), 'outcomes')!.get",
  ...{ 'an-export': 'back', intents: 'back(outcome, { stake: 2 })', chance: 'Math.random', console: 'console.log' },
  ...{
    'the-platform': 'URL',
    'an-object-of-the-platform': "new URL('a:b').searchParams",
    'a-clone': 'structuredClone({})',
  },
  ...{
    'a-module': 'createHash',
    'bytes-of-a-module': "createHash('sha256').digest()",
    require: 'require',
    module: 'module',
  },
  'an-error': "caught(() => input.position.profitIfWins('nobody'))",
  'an-error-of-a-getter':
    "caught(() => Object.getOwnPropertyDescriptor(Object.getPrototypeOf(market), 'outcomes')!.get!.call({}))",
  'an-error-of-a-signal': "caught(() => input.signal('none', outcome.id))",
  'an-error-of-a-plot': 'caught(() => input.plot({ x: {} } as any))',
  'an-error-of-a-module': "caught(() => createHash('none'))",
  'a-stack': 'stack()',
};

const WAYS_OUT: readonly Leak[] = [
  ...Object.entries(HANDED).map(([from, value]) =>
    leak(
      `process-through-${from}`,
      'halted',
      `return (${value} as any).constructor.constructor('return process')().pid > 0;`,
      {
        imports: `import { createHash } from 'node:crypto';
declare const module: any;
const caught = (act: () => unknown) => { try { act(); } catch (thrown) { return thrown; } };
const stack = () => { (Error as any).prepareStackTrace = (_: any, sites: any) => sites; const { stack } = new Error(); (Error as any).prepareStackTrace = undefined; return (stack as any)[0]; };`,
        says: /process is not defined/,
      },
    ),
  ),
  leak('process-through-eval', 'halted', "return (0, eval)('process').pid > 0;", { says: /process is not defined/ }),
  leak(
    'functions-of-a-stack',
    'nothing',
    `
    (Error as any).prepareStackTrace = (_: any, sites: any) => sites;
    return ((new Error() as any).stack as any[]).slice(1).some((site) => [site.getThis(), site.getFunction()].some((each) => each !== undefined && !(each instanceof Object)));`,
  ),
  leak('callers', 'nothing', "return new Function('let at = arguments.callee.caller; return at !== null')();"),
  leak('arguments-of-the-process', 'halted', 'return (parseArgs as any)().positionals.length > 0;', {
    imports: "import { parseArgs } from 'node:util';",
  }),
  leak('directory-of-the-process', 'nothing', "return resolve('x') !== '/x' || relative('/a', 'b') !== '../b';", {
    imports: "import { relative, resolve } from 'node:path';",
  }),
  leak(
    'shown-by-itself',
    'nothing',
    `
    let given: any;
    inspect({ [inspect.custom]: (...args: unknown[]) => { given = args; return ''; } });
    return given !== undefined;`,
    { imports: "import { inspect } from 'node:util';" },
  ),
];

export const LEAKS: readonly Leak[] = [
  leak(
    'definitions-through-desk',
    'halted',
    "return from(input, 'desk', 'state', 'recorded', 'definitions').length > 0;",
  ),
  leak(
    'names-told-later-through-desk',
    'halted',
    "return from(input, 'desk', 'state', 'recorded', 'facts', 'outcomes').length > 0;",
  ),
  leak('book-through-desk', 'halted', "from(input, 'desk', 'state', 'book').setLevel(0, 0, 10, 1e9); return true;"),
  leak('state-behind-a-view', 'halted', "return from(market, 'constructor', 'prototype') !== undefined;"),
  leak(
    'getter-for-all',
    'halted',
    `
    Object.defineProperty(Object.getPrototypeOf(outcome), 'bestAgainst', { get: () => ({ price: 1.01, stake: 1e6 }) });
    return true;`,
  ),
  leak('memory-on-an-export', 'nothing', memory('favourites')),
  leak('memory-on-a-view', 'halted', memory('Object.getPrototypeOf(outcome)')),
  leak('memory-on-lists', 'nothing', memory('Object.getPrototypeOf(market.outcomes)')),
  leak('memory-on-rxjs', 'nothing', memory('Observable'), { imports: "import { Observable } from 'rxjs';" }),
  leak('memory-on-a-module', 'nothing', memory('createHash'), {
    imports: "import { createHash } from 'node:crypto';",
  }),
  leak('memory-on-a-class-of-a-module', 'nothing', memory('Buffer.prototype'), {
    imports: "import { Buffer } from 'node:buffer';",
  }),
  leak('memory-on-the-platform', 'nothing', memory('URL')),
  leak('process', 'halted', "return from(globalThis, 'process', 'env', 'WINNERS') !== undefined;", {
    says: /Cannot read properties of undefined \(reading .env.\)/,
  }),
  leak('process-by-name', 'halted', 'return (process as any).env.WINNERS !== undefined;', {
    says: /process is not defined/,
  }),
  leak(
    'require-by-name',
    'STRATEGY_IMPORT',
    "return require('fs').readFileSync('DIR/winners.json', 'utf8').includes(market.id);",
  ),
  leak('require-computed', 'halted', "return require(['node', 'fs'].join(':')).existsSync('DIR');", {
    says: /.node:fs. is not imported by name: a strategy is bundled before it runs/,
  }),
  leak('timers', 'halted', 'setTimeout(() => {}, 1); return true;', { says: /setTimeout is not defined/ }),
  leak('network', 'halted', "(globalThis as any).fetch('http://127.0.0.1/'); return true;", {
    says: /fetch is not a function/,
  }),
  leak('clock', 'LOOKAHEAD', 'return Date.now() % 2 === 0;'),
  leak('time-of-year', 'LOOKAHEAD', 'return new Date().getMonth() % 2 === 0;'),
  ...CLOCKS,
  ...CHANCES,
  ...LATE,
  ...WAYS_OUT,
  leak('environment', 'STRATEGY_IMPORT', 'return freemem() % 2 === 0;', {
    imports: "import { freemem } from 'node:os';",
  }),
  leak(
    'winners-from-a-file',
    'STRATEGY_IMPORT',
    "return input.orders.length === 0 && readFileSync('DIR/winners.json', 'utf8').includes(market.id);",
    {
      imports: READ,
    },
  ),
  leak(
    'winners-from-a-granted-file',
    'PROOF_FILES',
    "return input.orders.length === 0 && readFileSync('DIR/winners.json', 'utf8').includes(market.id);",
    {
      ...{ imports: READ, isGranted: true },
    },
  ),
  leak('winners-in-its-code', 'PROOF_IDS', "return input.orders.length === 0 && ['99000502'].includes(market.id);"),
  leak('winners-in-json', 'PROOF_IDS', 'return input.orders.length === 0 && winners.includes(market.id);', {
    imports: "import winners from './winners.json';",
  }),
  leak('winner-in-its-code', 'PROOF_IDS', "return input.orders.length === 0 && outcome.id === '990005021';"),
  leak(
    'times-in-its-code',
    'PROOF_IDS',
    'return input.orders.length === 0 && now > Date.UTC(2026, 0) && now < Date.UTC(2027, 0);',
  ),
  leak('next-update-from-a-file', 'STRATEGY_IMPORT', NEXT_UPDATE, { imports: `${READ}\n${LINES}` }),
  leak('next-update-from-a-granted-file', 'PROOF_FILES', NEXT_UPDATE, {
    ...{ imports: `${READ}\n${LINES}`, isGranted: true },
  }),
  leak(
    'winners-loaded-from-a-granted-file',
    'PROOF_FILES',
    'return input.orders.length === 0 && winners.includes(market.id);',
    {
      ...{ imports: `${READ}\nconst winners = readFileSync('DIR/winners.json', 'utf8');`, isGranted: true },
    },
  ),
  leak(
    'signal-read-as-a-file',
    'PROOF_FILES',
    `
    return input.orders.length === 0 && existsSync('DIR/signal.csv') && readFileSync('DIR/signal.csv', 'utf8').includes(',0.9');`,
    {
      ...{ imports: "import { existsSync, readFileSync } from 'node:fs';", isGranted: true },
    },
  ),
];

/** They know nothing too early, though they do what leaks do: none of them is accused. */
export const CLEAN: readonly Leak[] = [
  leak(
    'own-memory',
    'halted',
    'memo.set(market.id, (memo.get(market.id) ?? 0) + 1); return memo.get(market.id)! % 50 === 0;',
    {
      imports: 'const memo = new Map<string, number>();',
    },
  ),
  leak(
    'memory-on-its-own-globals',
    'halted',
    'const own: any = globalThis; own.calls = (own.calls ?? 0) + 1; return own.calls % 50 === 0;',
  ),
  leak('seeded-chance', 'halted', 'return Math.random() < 0.02;'),
  leak(
    'chance-of-a-fixed-seed',
    'halted',
    'Math.random = () => { seed = (seed * 1103515245 + 12345) % 2147483648; return seed / 2147483648; }; return Math.random() < 0.02;',
    { imports: 'let seed = 42;' },
  ),
  leak('names', 'halted', 'return market.outcomes.some(({ title }) => title > "M") && now % 97 === 0;'),
  leak('time-of-the-market', 'halted', 'const d = new Date(now); return d.getSeconds() === 0;'),
  leak('granted-and-not-needed', 'halted', "existsSync('DIR/winners.json'); return now % 97 === 0;", {
    ...{ imports: "import { existsSync } from 'node:fs';", isGranted: true },
  }),
];
