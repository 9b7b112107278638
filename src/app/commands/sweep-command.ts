/** `oddsmith sweep`: many backtests over a space of settings, kept so that nothing is computed twice. */

import { availableParallelism } from 'node:os';
import { Command, InvalidArgumentError, Option } from 'commander';
import { FIGURES, type FigureName, isFigureName } from '../../sweep/result/figures.ts';
import { CliError } from '../cli/cli-error.ts';
import type { CommandContext } from '../cli/command-context.ts';
import { example, jsonFlag, wholeNumber } from '../cli/flags.ts';
import { type EngineFlags, engineFlag, redisAddress, redisFlag } from '../sweep/queue-sweep.ts';

interface SweepFlags extends EngineFlags {
  readonly jobs?: number;
  readonly dryRun?: boolean;
  readonly retry?: boolean;
  readonly json?: boolean;
}

export function sweepCommand(context: CommandContext): Command {
  const command = new Command('sweep')
    .description('Play a space of settings over recordings. It goes on where an earlier process stopped.')
    .argument('<config>', 'a YAML configuration with a block `sweep`')
    .addOption(jobsFlag())
    .addOption(engineFlag())
    .addOption(redisFlag())
    .option('--dry-run', 'count trials and units, and measure how long they would take; nothing is kept')
    .option('--retry', 'play units again that were set aside')
    .addOption(jsonFlag())
    .action(async (config: string, { jobs = availableParallelism(), dryRun, retry, json, ...machines }: SweepFlags) => {
      const { playSweep } = await import('../sweep/play-sweep.ts');
      const redis = machines.engine === 'bullmq' ? redisAddress(machines) : undefined;
      const choices = { jobs, redis, isDry: dryRun === true, retry: retry === true, json: json === true };
      const { withPlaces } = await import('../config/yaml/named-paths.ts');
      await withPlaces(config, () => playSweep(context, config, choices));
    })
    .addCommand(topCommand(context))
    .addCommand(showCommand(context))
    .addCommand(exportCommand(context))
    .addCommand(rerunCommand(context))
    .addCommand(holdoutCommand(context));
  return example(
    command,
    `$ oddsmith sweep config/sweep.yaml --dry-run
$ oddsmith sweep config/sweep.yaml --jobs 4
$ oddsmith sweep config/sweep.yaml --engine bullmq --redis redis://queue.example:6379
$ oddsmith sweep top sweeps/sweep`,
  );
}

function jobsFlag(): Option {
  return wholeNumber('--jobs <n>', 'units that are played at once; as many as there are cores', { min: 1, max: 256 });
}

const DIRECTORY = ['<dir>', 'the directory of a sweep'] as const;

interface TopFlags {
  readonly count?: number;
  readonly by?: FigureName;
  readonly fold?: number;
}

function topCommand(context: CommandContext): Command {
  const command = new Command('top')
    .description('List the trials of a sweep by their value, the best first.')
    .argument(...DIRECTORY)
    .addOption(wholeNumber('--count <n>', 'how many (10)', { min: 1, max: 1_000_000 }))
    .addOption(new Option('--by <figure>', 'by another figure than the objective').argParser(figureName))
    .addOption(wholeNumber('--fold <n>', "the trials of this fold's own search, in sample", { min: 1, max: 1_000 }))
    .addOption(jsonFlag())
    .action(async (directory: string, { count = 10, by, fold }: TopFlags, own: Command) => {
      const { printTop } = await import('../sweep/show-sweep.ts');
      printTop(context, directory, { count, by, fold, json: isJson(own) });
    });
  return example(command, '$ oddsmith sweep top sweeps/sweep --count 20 --by yield');
}

/** A flag that `sweep` has as well is taken by it, wherever it stands. */
function isJson(own: Command): boolean {
  return own.optsWithGlobals()['json'] === true;
}

function figureName(text: string): FigureName {
  if (isFigureName(text)) return text;
  throw new InvalidArgumentError(`It must be one of ${Object.keys(FIGURES).join(', ')}.`);
}

