/** `oddsmith demo`: the first backtest, with what comes in the package and without a network. */

import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Command } from 'commander';
import { packageDirectory } from '../../../package/running-package.ts';
import type { BacktestResult } from '../../../result/result.ts';
import { CliError } from '../../cli/cli-error.ts';
import type { CommandContext } from '../../cli/command-context.ts';
import { example, jsonFlag } from '../../cli/flags.ts';
import { isRepository, ownCommand } from '../../cli/own-command.ts';

const STRATEGY = 'strategies/passive-quoter.ts';
const TAPE = 'backtest/sample.tape';

export function demoCommand(context: CommandContext): Command {
  const command = new Command('demo')
    .description('Run the first backtest: a sample strategy over the bundled recording, a table and an HTML report.')
    .option('--out <dir>', 'where the run writes its own directory', 'runs/')
    .addOption(jsonFlag())
    .action((flags: { readonly out: string; readonly json?: boolean }) => demo(context, flags));
  return example(command, '$ oddsmith demo');
}

async function demo(context: CommandContext, flags: { readonly out: string; readonly json?: boolean }): Promise<void> {
  const { loadBacktest } = await import('../../config/resolve/load-backtest.ts');
  const { resolveBacktest } = await import('../../../backtest/options/resolve-backtest.ts');
  const json = flags.json === true;
  const options = resolveBacktest(await loadBacktest(undefined), {
    strategies: [bundled(STRATEGY)],
    tapes: [bundled(TAPE)],
    params: {},
    out: flags.out,
  });
  const { runAndReport } = await import('../../output/run-and-report.ts');
  await runAndReport(context, options, { prefix: 'demo', json, rows: false, parquet: false, closingWords });
}

function closingWords(_result: BacktestResult, directory: string): string {
  const oddsmith = ownCommand();
  return `
Open the report in a browser:
  ${join(directory, 'report.html')}

Next:
  ${oddsmith} view ${directory}
  ${oddsmith} backtest --param stake=2 \\
    --strategy ${bundled(STRATEGY)} \\
    --tape ${bundled(TAPE)}
  ${oddsmith} import betfair YOUR-RECORDINGS --tape data/first.tape
  ${oddsmith} init ${isRepository() ? '../' : ''}my-bot
  ${oddsmith} --help
`;
}

/** A file of the package, as the user would name it from here where that is shorter. */
function bundled(file: string): string {
  const path = join(packageDirectory(), file);
  if (!existsSync(path)) {
    throw new CliError({
      code: 'PACKAGE_INCOMPLETE',
      what: 'A file of the package is missing.',
      where: path,
      why: 'The demo runs the strategy and the recording that come with oddsmith.',
      next: 'Install the package again, or restore the file in the repository.',
    });
  }
  const near = relative(process.cwd(), path);
  return near.startsWith('..') ? path : near;
}
