/** A paper run of the whole bot on made markets, with an operator who acts at any moment and a disk that takes its time; and its replay. */

import { map } from 'rxjs';
import { openPaper } from '../../../src/app/live/exchange/run-gateway.ts';
import { RunRecorder } from '../../../src/app/live/record/run-recorder.ts';
import { compareRuns } from '../../../src/app/parity/compare-runs.ts';
import { evidenceOf, spanOf } from '../../../src/app/parity/parity-run.ts';
import { replayRun } from '../../../src/app/parity/replay-run.ts';
import { actsOf } from '../../../src/app/parity/run-acts.ts';
import { runTimes } from '../../../src/app/parity/run-times.ts';
import type { RunFile } from '../../../src/app/run/run-file.ts';
import { chooseMarkets } from '../../../src/backtest/simulation/backtest-source.ts';
import { money } from '../../../src/core/number/units.ts';
import { Bot } from '../../../src/engine/live/bot.ts';
import type { BotSettings } from '../../../src/engine/live/bot-settings.ts';
import type { LiveGateway } from '../../../src/exchange/live-gateway.ts';
import { Tape } from '../../../src/recording/tape/tape.ts';
import type { ParityResult } from '../../../src/result/parity.ts';
import type { StrategyPlugin } from '../../../src/strategy/contract.ts';
import { Random } from '../random.ts';
import { OPTIONS } from '../scripted-run.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { type KeptRecord, PAPER, type PaperRun, plainSeat } from './paper-run.ts';
import { PassingWall } from './passing-wall.ts';
import { RestlessMarkets } from './restless-markets.ts';

export interface OperatedRunOptions {
  readonly seed: number;
  readonly startAt: number;
  readonly lengthMs: number;
  readonly plugins: () => readonly StrategyPlugin[];
  /** How long the disk takes to keep what the journal was given, ms. */
  readonly commitMs: number;
  readonly limits?: RunFile['limits'];
  readonly latency: RunFile['latency'];
  /** The second of two wallets cannot be read in this time, counted from the start: strategies take turns with the wallets. Absent: there is one. */
  readonly oddWalletMs?: { readonly from: number; readonly to: number };
}

export interface OperatedRun extends PaperRun {
  readonly run: RunFile;
  /** How often the operator acted. */
  readonly acts: number;
  /** Orders whose cancellation was asked for by what the operator did. */
  readonly cancelled: number;
}

const [BALANCE = money(0)] = PAPER.wallets;
const SETTINGS: BotSettings = {
  tickMs: 100,
  intentsMax: 100,
  end: { orders: 'cancel', deadlineMs: 3_000 },
  reconcile: { everyMs: 1_000, lastingAfter: 3, foreignOrders: 'cancel' },
  freshness: { markets: 15_000, prices: 5_000, orders: 5_000, wallets: 3_000 },
  dark: { afterMs: { markets: 15_000, prices: 5_000, orders: 5_000 }, orders: 'cancel' },
};

export function operatedRun(options: OperatedRunOptions): OperatedRun {
  const { seed, startAt, lengthMs, commitMs } = options;
  const directory = temporaryDirectory('operated');
  const wall = new PassingWall(startAt);
  const markets = new RestlessMarkets(wall.timers, { seed, markets: 4, lengthMs });
  const faults: unknown[] = [];
  const onFault = (error: unknown) => void faults.push(error);
  const recorder = new RunRecorder({
    ...{ directory, address: 'http://made', prices: { kind: 'poll', everyMs: 1_000 }, commissionPpm: 0 },
    ...{ times: 'received', clock: wall, onFault },
  });
  const run = runFile(options);
  const wallets = run.wallets.map(({ name }) => name);
  const exchange = { ...PAPER, wallets: wallets.map(() => BALANCE), latency: run.latency };
  const paper = openPaper({ ...exchange, clock: wall, updates$: markets.news$, recorder });
  const records: KeptRecord[] = [];
  const plugins = options.plugins();
  let kept = 0;
  let cancelled = 0;
  const operator = new Operator(new Random(seed));
  const bot = new Bot({
    ...{ clock: paper.clock, gateway: withOddWallet(paper.gateway, options) },
    ...{ restored: undefined, run: 'r1', limits: options.limits ?? {}, settings: SETTINGS },
    instances: seatsOf(plugins, wallets),
    names: { strategies: plugins.map(({ name }) => name), wallets },
    journal: {
      append: (at, record) => void records.push({ at, record }),
      commit() {
        if (kept === records.length) return;
        const last = records.slice(kept).map(({ record }) => record);
        kept = records.length;
        for (const record of last)
          if (record.kind === 'requested' && record.request === 'cancel' && operator.isActing)
            cancelled += record.clients.length;
        wall.pass(commitMs);
      },
    },
    onRecord: () => undefined,
    fromOutside: paper.fromOutside,
  });
  const running = bot.run$.subscribe({ error: onFault });
  wall.every(500, () => markets.news$.next({ kind: 'read', feed: 'markets', at: paper.clock.now() as never }));
  // The operator acts between any two things that happen, also within the millisecond of a message.
  wall.every(371.3, () => operator.mayAct(bot));
  markets.news$.subscribe(() => operator.mayAct(bot));
  wall.timers.at(startAt + lengthMs * 0.9, () => bot.stop('command', 'enough'));
  wall.timers.runUntil(startAt + lengthMs + 5_000);
  running.unsubscribe();
  paper.stop();
  const tapes = recorder.finish();
  if (faults.length > 0) throw faults[0];
  return { records, tapes, directory, run, acts: operator.acts, cancelled };
}

