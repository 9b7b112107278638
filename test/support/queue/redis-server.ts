/** A Redis of the test's own on a port that is free; tests that need one are skipped, with a printed reason, where there is none. */

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { Redis } from 'ioredis';
import { describe } from 'vitest';
import { temporaryDirectory } from '../temporary-directory.ts';

const NAMES = ['redis-server', 'valkey-server'];

function serverPath(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync);
}

export function describeWithRedis(name: string, body: () => void): void {
  if (serverPath() !== undefined) describe(name, body);
  else describe.skip(`${name} [no Redis: install redis-server or valkey-server]`, body);
}

export interface RedisServer {
  readonly address: string;
  readonly port: number;
  /** A connection for the test to look with. */
  readonly client: Redis;
  /** As `kill -9` and a start on the same port, with what it had written to its disk. */
  restart(): Promise<void>;
  kill(): Promise<void>;
  end(): Promise<void>;
}

/** `args`: settings such as `['--requirepass', 'x']`. Nothing is kept on its disk unless they say so. */
export async function startRedis(args: readonly string[] = [], password = ''): Promise<RedisServer> {
  const port = await freePort();
  const directory = temporaryDirectory('redis');
  const address = `redis://${password === '' ? '' : `:${password}@`}127.0.0.1:${port}`;
  let running = await started({ port, directory, args });
  const client = new Redis(address, { maxRetriesPerRequest: null });
  client.on('error', () => undefined);
  const kill = async (): Promise<void> => {
    running.kill('SIGKILL');
    if (running.exitCode === null && running.signalCode === null)
      await new Promise<void>((resolve) => {
        running.once('exit', () => resolve());
      });
  };
  return {
    ...{ address, port, client, kill },
    restart: async () => {
      await kill();
      running = await started({ port, directory, args });
    },
    end: async () => {
      client.disconnect();
      await kill();
    },
  };
}

interface Start {
  readonly port: number;
  readonly directory: string;
  readonly args: readonly string[];
}

async function started({ port, directory, args }: Start): Promise<ChildProcess> {
  const own = ['--port', String(port), '--bind', '127.0.0.1', '--dir', directory, '--save', ''];
  const child = spawn(serverPath() ?? '', [...own, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise<void>((resolve, reject) => {
    let said = '';
    child.stdout?.on('data', (text: Buffer) => {
      said += text.toString();
      if (/Ready to accept connections/i.test(said)) resolve();
    });
    child.once('exit', (code) => reject(new Error(`Redis ended with ${code}: ${said}`)));
  });
  return child;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
