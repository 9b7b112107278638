/** Starts the process that appends in a loop, and hears what it says. */

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import type { JournalOpening } from '../../../src/journal/run-journal.ts';
import { obeyingModes } from '../obeying-modes.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

const LOOP = fileURLToPath(new URL('./append-loop.ts', import.meta.url));
const SQLITE = import.meta.resolve('better-sqlite3');

/** As one file of JavaScript, which starts in a tenth of the time. */
function bundled(): string {
  const folder = temporaryDirectory('append');
  const outfile = join(folder, 'append-loop.mjs');
  buildSync({
    ...{ entryPoints: [LOOP], outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' },
    external: [SQLITE],
    alias: { 'better-sqlite3': SQLITE },
  });
  return outfile;
}

let loop: string | undefined;

export interface AppendOptions {
  readonly file: string;
  readonly seed?: number;
  readonly commits?: number;
  /** Appends made records, of which the journal has so many, and compacts it after each commit. */
  readonly made?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Put before the command, as in a shell: limits of the process. */
  readonly limits?: string;
  /** The modes of files can stop it, also where we are root. */
  readonly obeysModes?: boolean;
}

export interface Appended {
  readonly opening: JournalOpening | undefined;
  /** The last number that was said to be committed, and the last that was tried. */
  readonly committed: number;
  readonly sending: number;
  readonly failed: { readonly code: string; readonly message: string } | undefined;
  /** What it died of. */
  readonly signal: NodeJS.Signals | null;
}

export class AppendProcess {
  readonly #child: ChildProcessByStdio<null, Readable, null>;
  readonly #closed: Promise<unknown>;
  #text = '';
  #heard: () => void = () => undefined;

  constructor({
    file,
    seed = 1,
    commits = Number.POSITIVE_INFINITY,
    made,
    env = {},
    limits,
    obeysModes = false,
  }: AppendOptions) {
    // The directory is gone with the first file of tests that used it; the next one in this process needs it anew.
    if (loop === undefined || !existsSync(loop)) loop = bundled();
    const plain = [process.execPath, loop, file, `${seed}`, `${commits}`, `${made ?? ''}`];
    const words = obeysModes ? obeyingModes(plain) : plain;
    const stdio: ['ignore', 'pipe', 'inherit'] = ['ignore', 'pipe', 'inherit'];
    const [command = '', ...rest] =
      limits === undefined ? words : ['bash', '-c', `${limits}; exec "$@"`, 'bash', ...words];
    this.#child = spawn(command, rest, { stdio, env: { ...process.env, ...env } });
    this.#closed = once(this.#child, 'close');
    this.#child.stdout.on('data', (chunk: Buffer) => {
      this.#text += chunk.toString();
      this.#heard();
    });
  }

  /** Until it has said so many lines, or ended. */
  async said(lines: number): Promise<void> {
    const isEnough = new Promise<void>((resolve) => {
      this.#heard = () => {
        if (this.#text.split('\n').length > lines) resolve();
      };
      this.#heard();
    });
    await Promise.race([isEnough, this.#closed]);
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  async end(): Promise<Appended> {
    await this.#closed;
    const words = this.#text.split('\n').flatMap((line) => wordsOf(line));
    const last = (name: string) => words.filter((each) => name in each).at(-1);
    const failed = last('failed');
    return {
      signal: this.#child.signalCode,
      opening: last('opening')?.['opening'] as JournalOpening | undefined,
      committed: Number(last('committed')?.['committed'] ?? 0),
      sending: Number(last('sending')?.['sending'] ?? 0),
      failed: failed && { code: String(failed['failed']), message: String(failed['message']) },
    };
  }
}

/** A line that a kill cut off was not said. */
function wordsOf(line: string): readonly Record<string, unknown>[] {
  return line.endsWith('}') ? [JSON.parse(line) as Record<string, unknown>] : [];
}
