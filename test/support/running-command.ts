/** A command that runs: all that it wrote so far, waiting for what it says, and how it ended. */

import { spawn } from 'node:child_process';
import { builtMain } from './built-command.ts';

export interface Ended {
  readonly code: number | null;
  /** All that it wrote to stdout and to stderr. */
  readonly out: string;
  readonly note: string;
}

export interface RunningCommand {
  readonly said: { readonly out: string; readonly note: string };
  readonly pid: number;
  readonly ended: Promise<Ended>;
  /** Resolves when it has written this to either stream; rejects where it ends before, or has not within this time. */
  until(what: string | RegExp, timeoutMs?: number): Promise<void>;
  kill(signal?: NodeJS.Signals): void;
}

export interface ProcessTerms {
  /** Where this process is, unless it is given. */
  readonly cwd?: string;
  /** Beside what this process has. */
  readonly env?: Readonly<Record<string, string>>;
  /** After which it is killed. */
  readonly patienceMs?: number;
}

/** A command line that runs `oddsmith` as it is built and published, with these flags of Node's own. */
export function builtCommand(args: readonly string[], flags: readonly string[] = []): readonly string[] {
  return [process.execPath, ...flags, builtMain(), ...args];
}

/** Starts a process of its own. */
export function startProcess(words: readonly string[], { cwd, env, patienceMs }: ProcessTerms = {}): RunningCommand {
  const [program = '', ...args] = words;
  const limit = patienceMs === undefined ? {} : ({ timeout: patienceMs, killSignal: 'SIGKILL' } as const);
  const child = spawn(program, args, {
    ...{ cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
    ...limit,
  });
  const said = { out: '', note: '' };
  child.stdout.on('data', (piece: Buffer) => {
    said.out += piece.toString();
  });
  child.stderr.on('data', (piece: Buffer) => {
    said.note += piece.toString();
  });
  const code = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return watched({ said, code, pid: child.pid ?? 0, kill: (signal = 'SIGKILL') => void child.kill(signal) });
}

interface Watched extends Pick<RunningCommand, 'said' | 'pid' | 'kill'> {
  readonly code: Promise<number | null>;
}

export function watched({ said, code, pid, kill }: Watched): RunningCommand {
  const ended = code.then((ending) => ({ code: ending, ...said }));
  const hasSaid = (what: string | RegExp): boolean =>
    [said.out, said.note].some((text) => (typeof what === 'string' ? text.includes(what) : what.test(text)));
  return {
    ...{ said, ended, pid, kill },
    until: (what, timeoutMs = 120_000) =>
      new Promise((resolve, reject) => {
        const failed = (why: string) => () =>
          reject(new Error(`${why}, and never said ${what}: ${said.out}${said.note}`));
        const look = setInterval(() => {
          if (hasSaid(what)) done(resolve);
        }, 20);
        const timeout = setTimeout(() => done(failed(`it ran for ${timeoutMs} ms`)), timeoutMs);
        const done = (end: () => void) => {
          clearInterval(look);
          clearTimeout(timeout);
          end();
        };
        void code.then((ending) => done(hasSaid(what) ? resolve : failed(`it ended with ${ending}`)));
      }),
  };
}
