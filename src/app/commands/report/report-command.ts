/** `oddsmith report`: draws the report of a run or a sweep from what its directory holds. */

import { Command } from 'commander';
import { packageVersion } from '../../../package/running-package.ts';
import { printable } from '../../../words/printable.ts';
import type { CommandContext } from '../../cli/command-context.ts';
import { example, jsonFlag } from '../../cli/flags.ts';

interface Flags {
  readonly out?: string;
  readonly open?: boolean;
  readonly json?: boolean;
}

export function reportCommand(context: CommandContext): Command {
  const command = new Command('report')
    .description(
      'Draw the report of a backtest again, or that of a live or paper run or a sweep, from what the directory holds: one file that opens from disk.',
    )
    .argument('<run-dir>', 'the directory that a backtest or a sweep wrote, or that of a live or paper run')
    .option('--out <file>', 'where the page is written; report.html in the directory if absent')
    .option('--open', 'open it in the browser')
    .addOption(jsonFlag())
    .action((directory: string, flags: Flags) => report(context, directory, flags));
  return example(
    command,
    `$ oddsmith report runs/backtest-1-6c5b1b6f4e --open
$ oddsmith report runs/live --out friday.html
$ oddsmith report sweeps/sweep`,
  );
}

async function report({ terminal }: CommandContext, directory: string, flags: Flags): Promise<void> {
  const { drawReport } = await import('./draw-report.ts');
  const { file, kind } = await drawReport({ directory, out: flags.out, signal: terminal.signal });
  if (flags.json === true)
    terminal.out(`${JSON.stringify({ command: 'report', version: packageVersion(), kind, file })}\n`);
  else terminal.out(`${printable(file)}\n`);
  if (flags.open !== true) return;
  const { openInBrowser } = await import('./open-in-browser.ts');
  await openInBrowser(file);
}
