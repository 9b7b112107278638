/** `oddsmith run` as a user starts it: the built command in a process of its own, with its log in a file. */

import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { builtMain } from '../built-command.ts';
import type { Json } from '../vendor/vendor-client.ts';

const ASK_MS = 5_000;

export interface DaemonEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface DaemonPlace {
  readonly directory: string;
  readonly config: string;
  /** The state directory. */
  readonly dir: string;
  readonly log: string;
  readonly env: Readonly<Record<string, string>>;
}

export class DaemonProcess {
  /** When it was started, ms UTC. */
  readonly startedAt: number;
  readonly ended: Promise<DaemonEnd>;
  readonly #child: ChildProcess;
  readonly #dir: string;
  end: DaemonEnd | undefined;

  constructor({ directory, config, dir, log, env }: DaemonPlace) {
    this.#dir = dir;
    const file = openSync(log, 'a');
    this.startedAt = Date.now();
    this.#child = spawn(process.execPath, [builtMain(), 'run', config], {
      ...{ cwd: directory, stdio: ['ignore', file, file], env: { ...process.env, ...env } },
    });
    closeSync(file);
    this.ended = new Promise((resolve, reject) => {
      this.#child.once('error', reject);
      this.#child.once('exit', (code, signal) => {
        this.end = { code, signal };
        resolve(this.end);
      });
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** What it answers to a command over its control socket, the last reply first; undefined if no daemon listens. */
  ask(request: Json): Promise<Json> {
    return new Promise((resolve) => {
      const socket = connect(join(this.#dir, 'control.sock'));
      let heard = '';
      socket.setTimeout(request.command === 'stop' ? 0 : ASK_MS, () => socket.destroy());
      socket.on('error', () => resolve(undefined));
      socket.on('close', () => resolve(undefined));
      socket.on('connect', () => socket.write(`${JSON.stringify({ v: 1, ...request })}\n`));
      socket.on('data', (piece) => {
        heard += String(piece);
        const lines = heard.split('\n');
        heard = lines.pop() ?? '';
        for (const line of lines) {
          const reply: Json = JSON.parse(line);
          if (reply.kind === 'heard') continue;
          socket.end();
          resolve(reply);
        }
      });
    });
  }
}
