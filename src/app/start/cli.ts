/** The command line: its commands, and how everything they throw is reported. */

import { getHeapStatistics } from 'node:v8';
import { Command, CommanderError } from 'commander';
import { packageVersion } from '../../package/running-package.ts';
import { fitted } from '../../report/text/fitted.ts';
import { printableJson } from '../../words/printable.ts';
import { chooseSideWords } from '../../words/side-words.ts';
import { writeBugReport } from '../cli/bug-report.ts';
import { CliError, type CliErrorParts, EXIT, errorBlock, errorJson } from '../cli/cli-error.ts';
import type { CommandContext } from '../cli/command-context.ts';
import { sidesFlag } from '../cli/flags.ts';
import { knownError } from '../cli/known-error.ts';
import { asOwnCommand, isRepository, ownCommand } from '../cli/own-command.ts';
import { paintFor, type Terminal } from '../cli/terminal.ts';
import { checkCommand, plainArgs, usageError } from '../cli/usage-error.ts';
import { backtestCommand } from '../commands/backtest-command.ts';
import { alertCommand } from '../commands/daemon/alert-command.ts';
import {
  cancelCommand,
  haltCommand,
  resumeCommand,
  statusCommand,
  stopCommand,
} from '../commands/daemon/control-commands.ts';
import { dashboardCommand } from '../commands/daemon/dashboard-command.ts';
import { explainCommand } from '../commands/explain-command.ts';
import { completionCommand } from '../commands/first-hour/completion-command.ts';
import { demoCommand } from '../commands/first-hour/demo-command.ts';
import { doctorCommand } from '../commands/first-hour/doctor-command.ts';
import { initCommand } from '../commands/first-hour/init-command.ts';
import { workerCommand } from '../commands/machines/worker-command.ts';
import { parityCommand } from '../commands/parity-command.ts';
import { recordCommand } from '../commands/record-command.ts';
import { reportCommand } from '../commands/report/report-command.ts';
import { runCommand } from '../commands/run-command.ts';
import { sandboxCommand } from '../commands/sandbox/sandbox-command.ts';
import { sweepCommand } from '../commands/sweep-command.ts';
import { importCommand } from '../commands/tape/import-command.ts';
import { tapeCommand } from '../commands/tape/tape-command.ts';
import { viewCommand } from '../commands/view/view-command.ts';

/** Runs one command; returns the exit code and never throws. */
export async function runCli(given: readonly string[], terminal: Terminal): Promise<number> {
  const context: CommandContext = {
    terminal: given.includes('--json') ? forJson(terminal) : terminal,
    exitCode: EXIT.done,
  };
  chooseSideWords(undefined);
  const program = createProgram(context);
  const args = plainArgs(given, program);
  try {
    checkCommand(program, args);
    await program.parseAsync([...args], { from: 'user' });
    return context.exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) return tellFault(error, args, terminal);
    return error.exitCode === 0 ? EXIT.done : tellFault(usageError(error, args, program), args, terminal);
  }
}

/** Names come from recordings and exchanges, and whoever looks at JSON looks at it in a terminal. */
function forJson(terminal: Terminal): Terminal {
  return {
    ...terminal,
    out: (text) => terminal.out(printableJson(text)),
    outAll: (pieces) => terminal.outAll(printableJsons(pieces)),
  };
}

function* printableJsons(pieces: Iterable<string>): Generator<string> {
  for (const piece of pieces) yield printableJson(piece);
}

/** Prints why a command ended; returns the exit code. */
export function tellFault(error: unknown, args: readonly string[], terminal: Terminal): number {
  const fault = asCliError(error, args);
  // Commander has no arguments left to say whether JSON was asked for when it could not read them.
  if (args.includes('--json')) terminal.out(printableJson(errorJson(fault.parts)));
  else {
    const block = errorBlock(withOwnCommand(fault.parts), paintFor(terminal.colourNote).red);
    terminal.note(fitted(block, terminal.columnsNote, A_COMMAND));
  }
  return fault.exitCode;
}

const A_COMMAND = /^ {2}next .*\boddsmith (?:-- )?[a-z]/;

/** The commands that it names can be pasted where the user is. */
function withOwnCommand(parts: CliErrorParts): CliErrorParts {
  return parts.next === undefined ? parts : { ...parts, next: asOwnCommand(parts.next) };
}

const COMMANDS = [
  demoCommand,
  initCommand,
  doctorCommand,
  importCommand,
  tapeCommand,
  backtestCommand,
  sweepCommand,
  workerCommand,
  sandboxCommand,
  recordCommand,
  runCommand,
  statusCommand,
  haltCommand,
  cancelCommand,
  resumeCommand,
  stopCommand,
  alertCommand,
  dashboardCommand,
  parityCommand,
  reportCommand,
  viewCommand,
  explainCommand,
  completionCommand,
];

