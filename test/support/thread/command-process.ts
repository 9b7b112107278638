/** The command as a process of its own, with what it printed, how it ended and how long it took to. */

import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly note: string;
}

export class CommandProcess {
  readonly ended: Promise<Ended>;
  readonly #child: ChildProcess;
  readonly #said = { out: '', note: '' };

  /** `flags` are Node’s own. */
  constructor(args: readonly string[], cwd: string, flags: readonly string[] = []) {
    const entry = ['--conditions=oddsmith-source', join(root, 'src/app/main.ts')];
    const child = spawn(process.execPath, [...flags, ...entry, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    child.stdout.on('data', (piece: Buffer) => {
      this.#said.out += piece.toString();
    });
    child.stderr.on('data', (piece: Buffer) => {
      this.#said.note += piece.toString();
    });
    this.ended = new Promise((resolve) => child.once('close', (code) => resolve({ code, ...this.#said })));
  }

  /** Waits until these words were said on stderr; fails where it ended before. */
  async until(words: string): Promise<void> {
    const ended = this.ended.then(({ note }) => {
      throw new Error(`ended before it said '${words}': ${note}`);
    });
    // It may end later, in the usual way.
    ended.catch(() => undefined);
    while (!this.#said.note.includes(words)) {
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 20))]);
    }
  }

  /** Resolves when it has ended; how long that took after the signal. */
  async signalled(name: NodeJS.Signals): Promise<Ended & { readonly tookMs: number }> {
    const sentAt = performance.now();
    this.#child.kill(name);
    const ended = await this.ended;
    return { ...ended, tookMs: performance.now() - sentAt };
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }
}
