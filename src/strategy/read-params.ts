/** Reads the values of a strategy's params: the defaults, overridden by configuration or command line. */

import { nearest } from '../core/collections/nearest.ts';
import { writtenDuration } from '../core/number/duration.ts';
import { decimalOfTick, NO_TICK, TICK_COUNT, tick, tickAtOrAbove, tickAtOrBelow } from '../core/number/ladder.ts';
import { lacksUnit, type Param, type ParamsSpec, type ParamValues } from './params.ts';

/** A name that is compared with others is cut: it may be of any length. */
const NAME_MAX = 40;

export interface ParamProblem {
  readonly param: string;
  /** The value as the user wrote it; undefined if it is missing. */
  readonly value: string | undefined;
  /** A sentence for the user. */
  readonly message: string;
  /** The place where a person wrote it, as far as that is known. */
  readonly where: string | undefined;
}

/** The place where a person wrote each param, by its name, such as `file:line:column`. */
export type ParamPlaces = Readonly<Record<string, string>>;

export type ReadParams<P extends ParamsSpec> =
  | { readonly kind: 'values'; readonly values: ParamValues<P> }
  | { readonly kind: 'problems'; readonly problems: readonly ParamProblem[] };

/**
 * `given` holds configuration values or the texts of `k=v`. What a person wrote has a place in `places`: a duration needs its unit
 * there, while a program's number is ms. Reports all problems, not only the first.
 */
export function readParams<P extends ParamsSpec>(
  spec: P | undefined,
  given: Readonly<Record<string, unknown>> = {},
  places: ParamPlaces = {},
): ReadParams<P> {
  const declared: ParamsSpec = spec ?? {};
  const known = Object.keys(declared);
  const problems: ParamProblem[] = [];
  const tell = (name: string, message: string): void => {
    problems.push({
      param: name,
      value: written(given[name]),
      message,
      where: Object.hasOwn(places, name) ? places[name] : undefined,
    });
  };
  for (const name of Object.keys(given)) if (!Object.hasOwn(declared, name)) tell(name, unknownParam(name, known));
  const values: Record<string, unknown> = {};
  for (const [name, param] of Object.entries(declared)) {
    const isGiven = Object.hasOwn(given, name);
    const raw = isGiven ? given[name] : param.default;
    const value = param.read(raw);
    if (isGiven && Object.hasOwn(places, name) && lacksUnit(param, raw)) tell(name, withoutUnit(name, raw));
    else if (value === undefined) tell(name, `${badValue(name, raw, param.allowed)}${offLadder(param, raw)}`);
    else values[name] = value;
  }
  if (problems.length > 0) return { kind: 'problems', problems };
  return { kind: 'values', values: Object.freeze(values) as ParamValues<P> };
}

function unknownParam(name: string, known: readonly string[]): string {
  const list = known.length === 0 ? 'The strategy has no params.' : `The strategy's params are ${known.join(', ')}.`;
  const near = nearest(name.slice(0, NAME_MAX), known);
  return `There is no param '${name}'. ${list}${near === undefined ? '' : ` Did you mean '${near}'?`}`;
}

function badValue(name: string, raw: unknown, allowed: string): string {
  return raw === undefined
    ? `The param '${name}' has no default and must be given: ${allowed}.`
    : `The param '${name}' is ${written(raw)}, which is not ${allowed}.`;
}

/** Which prices are beside one that is no price of the ladder. */
function offLadder({ kind }: Param<unknown>, raw: unknown): string {
  if (kind !== 'price' || (typeof raw !== 'number' && typeof raw !== 'string')) return '';
  const at = Number(raw) * 1_000;
  const [below, above] = [tickAtOrBelow(at), tickAtOrAbove(at)];
  if (below === above || below === NO_TICK || above === TICK_COUNT) return '';
  return ` Beside it are ${decimalOfTick(tick(below))} and ${decimalOfTick(tick(above))}.`;
}

/** What a param of a duration says to a number without a unit. */
function withoutUnit(name: string, raw: unknown): string {
  const ms = writtenDuration(Number(raw));
  const meant = ms === `${Number(raw)}ms` ? '' : ` (${Number(raw)} milliseconds are ${ms})`;
  return `The param '${name}' is ${written(raw)}, and a duration needs its unit: 500ms, 30s, 5m or 2h${meant}.`;
}

/** A value as the user wrote it, such as `1e308` or `null`; texts in quotes. */
function written(raw: unknown): string | undefined {
  if (raw === undefined) return undefined;
  if (typeof raw === 'string') return `'${raw}'`;
  return typeof raw === 'object' ? (JSON.stringify(raw) ?? 'an object') : String(raw);
}
