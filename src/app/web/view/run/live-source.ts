/** A live or paper run as the view reads it: from its journal and its own tapes, also while it goes on. */

import { existsSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { readJournal } from '../../../../journal/read-journal.ts';
import type { DrawnLine } from '../../../../pages/report/plot-table.ts';
import type { ViewPlot } from '../../../../pages/view-data.ts';
import { UNFINISHED } from '../../../../recording/live/recording-writer.ts';
import { followed } from '../../../../recording/tape/path-kind.ts';
import { Tape } from '../../../../recording/tape/tape.ts';
import { TapeFailure } from '../../../../recording/tape/tape-failure.ts';
import { CliError } from '../../../cli/cli-error.ts';
import { tapeError } from '../../../cli/data-error.ts';
import { placeOf, type RunPlace, tapePaths } from '../../../parity/opened-run.ts';
import { type RunFile, readRunFile } from '../../../run/run-file.ts';
import { lostNotes } from '../../../run-report/lost-notes.ts';
import { plottedLines } from '../../../run-report/plotted-lines.ts';
import { type RunStory, runStory } from '../../../run-report/run-orders.ts';
import { ordersOfRows } from './own-orders.ts';
import type { PlayedMarket, RunSource, TapeFault, ViewedRun, ViewedTapes } from './viewed-run.ts';

interface LiveRun {
  readonly directory: string;
  /** Tapes that were named in place of its own. */
  readonly tapes: readonly string[];
}

/** The pause as a multiple of the time that reading takes. */
const REST_FACTOR = 10;

export class LiveSource implements RunSource {
  readonly #name: string;
  readonly #place: RunPlace;
  readonly #file: RunFile;
  readonly #named: readonly string[];
  /** Tapes that nobody writes any more, by path: they stay open. */
  readonly #finished = new Map<string, Tape>();
  #read: { readonly state: string; readonly run: ViewedRun; readonly untilMs: number } | undefined;

  /** @throws CliError, TapeFailure, JournalFailure */
  constructor({ directory, tapes: named }: LiveRun) {
    this.#place = placeOf(directory);
    this.#file = readRunFile(this.#place.directory);
    this.#named = named;
    const [given, own] = [basename(resolve(directory)), basename(resolve(this.#place.directory))];
    this.#name = given === own ? given : `${given}/${own}`;
    if (this.#paths().length === 0) throw notRecorded(this.#place.tapes);
    const { tapes, faults, close } = this.openTapes();
    close();
    const [fault] = faults;
    if (fault === undefined || (tapes.length > 0 && this.#named.length === 0)) return;
    this.close();
    throw new CliError(fault.error);
  }

  run(): ViewedRun {
    const begun = performance.now();
    if (this.#read !== undefined && begun < this.#read.untilMs) return this.#read.run;
    const { journal, directory } = this.#place;
    const state = stateOf([journal, `${journal}-wal`, join(directory, 'plots.csv')]);
    if (this.#read?.state === state) return this.#read.run;
    const run = this.#readRun();
    const now = performance.now();
    // A long journal takes a while to read, in which nothing else is answered: it is read again the less often.
    this.#read = { state, run, untilMs: now + REST_FACTOR * (now - begun) };
    return run;
  }

  openTapes(): ViewedTapes {
    const unfinished: Tape[] = [];
    const faults: TapeFault[] = [];
    const tapes = this.#paths().flatMap((path) => {
      const tape = this.#finished.get(path) ?? this.#opened(path);
      if (!(tape instanceof Tape)) faults.push(tape);
      else if (tape.unfinished === undefined) this.#finished.set(path, tape);
      else unfinished.push(tape);
      return tape instanceof Tape ? tape : [];
    });
    // A tape that is still written is read as it is now, and let go: holding it would keep its log from being emptied.
    const close = (): void => {
      for (const tape of unfinished.splice(0)) tape.close();
    };
    return { tapes, faults, close };
  }

  close(): void {
    for (const tape of this.#finished.values()) tape.close();
    this.#finished.clear();
  }

  #paths(): readonly string[] {
    if (this.#named.length > 0) return this.#named;
    const { tapes } = this.#place;
    return followed(tapes).kind === 'directory' ? tapePaths(tapes) : [];
  }

  #opened(path: string): Tape | TapeFault {
    try {
      return Tape.open(existsSync(path) ? path : finishedName(path));
    } catch (error) {
      if (!(error instanceof TapeFailure)) throw error;
      return { error: tapeError(error).parts, markets: undefined };
    }
  }

  #readRun(): ViewedRun {
    const reader = readJournal(this.#place.journal);
    try {
      const story = runStory(reader.records());
      const { mode, wallets, strategies } = this.#file;
      return {
        kind: mode,
        name: this.#name,
        currency: wallets[0]?.currency ?? '',
        strategies: strategies.map(({ name }) => name),
        notes: lostNotes(reader.lost),
        markets: playedMarkets(story),
        orders: ordersOfRows(story.orders, story.fills),
        plots: plotsOf(plottedLines(this.#place.directory)),
      };
    } finally {
      reader.close();
    }
  }
}

/** A recorder renames its tape when a day ends: that may be just after the directory was read. */
function finishedName(path: string): string {
  return path.endsWith(UNFINISHED) ? path.slice(0, -UNFINISHED.length) : path;
}

/** Files that did not change have the same state. */
function stateOf(paths: readonly string[]): string {
  return paths
    .map((path) => {
      // Of what cannot be followed, such as a link to itself, the reader says more.
      const found = existsSync(path) ? statSync(path, { throwIfNoEntry: false }) : undefined;
      return found === undefined ? 'none' : `${found.size} ${found.mtimeMs}`;
    })
    .join();
}

function playedMarkets({ orders, settlements, events }: RunStory): ReadonlyMap<string, PlayedMarket> {
  const paid = Map.groupBy(settlements, ({ market }) => market);
  const names = new Map(orders.map(({ marketId, marketName }) => [marketId, marketName]));
  const ids = new Set([...names.keys(), ...paid.keys()]);
  return new Map(
    [...ids].map((id) => {
      const profit = paid.get(id)?.reduce((sum, settlement) => sum + settlement.profit, 0);
      return [id, { event: events.get(id) ?? '', name: names.get(id) ?? id, startsAt: undefined, profit }];
    }),
  );
}

function plotsOf(lines: readonly DrawnLine[]): ReadonlyMap<string, readonly ViewPlot[]> {
  const byMarket = Map.groupBy(lines, ({ marketId }) => marketId);
  const shown = ({ strategy, name, at, value }: DrawnLine): ViewPlot => ({
    ...{ strategy, name, at: Array.from(at) },
    value: Array.from(value, (each) => (Number.isNaN(each) ? null : each)),
  });
  return new Map([...byMarket].map(([market, own]) => [market, own.map(shown)]));
}

function notRecorded(tapes: string): CliError {
  return new CliError({
    code: 'RUN_NOT_FOUND',
    what: 'The run has no recording to look at.',
    where: tapes,
    why: 'A view shows ladders, which are on the tapes of a run.',
    next: 'Run with record: true; a paper run always records. Or name a tape of its markets with --tape.',
  });
}
