/** Where a command's words go: results to stdout, everything for humans to stderr. */

import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pc from 'picocolors';
import { chunked } from './chunked.ts';

/** The process's edges, passed in so that tests can watch them. */
export interface Terminal {
  /** Results. */
  out(text: string): void;
  /** Results too large for memory, no faster than the reader takes them. */
  outAll(pieces: Iterable<string>): Promise<void>;
  /** Words and progress. */
  note(text: string): void;
  /** Whether stderr is a terminal: a progress bar makes sense. */
  readonly interactive: boolean;
  readonly colourOut: boolean;
  readonly colourNote: boolean;
  /** Columns of stdout. */
  readonly width: number;
  /** Aborted by the first Ctrl-C or SIGTERM; its reason is the name of the signal. */
  readonly signal: AbortSignal;
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
  // A reader that closes the pipe early (`| head`) is no failure of ours.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
  return {
    out: (text) => void process.stdout.write(text),
    outAll: (pieces) => pipeline(Readable.from(chunked(pieces)), process.stdout, { end: false }),
    note: (text) => void process.stderr.write(text),
    interactive: process.stderr.isTTY === true,
    colourOut: wantsColour(process.stdout.isTTY === true),
    colourNote: wantsColour(process.stderr.isTTY === true),
    width: process.stdout.columns ?? 100,
    signal: abort.signal,
  };
}

/** NO_COLOR (any value but empty) wins over FORCE_COLOR, and both over what the stream is. */
function wantsColour(isTerminal: boolean): boolean {
  if ((process.env['NO_COLOR'] ?? '') !== '' || process.env['TERM'] === 'dumb') return false;
  return isTerminal || (process.env['FORCE_COLOR'] ?? '') !== '';
}
