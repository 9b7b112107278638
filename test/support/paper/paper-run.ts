/** A paper run on made markets and made real time, and the replay of the tapes that it left. */

import { openPaper, type PaperSettings } from '../../../src/app/live/exchange/run-gateway.ts';
import { RunRecorder } from '../../../src/app/live/record/run-recorder.ts';
import { money } from '../../../src/core/number/units.ts';
import type { JournalRecord } from '../../../src/core/run/journal.ts';
import { Engine } from '../../../src/engine/engine.ts';
import { newInstance, type StrategyInstance } from '../../../src/engine/ledger/strategy-in-market.ts';
import { JournalLog } from '../../../src/engine/log/journal-log.ts';
import { pipeline } from '../../../src/engine/pipeline.ts';
import type { FinishedTape } from '../../../src/recording/live/recorder.ts';
import type { StrategyPlugin } from '../../../src/strategy/contract.ts';
import { SimulatedClock } from '../../../src/time/simulated-clock.ts';
import { testSupervisor } from '../engine/test-supervisor.ts';
import { OPTIONS } from '../scripted-run.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { RestlessMarkets, type RestlessOptions } from './restless-markets.ts';

export interface KeptRecord {
  readonly at: number;
  readonly record: JournalRecord;
}

export interface PaperRun {
  readonly records: readonly KeptRecord[];
  readonly tapes: readonly FinishedTape[];
  readonly directory: string;
}

export const PAPER: PaperSettings = {
  wallets: [money(1_000_000_000)],
  latency: { request: { kind: 'spread', p50: 40, p99: 300 }, response: { kind: 'spread', p50: 20, p99: 90 } },
  fills: 'central',
  fillRules: OPTIONS.fillRules,
  inPlayDelay: 'recorded',
  commission: { ratePpm: 20_000 },
  seed: 11,
};

export interface PaperRunOptions extends RestlessOptions {
  readonly startAt: number;
  readonly plugins: readonly StrategyPlugin[];
  readonly settings?: Partial<PaperSettings>;
  readonly heartbeatMs?: number;
  /** Of the plugins; if left out, instances in our own realm, all with the first wallet. */
  readonly instances?: readonly StrategyInstance[];
}

/** Keeps what a journal would, in memory. */
export function journalLog(records: KeptRecord[], plugins: readonly StrategyPlugin[]): JournalLog {
  return new JournalLog({
    journal: { append: (at, record) => records.push({ at, record }), commit: () => undefined },
    names: { strategies: plugins.map(({ name }) => name), wallets: ['main', 'second'] },
    onRecord: () => undefined,
  });
}

export interface OpenPaperRun {
  readonly engine: Engine;
  /** Of the run's real time. */
  readonly wall: SimulatedClock;
  readonly endsAt: number;
  finish(): PaperRun;
}

export function paperRun(options: PaperRunOptions): PaperRun {
  const run = openPaperRun(options);
  run.wall.runUntil(run.endsAt);
  return run.finish();
}

/** For a test that lets its time pass in steps. */
export function openPaperRun(options: PaperRunOptions): OpenPaperRun {
  const directory = temporaryDirectory('paper');
  const wall = new SimulatedClock(options.startAt);
  const markets = new RestlessMarkets(wall, options);
  const faults: unknown[] = [];
  const onFault = (error: unknown) => faults.push(error);
  const recorder = new RunRecorder({
    ...{ directory, address: 'http://made', prices: { kind: 'poll', everyMs: 1_000 }, commissionPpm: 0 },
    ...{ times: 'received', clock: wall, onFault },
  });
  const paper = openPaper({ ...PAPER, ...options.settings, clock: wall, updates$: markets.news$, recorder });
  const records: KeptRecord[] = [];
  const log = journalLog(records, options.plugins);
  const { instances = options.plugins.map((plugin, index) => plainSeat(plugin, index)) } = options;
  const { heartbeatMs } = options;
  const { gateway, clock } = paper;
  const engineSupervisor = testSupervisor(heartbeatMs === undefined ? undefined : { gateway, timeoutMs: heartbeatMs });
  const engine = new Engine({ instances, limits: {}, log, intentsMax: 100, engineSupervisor });
  const running = pipeline({ clock, gateway, engine }).subscribe({ error: onFault });
  const finish = (): PaperRun => {
    running.unsubscribe();
    paper.stop();
    const tapes = recorder.finish();
    if (faults.length > 0) throw faults[0];
    return { records, tapes, directory };
  };
  return { engine, wall, endsAt: options.startAt + options.lengthMs + 5_000, finish };
}

export function plainSeat(plugin: StrategyPlugin, index: number): StrategyInstance {
  return newInstance({ index, plugin, params: Object.freeze({}), signals: new Map(), wallet: 0 });
}
