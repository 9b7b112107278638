/** `oddsmith tape`: what is in a tape. */

import { Command } from 'commander';
import type { CommandContext } from './command-context.ts';
import { example, jsonFlag } from './flags.ts';
import { packageVersion } from './version.ts';

export function tapeCommand(context: CommandContext): Command {
  const info = new Command('info')
    .description(
      'Show what is in tapes: markets, span, updates, grades, silences, and why a market cannot be traded on.',
    )
    .argument('<tape...>', 'tapes')
    .addOption(jsonFlag())
    .action((tapes: readonly string[], flags: { readonly json?: boolean }) =>
      showInfo(context, tapes, flags.json === true),
    );
  example(info, '$ oddsmith tape info backtest/sample.tape');
  const command = new Command('tape').description('Look into tapes.').addCommand(info);
  return example(command, '$ oddsmith tape info backtest/sample.tape');
}

async function showInfo(context: CommandContext, tapes: readonly string[], json: boolean): Promise<void> {
  const { tapeInfo, tapeInfoText } = await import('./tape-info.ts');
  const infos = tapes.map(tapeInfo);
  const { terminal } = context;
  if (json) terminal.out(`${JSON.stringify({ command: 'tape info', version: packageVersion(), tapes: infos })}\n`);
  else terminal.out(infos.map(tapeInfoText).join('\n'));
}
