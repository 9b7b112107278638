/** `oddsmith tape`: shows what is in a tape, checks whether it is whole, exports it as text, adds pictures, splits it and serves the pieces. */

import { Command, Option } from 'commander';
import { packageVersion } from '../../../package/running-package.ts';
import type { TapeDamage } from '../../../recording/verify.ts';
import { fitted } from '../../../report/text/fitted.ts';
import { printable } from '../../../words/printable.ts';
import { CliError, EXIT } from '../../cli/cli-error.ts';
import type { CommandContext } from '../../cli/command-context.ts';
import { example, jsonFlag, repeated } from '../../cli/flags.ts';
import { serveCommand } from '../machines/serve-command.ts';
import { splitCommand } from '../machines/split-command.ts';
import { indexCommand } from './index-command.ts';

interface ExportFlags {
  readonly format: 'jsonl' | 'csv';
  readonly market?: readonly string[];
  readonly out?: string;
  readonly json?: boolean;
}

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
  const verify = new Command('verify')
    .description('Check that tapes are whole: checksums, counts, order, identity. Damage is listed and exits with 5.')
    .argument('<tape...>', 'tapes')
    .addOption(jsonFlag())
    .action((tapes: readonly string[], flags: { readonly json?: boolean }) =>
      verifyTapes(context, tapes, flags.json === true),
    );
  example(verify, '$ oddsmith tape verify backtest/sample.tape');
  const exporting = new Command('export')
    .description('Write tapes out as text in decimals: JSON lines, or CSV with a row for each event.')
    .argument('<tape...>', 'tapes')
    .addOption(new Option('--format <format>', 'of the text').choices(['jsonl', 'csv']).default('jsonl'))
    .addOption(repeated('--market <id>', 'only this market (repeatable)'))
    .option('--out <file>', 'where to write; stdout without it')
    .addOption(jsonFlag())
    .action((tapes: readonly string[], flags: ExportFlags) => exportTapes(context, tapes, flags));
  example(exporting, '$ oddsmith tape export backtest/sample.tape --format csv --out sample.csv');
  const command = new Command('tape')
    .description('Look into tapes, and split them for other machines.')
    .addCommand(info)
    .addCommand(verify)
    .addCommand(exporting)
    .addCommand(indexCommand(context))
    .addCommand(splitCommand(context))
    .addCommand(serveCommand(context));
  return example(command, '$ oddsmith tape info backtest/sample.tape\n$ oddsmith tape verify backtest/sample.tape');
}

async function showInfo(context: CommandContext, tapes: readonly string[], json: boolean): Promise<void> {
  const { tapeInfo, tapeInfoText } = await import('../../output/tape-info.ts');
  const infos = tapes.map(tapeInfo);
  const { terminal } = context;
  if (json) terminal.out(`${JSON.stringify({ command: 'tape info', version: packageVersion(), tapes: infos })}\n`);
  else terminal.out(fitted(infos.map(tapeInfoText).join('\n'), terminal.columnsOut));
}

async function verifyTapes(context: CommandContext, tapes: readonly string[], json: boolean): Promise<void> {
  const { verifyTape } = await import('../../../recording/verify.ts');
  const { terminal } = context;
  const checked = tapes.map((path) => ({ path, damage: verifyTape(path) }));
  if (checked.some(({ damage }) => damage.length > 0)) context.exitCode = EXIT.data;
  if (json) terminal.out(`${JSON.stringify({ command: 'tape verify', version: packageVersion(), tapes: checked })}\n`);
  else
    for (const { path, damage } of checked)
      terminal.out(
        `${printable(path)}: ${damage.length === 0 ? 'whole' : 'damaged'}\n${damage.map(damageLine).join('')}`,
      );
}

function damageLine({ what, market, segment }: TapeDamage): string {
  const place = [
    market === undefined ? [] : [`market ${market}`],
    segment === undefined ? [] : [`segment ${segment}`],
  ].flat();
  return `  ${printable(`${place.length === 0 ? '' : `${place.join(', ')}: `}${what}`)}\n`;
}

async function exportTapes(context: CommandContext, tapes: readonly string[], flags: ExportFlags): Promise<void> {
  const { tapesAsText, writeText } = await import('../../output/tape-text.ts');
  const { format, json, out } = flags;
  if (json === true && out === undefined) {
    throw new CliError({
      code: 'USAGE',
      what: 'With --json the text of a tape needs a file of its own.',
      why: 'Stdout holds either the text or the one JSON object.',
      next: 'Add --out FILE, or leave out --json.',
    });
  }
  const pieces = tapesAsText(tapes, format, flags.market ?? []);
  if (out === undefined) await context.terminal.outAll(pieces);
  else await writeText(out, pieces);
  if (json === true)
    context.terminal.out(
      `${JSON.stringify({ command: 'tape export', version: packageVersion(), format, tapes, markets: flags.market ?? [], out })}\n`,
    );
}
