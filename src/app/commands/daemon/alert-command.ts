/** `oddsmith alert test`: whether alerts of a run reach those who are to be told. */

import { Command } from 'commander';
import { packageVersion } from '../../../package/running-package.ts';
import { CliError, EXIT } from '../../cli/cli-error.ts';
import type { CommandContext } from '../../cli/command-context.ts';
import { example, jsonFlag } from '../../cli/flags.ts';
import { type Paint, paintFor } from '../../cli/terminal.ts';
import { readConfigFile } from '../../config/yaml/config-file.ts';
import type { WayTried } from '../../live/alerts/try-ways.ts';

export function alertCommand(context: CommandContext): Command {
  const command = new Command('alert').description('How the alerts of a run reach you. See docs/monitoring.md.');
  command.addCommand(testCommand(context));
  return example(command, '$ oddsmith alert test config/live.yaml');
}

function testCommand(context: CommandContext): Command {
  const command = new Command('test')
    .description(
      'Send one test alert by each way under alerts: in a configuration, call its dead-man service once, and say what each answered.',
    )
    .argument('<config>', 'the configuration of a run, such as config/live.yaml')
    .addOption(jsonFlag())
    .action((file: string, flags: { readonly json?: boolean }) => test(context, file, flags.json === true));
  return example(command, '$ TELEGRAM_TOKEN=… TELEGRAM_CHAT=… oddsmith alert test config/live.yaml');
}

async function test(context: CommandContext, file: string, asJson: boolean): Promise<void> {
  const { terminal } = context;
  const { alertsOfFile } = await import('../../config/resolve/resolve-alerts.ts');
  const { alerts, where } = alertsOfFile({ text: readConfigFile(file), file }, process.env);
  if (alerts === undefined || (alerts.ways.length === 0 && alerts.deadMan === undefined)) throw noWays(where);
  const { tryWays } = await import('../../live/alerts/try-ways.ts');
  const { steadyClock } = await import('../../../time/steady-clock.ts');
  const ways = await tryWays(alerts, steadyClock());
  if (ways.some(({ isSent }) => !isSent)) context.exitCode = EXIT.unreachable;
  terminal.out(asJson ? toJson(ways) : ways.map((way) => line(way, paintFor(terminal.colourOut))).join(''));
}

function noWays(where: string): CliError {
  return new CliError({
    code: 'CONFIG_INVALID',
    what: 'The configuration names no way of sending alerts.',
    where,
    next: 'Add alerts: with webhook, telegram, ntfy or deadMan; docs/monitoring.md shows each.',
  });
}

function toJson(ways: readonly WayTried[]): string {
  const told = ways.map(({ way, to, isSent, status, ms, details }) => ({ way, to, sent: isSent, status, ms, details }));
  return `${JSON.stringify({ command: 'alert test', version: packageVersion(), ways: told })}\n`;
}

function line({ way, to, isSent, status, ms, details }: WayTried, paint: Paint): string {
  const word = (isSent ? paint.green : paint.red)((isSent ? 'sent' : 'failed').padEnd(6));
  const answer = status === undefined ? 'no answer' : `HTTP ${status}`;
  const why = details === '' ? '' : `: ${details}`;
  return `${way.padEnd(8)}  ${word}  ${to}  ${answer} after ${ms} ms${why}\n`;
}
