/** `oddsmith sweep`: many backtests over a space of settings, kept so that nothing is computed twice. */

import { availableParallelism } from 'node:os';
import { Command } from 'commander';
import type { CommandContext } from '../cli/command-context.ts';
import { example, jsonFlag, wholeNumber } from '../cli/flags.ts';

interface Flags {
  readonly jobs?: number;
  readonly retry?: boolean;
  readonly json?: boolean;
}

export function sweepCommand(context: CommandContext): Command {
  const command = new Command('sweep')
    .description('Play a space of settings over recordings. It goes on where an earlier process stopped.')
    .argument('<config>', 'a YAML configuration with a block `sweep`')
    .addOption(
      wholeNumber('--jobs <n>', 'units that are played at once; as many as the machine has cores', {
        min: 1,
        max: 256,
      }),
    )
    .option('--retry', 'play units that were set aside anew')
    .addOption(jsonFlag())
    .action(async (config: string, { jobs = availableParallelism(), retry, json }: Flags) => {
      const { playSweep } = await import('../sweep/play-sweep.ts');
      await playSweep(context, config, { jobs, retry: retry === true, json: json === true });
    });
  return example(
    command,
    `$ oddsmith sweep config/sweep.yaml --jobs 4
$ oddsmith sweep config/sweep.yaml --json > sweep.json`,
  );
}
