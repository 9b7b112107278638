/** Reads the values of a strategy's params: the defaults, overridden by configuration or command line. */

import type { ParamsSpec, ParamValues } from './params.ts';

export interface ParamProblem {
  readonly param: string;
  /** As the user wrote it; undefined when the value is missing. */
  readonly value: string | undefined;
  /** A sentence for the user. */
  readonly message: string;
}

export type ReadParams<P extends ParamsSpec> =
  | { readonly kind: 'values'; readonly values: ParamValues<P> }
  | { readonly kind: 'problems'; readonly problems: readonly ParamProblem[] };

/** `given` holds configuration values or the texts of `k=v`. Reports all problems, not only the first. */
export function readParams<P extends ParamsSpec>(
  spec: P | undefined,
  given: Readonly<Record<string, unknown>> = {},
): ReadParams<P> {
  const declared: ParamsSpec = spec ?? {};
  const known = Object.keys(declared);
  const problems: ParamProblem[] = Object.keys(given)
    .filter((name) => !Object.hasOwn(declared, name))
    .map((name) => ({ param: name, value: written(given[name]), message: unknownParam(name, known) }));
  const values: Record<string, unknown> = {};
  for (const [name, param] of Object.entries(declared)) {
    const raw = Object.hasOwn(given, name) ? given[name] : param.default;
    const value = param.read(raw);
    if (value !== undefined) values[name] = value;
    else problems.push({ param: name, value: written(raw), message: badValue(name, raw, param.allowed) });
  }
  if (problems.length > 0) return { kind: 'problems', problems };
  return { kind: 'values', values: Object.freeze(values) as ParamValues<P> };
}

function unknownParam(name: string, known: readonly string[]): string {
  const list = known.length === 0 ? 'The strategy has no params.' : `The strategy's params are ${known.join(', ')}.`;
  return `There is no param '${name}'. ${list}`;
}

function badValue(name: string, raw: unknown, allowed: string): string {
  return raw === undefined
    ? `The param '${name}' has no default and must be given: ${allowed}.`
    : `The param '${name}' is ${written(raw)}, which is not ${allowed}.`;
}

/** A value as the user wrote it, such as `1e308` or `null`; texts in quotes. */
function written(raw: unknown): string | undefined {
  if (raw === undefined) return undefined;
  if (typeof raw === 'string') return `'${raw}'`;
  return typeof raw === 'object' ? (JSON.stringify(raw) ?? 'an object') : String(raw);
}
