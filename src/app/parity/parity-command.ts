/** `oddsmith parity`: a run against the replay of its own recording. */

import { Command } from 'commander';
import { PARITY_CAUSES, type ParityResult } from '../../report/parity.ts';
import { CAUSE_MEANINGS, parityTable } from '../../report/parity-table.ts';
import { EXIT, type ExitCode } from '../cli-error.ts';
import type { CommandContext } from '../command-context.ts';
import { example, jsonFlag } from '../flags.ts';
import { inkOf } from '../ink.ts';
import { paintFor } from '../terminal.ts';
import { packageVersion } from '../version.ts';

interface Flags {
  readonly json?: boolean;
}

export function parityCommand(context: CommandContext): Command {
  const command = new Command('parity')
    .description(
      'Replay what a live or paper run recorded, line up every decision, order and fill of its journal with those of the replay, and name the cause of each difference.',
    )
    .argument('<run-dir>', 'the directory of a run: dir of its configuration')
    .addOption(jsonFlag())
    .addHelpText('after', CAUSES)
    .action((directory: string, flags: Flags) => parity(context, directory, flags));
  return example(command, '$ oddsmith parity runs/paper\n$ oddsmith parity runs/live --json > parity.json');
}

const CAUSES = `
Causes:
${PARITY_CAUSES.map((cause) => `  ${cause.padEnd(16)} ${CAUSE_MEANINGS[cause]}`).join('\n')}

What follows from a difference is counted with it. The first of its chain has the cause.

Exit codes: 0 every difference has an explanation that is not the strategy's · 2 a strategy is not deterministic · 5 a
difference is unexplained, or the run's files are missing or corrupt
`;

async function parity(context: CommandContext, directory: string, flags: Flags): Promise<void> {
  const { terminal } = context;
  const { runParity } = await import('./parity-run.ts');
  const { startProgress } = await import('../progress.ts');
  const isJson = flags.json === true;
  const progress = startProgress(terminal, { unit: 'updates', silent: isJson, now: () => performance.now() });
  let result: ParityResult;
  try {
    result = await runParity(directory, {
      signal: terminal.signal,
      onProgress: ({ done, total, at }) =>
        progress.update(done, total, new Date(at).toISOString().slice(0, 16).replace('T', ' ')),
    });
  } finally {
    progress.stop();
  }
  terminal.out(isJson ? parityJson(result) : parityTable(result, inkOf(paintFor(terminal.colourOut))));
  context.exitCode = terminal.signal.aborted ? EXIT.interrupted : exitCodeOf(result);
}

export function exitCodeOf({ causes }: ParityResult): ExitCode {
  if (causes.unexplained.causes > 0) return EXIT.data;
  return causes.nonDeterminism.causes > 0 ? EXIT.usage : EXIT.done;
}

function parityJson(result: ParityResult): string {
  return `${JSON.stringify({ command: 'parity', version: packageVersion(), ...result })}\n`;
}
