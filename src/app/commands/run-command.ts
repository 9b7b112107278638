/** `oddsmith run`: the daemon. */

import { Command, Option } from 'commander';
import type { BotStatus } from '../../engine/live/bot-status.ts';
import { packageVersion } from '../../package/running-package.ts';
import { amount, signed } from '../../words/numbers.ts';
import { printable, printableJson } from '../../words/printable.ts';
import type { CommandContext } from '../cli/command-context.ts';
import { example, jsonFlag } from '../cli/flags.ts';
import { ownCommand } from '../cli/own-command.ts';
import { paintFor, type Terminal } from '../cli/terminal.ts';
import type { RunSource } from '../config/resolve/resolve-run.ts';
import { readConfigFile } from '../config/yaml/config-file.ts';
import { ofKind } from '../config/yaml/config-kind.ts';
import type { RunEnd } from '../live/bot/running-parts.ts';
import type { LogLevel } from '../live/log/log-line.ts';
import { secretsOfAlerts } from '../run/alert-options.ts';
import type { RunMode, RunOptions } from '../run/run-options.ts';

interface RunFlags {
  readonly paper?: boolean;
  readonly acceptCorrupt?: boolean;
  readonly logLevel: LogLevel;
  readonly json?: boolean;
}

const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

export function runCommand(context: CommandContext): Command {
  const command = new Command('run')
    .description(
      'Trade by a configuration until stopped: journalled, compared with the exchange all the time, safe to kill at any instant. See docs/operations.md.',
    )
    .argument('<config>', 'the configuration, such as config/live.yaml')
    .addOption(new Option('--paper', 'live prices, orders on a simulated exchange'))
    .addOption(new Option('--accept-corrupt', 'go on with what can be read of a damaged journal'))
    .addOption(new Option('--log-level <level>', 'least grave line of the log').choices(LEVELS).default('info'))
    .addOption(jsonFlag())
    .action((file: string, flags: RunFlags) => run(context, file, flags));
  return example(
    command,
    '$ ODDSMITH_APP_ID=… ODDSMITH_API_KEY=… ODDSMITH_WALLET_ID=… oddsmith run config/live.yaml\n$ oddsmith run config/paper.yaml --paper',
  );
}

async function run(context: CommandContext, file: string, flags: RunFlags): Promise<void> {
  const { terminal } = context;
  const { resolveRun } = await import('../config/resolve/resolve-run.ts');
  const mode: RunMode = flags.paper === true ? 'paper' : 'live';
  const optionsOf = (config: RunSource): RunOptions =>
    ofKind('run', config, () => resolveRun(config, process.env, mode));
  const source = { text: readConfigFile(file), file };
  const options = optionsOf(source);
  const { runDaemon } = await import('../live/bot/daemon.ts');
  const { outliveGuests } = await import('../../backtest/pieces/guest-watch.ts');
  const { wallClock } = await import('../../time/wall-clock.ts');
  const { steadyClock } = await import('../../time/steady-clock.ts');
  const { withPlaces } = await import('../config/yaml/named-paths.ts');
  const hooks = {
    clock: steadyClock(),
    wallMs: () => wallClock.now(),
    signal: terminal.signal,
    source,
    reload: () => optionsOf({ text: readConfigFile(file), file }),
    thread: terminal.thread,
    acceptCorrupt: flags.acceptCorrupt ?? false,
    environment: process.env,
    log: await logFor(terminal, { level: flags.logLevel, options, now: () => wallClock.now() }),
  };
  outliveGuests((text) => hooks.log.write({ level: 'warn', subject: 'strategy', text }));
  const end = await withPlaces(file, () => runDaemon(options, hooks));
  context.exitCode = end.exitCode;
  terminal.out(flags.json === true ? endJson(end, mode, wallClock.now()) : endText(end));
  // Not for a log that nobody reads line by line.
  if (terminal.interactive && flags.json !== true)
    terminal.note(`\nA page over what it did: ${ownCommand()} report ${options.dir}\n`);
}

interface LogChoice {
  readonly level: LogLevel;
  readonly options: RunOptions;
  readonly now: () => number;
}

/** Lines for people at a terminal, else JSON lines. */
async function logFor(terminal: Terminal, { level, options, now }: LogChoice) {
  const { DaemonLog } = await import('../live/log/daemon-log.ts');
  const { identityOf } = await import('../run/exchange-choice.ts');
  const { humanLine } = await import('../live/log/human-line.ts');
  const paint = paintFor(terminal.colourNote);
  return new DaemonLog({
    write: (line) => terminal.note(terminal.interactive ? humanLine(line, paint) : printableJson(line)),
    now,
    level,
    base: { pid: process.pid },
    secrets: [...identityOf(options.exchange).secrets, ...secretsOfAlerts(options.alerts)],
  });
}

function endJson(end: RunEnd, mode: RunMode, endedAt: number): string {
  const { run, cause, exitCode, liveOrders, startedAt, status } = end;
  const { orders, ordersLeft, results, strategies, wallets, reconciliation } = status ?? {};
  const head = { command: 'run', version: packageVersion(), mode, run, cause, exitCode, liveOrders };
  return `${JSON.stringify({ ...head, startedAt, endedAt, orders, ordersLeft, results, strategies, wallets, reconciliation })}\n`;
}

function endText({ run, cause, exitCode, liveOrders, status }: RunEnd): string {
  const end = `${run} ended: ${printable(cause)}; live orders left: ${liveOrders}; exit code ${exitCode}\n`;
  return status === undefined ? end : `${resultText(status)}${end}`;
}

/** The settled results of the run over all its starts, and what it can still lose. */
function resultText({ results, strategies, wallets }: BotStatus): string {
  const { today, total, drawdown } = results;
  const lines = [
    `settled: today ${signed(today)}, in all ${signed(total)}, below the peak ${amount(drawdown)}`,
    ...strategies.map(
      ({ name, liveOrders, worstLoss, isHalted }) =>
        `strategy ${name}: ${liveOrders} orders live, can lose ${amount(worstLoss)}${isHalted ? ', halted' : ''}`,
    ),
    ...wallets.map(
      ({ name, balance, balanceAvailable }) =>
        `wallet ${name}: balance ${amount(balance)}, available ${amount(balanceAvailable)}`,
    ),
  ];
  return `${lines.map(printable).join('\n')}\n`;
}