function showCommand(context: CommandContext): Command {
  const command = new Command('show')
    .description('Show what a sweep holds, or one of its trials.')
    .argument(...DIRECTORY)
    .addOption(trialFlag())
    .addOption(jsonFlag())
    .action(async (directory: string, { trial }: { trial?: number }, own: Command) => {
      const { printSweep } = await import('../sweep/show-sweep.ts');
      printSweep(context, directory, { trial, json: isJson(own) });
    });
  return example(command, '$ oddsmith sweep show sweeps/sweep --trial 7');
}

function holdoutCommand(context: CommandContext): Command {
  const command = new Command('holdout')
    .description('Say how often the events that a sweep holds out were opened, or open them for one trial.')
    .argument(...DIRECTORY)
    .addOption(
      wholeNumber('--open <trial>', 'play this trial on them: it is written down, and each time is worth less', {
        min: 0,
        max: Number.MAX_SAFE_INTEGER,
      }),
    )
    .addOption(jobsFlag())
    .addOption(engineFlag())
    .addOption(redisFlag())
    .addOption(jsonFlag())
    .action(async (directory: string, { open }: { open?: number }, own: Command) => {
      const { openHoldout, printHoldout } = await import('../sweep/open-holdout.ts');
      const { jobs = availableParallelism(), dryRun, retry, ...machines }: SweepFlags = own.optsWithGlobals();
      // Whoever asks for a dry run is not to look at what is held out.
      if (dryRun === true || retry === true) throw notForHoldout(dryRun === true ? '--dry-run' : '--retry');
      const json = isJson(own);
      if (open === undefined) return await printHoldout(context, directory, json);
      const redis = machines.engine === 'bullmq' ? redisAddress(machines) : undefined;
      await openHoldout(context, directory, { trial: open, jobs, redis, json });
    });
  return example(
    command,
    `$ oddsmith sweep holdout sweeps/sweep
$ oddsmith sweep holdout sweeps/sweep --open 17 --jobs 4
$ oddsmith sweep holdout sweeps/sweep --open 17 --engine bullmq --redis redis://queue.example:6379`,
  );
}

function notForHoldout(flag: string): CliError {
  return new CliError({
    code: 'USAGE',
    what: `sweep holdout takes no ${flag}.`,
    why:
      flag === '--retry'
        ? 'Units that failed are played again each time.'
        : 'To open is to look, and each look is written down.',
    next: 'Leave it out; without --open nothing is computed.',
  });
}

function trialFlag(): Option {
  return wholeNumber('--trial <n>', 'the number of the trial', { min: 0, max: Number.MAX_SAFE_INTEGER });
}

function exportCommand(context: CommandContext): Command {
  const command = new Command('export')
    .description('Write the trials of a sweep, or the markets of all trials, as a table.')
    .argument(...DIRECTORY)
    .addOption(new Option('--rows <what>', 'a row for each').choices(['trials', 'markets']).default('trials'))
    .option('--csv <file>', 'write it as CSV')
    .option('--parquet <file>', 'write it as Parquet')
    .action(async (directory: string, flags: { rows: 'trials' | 'markets'; csv?: string; parquet?: string }) => {
      const { exportSweep } = await import('../sweep/export-sweep.ts');
      await exportSweep(context, directory, { rows: flags.rows, csv: flags.csv, parquet: flags.parquet });
    });
  return example(command, '$ oddsmith sweep export sweeps/sweep --parquet trials.parquet');
}

interface RerunFlags {
  readonly trial: number;
  readonly outOfSample?: boolean;
}

function rerunCommand(context: CommandContext): Command {
  const command = new Command('rerun')
    .description('Play one trial as a whole backtest with its files, and check it against what the sweep has kept.')
    .argument(...DIRECTORY)
    .addOption(trialFlag().makeOptionMandatory())
    .option('--out-of-sample', 'of the best trial of a fold: on the events that its search has not seen')
    .addOption(jsonFlag())
    .action(async (directory: string, { trial, outOfSample }: RerunFlags, own: Command) => {
      const { rerunTrial } = await import('../sweep/rerun-trial.ts');
      await rerunTrial(context, directory, { trial, isOutOfSample: outOfSample === true, json: isJson(own) });
    });
  return example(command, '$ oddsmith sweep rerun sweeps/sweep --trial 7');
}
