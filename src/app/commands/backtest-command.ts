/** `oddsmith backtest`: replays tapes through strategies and the simulated exchange. */

import { Command, Option } from 'commander';
import type { BacktestOptions } from '../../backtest/options/backtest-options.ts';
import { CliError } from '../cli/cli-error.ts';
import type { CommandContext } from '../cli/command-context.ts';
import { example, jsonFlag, type ParamText, paramFlag, repeated, wholeNumber } from '../cli/flags.ts';

const JOBS_MAX = 256;

interface BacktestCommandFlags {
  readonly strategy?: readonly string[];
  readonly tape?: readonly string[];
  readonly param?: readonly ParamText[];
  readonly grantFiles?: readonly string[];
  readonly fills?: BacktestOptions['fills'];
  readonly seed?: number;
  readonly out?: string;
  readonly prove?: boolean;
  readonly jobs?: number;
  readonly proveInstants?: number;
  readonly rows?: boolean;
  readonly parquet?: boolean;
  readonly json?: boolean;
}

export function backtestCommand(context: CommandContext): Command {
  const command = new Command('backtest')
    .description('Replay recordings through strategies and the simulated exchange. Flags win over the configuration.')
    .argument('[config]', 'a YAML configuration; config/backtest.yaml is a complete one')
    .addOption(repeated('--strategy <file>', 'a strategy (repeatable)'))
    .addOption(repeated('--tape <file>', 'a tape (repeatable)'))
    .addOption(paramFlag())
    .addOption(repeated('--grant-files <path>', 'a file or directory that the strategies may read (repeatable)'))
    .addOption(
      new Option('--fills <how>', 'which bounds of the fills are computed').choices(['bounds', 'all', 'central']),
    )
    .option('--prove', 'replay with the future removed and altered: every decision before it must stay the same')
    .addOption(
      wholeNumber('--prove-instants <n>', 'prove with so many instants, 20 by default', { min: 1, max: 1_000 }),
    )
    .addOption(wholeNumber('--seed <n>', 'the seed of all chance in the run', { min: 0, max: 4_294_967_295 }))
    .addOption(
      wholeNumber('--jobs <n>', 'how many pieces of an `isolate` run are played at once, each in a thread', {
        min: 1,
        max: JOBS_MAX,
      }),
    )
    .option('--out <dir>', 'where the run writes its own directory')
    .option('--rows', 'put every order and fill into result.json as well, and into what --json prints')
    .option('--parquet', 'write orders, fills, markets and outcomes as Parquet beside the CSV files')
    .addOption(jsonFlag())
    .action((config: string | undefined, flags: BacktestCommandFlags) => backtest(context, config, flags));
  return example(
    command,
    `$ oddsmith backtest --strategy strategies/favourite-scalp.ts --tape backtest/sample.tape --param stake=5
$ oddsmith backtest config/backtest.yaml --seed 7 --json > result.json
$ oddsmith backtest by-event.yaml --jobs 4`,
  );
}

async function backtest(
  context: CommandContext,
  config: string | undefined,
  flags: BacktestCommandFlags,
): Promise<void> {
  const { loadBacktest } = await import('../config/resolve/load-backtest.ts');
  const { resolveBacktest } = await import('../../backtest/options/resolve-backtest.ts');
  const prove = flags.proveInstants ?? flags.prove;
  const { withParamPlaces } = await import('../config/resolve/param-places.ts');
  const loaded = await loadBacktest(config);
  const resolved = resolveBacktest(loaded, {
    strategies: flags.strategy ?? [],
    tapes: flags.tape ?? [],
    params: flags.param === undefined ? {} : (await import('./param-values.ts')).paramValues(flags.param),
    ...(flags.grantFiles === undefined ? {} : { files: flags.grantFiles }),
    ...(flags.fills === undefined ? {} : { fills: flags.fills }),
    ...(flags.seed === undefined ? {} : { seed: flags.seed }),
    ...(flags.out === undefined ? {} : { out: flags.out }),
    ...(prove === undefined ? {} : { prove }),
  });
  const given = Object.fromEntries((flags.param ?? []).map(({ name, text }) => [name, `--param ${name}=${text}`]));
  const options = { ...resolved, strategies: withParamPlaces(resolved.strategies, loaded, given) };
  checkJobs(flags.jobs, options);
  const { runAndReport } = await import('../output/run-and-report.ts');
  const { writtenWords } = await import('../output/run-files.ts');
  const choices = {
    prefix: 'backtest',
    json: flags.json === true,
    rows: flags.rows === true,
    parquet: flags.parquet === true,
    jobs: flags.jobs,
    closingWords: (_: unknown, directory: string) => writtenWords(directory),
  };
  if (config === undefined) return await runAndReport(context, options, choices);
  const { withPlaces } = await import('../config/yaml/named-paths.ts');
  await withPlaces(config, () => runAndReport(context, options, choices));
}

function checkJobs(jobs: number | undefined, { isolate }: BacktestOptions): void {
  if (jobs === undefined || jobs === 1 || isolate !== 'none') return;
  throw new CliError({
    code: 'USAGE',
    what: `--jobs ${jobs} plays pieces of a run at once, and this run is one piece.`,
    why: 'Under `isolate: none` all markets share wallets, limits and one timeline: what happens in one decides what may be done in the next.',
    next: 'Set `isolate: event`, `market` or `strategy` in the configuration, if its pieces are to be independent, or leave --jobs out.',
  });
}
