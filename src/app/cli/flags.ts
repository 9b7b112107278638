/** How values of flags are read; a value that cannot be read names the flag and what it takes. */

import { existsSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { chooseSideWords, SIDE_WORDS } from '../../words/side-words.ts';
import { asOwnCommand, packagedFile } from './own-command.ts';

/** A flag that may be given several times. */
export function repeated(flags: string, description: string): Option {
  return new Option(flags, description).argParser((value: string, all: string[] | undefined) => [
    ...(all ?? []),
    value,
  ]);
}

/** One `--param name=value` as it was given. */
export interface ParamText {
  readonly name: string;
  readonly text: string;
}

/** `--param stake=5`; what the values mean, `paramValues` says. */
export function paramFlag(): Option {
  const read = (value: string, all: readonly ParamText[] | undefined): readonly ParamText[] => {
    const at = value.indexOf('=');
    if (at < 1) throw new InvalidArgumentError('It must be name=value.');
    return [...(all ?? []), { name: value.slice(0, at).trim(), text: value.slice(at + 1) }];
  };
  return new Option(PARAM_FLAG, 'set a parameter of the strategies (repeatable)').argParser(read);
}

export const PARAM_FLAG = '--param <name=value>';

export function wholeNumber(
  flags: string,
  description: string,
  range: { readonly min: number; readonly max: number },
): Option {
  return new Option(flags, description).argParser((text: string) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= range.min && value <= range.max) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${range.min} to ${range.max}.`);
  });
}

export function jsonFlag(): Option {
  return new Option('--json', 'print one JSON object to stdout and no progress');
}

/** The words of what a command prints and draws. What is chosen holds for the process, since each line and page of it speaks alike. */
export function sidesFlag(): Option {
  const read = (words: string): string => {
    if (!(SIDE_WORDS as readonly string[]).includes(words))
      throw new InvalidArgumentError(`It must be ${SIDE_WORDS.join(' or ')}.`);
    chooseSideWords(words);
    return words;
  };
  return new Option('--sides <words>', 'how the sides of a bet are called: back-lay or for-against').argParser(read);
}

/** A worked example under a command's help, which can be pasted where the user is: the files of the package are named as seen from there. */
export function example(command: Command, lines: string): Command {
  return command.addHelpText('after', () => {
    const here = asOwnCommand(lines.trimEnd()).replaceAll(PACKAGED, (file) =>
      existsSync(file) ? file : packagedFile(file),
    );
    return `\nExample:\n${here.replaceAll(/^/gm, '  ')}\n`;
  });
}

const PACKAGED = /(?<![\w/.-])(?:backtest|strategies)\/[\w.-]+/g;

/** The flag that says on which port a server of a command listens. */
export function portFlag(port: number): Option {
  return wholeNumber('--port <n>', '0: any that is free', { min: 0, max: 65_535 }).default(port);
}

export function hostFlag(): Option {
  const about = 'where to listen; other machines can reach an address that is not loopback';
  return new Option('--host <address>', about).default('127.0.0.1');
}
