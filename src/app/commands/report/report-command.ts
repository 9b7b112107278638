/** `oddsmith report`: draws the report of a run or a sweep from what its directory holds, or two runs beside each other. */

import { Command } from 'commander';
import { packageVersion } from '../../../package/running-package.ts';
import { printable } from '../../../words/printable.ts';
import type { CommandContext } from '../../cli/command-context.ts';
import { example, jsonFlag } from '../../cli/flags.ts';

interface ReportFlags {
  readonly out?: string;
  readonly open?: boolean;
  readonly json?: boolean;
}

export function reportCommand(context: CommandContext): Command {
  const command = new Command('report')
    .description(
      'Draw the report of a backtest again, or that of a live or paper run or a sweep, from what the directory holds: one file that opens from disk. With two directories: both runs beside each other, and whether their difference is more than luck.',
    )
    .argument('<run-dir>', 'the directory that a backtest or a sweep wrote, or that of a live or paper run')
    .argument('[other-dir]', 'a second run, which is compared with the first')
    .option(
      '--out <file>',
      'where the page is written; report.html in the directory if absent, comparison.html in that of the second run',
    )
    .option('--open', 'open it in the browser')
    .addOption(jsonFlag())
    .action((directory: string, other: string | undefined, flags: ReportFlags) =>
      other === undefined ? report(context, directory, flags) : compare(context, [directory, other], flags),
    );
  return example(
    command,
    `$ oddsmith report runs/backtest-1-6c5b1b6f4e --open
$ oddsmith report runs/live --out friday.html
$ oddsmith report sweeps/sweep
$ oddsmith report runs/backtest-1-6c5b1b6f4e runs/backtest-1-0fb1d3a9c2`,
  );
}

async function report({ terminal }: CommandContext, directory: string, flags: ReportFlags): Promise<void> {
  const { drawReport } = await import('./draw-report.ts');
  const { file, kind } = await drawReport({ directory, out: flags.out, signal: terminal.signal });
  if (flags.json === true)
    terminal.out(`${JSON.stringify({ command: 'report', version: packageVersion(), kind, file })}\n`);
  else terminal.out(`${printable(file)}\n`);
  await opened(file, flags);
}

async function compare(
  { terminal }: CommandContext,
  runs: readonly [string, string],
  flags: ReportFlags,
): Promise<void> {
  const { drawComparison } = await import('./draw-report.ts');
  const { file, sentences, comparison } = await drawComparison(runs, { out: flags.out, signal: terminal.signal });
  if (flags.json === true) {
    const { difference, perEvent } = comparison;
    const line = { command: 'report', version: packageVersion(), kind: 'comparison', file, difference, perEvent };
    terminal.out(`${JSON.stringify(line)}\n`);
  } else terminal.out(`${sentences.join('\n')}\n${printable(file)}\n`);
  await opened(file, flags);
}

async function opened(file: string, { open }: ReportFlags): Promise<void> {
  if (open !== true) return;
  const { openInBrowser } = await import('./open-in-browser.ts');
  await openInBrowser(file);
}
