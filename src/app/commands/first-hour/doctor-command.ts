/** `oddsmith doctor`: looks at machine, configuration, keys, exchange and data, and says of each what to do. */

import { Command } from 'commander';
import { packageVersion } from '../../../package/running-package.ts';
import { fitted } from '../../../report/text/fitted.ts';
import type { CommandContext } from '../../cli/command-context.ts';
import { example, jsonFlag } from '../../cli/flags.ts';
import { asOwnCommand } from '../../cli/own-command.ts';
import { paintFor } from '../../cli/terminal.ts';
import { readConfigFile } from '../../config/yaml/config-file.ts';

export function doctorCommand(context: CommandContext): Command {
  const command = new Command('doctor')
    .description(
      'Look whether all is well: Node, packages, disk, and of a configuration keys, exchange, clock, strategies, tapes and journal. Nothing is changed.',
    )
    .argument('[config]', 'the configuration of a backtest, a sweep, a recording or a run')
    .addOption(jsonFlag())
    .action((config: string | undefined, flags: { readonly json?: boolean }) => doctor(context, config, flags));
  return example(command, '$ oddsmith doctor\n$ oddsmith doctor config/live.yaml');
}

async function doctor(
  context: CommandContext,
  file: string | undefined,
  flags: { readonly json?: boolean },
): Promise<void> {
  const { terminal } = context;
  const config = file === undefined ? undefined : { text: readConfigFile(file), file };
  const { examine } = await import('./doctor/examine.ts');
  const { steadyClock } = await import('../../../time/steady-clock.ts');
  const { worstOf } = await import('./doctor/check.ts');
  const checks = await examine({
    config,
    environment: process.env,
    clock: steadyClock(),
    signal: terminal.signal,
  });
  context.exitCode = worstOf(checks);
  if (flags.json === true) {
    const { exitCode } = context;
    terminal.out(
      `${JSON.stringify({ command: 'doctor', version: packageVersion(), config: file, exitCode, checks })}\n`,
    );
    return;
  }
  const { doctorText } = await import('./doctor/doctor-text.ts');
  const text = asOwnCommand(doctorText(checks, paintFor(terminal.colourOut)));
  terminal.out(fitted(text, terminal.columnsOut));
}
