/** Starts the daemon, kills it, and starts it again, as the plan says; the world goes on meanwhile. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JournalRecord } from '../../../src/core/run/journal.ts';
import { diesAt } from './compaction-steps.ts';
import { type DaemonEnd, DaemonProcess } from './daemon-process.ts';
import { JournalTail } from './journal-tail.ts';
import type { Round } from './kill-plan.ts';
import type { KillStage } from './kill-stage.ts';
import { type KeptKind, PROVOCATIONS, type Scene } from './provocations.ts';
import { RunFold } from './run-fold.ts';

export interface Recovery {
  /** From the start of the process to trading. */
  readonly ms: number;
  /** Orders whose fate the journal did not know at the start. */
  readonly inDoubt: number;
  readonly records: number;
}

export interface KillFigures {
  kills: number;
  terms: number;
  /** Killed before it traded. */
  early: number;
  /** By the kind of record, or the step of a compaction. */
  readonly hits: Map<string, number>;
  readonly misses: Map<string, number>;
  readonly recoveries: Recovery[];
  /** What was not as it should be while it ran. */
  readonly troubles: string[];
}

export interface KillLoopOptions {
  readonly stage: KillStage;
  readonly onRound: (line: string) => void;
}

const LOOK_MS = 3;
/** A start that takes longer is a failure. */
const START_MS_MAX = 60_000;
/** Results may be put right: they are read again and again. */
const SETTLED_MS = 3_000;
const TERM_MS_MAX = 30_000;
const TYPICAL_START_MS = 2_500;
const LOG_TAIL = 1_500;

export class KillLoop {
  readonly figures: KillFigures = {
    ...{ kills: 0, terms: 0, early: 0, hits: new Map(), misses: new Map() },
    ...{ recoveries: [], troubles: [] },
  };
  readonly fold = new RunFold();
  readonly tail: JournalTail;
  readonly impostors = new Set<string>();
  readonly #stage: KillStage;
  readonly #onRound: (line: string) => void;
  #version = 0;

  constructor({ stage, onRound }: KillLoopOptions) {
    this.#stage = stage;
    this.#onRound = onRound;
    this.tail = new JournalTail(join(stage.place.dir, 'journal.sqlite'));
  }

  async run(rounds: readonly Round[], signal?: AbortSignal): Promise<void> {
    for (const round of rounds) {
      if (signal?.aborted === true) return;
      await this.#round(round);
      if (this.figures.troubles.length > 20) return;
    }
  }

  /** One more start: waits until it trades, and until what `isQuiet` waits for; then `stop`. */
  async finish(isQuiet: () => boolean, patienceMs: number): Promise<void> {
    await this.#stage.control.call('DELETE', '/faults');
    const start = this.#start();
    await this.#until(start, () => start.tradingAt !== undefined, START_MS_MAX);
    if (start.tradingAt === undefined) this.#trouble('the last start did not trade');
    this.#recovered(start);
    await this.#until(start, isQuiet, patienceMs);
    await this.#wait(start, SETTLED_MS);
    const reply = await start.daemon.ask({ command: 'stop' });
    await start.daemon.ended;
    this.#read(start);
    this.tail.close();
    if (reply?.end?.exitCode !== 0) this.#trouble(`stop was answered by ${JSON.stringify(reply)}`);
    if (start.daemon.end?.code !== 0) this.#trouble(`after stop it ended with ${JSON.stringify(start.daemon.end)}`);
  }