/** Commands whose lines or pages speak of a side. */
const SHOW_SIDES: ReadonlySet<string> = new Set([
  'demo',
  'backtest',
  'sweep',
  'sandbox',
  'run',
  'dashboard',
  'report',
  'view',
]);

function createProgram(context: CommandContext): Command {
  const { terminal } = context;
  const program = new Command('oddsmith')
    .description('Strategies, truthful backtests and a built-in exchange for betting exchanges.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpCommand('help [command]', 'print help for a command')
    .showSuggestionAfterError(true)
    .addHelpText('after', () => closingHelp(terminal.width));
  for (const command of COMMANDS) program.addCommand(command(context));
  for (const command of program.commands) if (SHOW_SIDES.has(command.name())) command.addOption(sidesFlag());
  for (const command of everyCommand(program)) {
    command
      .description(asOwnCommand(command.description()))
      .exitOverride()
      .helpOption('-h, --help', 'print help')
      .configureOutput({
        writeOut: (text) => terminal.out(text),
        // Usage errors are printed as our own block; before that of a missing command stands the help.
        outputError: () => undefined,
        writeErr: (text) => terminal.note(`${text}\n`),
        getOutHelpWidth: () => Math.min(terminal.width, 110),
        getErrHelpWidth: () => Math.min(terminal.width, 110),
        getOutHasColors: () => terminal.colourOut,
      });
  }
  return program;
}

function everyCommand(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}

function asCliError(error: unknown, args: readonly string[]): CliError {
  const known = knownError(error);
  if (known !== undefined) return known;
  if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') return outOfMemory();
  const report = writeBugReport(error, args);
  return new CliError({
    code: 'INTERNAL_BUG',
    what: `This is a fault of oddsmith itself: ${error instanceof Error ? error.message : String(error)}`,
    ...(report === undefined ? {} : { where: report }),
    why: 'Something oddsmith relies on did not hold.',
    next: 'Please report it with that file; the same command with the same seed fails in the same way.',
  });
}

function outOfMemory(): CliError {
  return new CliError({
    code: 'OUT_OF_MEMORY',
    what: 'The command took more memory than it may.',
    why: `Its limit is ${Math.round(getHeapStatistics().heap_size_limit / 2 ** 20)} MB: a strategy that keeps what it sees takes more and more, and so do very many orders.`,
    next: 'Look at what strategies keep; or raise the limit: NODE_OPTIONS=--max-old-space-size=8192 (megabytes).',
  });
}

const examples = (): readonly (readonly [words: string, about: string])[] => [
  ['demo', 'the first backtest, offline, with a report'],
  [`init ${isRepository() ? '../' : ''}my-bot`, 'a project of your own, with a strategy, its test and configurations'],
  ['backtest config/backtest.yaml --param stake=2', 'what a configuration says, with one value changed'],
  ['import betfair recordings/ --tape data/august.tape', 'recordings of your own'],
  ['sweep config/sweep.yaml', 'many backtests, and how much of the best is luck'],
  ['sandbox --crowd', 'the exchange as a server, to try a bot on'],
  ['doctor config/paper.yaml', 'what is missing for a run, and what to do'],
  ['run config/paper.yaml --paper', 'live prices, simulated orders; without --paper real ones'],
  ['status config/paper.yaml', 'what it does; halt, cancel, resume and stop tell it what to do'],
  ['alert test config/live.yaml', 'whether its alerts reach you'],
  ['dashboard runs', 'a page over all bots of a directory; each has one of its own'],
];

const EXIT_CODES =
  'Exit codes: 0 done · 1 a fault of oddsmith itself · 2 usage, configuration or strategy error · 3 halted by risk, or ended with orders left · 4 exchange unreachable or not authorised · 5 data missing or corrupt · 6 a strategy of a daemon was stuck · 130 interrupted';

function closingHelp(columns: number): string {
  const shown = examples();
  const width = Math.max(...shown.map(([words]) => words.length));
  const oddsmith = ownCommand();
  const isWide = oddsmith.length + width + 62 <= columns;
  const lines = shown.map(([words, about]) =>
    isWide ? `  $ ${oddsmith} ${words.padEnd(width)}  ${about}` : `  $ ${oddsmith} ${words}\n      ${about}`,
  );
  return `\nExamples:\n${lines.join('\n')}\n\n${fitted(EXIT_CODES, columns)}\n`;
}
