/** What a wrong word or flag of the command line is told: what it is, what was probably meant, and where the help stands. */

import { type Command, CommanderError } from 'commander';
import { CliError } from './cli-error.ts';

/** `oddsmith help sweep top` and `oddsmith sweep help top` are `oddsmith sweep top --help`, and `-v` or `version` asks for what `-V` tells. */
export function plainArgs(args: readonly string[], program: Command): readonly string[] {
  const [first] = args;
  if (args.length === 1 && (first === '-v' || first === 'version')) return ['--version'];
  let place = program;
  for (const [at, arg] of args.entries()) {
    if (arg === 'help' && place.commands.length > 0)
      return [...args.slice(0, at), ...args.slice(at + 1).filter((word) => !word.startsWith('-')), '--help'];
    const next = childOf(place, arg);
    if (next === undefined) return args;
    place = next;
  }
  return args;
}

/**
 * Commander prints its parent's help for `nonsense --help` and calls that a success.
 * @throws CommanderError
 */
export function checkCommand(program: Command, args: readonly string[]): void {
  if (!args.includes('--help') && !args.includes('-h')) return;
  let place = program;
  for (const arg of args) {
    if (arg.startsWith('-') || place.commands.length === 0 || place.registeredArguments.length > 0) return;
    const next = childOf(place, arg);
    if (next === undefined) throw new CommanderError(1, UNKNOWN_COMMAND, `error: unknown command '${arg}'`);
    place = next;
  }
}

const UNKNOWN_COMMAND = 'commander.unknownCommand';

export function usageError(error: CommanderError, args: readonly string[], program: Command): CliError {
  const { place, path } = deepestCommand(program, args);
  const words = error.message.replace(/^error: /, '').replace(/^\(outputHelp\)$/, 'a command is missing');
  const [what = '', ...rest] = words.split('\n');
  const hint = rest.length === 0 ? undefined : rest.join(' ').replace(/^\((.*)\)$/, '$1');
  const help = path.length === 0 ? '' : ` ${path.join(' ')}`;
  return new CliError({
    code: 'USAGE',
    what: `${what.charAt(0).toUpperCase()}${what.slice(1)}${/[.?!]$/.test(what) ? '' : '.'}`,
    ...why(hint ?? (error.code === UNKNOWN_COMMAND ? commandsOf(place, path) : undefined)),
    next: `See oddsmith${help} --help.`,
  });
}

function why(text: string | undefined): { readonly why?: string } {
  return text === undefined ? {} : { why: text };
}

/** The deepest command that the words name, and those words. */
function deepestCommand(program: Command, args: readonly string[]): { place: Command; path: readonly string[] } {
  let place = program;
  const path: string[] = [];
  for (const arg of args) {
    const next = childOf(place, arg);
    if (next === undefined) break;
    place = next;
    path.push(arg);
  }
  return { place, path };
}

/** The commands below a command other than oddsmith itself: there are few of them, and they stand in no list that everyone has seen. */
function commandsOf(place: Command, path: readonly string[]): string | undefined {
  if (path.length === 0) return undefined;
  return `${path.join(' ')} has ${place.commands.map((command) => command.name()).join(', ')}.`;
}

function childOf(command: Command, name: string): Command | undefined {
  return command.commands.find((child) => child.name() === name);
}
