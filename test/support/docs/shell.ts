/** A shell into which lines are typed one after the other, as a reader does: directory, variables and servers stay. */

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';

export interface Typed {
  readonly code: number;
  /** What it wrote to stdout and stderr, as it came. */
  readonly out: string;
}

/** A command that goes on until it is ended. */
export interface Server {
  readonly line: string;
  readonly pid: number;
  said(): string;
}

/** A character that no output holds. */
const MARK = '\u001e';
const PATIENCE_MS = 300_000;

export class Shell {
  readonly #bash: ChildProcessWithoutNullStreams;
  readonly #logs: string;
  #out = '';
  #count = 0;

  /** @param about `logs`: a directory for what servers write */
  constructor(about: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly logs: string }) {
    const { cwd, env, logs } = about;
    this.#logs = logs;
    this.#bash = spawn('bash', ['-c', 'exec bash --noprofile --norc 2>&1'], { cwd, env });
    this.#bash.stdout.on('data', (piece: Buffer) => {
      this.#out += piece.toString();
    });
  }

  /** Types a line and waits for its end. @throws Error where it does not end in time */
  async type(line: string, patienceMs = PATIENCE_MS): Promise<Typed> {
    this.#out = '';
    this.#bash.stdin.write(`{ ${line}\n} < /dev/null; printf '\\036%d\\036' $?\n`);
    for (let waited = 0; waited < patienceMs && this.#bash.exitCode === null; waited += 10) {
      const [out = '', code, end] = this.#out.split(MARK);
      if (end !== undefined) return { code: Number(code), out };
      await pass(10);
    }
    const out = this.#out.replaceAll(MARK, '');
    throw new Error(`${line}\nhas not ended; what goes on stands in SERVERS (test/support/docs/coverage.ts): ${out}`);
  }

  /** Starts what goes on by itself, and waits until it says that it is ready. @throws Error where it ends before */
  async serve(line: string, ready: RegExp): Promise<Server> {
    this.#count += 1;
    const log = join(this.#logs, `server-${this.#bash.pid}-${this.#count}.log`);
    const { out } = await this.type(`${line} > ${log} 2>&1 & printf '%d' $!`);
    if (!/^\d+$/.test(out)) throw new Error(`${line}\nwas not started: ${out}`);
    const server: Server = {
      line,
      pid: Number(out),
      said: () => (existsSync(log) ? readFileSync(log, 'utf8') : ''),
    };
    for (let waited = 0; waited < PATIENCE_MS && !ready.test(server.said()); waited += 20) {
      if (!isAlive(server.pid)) throw new Error(`${line}\nended before it was ready: ${server.said()}`);
      await pass(20);
    }
    if (!ready.test(server.said())) throw new Error(`${line}\nis not ready: ${server.said()}`);
    return server;
  }

  /** Ends a server as Ctrl-C does, or by another signal; one that ends by itself already is waited for. Its exit code. */
  async end(server: Server, signal: 'INT' | 'TERM' = 'TERM'): Promise<number> {
    const isEnding = server.said().includes('ending → ended');
    const kill = isEnding ? '' : `kill -${signal} ${server.pid} 2> /dev/null; `;
    return (await this.type(`${kill}wait ${server.pid}`)).code;
  }

  close(): void {
    this.#bash.kill('SIGKILL');
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    throw error;
  }
}
