/** Runs a daemon for a while among hundreds of markets and faults, and then lays all books beside each other. */

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DaemonProcess } from '../kill/daemon-process.ts';
import { JournalTail } from '../kill/journal-tail.ts';
import { RunFold } from '../kill/run-fold.ts';
import { Random } from '../random.ts';
import { FreshnessWatch } from './freshness-watch.ts';
import { type Sample, takeSample } from './sampler.ts';
import { auditSoak, type SoakReport } from './soak-report.ts';
import { openSoak, type SoakStage } from './soak-stage.ts';
import { TroubleMaker } from './trouble-maker.ts';

export interface SoakChoice {
  readonly minutes: number;
  readonly markets: number;
  readonly seed: number;
  readonly onSample?: (line: string) => void;
  readonly onKept?: (directory: string) => void;
}

/** What is gathered while it runs. */
export interface SoakRun {
  readonly fold: RunFold;
  readonly freshness: FreshnessWatch;
  readonly samples: Sample[];
  readonly differences: Map<string, number>;
  readonly troubles: string[];
  reconciliations: number;
  lapses: number;
}

const LONG_MINUTES = 5;
const LONG_LIFE_MS: readonly [number, number] = [120_000, 480_000];
const SHORT_LIFE_MS: readonly [number, number] = [15_000, 60_000];
const SAMPLE_MS = 5_000;
const START_MS = 60_000;
const QUIET_MS = 20_000;
const LOOK_MS = 250;

export async function soakDaemon(choice: SoakChoice): Promise<SoakReport> {
  const { minutes, markets, seed, onKept } = choice;
  const startedAt = Date.now();
  const stage = await openSoak({ seed, markets, lifeMs: minutes >= LONG_MINUTES ? LONG_LIFE_MS : SHORT_LIFE_MS });
  const troubles = new TroubleMaker(stage.control, appIdOf(stage), new Random(seed + 1));
  let isWell = false;
  try {
    const run = await runFor(choice, stage, troubles);
    const report = await auditSoak({ stage, run, troubles }, { choice, startedAt });
    isWell = report.troubles.length === 0;
    return report;
  } finally {
    if (!isWell) onKept?.(stage.place.directory);
    await stage.close({ keeps: !isWell && onKept !== undefined });
  }
}

export function appIdOf({ owners }: SoakStage): string {
  const [owner] = Object.values(owners);
  if (owner === undefined) throw new Error('a run has a wallet');
  return owner.app.appId;
}

async function runFor(
  { minutes, onSample = () => undefined }: SoakChoice,
  stage: SoakStage,
  troubles: TroubleMaker,
): Promise<SoakRun> {
  const run: SoakRun = {
    ...{ fold: new RunFold(), freshness: new FreshnessWatch(), samples: [], troubles: [] },
    ...{ differences: new Map(), reconciliations: 0, lapses: 0 },
  };
  const tail = new JournalTail(join(stage.place.dir, 'journal.sqlite'));
  const daemon = new DaemonProcess(stage.place);
  const read = (): void => readJournal(tail, run);
  try {
    await until(() => isTrading(read, run), daemon, START_MS);
    if (!isTrading(read, run)) run.troubles.push(`it did not trade within ${START_MS} ms`);
    troubles.begin();
    const end = Date.now() + minutes * 60_000;
    while (Date.now() < end && daemon.end === undefined) {
      await sleep(SAMPLE_MS);
      read();
      const sample = await takeSample(daemon, stage);
      if (sample === undefined) run.troubles.push(`no answer to status after ${Math.round(process.uptime())} s`);
      else {
        run.samples.push(sample);
        onSample(sampleLine(sample, run));
      }
    }
    await troubles.stop();
    await stage.makers.stop();
    await stage.mill.pause();
    await until(() => false, daemon, QUIET_MS);
    await endInOrder(daemon, run);
    read();
  } finally {
    daemon.signal('SIGKILL');
    tail.close();
  }
  return run;
}

async function endInOrder(daemon: DaemonProcess, run: SoakRun): Promise<void> {
  const status = await daemon.ask({ command: 'status' });
  run.reconciliations = status?.status?.bot?.reconciliation?.done ?? 0;
  for (const difference of status?.status?.bot?.reconciliation?.differences ?? [])
    run.troubles.push(`a difference lasts: ${difference}`);
  const reply = await daemon.ask({ command: 'stop' });
  await until(() => false, daemon, START_MS);
  if (reply?.end?.exitCode !== 0 || daemon.end?.code !== 0)
    run.troubles.push(`stop was answered by ${JSON.stringify(reply)}, it ended with ${JSON.stringify(daemon.end)}`);
}

function readJournal(tail: JournalTail, run: SoakRun): void {
  for (const row of tail.next()) {
    const { record } = row;
    run.fold.take(row);
    run.freshness.take(row);
    if (record.kind === 'difference') count(run.differences, `${record.scope} ${record.verdict}`);
    if (record.kind === 'heartbeat' && record.to === 'lapsed') run.lapses += 1;
  }
}

function isTrading(read: () => void, { fold }: SoakRun): boolean {
  read();
  return (fold.counts.get('phase') ?? 0) >= 2;
}

/** Until it is done, the daemon has ended, or the time is up. */
async function until(isDone: () => boolean, daemon: DaemonProcess, ms: number): Promise<void> {
  const end = Date.now() + ms;
  while (!isDone() && daemon.end === undefined && Date.now() < end) await sleep(LOOK_MS);
}

function sampleLine({ rss, heap, sandboxRss, phase, markets, liveOrders, unknown, feeds }: Sample, { fold }: SoakRun) {
  const ages = feeds.map(({ feed, ageMs, isLate }) => `${feed} ${ageMs}${isLate ? ' LATE' : ''}`).join(', ');
  const sizes = `rss ${rss.toFixed(0)}, heap ${heap.toFixed(0)}, sandbox ${sandboxRss.toFixed(0)} MB`;
  return `${phase}: ${sizes}, ${markets} markets, ${fold.orders.size} orders (${liveOrders} live, ${unknown} unknown); ${ages}`;
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
