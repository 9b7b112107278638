/** The outputs of a command: results to stdout, everything for humans to stderr. */

import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pc from 'picocolors';
import type { Colours } from '../../report/text/colours.ts';
import type { ThreadLink } from '../thread/thread-link.ts';
import { chunked } from './chunked.ts';
import { EXIT, errorBlock } from './cli-error.ts';

/** The process's edges, passed in so that tests can watch them. */
export interface Terminal {
  /** Results. */
  out(text: string): void;
  /** Results too large for memory, no faster than the reader takes them. */
  outAll(pieces: Iterable<string>): Promise<void>;
  /** Messages and progress. */
  note(text: string): void;
  /** Whether stderr is a terminal. */
  readonly interactive: boolean;
  /** Whether that terminal cannot go back to draw a bar anew, such as an editor's. */
  readonly isDumb?: boolean | undefined;
  readonly colourOut: boolean;
  readonly colourNote: boolean;
  /** Columns of stdout, or those of a file that people read. */
  readonly width: number;
  /** The width at which long lines are broken; undefined where stdout or stderr is no terminal, and what reads it wants whole lines. */
  readonly columnsOut?: number | undefined;
  readonly columnsNote?: number | undefined;
  /** Aborted by the first Ctrl-C or SIGTERM; its reason is the name of the signal. */
  readonly signal: AbortSignal;
  /** The thread that watches a command that runs in a thread of its own. */
  readonly thread?: ThreadLink;
}

export type Paint = ReturnType<typeof pc.createColors>;

export function paintFor(colour: boolean): Paint {
  return pc.createColors(colour);
}

/** The real process. A second Ctrl-C leaves at once. */
export function processTerminal(): Terminal {
  const abort = new AbortController();
  const onSignal = (name: NodeJS.Signals): void => {
    if (abort.signal.aborted) process.exit(130);
    abort.abort(name);
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  listenForFaults();
  return {
    out: (text) => void process.stdout.write(text),
    outAll,
    note: (text) => void process.stderr.write(text),
    interactive: process.stderr.isTTY === true,
    isDumb: isDumb(),
    colourOut: wantsColour(process.stdout.isTTY === true),
    colourNote: wantsColour(process.stderr.isTTY === true),
    width: process.stdout.columns ?? 100,
    columnsOut: process.stdout.isTTY === true ? process.stdout.columns : undefined,
    columnsNote: process.stderr.isTTY === true ? process.stderr.columns : undefined,
    signal: abort.signal,
  };
}

/** The failure of stdout, once it was reported. */
const told = new Set<unknown>();

function listenForFaults(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that closes the pipe early (`| head`) is no failure of ours.
    if (error.code === 'EPIPE') process.exit(0);
    told.add(error);
    const why = error.message;
    const next = 'Make room where stdout leads to, or lead it elsewhere.';
    process.stderr.write(
      errorBlock({ code: 'FILE_NOT_WRITABLE', what: 'Stdout could not be written.', where: 'stdout', why, next }),
    );
    // However the command handles the failure, its result was not written.
    process.once('exit', () => {
      process.exitCode = EXIT.usage;
    });
  });
  // A log that is full or whose reader has gone ends no run with orders in the market, and there is nowhere left to say it.
  process.stderr.on('error', () => undefined);
}

/** A failure of stdout itself was reported when it happened. */
async function outAll(pieces: Iterable<string>): Promise<void> {
  try {
    await pipeline(Readable.from(chunked(pieces)), process.stdout, { end: false });
  } catch (error) {
    if (!told.has(error)) throw error;
  }
}

/** NO_COLOR (any value but empty) wins over FORCE_COLOR, and both over what the stream is. */
function wantsColour(isTerminal: boolean): boolean {
  if ((process.env['NO_COLOR'] ?? '') !== '' || isDumb()) return false;
  return isTerminal || (process.env['FORCE_COLOR'] ?? '') !== '';
}

function isDumb(): boolean {
  return process.env['TERM'] === 'dumb';
}

/** The terminal's colours, by what a report wants to say with them. */
export function inkOf(paint: Paint): Colours {
  return { bold: paint.bold, dim: paint.dim, gain: paint.green, loss: paint.red, warn: paint.yellow };
}
