/** Strategies given as objects that know, or try to know, what they are not told, and what the proof says of each. */

import { randomBytes, randomFillSync, randomInt, randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { back, type DecideInput, defineStrategy, type StrategyPlugin } from 'oddsmith';
import { openTape } from 'oddsmith/backtest';
import { map } from 'rxjs';

export interface Knowledge {
  /** Holds winners.json (a list of the ids of markets) and signal.csv. */
  readonly dir: string;
  readonly tape: string;
  readonly market: string;
}

export interface ObjectLeak {
  readonly name: string;
  readonly code: 'LOOKAHEAD' | 'PROOF_FILES' | 'PROOF_IDS';
  /** Words of the error. */
  readonly says: RegExp;
  /** A new one, with a memory of its own. */
  readonly make: (knowledge: Knowledge) => StrategyPlugin;
}

/** Backs the first outcome whenever it likes to. */
function backer(name: string, likes: (input: DecideInput) => boolean): StrategyPlugin {
  return defineStrategy({
    name,
    decide: (input) => {
      const [outcome] = input.market.outcomes;
      if (outcome === undefined || !input.market.tradable || !likes(input)) return [];
      return [back(outcome, { stake: 2, price: 1.5 })];
    },
  });
}

/** Remembers the price of each update, and likes it when it is about to change. */
function knowing(name: string, memo: Map<string, number>): StrategyPlugin {
  let before = '';
  return backer(name, ({ market, now }) => {
    const key = `${market.id} ${now}`;
    const price = market.outcomes[0]?.bestPrice('Against') ?? 0;
    memo.set(before, price);
    before = key;
    const next = memo.get(key);
    return next !== undefined && next !== price;
  });
}

/** The times at which the price of the first outcome will rise, by the recording itself. */
function risesOf({ tape, market }: Knowledge): readonly number[] {
  const opened = openTape(tape);
  const rises: number[] = [];
  for (const { publishedAt, events } of opened.updates([market]))
    if (events.some((event) => event.kind === 'level')) rises.push(publishedAt);
  opened.close();
  return rises;
}

/** Likes it where it was asked before, in an earlier run, at this time. What it knows it leaves on an object that all runs share. */
function remembered(shared: object): (input: DecideInput) => boolean {
  Reflect.deleteProperty(shared, 'memoOfTest');
  return ({ now }) => {
    const known: unknown = Reflect.get(shared, 'memoOfTest');
    const memo = known instanceof Set ? known : new Set<unknown>();
    Object.assign(shared, { memoOfTest: memo });
    const isKnown = memo.has(now);
    memo.add(now);
    return isKnown;
  };
}

const ofModule = new Map<string, number>();
const sharedByMarkets = { calls: 0 };

/** Named by itself, and not as memory. */
const CHANCE = /The decision depends on chance \(Math\.random, node:crypto\), which in an object has no seed\.$/;

export const OBJECT_LEAKS: readonly ObjectLeak[] = [
  {
    ...{ name: 'file-in-a-call', code: 'PROOF_FILES', says: /Read, or granted to it: .*winners\.json/ },
    make: ({ dir }) =>
      backer('file-in-a-call', ({ orders, market }) =>
        orders.length === 0 ? readFileSync(`${dir}/winners.json`, 'utf8').includes(market.id) : false,
      ),
  },
  {
    ...{ name: 'file-that-is-there', code: 'PROOF_FILES', says: /depends on files/ },
    make: ({ dir }) => backer('file-that-is-there', ({ orders }) => orders.length === 0 && existsSync(dir)),
  },
  {
    ...{ name: 'results-in-a-closure', code: 'PROOF_IDS', says: /which market and outcome it is/ },
    make: ({ dir }) => {
      const winners: readonly string[] = JSON.parse(readFileSync(`${dir}/winners.json`, 'utf8'));
      return backer('results-in-a-closure', ({ orders, market }) => orders.length === 0 && winners.includes(market.id));
    },
  },
  {
    ...{ name: 'winner-by-its-outcome', code: 'PROOF_IDS', says: /which market and outcome it is/ },
    make: ({ tape, market }) => {
      const opened = openTape(tape);
      const place = opened
        .definitions(market)
        .at(-1)
        ?.outcomes.findIndex(({ status }) => status === 'Winner');
      const winner = opened.market(market).outcomes[place ?? -1]?.id;
      opened.close();
      return backer('winner-by-its-outcome', ({ market: { outcomes }, orders }) =>
        orders.length === 0 ? outcomes.some(({ id }) => id === winner) : false,
      );
    },
  },
  {
    ...{ name: 'next-update-by-time', code: 'PROOF_IDS', says: /or the year/ },
    make: (knowledge) => {
      const rises = risesOf(knowledge);
      return backer('next-update-by-time', ({ now, orders }) => {
        const next = rises.find((at) => at > now);
        return orders.length === 0 && next !== undefined && next - now < 60_000;
      });
    },
  },
  {
    ...{ name: 'signal-in-a-closure', code: 'PROOF_IDS', says: /which market and outcome it is/ },
    make: ({ dir }) => {
      const rows = readFileSync(`${dir}/signal.csv`, 'utf8').split('\n');
      return backer('signal-in-a-closure', ({ orders, market }) =>
        orders.length === 0 ? rows.some((row) => row.includes(market.id) && row.endsWith(',0.9')) : false,
      );
    },
  },
  {
    ...{ name: 'signal-in-a-call', code: 'PROOF_FILES', says: /Read, or granted to it: .*signal\.csv/ },
    make: ({ dir }) =>
      backer('signal-in-a-call', ({ orders }) =>
        orders.length === 0 ? readFileSync(`${dir}/signal.csv`, 'utf8').includes(',0.9') : false,
      ),
  },
  {
    ...{ name: 'memory-in-a-closure', code: 'LOOKAHEAD', says: /outside of its state/ },
    make: () => knowing('memory-in-a-closure', new Map()),
  },
  {
    ...{ name: 'memory-of-a-module', code: 'LOOKAHEAD', says: /outside of its state/ },
    make: () => knowing('memory-of-a-module', ofModule),
  },
  {
    ...{ name: 'count-over-markets', code: 'LOOKAHEAD', says: /outside of its state/ },
    make: () =>
      backer('count-over-markets', () => {
        sharedByMarkets.calls += 1;
        return sharedByMarkets.calls % 7 === 0;
      }),
  },
  {
    ...{ name: 'memory-on-globals', code: 'LOOKAHEAD', says: /left behind: globalThis\.memoOfTest/ },
    make: () => backer('memory-on-globals', remembered(globalThis)),
  },
  {
    ...{ name: 'memory-on-a-prototype', code: 'LOOKAHEAD', says: /left behind: Map\.prototype\.memoOfTest/ },
    make: () => backer('memory-on-a-prototype', remembered(Map.prototype)),
  },
  {
    ...{ name: 'clock', code: 'LOOKAHEAD', says: /the machine's clock/ },
    make: () => backer('clock', ({ orders }) => orders.length === 0 && new Date().getMilliseconds() % 2 === 0),
  },
  {
    ...{ name: 'time-of-a-call', code: 'LOOKAHEAD', says: /the machine's clock/ },
    make: () =>
      backer('time-of-a-call', ({ orders }) => {
        const began = Date.now();
        return orders.length === 0 && Date.now() - began > 1;
      }),
  },
  {
    ...{ name: 'time-of-year', code: 'LOOKAHEAD', says: /the machine's clock/ },
    make: () => backer('time-of-year', ({ orders }) => orders.length === 0 && new Date().getMonth() % 2 === 0),
  },
  {
    ...{ name: 'clock-in-a-stream', code: 'LOOKAHEAD', says: /the machine's clock/ },
    make: () => {
      const { decide, ...rest } = backer(
        'clock-in-a-stream',
        ({ orders }) => orders.length === 0 && new Date().getMonth() % 2 === 0,
      );
      return { ...rest, run: (inputs$) => inputs$.pipe(map((input) => [...listOf(decide?.(input))])) };
    },
  },
  {
    ...{ name: 'environment', code: 'PROOF_FILES', says: /the environment/ },
    make: () => {
      process.env['ODDSMITH_TEST_TIP'] = 'yes';
      return backer('environment', ({ orders }) => orders.length === 0 && process.env['ODDSMITH_TEST_TIP'] === 'yes');
    },
  },
  {
    ...{ name: 'chance', code: 'LOOKAHEAD', says: CHANCE },
    make: () => backer('chance', () => randomInt(20) === 0),
  },
  {
    ...{ name: 'rare-chance', code: 'LOOKAHEAD', says: CHANCE },
    make: () => backer('rare-chance', () => (randomBytes(1)[0] ?? 0) < 8),
  },
  {
    ...{ name: 'chance-in-a-name', code: 'LOOKAHEAD', says: CHANCE },
    make: () => backer('chance-in-a-name', () => randomUUID().startsWith('0')),
  },
  {
    ...{ name: 'chance-in-memory', code: 'LOOKAHEAD', says: CHANCE },
    make: () => backer('chance-in-memory', () => (randomFillSync(new Uint8Array(1))[0] ?? 0) < 8),
  },
  {
    ...{ name: 'math-random', code: 'LOOKAHEAD', says: /Math\.random/ },
    make: () => backer('math-random', () => Math.random() < 0.05),
  },
  {
    ...{ name: 'generator-with-a-fixed-seed', code: 'LOOKAHEAD', says: /outside of its state/ },
    make: () => {
      let seed = 42;
      return backer('generator-with-a-fixed-seed', () => {
        seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
        return seed % 20 === 0;
      });
    },
  },
  {
    ...{ name: 'watches-winners', code: 'PROOF_IDS', says: /which market and outcome it is/ },
    make: ({ market: winner }) => {
      const plugin = backer('watches-winners', ({ orders }) => orders.length === 0);
      return { ...plugin, watches: ({ id }) => id === winner };
    },
  },
];

function listOf(decision: ReturnType<NonNullable<StrategyPlugin['decide']>> | undefined) {
  if (decision === undefined) return [];
  return Array.isArray(decision) ? decision : ('intents' in decision && decision.intents) || [];
}
