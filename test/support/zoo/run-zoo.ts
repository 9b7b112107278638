/** Runs the zoo in a process of its own: `node run-zoo.ts backtest|paper|live` prints what came of each. */

import { rmSync } from 'node:fs';
import { watchGuests } from '../../../src/backtest/pieces/guest-watch.ts';
import { simulate } from '../../../src/backtest/simulation/backtest-simulation.ts';
import { money } from '../../../src/core/number/units.ts';
import { newInstance, type StrategyInstance } from '../../../src/engine/ledger/strategy-in-market.ts';
import { Transcript } from '../../../src/engine/log/transcript.ts';
import { type LoadedStrategy, loadStrategy } from '../../../src/loader/strategy-loader.ts';
import { openPaperRun, PAPER } from '../paper/paper-run.ts';
import { OPTIONS, Script } from '../scripted-run.ts';
import { LIVE_MARKET, liveZoo } from './live-zoo.ts';
import { animalFile, HALTED, HARMLESS, LATE } from './zoo.ts';

/** What came of a run: of one guest, and of the good strategy beside it. */
export interface ZooRun {
  readonly halts: readonly { readonly name: string; readonly code: string; readonly details: string }[];
  /** Orders and their ends, without the numbers that count over all strategies. */
  readonly orders: Readonly<Record<string, readonly unknown[]>>;
  /** Of the guest, in the end. */
  readonly left: number;
}

export interface ZooReport {
  /** The good strategy alone, and as long as where late misdeeds are waited for. */
  readonly good: ZooRun;
  readonly goodLong: ZooRun;
  readonly guests: Readonly<Record<string, { readonly alone: ZooRun; readonly beside: ZooRun }>>;
}

/** `isLate`: what comes to light after the call must have time to. */
type Way = (strategies: readonly LoadedStrategy[], isLate: boolean) => Promise<ZooRun>;

const LIVE: ReadonlySet<unknown> = new Set(['Pending', 'Unmatched', 'PartiallyMatched', undefined]);

/** Two markets with another price every second; neither ends. */
function script(seconds: number): Script {
  const made = new Script();
  for (const market of [made.market(), made.market()]) {
    for (let second = 1; second <= seconds; second += 1)
      market.at(second * 1_000, { level: [0, 'Against', second % 2 === 0 ? 2 : 2.02, 50 + second] });
  }
  return made;
}

/** A replay reports rejected promises between its slices of 4,096 updates. */
const backtest: Way = async (strategies, isLate) => {
  const wallets = Object.fromEntries(
    strategies.map(({ plugin: { name } }) => [name, { currency: 'USDC', balance: money(1e10) }]),
  );
  const { collector } = await simulate({
    options: { ...OPTIONS, wallets },
    source: script(isLate ? 2_200 : 60).source(),
    instances: strategies.map((strategy, index) => instanceOf(strategy, index)),
    ...{ bound: 'central', transcript: new Transcript('zoo'), onSlice: () => false },
    watchGuests,
  });
  const orders: Record<string, unknown[]> = {};
  for (const { id: _, ...row } of collector.orderRows()) put(orders, row.strategy, row);
  const halts = collector.halts.map(({ name, code, details }) => ({ name, code, details }));
  const [guest] = strategies;
  const left = (orders[guest?.plugin.name ?? ''] ?? []).filter((row) => isLive(row)).length;
  return { halts, orders, left };
};

function put(orders: Record<string, unknown[]>, strategy: string, row: unknown): void {
  orders[strategy] = [...(orders[strategy] ?? []), row];
}

function isLive(row: unknown): boolean {
  return typeof row === 'object' && row !== null && 'status' in row && LIVE.has(row.status);
}

function instanceOf({ plugin, params, guest }: LoadedStrategy, index: number): StrategyInstance {
  return newInstance({ index, plugin, params, wallet: index, signals: new Map(), guest });
}

const START = Date.UTC(2026, 2, 24, 12);
const FIXED = { request: { kind: 'fixed', ms: 80 }, response: { kind: 'fixed', ms: 40 } } as const;

const PAPER_STEP_MS = 500;

/** Between the steps the process's event loop gets a turn, in which promises that were rejected are reported. */
const paper: Way = async (strategies) => {
  const instances = strategies.map((strategy, index) => instanceOf(strategy, index));
  const others: unknown[] = [];
  const { wall, engine, endsAt, finish } = openPaperRun({
    ...{ seed: 7, markets: 2, lengthMs: 10_000, startAt: START, instances },
    plugins: strategies.map(({ plugin }) => plugin),
    settings: { ...PAPER, latency: FIXED, wallets: strategies.map(() => money(1e10)) },
  });
  const onStrategy = (instance: StrategyInstance, error: unknown) => engine.strategyFailed(instance, error);
  const stop = watchGuests({ instances, onStrategy, onOther: (error) => others.push(error) });
  while (wall.now() < endsAt) {
    wall.runUntil(wall.now() + PAPER_STEP_MS);
    await new Promise((resolve) => setImmediate(resolve));
  }
  stop();
  const run = finish();
  rmSync(run.directory, { recursive: true });
  if (others.length > 0) throw others[0];
  const nameOf = new Map<number, string>();
  const orders: Record<string, unknown[]> = {};
  const lastOf = new Map<number, unknown>();
  const halts: { name: string; code: string; details: string }[] = [];
  for (const { at, record } of run.records) {
    if (record.kind === 'sent') {
      const { client, wallet: _, ...terms } = record;
      nameOf.set(client, record.strategy);
      lastOf.set(client, undefined);
      put(orders, record.strategy, { at, ...terms });
    } else if (record.kind === 'reported') {
      const { client, order: _, ...report } = record;
      lastOf.set(client, report.status);
      put(orders, nameOf.get(client) ?? '', { ...report, at });
    } else if (record.kind === 'strategyHalted') {
      const { strategy: name, code, details } = record;
      halts.push({ name, code, details });
    }
  }
  const [guest] = strategies;
  const left = [...lastOf].filter(([client, status]) => nameOf.get(client) === guest?.plugin.name && LIVE.has(status));
  return { halts, orders, left: left.length };
};

const live: Way = (strategies) => liveZoo(strategies.map((strategy, index) => instanceOf(strategy, index)));

async function loaded(name: string, params: Readonly<Record<string, unknown>> = {}): Promise<LoadedStrategy> {
  const result = await loadStrategy(animalFile(name), params);
  if (result.kind === 'fault') throw new Error(`${name}: ${result.fault.code} ${result.fault.why}`);
  return result;
}

async function zoo(way: Way, good: () => Promise<LoadedStrategy>): Promise<ZooReport> {
  const guests: Record<string, { alone: ZooRun; beside: ZooRun }> = {};
  for (const name of [...Object.keys(HALTED), ...HARMLESS]) {
    const isLate = LATE.has(name);
    const alone = await way([await loaded(name)], isLate);
    const beside = await way([await loaded(name), await good()], isLate);
    guests[name] = { alone, beside };
  }
  return { good: await way([await good()], false), goodLong: await way([await good()], true), guests };
}

const WAYS: Readonly<Record<string, Way>> = { backtest, paper, live };
const [, , wanted = ''] = process.argv;
const way = WAYS[wanted];
if (way === undefined) throw new Error(`there is no way '${wanted}'`);
process.stdout.write(
  JSON.stringify(
    await zoo(way, () => (way === live ? loaded('good-turner', { market: LIVE_MARKET }) : loaded('good'))),
  ),
);
