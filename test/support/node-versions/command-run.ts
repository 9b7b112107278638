/** The built command on a Node of choice, in a directory of its own, with all that it printed. */

import { type ChildProcess, spawn } from 'node:child_process';
import { builtCommand } from '../built-command.ts';

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly note: string;
}

export interface Running {
  readonly said: { readonly out: string; readonly note: string };
  /** Resolves when it has written a line like this to either stream; rejects when it ends before. */
  until(what: RegExp): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  readonly ended: Promise<Ran>;
}

export interface Place {
  readonly node: string;
  readonly directory: string;
}

const PATIENCE_MS = 120_000;

export function start(place: Place, args: readonly string[]): Running {
  const child = spawn(place.node, [builtCommand(), ...args], {
    cwd: place.directory,
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', note: '' };
  child.stdout.on('data', (piece: Buffer) => {
    said.out += piece.toString();
  });
  child.stderr.on('data', (piece: Buffer) => {
    said.note += piece.toString();
  });
  const ended = endOf(child, said);
  return {
    said,
    ended,
    kill: (signal) => void child.kill(signal),
    until: (what) => untilSaid(said, ended, what),
  };
}

export async function run(place: Place, args: readonly string[]): Promise<Ran> {
  return await start(place, args).ended;
}

function endOf(child: ChildProcess, said: Running['said']): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(limit);
      resolve({ code, ...said });
    });
  });
}

function untilSaid(said: Running['said'], ended: Promise<Ran>, what: RegExp): Promise<void> {
  return new Promise((resolve, reject) => {
    const isThere = (): boolean => what.test(said.out) || what.test(said.note);
    const look = setInterval(() => {
      if (!isThere()) return;
      clearInterval(look);
      resolve();
    }, 20);
    void ended.then(({ code }) => {
      clearInterval(look);
      if (isThere()) resolve();
      else reject(new Error(`ended with ${code} and never said ${what}:\n${said.out}\n${said.note}`));
    });
  });
}
