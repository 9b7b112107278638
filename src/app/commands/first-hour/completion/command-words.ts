/** What can be typed at each place of the command line, read from commander's definitions: they are the only list of it. */

import type { Argument, Command, Option } from 'commander';

/** What may follow: one of some words, a path, or something that nobody can know. */
export type Values = { readonly kind: 'words'; readonly words: readonly string[] } | { readonly kind: 'path' | 'free' };

export interface FlagWords {
  /** `--seed`, and its short form where there is one. */
  readonly names: readonly string[];
  readonly about: string;
  /** Undefined for one that takes no value. */
  readonly value: Values | undefined;
}

export interface CommandWords {
  /** `tape info`; empty for oddsmith itself. */
  readonly path: string;
  readonly about: string;
  /** Names and descriptions of the commands below it. */
  readonly commands: readonly (readonly [name: string, about: string])[];
  readonly flags: readonly FlagWords[];
  /** What its first argument may be, beside the commands below it; undefined where it has none. */
  readonly argument: Values | undefined;
}

/** The words of the program and of all commands below it, each with its flags; the first is the program. */
export function commandWords(program: Command, above: readonly string[] = []): readonly CommandWords[] {
  const help = program.createHelp();
  const children = help.visibleCommands(program);
  const own: CommandWords = {
    path: above.join(' '),
    about: program.description(),
    commands: children.map((child) => [child.name(), child.description()]),
    flags: help.visibleOptions(program).map(flagWords),
    argument: argumentOf(program),
  };
  // `help` is commander's own: its argument is the name of one of the others.
  const below = children.map((child) => {
    const path = [...above, child.name()];
    return child.name() === 'help' ? [helpWords(child, path, children)] : commandWords(child, path);
  });
  return [own, ...below.flat()];
}

function helpWords(help: Command, path: readonly string[], children: readonly Command[]): CommandWords {
  const words = children.map((child) => child.name()).filter((name) => name !== 'help');
  return {
    path: path.join(' '),
    about: help.description(),
    commands: [],
    flags: [],
    argument: { kind: 'words', words },
  };
}

function flagWords({ short, long, description, flags, argChoices }: Option): FlagWords {
  return {
    names: [short, long].filter((name) => name !== undefined),
    about: description,
    value: /[<[]/.test(flags) ? valuesOf(argChoices, /[<[]([^>\]]+)/.exec(flags)?.[1]) : undefined,
  };
}

function argumentOf(command: Command): Values | undefined {
  const [first]: readonly Argument[] = command.registeredArguments;
  return first && valuesOf(first.argChoices, first.name());
}

/** Names of what is a file or a directory. */
const PATHS = /^(config|dir|file|file-or-dir|path|place|run-dir|tape)(\.\.\.)?$/;

function valuesOf(choices: readonly string[] | undefined, name = ''): Values {
  if (choices !== undefined) return { kind: 'words', words: choices };
  return { kind: PATHS.test(name) ? 'path' : 'free' };
}