/** What `oddsmith parity` says of it, and the records of the replay. */
export async function operatedParity(
  { run, records, tapes: finished }: OperatedRun,
  plugins: readonly StrategyPlugin[],
): Promise<{
  readonly result: ParityResult;
  readonly replayed: readonly KeptRecord[];
  readonly span: { from: number; to: number };
}> {
  const tapes = finished.map(({ path }) => Tape.open(path));
  try {
    const { markets } = chooseMarkets(tapes, OPTIONS.markets);
    const times = runTimes(records);
    const replay = await replayRun({
      ...{ run, markets, trading: times.trading, acts: actsOf(records), balances: new Map() },
      instances: seatsOf(plugins, run.wallets),
      strategies: plugins.map(({ name }) => name),
      signal: new AbortController().signal,
      onProgress: () => undefined,
    });
    const span = spanOf(markets, times);
    const evidence = evidenceOf({ run, markets, times, started: startedOf(plugins), replay });
    const result = compareRuns({ run: records, replay: replay.records, updates: replay.updates, span, evidence });
    return { result, replayed: replay.records, span };
  } finally {
    for (const tape of tapes) tape.close();
  }
}

function runFile({ plugins, latency, limits, oddWalletMs }: OperatedRunOptions): RunFile {
  const { seed, fills, fillRules, inPlayDelay, commission } = PAPER;
  const names = oddWalletMs === undefined ? ['main'] : ['main', 'second'];
  return {
    ...{ format: 1, version: '', mode: 'paper', seed, fills, fillRules, inPlayDelay, commission, latency },
    ...{ intentsMax: SETTINGS.intentsMax, limits: { ...limits, staleMs: SETTINGS.freshness.prices } },
    strategies: plugins().map(({ name }, index) => {
      return { name, file: '', params: {}, sha256: '', wallet: names[index % names.length] ?? '' };
    }),
    wallets: names.map((name) => ({ name, currency: 'X', balance: BALANCE })),
  };
}

function seatsOf(plugins: readonly StrategyPlugin[], wallets: readonly unknown[]) {
  return plugins.map((plugin, index) => ({ ...plainSeat(plugin, index), wallet: index % wallets.length }));
}

/** As they were when the run began. */
function startedOf(plugins: readonly StrategyPlugin[]): Parameters<typeof evidenceOf>[0]['started'] {
  return plugins.map((plugin) => ({ name: plugin.name, loaded: { sha256: '' } as never }));
}

/** The readings of wallets that do not tell the second one; a paper run has no such, and parity is the same for a live one. */
function withOddWallet(gateway: LiveGateway, { startAt, oddWalletMs }: OperatedRunOptions): LiveGateway {
  if (oddWalletMs === undefined) return gateway;
  const [from, to] = [startAt + oddWalletMs.from, startAt + oddWalletMs.to];
  const feed$ = gateway.feed$.pipe(
    map((message) => {
      const isOdd = message.kind === 'read' && message.feed === 'wallets' && message.at >= from && message.at < to;
      return isOdd ? { ...message, walletsUnread: [1] } : message;
    }),
  );
  return { ...gateway, feed$ };
}

/** Halts, cancels, reduces and resumes, by a seed. */
class Operator {
  acts = 0;
  isActing = false;
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  mayAct(bot: Bot): void {
    if (!this.#random.chance(0.04) || bot.status().phase !== 'trading') return;
    this.acts += 1;
    this.isActing = true;
    this.#act(bot, this.#random.between(0, 5));
    this.isActing = false;
  }

  #act(bot: Bot, what: number): void {
    if (bot.status().trading !== 'running') bot.resume('command');
    else if (what === 0) bot.halt('command', 'uneasy');
    else if (what === 1) bot.reduceOnly('command', 'careful');
    else if (what === 2) bot.setLimits({ ordersPerSecond: this.#random.between(2, 50) });
    else bot.cancelAll('command', 'away with them');
  }
}
