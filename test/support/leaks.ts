/** Strategies that know, or try to know, what they are not told: what each does, and how it is found out. */

/** `halted` and `STRATEGY_…`: what it reaches for is not there. `LOOKAHEAD` and `PROOF_FILES`: the proof finds it. */
export type FoundBy = 'halted' | 'STRATEGY_IMPORT' | 'LOOKAHEAD' | 'PROOF_FILES';

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
  leak('memory-on-an-export', 'halted', memory('favourites')),
  leak('memory-on-a-view', 'halted', memory('Object.getPrototypeOf(outcome)')),
  leak('memory-on-lists', 'LOOKAHEAD', memory('Object.getPrototypeOf(market.outcomes)')),
  leak('memory-on-rxjs', 'LOOKAHEAD', memory('Observable'), { imports: "import { Observable } from 'rxjs';" }),
  leak('memory-on-a-module', 'LOOKAHEAD', memory('randomBytes'), {
    imports: "import { randomBytes } from 'node:crypto';",
  }),
  leak('memory-on-the-platform', 'LOOKAHEAD', memory('URL')),
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
  leak('chance', 'LOOKAHEAD', 'return randomInt(20) === 0;', { imports: "import { randomInt } from 'node:crypto';" }),
  leak('environment', 'STRATEGY_IMPORT', 'return freemem() % 2 === 0;', {
    imports: "import { freemem } from 'node:os';",
  }),
  leak(
    'process-through-function',
    'LOOKAHEAD',
    `
    const process = (market.outcomes as any).constructor.constructor('return process')();
    return process.hrtime.bigint() % 20n === 0n;`,
  ),
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
