/** What the values of `--param` mean. Apart from the flag, since a help text should not wait for a YAML parser. */

import { CommanderError } from 'commander';
import { parse } from 'yaml';
import { PARAM_FLAG, type ParamText } from '../cli/flags.ts';

/** By name, the last one counts. Each is read as YAML reads it: 5 is a number, true a truth, a,b a text. */
export function paramValues(params: readonly ParamText[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(params.map(({ name, text }) => [name, readValue(name, text)]));
}

function readValue(name: string, text: string): unknown {
  try {
    return parse(text);
  } catch {
    throw new CommanderError(
      1,
      'commander.invalidArgument',
      `error: option '${PARAM_FLAG}' argument '${name}=${text}' is invalid. Its value is not valid YAML.`,
    );
  }
}
