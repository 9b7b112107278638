/** `status`, `halt`, `cancel`, `resume` and `stop`: commands to a running daemon over its control socket. */

import { Command, Option } from 'commander';
import { packageVersion } from '../../../package/running-package.ts';
import { CliError, EXIT, type ExitCode } from '../../cli/cli-error.ts';
import type { CommandContext } from '../../cli/command-context.ts';
import { example, jsonFlag } from '../../cli/flags.ts';
import { paintFor } from '../../cli/terminal.ts';
import { readConfigFile } from '../../config/yaml/config-file.ts';
import type { ControlReply, ControlRequest, DaemonEnd, DaemonStatus } from '../../live/control/control-protocol.ts';
import { waitingText } from '../../live/control/waiting-answers.ts';

interface ControlFlags {
  readonly dir?: string;
  readonly json?: boolean;
}

export function statusCommand(context: CommandContext): Command {
  const command = control(
    'status',
    'Show what a running daemon does: phase, orders, money, feeds, differences.',
  ).action(async (config: string | undefined, flags: ControlFlags) => {
    if (config !== undefined || flags.dir === undefined || !(await listed(context, flags.dir, flags)))
      await ask(context, { config, flags, request: { v: 1, command: 'status' } });
  });
  return example(
    command,
    `$ oddsmith status config/live.yaml
$ oddsmith status --dir runs/live --json
$ oddsmith status --dir bots            all bots whose state directories lie in it, in one table`,
  );
}

export function haltCommand(context: CommandContext): Command {
  const command = control(
    'halt',
    'Stop all new orders of a running daemon and cancel what is unmatched; it goes on watching.',
  )
    .addOption(new Option('--reason <text>', 'why, for the journal and the log').default('asked for'))
    .addOption(
      new Option('--reduce-only', 'cancel what is unmatched, then let only orders pass that lower a worst loss'),
    )
    .action(
      (
        config: string | undefined,
        flags: ControlFlags & { readonly reason: string; readonly reduceOnly?: boolean },
      ) => {
        const verb = flags.reduceOnly === true ? 'reduceOnly' : 'halt';
        return ask(context, { config, flags, request: { v: 1, command: verb, reason: flags.reason } });
      },
    );
  return example(command, '$ oddsmith halt config/live.yaml --reason "wrong team news"');
}

export function cancelCommand(context: CommandContext): Command {
  const command = control(
    'cancel',
    'Cancel all orders of a running daemon that are unmatched now, once. It goes on trading, and its strategies may place new ones.',
  )
    .addOption(new Option('--reason <text>', 'why, for the journal and the log').default('asked for'))
    .action((config: string | undefined, flags: ControlFlags & { readonly reason: string }) =>
      ask(context, { config, flags, request: { v: 1, command: 'cancelAll', reason: flags.reason } }),
    );
  return example(command, '$ oddsmith cancel config/live.yaml --reason "prices look wrong"');
}

export function resumeCommand(context: CommandContext): Command {
  const command = control('resume', 'Let a halted or reduce-only daemon trade again.').action(
    (config: string | undefined, flags: ControlFlags) =>
      ask(context, { config, flags, request: { v: 1, command: 'resume' } }),
  );
  return example(command, '$ oddsmith resume config/live.yaml');
}

export function stopCommand(context: CommandContext): Command {
  const command = control(
    'stop',
    'End a running daemon and wait until its process is gone; the exit code is the daemon’s own.',
  )
    .addOption(new Option('--keep-orders', 'leave unmatched orders on the exchange').conflicts('now'))
    .addOption(new Option('--now', 'at once: nothing is cancelled, and no order is waited for'))
    .action(
      (config: string | undefined, flags: ControlFlags & { readonly keepOrders?: boolean; readonly now?: boolean }) => {
        const kept = flags.keepOrders === true ? { orders: 'keep' as const } : {};
        const now = flags.now === true ? { now: true } : {};
        return ask(context, { config, flags, request: { v: 1, command: 'stop', ...kept, ...now } });
      },
    );
  return example(command, '$ oddsmith stop config/live.yaml');
}

