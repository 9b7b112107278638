/** Finds the tapes that a backtest played: as it names them, beside its directory, in the package, or named anew. */

import { dirname, isAbsolute, join, resolve } from 'node:path';
import { packageDirectory } from '../../../../package/running-package.ts';
import { followed } from '../../../../recording/tape/path-kind.ts';
import { Tape } from '../../../../recording/tape/tape.ts';
import { TapeFailure } from '../../../../recording/tape/tape-failure.ts';
import { CliError } from '../../../cli/cli-error.ts';
import { tapeError } from '../../../cli/data-error.ts';
import type { TapeFault } from './viewed-run.ts';

interface PlayedTape {
  readonly path: string;
  readonly sha256: string;
}

interface Search {
  readonly directory: string;
  readonly played: readonly PlayedTape[];
  readonly named: readonly string[];
}

export class BacktestTapes {
  /** The tapes in the order in which the run played them. */
  readonly tapes: readonly Tape[];
  readonly faults: readonly TapeFault[];

  /** @throws CliError, TapeFailure where a named tape is none of the run's, and where none can be read */
  constructor({ directory, played, named }: Search) {
    const opened: Tape[] = [];
    const faults: TapeFault[] = [];
    try {
      const given = new Map<string, Tape>();
      for (const path of named) {
        const tape = Tape.open(path);
        opened.push(tape);
        if (!played.some(({ sha256 }) => sha256 === tape.sha256)) throw noTapeOf(path, tape.sha256, played);
        given.set(tape.sha256, tape);
      }
      const tapes: Tape[] = [];
      for (const tape of played) {
        const found = given.get(tape.sha256) ?? foundTape(tape, directory);
        if (!(found instanceof Tape)) faults.push(found);
        else {
          tapes.push(found);
          if (!opened.includes(found)) opened.push(found);
        }
      }
      const [first] = faults;
      if (tapes.length === 0 && first !== undefined) throw new CliError(first.error);
      this.tapes = tapes;
    } catch (error) {
      for (const tape of opened) tape.close();
      throw error;
    }
    this.faults = faults;
  }

  close(): void {
    for (const tape of this.tapes) tape.close();
  }
}

/** The first place that holds the tape; where none does, the fault of the first place that holds something. */
function foundTape(played: PlayedTape, directory: string): Tape | TapeFault {
  let fault: TapeFault | undefined;
  for (const path of placesOf(played.path, directory)) {
    if (followed(path).kind === 'nothing') continue;
    try {
      const tape = Tape.open(path);
      if (tape.sha256 === played.sha256) return tape;
      fault ??= { error: changed(tape, played).parts, markets: new Set(tape.markets.map(({ facts }) => facts.id)) };
      tape.close();
    } catch (error) {
      if (!(error instanceof TapeFailure)) throw error;
      fault ??= { error: tapeError(error).parts, markets: undefined };
    }
  }
  return fault ?? { error: missing(played.path).parts, markets: undefined };
}

const BUNDLED = 'backtest/sample.tape';

/** A relative path was meant from where the run was started: that is here, or above its directory. */
function placesOf(path: string, directory: string): readonly string[] {
  const places = [path];
  if (!isAbsolute(path))
    for (let from = resolve(directory); ; from = dirname(from)) {
      places.push(join(from, path));
      if (from === dirname(from)) break;
    }
  if (path.replaceAll('\\', '/').endsWith(BUNDLED)) places.push(join(packageDirectory(), BUNDLED));
  return places;
}

const NAME_IT = 'Name the tape that the run played with --tape, or play the run again.';

function missing(path: string): CliError {
  return new CliError({
    code: 'TAPE_NOT_FOUND',
    what: 'A tape that the run played is not there.',
    where: path,
    why: 'It was looked for from here, and from the directory of the run upwards.',
    next: NAME_IT,
  });
}

function changed({ path, sha256 }: Tape, played: PlayedTape): CliError {
  return new CliError({
    code: 'TAPE_CHANGED',
    what: 'The tape is not the one that the run played.',
    where: path,
    why: `The run played the content ${short(played.sha256)}; this tape holds ${short(sha256)}. Its ladders may not be those that the orders met.`,
    next: NAME_IT,
  });
}

function noTapeOf(path: string, sha256: string, played: readonly PlayedTape[]): CliError {
  return new CliError({
    code: 'TAPE_CHANGED',
    what: 'The tape is none that the run played.',
    where: path,
    why: `It holds the content ${short(sha256)}; the run played ${played.map((tape) => `${short(tape.sha256)} (${tape.path})`).join(', ')}.`,
    next: 'Name the tape that the run played, or leave --tape away.',
  });
}

function short(sha256: string): string {
  return sha256.slice(0, 10);
}
