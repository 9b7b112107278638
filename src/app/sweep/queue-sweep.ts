/** A sweep whose jobs are played by workers on other machines: its queue, and the flags that ask for it. */

import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Option } from 'commander';
import type { SweepEngine } from '../../sweep/engine/engine.ts';
import { CliError } from '../cli/cli-error.ts';
import { isAlive, nodeMajor, ownName, ownProcess } from './machine.ts';

export interface EngineFlags {
  readonly engine: 'threads' | 'bullmq';
  readonly redis?: string;
}

export function engineFlag(): Option {
  return new Option('--engine <engine>', 'who plays: threads of this machine, or workers on any machine')
    .choices(['threads', 'bullmq'])
    .default('threads');
}

export function redisFlag(): Option {
  return new Option(
    '--redis <url>',
    'the Redis or Valkey server between machines; it is not printed (default: $ODDSMITH_REDIS)',
  );
}

/** Other users of a machine see the arguments of a process, and not its environment. @throws CliError */
export function redisAddress({ redis }: Pick<EngineFlags, 'redis'>): string {
  const address = redis ?? process.env['ODDSMITH_REDIS'];
  if (address !== undefined && address !== '') return address;
  throw new CliError({
    code: 'USAGE',
    what: 'The address of Redis is missing.',
    next: 'Give it with --redis redis://HOST:PORT, or in the environment as ODDSMITH_REDIS.',
  });
}

export interface QueueSweep {
  readonly redis: string;
  /** The sweep's directory. */
  readonly directory: string;
  readonly build: string;
  readonly say: (line: string) => void;
}

/** @throws OddsmithError QUEUE_NOT_INSTALLED, REDIS_…, SWEEP_BUSY */
export async function openQueueEngine({ redis, directory, build, say }: QueueSweep): Promise<SweepEngine> {
  const { openRedis } = await import('../../sweep/queue/redis-access.ts');
  const { QueueEngine } = await import('../../sweep/queue/queue-engine.ts');
  const access = await openRedis(redis);
  const own = ownProcess();
  return QueueEngine.open({
    access,
    say,
    isAlive,
    record: { sweep: queueName(directory), label: directory, build, node: nodeMajor() },
    coordinator: { coordinator: ownName(own), ...own },
  });
}

const NAME_FILE = 'queue.id';

/** Stays with the sweep, so that it finds its queue again from any machine, and no other sweep has it. */
function queueName(directory: string): string {
  const path = join(directory, NAME_FILE);
  try {
    writeFileSync(path, randomUUID(), { flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  return readFileSync(path, 'utf8').trim();
}