/** Shows the bots below a directory; false where it is a state directory itself, or there is none below it. */
async function listed({ terminal }: CommandContext, dir: string, { json }: ControlFlags): Promise<boolean> {
  const { askBots, isStateDirectory } = await import('../../live/bots/bot-list.ts');
  if (isStateDirectory(dir)) return false;
  const bots = await askBots(dir);
  if (bots.length === 0) return false;
  if (json === true) {
    const shown = bots.map(({ name, dir: own, whyNot, status }) => ({ name, dir: own, whyNot, ...status }));
    terminal.out(`${JSON.stringify({ command: 'status', version: packageVersion(), dir, bots: shown })}\n`);
    return true;
  }
  const { botListText } = await import('../../live/bots/bot-list-text.ts');
  const { fitted } = await import('../../../report/text/fitted.ts');
  terminal.out(fitted(botListText(bots, paintFor(terminal.colourOut)), terminal.columnsOut));
  return true;
}

function control(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .argument('[config]', 'the configuration that the daemon was started with')
    .addOption(new Option('--dir <dir>', 'its state directory, in place of a configuration'))
    .addOption(jsonFlag());
}

interface Asked {
  readonly config: string | undefined;
  readonly flags: ControlFlags;
  readonly request: ControlRequest;
}

async function ask(context: CommandContext, { config, flags, request }: Asked): Promise<void> {
  const dir = await directoryOf(config, flags);
  const { askDaemon, processGone } = await import('../../live/control/control-client.ts');
  const reply = await askDaemon(dir, request);
  const { terminal } = context;
  if (reply.kind === 'ended') {
    await processGone(dir, reply);
    context.exitCode = exitCodeOf(reply.end);
  }
  const { fitted } = await import('../../../report/text/fitted.ts');
  terminal.out(
    flags.json === true
      ? replyJson(request, reply)
      : fitted(await replyText(request, reply, terminal.colourOut), terminal.columnsOut, /^open it by /),
  );
}

/** The state directory of the daemon that a command is for. @throws CliError */
export async function directoryOf(
  config: string | undefined,
  { dir }: { readonly dir?: string | undefined },
): Promise<string> {
  if (dir !== undefined && config === undefined) return dir;
  if (config !== undefined && dir === undefined) {
    const { runDirectoryOf } = await import('../../config/resolve/resolve-run.ts');
    return runDirectoryOf({ text: readConfigFile(config), file: config });
  }
  throw new CliError({
    code: 'USAGE',
    what: dir === undefined ? 'No daemon was named.' : 'The daemon was named twice.',
    next: 'Name the configuration it was started with, or its state directory with --dir.',
  });
}

function replyJson({ command }: ControlRequest, reply: ControlReply): string {
  const head = { command, version: packageVersion() };
  if (reply.kind === 'status')
    return `${JSON.stringify({ ...head, ...reply.status.bot, daemon: reply.status.daemon })}\n`;
  if (reply.kind === 'waiting') return `${JSON.stringify({ ...head, waiting: reply.waiting })}\n`;
  return `${JSON.stringify({ ...head, ...(reply.kind === 'ended' ? reply.end : {}) })}\n`;
}

async function replyText({ command }: ControlRequest, reply: ControlReply, colour: boolean): Promise<string> {
  if (reply.kind === 'ended') return endText(reply.end);
  if (reply.kind === 'waiting') return `${waitingText(reply.waiting)}\n`;
  if (reply.kind !== 'status') return '';
  const { statusText } = await import('../../live/control/status-text.ts');
  if (command === 'status') return statusText(reply.status, paintFor(colour));
  return command === 'cancelAll' ? cancelText(reply.status) : tradingText(reply.status);
}

function tradingText({ bot }: DaemonStatus): string {
  const { trading, tradingCause, orders } = bot;
  return `${bot.run}: ${trading}${trading === 'running' ? '' : ` (${tradingCause})`}, ${orders.live} orders live\n`;
}

function cancelText({ bot: { run, orders, trading } }: DaemonStatus): string {
  return `${run}: ${orders.live} orders are to end; trading goes on as it was (${trading}), and new ones may follow\n`;
}

function endText({ cause, liveOrders, exitCode }: DaemonEnd): string {
  return `ended: ${cause}; live orders left: ${liveOrders}; exit code ${exitCode}\n`;
}

function exitCodeOf({ exitCode }: DaemonEnd): ExitCode {
  return Object.values(EXIT).find((known) => known === exitCode) ?? EXIT.bug;
}
