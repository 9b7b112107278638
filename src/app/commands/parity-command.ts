/** `oddsmith parity`: a run against the replay of its own recording. */

import { Command } from 'commander';
import { packageVersion } from '../../package/running-package.ts';
import { fitted } from '../../report/text/fitted.ts';
import { CAUSE_MEANINGS, CAUSE_NAMES, parityTable } from '../../report/text/parity-table.ts';
import type { CancellationFit } from '../../result/cancellation-fit.ts';
import { PARITY_CAUSES, type ParityResult } from '../../result/parity.ts';
import { EXIT, type ExitCode } from '../cli/cli-error.ts';
import type { CommandContext } from '../cli/command-context.ts';
import { example, jsonFlag } from '../cli/flags.ts';
import { inkOf, paintFor } from '../cli/terminal.ts';
import type { ParityHooks } from '../parity/parity-run.ts';

interface ParityFlags {
  readonly json?: boolean;
  readonly fitCancellations?: boolean;
}

export function parityCommand(context: CommandContext): Command {
  const command = new Command('parity')
    .description(
      'Replay what a live or paper run recorded, line up every decision, order and fill of its journal with those of the replay, and name the cause of each difference.',
    )
    .argument('<run-dir>', 'the directory of a run: dir of its configuration')
    .option(
      '--fit-cancellations',
      "instead, fill the run's resting orders again under each model of fillRules.cancellations, and say which fills most like the run",
    )
    .addOption(jsonFlag())
    .addHelpText('after', CAUSES)
    .action((directory: string, flags: ParityFlags) =>
      flags.fitCancellations === true ? fitModels(context, directory, flags) : parity(context, directory, flags),
    );
  return example(
    command,
    '$ oddsmith parity runs/paper\n$ oddsmith parity runs/live --json > parity.json\n$ oddsmith parity runs/live --fit-cancellations',
  );
}

const CAUSES = `
Causes:
${PARITY_CAUSES.map((cause) => `  ${CAUSE_NAMES[cause].padEnd(18)} ${CAUSE_MEANINGS[cause]}`).join('\n')}

What follows from a difference is counted with it. The first of its chain has the cause.

Exit codes: 0 every difference has an explanation that is not the strategy's · 2 a strategy is not deterministic · 5 a
difference is unexplained, or the run's files are missing or corrupt

With --fit-cancellations no strategy is called. Exit codes: 0 for every result, too few orders included · 5 the run's files are
missing or corrupt · 130 interrupted, and nothing is said
`;

async function parity(context: CommandContext, directory: string, flags: ParityFlags): Promise<void> {
  const { terminal } = context;
  const { runParity } = await import('../parity/parity-run.ts');
  const result = await withProgress(context, flags, (hooks) => runParity(directory, hooks));
  terminal.out(
    flags.json === true
      ? parityJson(result)
      : fitted(parityTable(result, inkOf(paintFor(terminal.colourOut))), terminal.columnsOut),
  );
  context.exitCode = terminal.signal.aborted ? EXIT.interrupted : exitCodeOf(result);
}

async function fitModels(context: CommandContext, directory: string, flags: ParityFlags): Promise<void> {
  const { terminal } = context;
  const { fitRun } = await import('../parity/fit/fit-run.ts');
  const { fitTable } = await import('../../report/text/cancellation-fit-table.ts');
  const fit = await withProgress(context, flags, (hooks) => fitRun(directory, hooks));
  context.exitCode = fit === undefined ? EXIT.interrupted : EXIT.done;
  if (fit === undefined) terminal.note('interrupted: nothing was fitted\n');
  else
    terminal.out(
      flags.json === true
        ? fitJson(fit)
        : fitted(fitTable(fit, inkOf(paintFor(terminal.colourOut))), terminal.columnsOut),
    );
}

async function withProgress<T>(
  { terminal }: CommandContext,
  { json: silent = false }: ParityFlags,
  work: (hooks: ParityHooks) => Promise<T>,
): Promise<T> {
  const { startProgress } = await import('../cli/progress.ts');
  const progress = startProgress(terminal, { unit: 'updates', silent, now: () => performance.now() });
  try {
    return await work({
      signal: terminal.signal,
      onProgress: ({ done, total, at }) =>
        progress.update(done, total, new Date(at).toISOString().slice(0, 16).replace('T', ' ')),
    });
  } finally {
    progress.stop();
  }
}

export function exitCodeOf({ causes }: ParityResult): ExitCode {
  if (causes.unexplained.causes > 0) return EXIT.data;
  return causes.nonDeterminism.causes > 0 ? EXIT.usage : EXIT.done;
}

function parityJson(result: ParityResult): string {
  return `${JSON.stringify({ command: 'parity', version: packageVersion(), ...result })}\n`;
}

function fitJson(fitted: CancellationFit): string {
  return `${JSON.stringify({ command: 'parity', version: packageVersion(), fit: 'cancellations', ...fitted })}\n`;
}
