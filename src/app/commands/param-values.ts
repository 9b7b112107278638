/** Reads the values of `--param`. A file of its own, since a help text should not have to load a YAML parser. */

import { CommanderError } from 'commander';
import { isScalar, parse, parseDocument } from 'yaml';
import { PARAM_FLAG, type ParamText } from '../cli/flags.ts';
import { sourceOfNumber } from '../config/yaml/yaml-config.ts';

/** The values by name; the last one of a name counts. Each is read as YAML: 5 is a number, true a boolean, a,b a string; 007 stays as it is. */
export function paramValues(params: readonly ParamText[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(params.map(({ name, text }) => [name, readValue(name, text)]));
}

function readValue(name: string, text: string): unknown {
  try {
    const { contents, errors } = parseDocument(text, { prettyErrors: false });
    if (errors[0] !== undefined) throw errors[0];
    return (isScalar(contents) ? sourceOfNumber(contents) : undefined) ?? parse(text);
  } catch {
    throw new CommanderError(
      1,
      'commander.invalidArgument',
      `error: option '${PARAM_FLAG}' argument '${name}=${text}' is invalid. Its value is not valid YAML.`,
    );
  }
}
