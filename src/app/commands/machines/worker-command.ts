/** `oddsmith worker`: takes jobs of sweeps that were begun with `--engine bullmq`. */

import { availableParallelism } from 'node:os';
import { Command, Option } from 'commander';
import type { CommandContext } from '../../cli/command-context.ts';
import { example, jsonFlag, wholeNumber } from '../../cli/flags.ts';
import { redisAddress, redisFlag } from '../../sweep/queue-sweep.ts';

interface WorkerFlags {
  readonly redis?: string;
  readonly jobs?: number;
  readonly tapes: readonly string[];
  readonly cache?: string;
  readonly cacheMax: number;
  readonly once?: boolean;
  readonly json?: boolean;
}

const CACHE_GB = 20;

export function workerCommand(context: CommandContext): Command {
  const command = new Command('worker')
    .description('Play jobs of sweeps that were begun with --engine bullmq, on this or any machine, until Ctrl-C.')
    .addOption(redisFlag())
    .addOption(
      new Option(
        '--tapes <place...>',
        'where the tapes are: tapes, directories of pieces, addresses of `oddsmith tape serve`',
      ).makeOptionMandatory(),
    )
    .addOption(
      wholeNumber('--jobs <n>', 'jobs that are played at once; as many as the machine has cores', { min: 1, max: 256 }),
    )
    .option('--cache <dir>', 'where fetched pieces are kept; several workers may share it (default: ~/.cache/oddsmith)')
    .addOption(
      wholeNumber('--cache-max <gb>', 'how large the cache may be', { min: 1, max: 1_000_000 }).default(CACHE_GB),
    )
    .option('--once', 'end when the sweeps that are under way are over')
    .addOption(jsonFlag())
    .action(async (flags: WorkerFlags) => {
      const { playWorker } = await import('../../sweep/play-worker.ts');
      const { jobs = availableParallelism(), tapes, cache, cacheMax, once, json } = flags;
      await playWorker(context, {
        jobs,
        tapes,
        cache,
        redis: redisAddress(flags),
        cacheBytesMax: cacheMax * 1e9,
        once: once === true,
        json: json === true,
      });
    });
  return example(
    command,
    `$ oddsmith worker --redis redis://queue.example:6379 --tapes http://tapes.example:8650/manifest.json
$ oddsmith worker --once --jobs 8 --tapes /shared/pieces`,
  );
}
