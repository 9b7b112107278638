/** How values of flags are read; a value that cannot be read names the flag and what it takes. */

import { type Command, InvalidArgumentError, Option } from 'commander';
import { parse } from 'yaml';

/** A flag that may be given several times. */
export function repeated(flags: string, description: string): Option {
  return new Option(flags, description).argParser((value: string, all: string[] | undefined) => [
    ...(all ?? []),
    value,
  ]);
}

/** `--param stake=5`: the value is read as YAML reads it (5 is a number, true a truth, a,b a text). */
export function paramFlag(): Option {
  const read = (value: string, all: Record<string, unknown> | undefined): Record<string, unknown> => {
    const at = value.indexOf('=');
    if (at < 1) throw new InvalidArgumentError('It must be name=value.');
    return { ...all, [value.slice(0, at).trim()]: yamlValue(value.slice(at + 1)) };
  };
  return new Option('--param <name=value>', 'set a parameter of the strategies (repeatable)').argParser(read);
}

function yamlValue(text: string): unknown {
  try {
    return parse(text);
  } catch {
    throw new InvalidArgumentError('Its value is not valid YAML.');
  }
}

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

/** A worked example under a command's help. */
export function example(command: Command, lines: string): Command {
  return command.addHelpText('after', `\nExample:\n${lines.trimEnd().replaceAll(/^/gm, '  ')}\n`);
}
