/** A server in a process of its own, as the bench that measures it sees it. */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { BenchFailure } from './figure.ts';
import type { ServerTime } from './server-message.ts';

export class ServerProcess<Access> {
  readonly access: Access;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, access: Access) {
    this.#child = child;
    this.access = access;
  }

  /** `name` is the compiled server beside this bundle; what it prints is words, never figures. */
  static async start<Access>(name: string, options: unknown = {}): Promise<ServerProcess<Access>> {
    const path = fileURLToPath(new URL(`./${name}.mjs`, import.meta.url));
    const child = fork(path, [JSON.stringify(options)], { execArgv: [], stdio: ['ignore', 2, 2, 'ipc'] });
    return new ServerProcess(child, (await told(child, name)) as Access);
  }

  /** Of the process's time since it started. */
  async seconds(): Promise<number> {
    this.#child.send({});
    return ((await told(this.#child, 'a server')) as ServerTime).seconds;
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.disconnect();
    await ended;
  }
}

async function told(child: ChildProcess, name: string): Promise<unknown> {
  const waiting = new AbortController();
  const { signal } = waiting;
  const ended = once(child, 'exit', { signal }).then(([code]) => {
    throw new BenchFailure(`${name} ended with ${code}`);
  });
  try {
    const [message] = await Promise.race([once(child, 'message', { signal }), ended]);
    return message;
  } finally {
    ended.catch(() => undefined);
    waiting.abort();
  }
}