  async #round(round: Round): Promise<void> {
    const { end } = round;
    this.#version += 1;
    await this.#stage.control.call('DELETE', '/faults');
    const start = this.#start(end.kind === 'step' ? diesAt(end.step, 1) : {});
    if (end.kind === 'step') await this.#awaitDeath(start, end.step);
    else if (end.kind === 'startup') await this.#wait(start, end.part * this.#typicalStart());
    else if (end.kind === 'record' && PROVOCATIONS[end.record].isOfStart === true)
      await this.#awaitRecord(start, end.record);
    else if (await this.#untilTrading(start)) {
      await this.#wait(start, Math.max(0, end.afterMs - (round.fault?.beforeMs ?? 0)));
      await this.#breakSomething(round);
      await this.#wait(start, Math.min(end.afterMs, round.fault?.beforeMs ?? 0));
      if (end.kind === 'record') await this.#provoke(start, end.record);
    }
    if (end.kind === 'term') await this.#term(start);
    else await this.#kill(start, end.kind === 'record' && end.record === 'ended');
    for (const undo of start.undo) await undo().catch((error: unknown) => this.#trouble(`undoing: ${String(error)}`));
    this.#tell(round, start);
    await sleep(round.downMs);
  }

  #start(env: Readonly<Record<string, string>> = {}): Start {
    const inDoubt = this.fold.inDoubt.size;
    const { place } = this.#stage;
    const daemon = new DaemonProcess({ ...place, env: { ...place.env, ...env } });
    return { daemon, inDoubt, tradingAt: undefined, hears: [], undo: [], counted: false, died: false };
  }

  /**
   * Reads what was committed, and folds it; the figures of the start follow from it. A process that is killed in the
   * middle of a commit may leave one that only the next process makes visible: it is not of this start.
   */
  #read(start: Start): readonly JournalRecord[] {
    const rows = this.tail.next();
    for (const row of rows) this.fold.take(row);
    const own = rows.filter(({ at }) => at >= start.daemon.startedAt);
    for (const { at, record } of own) {
      if (record.kind === 'phase' && record.to === 'trading') start.tradingAt ??= at;
      for (const hear of start.hears) hear(record);
    }
    return own.map(({ record }) => record);
  }

  /** Looks again and again; false where the time was up, or the daemon ended. */
  async #until(start: Start, isDone: (records: readonly JournalRecord[]) => boolean, ms: number): Promise<boolean> {
    const until = Date.now() + ms;
    for (;;) {
      if (isDone(this.#read(start))) return true;
      if (start.daemon.end !== undefined || Date.now() >= until) return false;
      await sleep(LOOK_MS);
    }
  }

  #wait(start: Start, ms: number): Promise<boolean> {
    return ms <= 0 ? Promise.resolve(true) : this.#until(start, () => false, ms);
  }

  async #untilTrading(start: Start): Promise<boolean> {
    await this.#until(start, () => start.tradingAt !== undefined, START_MS_MAX);
    if (start.tradingAt === undefined) {
      const why = start.daemon.end === undefined ? JSON.stringify(await this.#status(start)) : 'it ended';
      this.#trouble(`it did not trade within ${START_MS_MAX} ms: ${why}`);
      return false;
    }
    this.#recovered(start);
    if (this.fold.trading !== 'running' || this.fold.halted.size > 0) await start.daemon.ask({ command: 'resume' });
    return true;
  }

  async #status({ daemon }: Start): Promise<unknown> {
    const reply = await daemon.ask({ command: 'status' });
    const { phase, waitsFor, orders, reconciliation } = reply?.status?.bot ?? {};
    return { phase, waitsFor, orders, reconciliation };
  }

  #recovered(start: Start): void {
    if (start.tradingAt === undefined || start.counted) return;
    start.counted = true;
    const { inDoubt, daemon } = start;
    const ms = start.tradingAt - daemon.startedAt;
    this.figures.recoveries.push({ ms, inDoubt, records: this.tail.checksums.length });
  }

  async #breakSomething({ fault }: Round): Promise<void> {
    if (fault === undefined) return;
    await this.#stage.inject(fault.body);
  }

  async #provoke(start: Start, kind: KeptKind): Promise<void> {
    const { provoke } = PROVOCATIONS[kind];
    const { daemon } = start;
    const scene: Scene = {
      ...{ stage: this.#stage, daemon, fold: this.fold, version: this.#version, impostors: this.impostors },
      onRecord: (hear) => void start.hears.push(hear),
      onEnd: (undo) => void start.undo.push(undo),
    };
    // What was committed before is not what is looked for.
    this.#read(start);
    try {
      await provoke?.(scene);
    } catch (error) {
      this.#trouble(`${kind} could not be brought about: ${String(error)}`);
    }
    await this.#awaitRecord(start, kind);
  }

  async #awaitRecord(start: Start, kind: KeptKind): Promise<void> {
    const isThere = (records: readonly JournalRecord[]) => records.some((record) => record.kind === kind);
    this.#count(kind, await this.#until(start, isThere, PROVOCATIONS[kind].patienceMs));
  }

  async #awaitDeath(start: Start, step: string): Promise<void> {
    await this.#until(start, () => start.daemon.end !== undefined, START_MS_MAX);
    start.died = start.daemon.end?.signal === 'SIGKILL';
    this.#count(step, start.died);
    if (!start.died) this.#trouble(`it did not come to where ${step}`);
  }

  #count(what: string, isHit: boolean): void {
    const counts = isHit ? this.figures.hits : this.figures.misses;
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }

  async #kill(start: Start, mayHaveEnded: boolean): Promise<void> {
    const before = start.daemon.end;
    start.daemon.signal('SIGKILL');
    const end = await start.daemon.ended;
    this.#finishRound(start);
    this.figures.kills += 1;
    if (start.tradingAt === undefined) this.figures.early += 1;
    if (before !== undefined && !start.died && !(mayHaveEnded && before.code === 0)) this.#endedItself(end);
  }

  async #term(start: Start): Promise<void> {
    start.daemon.signal('SIGTERM');
    if (!(await this.#until(start, () => start.daemon.end !== undefined, TERM_MS_MAX))) {
      if (start.daemon.end === undefined) {
        this.#trouble(`it did not end within ${TERM_MS_MAX} ms of SIGTERM`);
        start.daemon.signal('SIGKILL');
      }
    }
    const end = await start.daemon.ended;
    this.#finishRound(start);
    this.figures.terms += 1;
    if (end.code !== 0) this.#endedItself(end);
  }

  /** The rest of the journal; then no process has it open, and the next start finds it as the dead one left it. */
  #finishRound(start: Start): void {
    this.#read(start);
    this.#recovered(start);
    this.tail.close();
  }

  #endedItself(end: DaemonEnd): void {
    const log = readFileSync(this.#stage.place.log, 'utf8').slice(-LOG_TAIL);
    this.#trouble(`it ended by itself: ${JSON.stringify(end)}: ${log}`);
  }

  #trouble(text: string): void {
    this.figures.troubles.push(`round ${this.#version}: ${text}`);
    this.#onRound(`round ${this.#version}: TROUBLE ${text}`);
  }

  #typicalStart(): number {
    const times = this.figures.recoveries.map(({ ms }) => ms).sort((one, other) => one - other);
    return times[Math.floor(times.length / 2)] ?? TYPICAL_START_MS;
  }

  #tell({ end, fault }: Round, start: Start): void {
    const traded =
      start.tradingAt === undefined ? 'never traded' : `traded after ${start.tradingAt - start.daemon.startedAt} ms`;
    const what = end.kind === 'record' ? `at ${end.record}` : end.kind === 'step' ? `where ${end.step}` : end.kind;
    const broken = fault === undefined ? '' : `, ${fault.body.kind}`;
    this.#onRound(
      `${this.figures.kills} kills: ${what}${broken}, ${traded}, ${start.inDoubt} in doubt, ${this.tail.checksums.length} records, ${this.fold.orders.size} orders`,
    );
  }
}

interface Start {
  readonly daemon: DaemonProcess;
  readonly inDoubt: number;
  tradingAt: number | undefined;
  counted: boolean;
  /** Killed by itself, as it was meant to. */
  died: boolean;
  readonly hears: ((record: JournalRecord) => void)[];
  readonly undo: (() => Promise<void>)[];
}
