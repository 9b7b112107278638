/**
 * The parameters that a strategy declares: their kinds, their defaults, and reading them from text or configuration.
 */

import { durationOf } from '../core/number/duration.ts';
import { tickOfDecimal } from '../core/number/ladder.ts';
import { isStake } from './stake-step.ts';

/**
 * One declared parameter. `read` takes a configuration value or the text after `=`; it returns undefined for a value
 * that is not allowed.
 */
export interface Param<T> {
  /** Which of `param`'s functions declared it. */
  readonly kind: 'number' | 'price' | 'stake' | 'text' | 'flag' | 'choice' | 'duration';
  /** Undefined: the parameter has no default and must be given. */
  readonly default: T | undefined;
  /** The allowed values as a phrase that ends an error message. */
  readonly allowed: string;
  /** A description for help texts. */
  readonly about: string | undefined;
  /** The value that a configuration or command line means by `raw`; undefined where it is not allowed. */
  read(raw: unknown): T | undefined;
}

/** The parameters of a strategy by name: letters, digits and underscores, the first a letter. */
export type ParamsSpec = Readonly<Record<string, Param<unknown>>>;

/** The values of declared parameters as `decide` gets them: a number for `param.stake`, one of the words for `param.choice`, and so on. */
export type ParamValues<P extends ParamsSpec> = {
  readonly [K in keyof P]: P[K] extends Param<infer T> ? T : never;
};

/** What every parameter may be told. */
export interface Described<T> {
  /** The value where none is given. Left out: it must be given. One that is not allowed throws a RangeError when the strategy is loaded. */
  readonly default?: T;
  /** A sentence for the help of the strategy. */
  readonly about?: string;
}

/** Bounds of `param.number`; one that is left out does not bound. */
export interface NumberOptions extends Described<number> {
  /** The least value that is allowed. */
  readonly min?: number;
  /** The greatest value that is allowed. */
  readonly max?: number;
  /** Whether whole numbers alone are allowed. Default false. */
  readonly integer?: boolean;
}

/** Bounds of a price (decimal odds) or a stake (decimal currency); one that is left out does not bound. */
export interface RangeOptions extends Described<number> {
  /** The least value that is allowed. */
  readonly min?: number;
  /** The greatest value that is allowed. */
  readonly max?: number;
}

/** What `param.text` may be told. */
export interface TextOptions extends Described<string> {
  /** What the text must hold; anchor it with `^` and `$` to bind all of it. */
  readonly pattern?: RegExp;
}

/** What `param.choice` may be told. */
export interface ChoiceOptions<T extends string> extends Described<NoInfer<T>> {
  /** The words of which one is chosen. */
  readonly of: readonly T[];
}

/** Durations are written `500ms`, `30s`, `5m` or `2h`. In code a number is ms; in a configuration and on the command line it is refused. */
export interface DurationOptions {
  /** The value where none is given, `'5m'` or ms. Left out: it must be given. */
  readonly default?: string | number;
  /** A sentence for the help of the strategy. */
  readonly about?: string;
  /** The shortest that is allowed, `'1s'` or ms. Default 0. */
  readonly min?: string | number;
  /** The longest that is allowed, `'2h'` or ms. Left out: it has no bound. */
  readonly max?: string | number;
}

/**
 * Declares a strategy's parameters: each gives the value a type, its bounds, and its words in help and errors.
 *
 * @throws RangeError for a default that is not allowed
 *
 * @example
 * const params = {
 *   stake: param.stake({ default: 10 }),
 *   ticks: param.number({ default: 2, min: 1, max: 20, integer: true }),
 *   patience: param.duration({ default: '30s' }),
 * };
 */
export const param = {
  /**
   * A finite number; a whole one with `integer`.
   *
   * @example
   * const ticks = param.number({ default: 2, min: 1, max: 20, integer: true });
   */
  number(options: NumberOptions = {}): Param<number> {
    const kind = options.integer === true ? 'a whole number' : 'a number';
    return declare('number', options, `${kind}${range(options.min, options.max)}`, (raw) => {
      const value = readNumber(raw);
      if (value === undefined || (options.integer === true && !Number.isInteger(value))) return undefined;
      return isWithin(value, options) ? value : undefined;
    });
  },

  /**
   * Decimal odds on the ladder.
   *
   * @example
   * const priceMax = param.price({ default: 6, about: 'The longest price that is backed.' });
   */
  price(options: RangeOptions = {}): Param<number> {
    return declare('price', options, `a ladder price${range(options.min, options.max)}`, (raw) => {
      const value = readNumber(raw);
      if (value === undefined || tickOfDecimal(value) === undefined) return undefined;
      return isWithin(value, options) ? value : undefined;
    });
  },

  /**
   * A positive stake of at most three decimals, decimal currency.
   *
   * @example
   * const stake = param.stake({ default: 10, max: 100 });
   */
  stake(options: RangeOptions = {}): Param<number> {
    const allowed = `a positive stake of at most three decimals${range(options.min, options.max)}`;
    return declare('stake', options, allowed, (raw) => {
      const value = readNumber(raw);
      return value !== undefined && isStake(value) && isWithin(value, options) ? value : undefined;
    });
  },

  /**
   * A text, as it is given; a number in a configuration counts as its text.
   *
   * @example
   * const venue = param.text({ default: 'Cheltenham' });
   */
  text(options: TextOptions = {}): Param<string> {
    const allowed = options.pattern === undefined ? 'text' : `text that matches ${options.pattern}`;
    return declare('text', options, allowed, (raw) => {
      const value = typeof raw === 'number' ? String(raw) : raw;
      if (typeof value !== 'string') return undefined;
      return options.pattern === undefined || value.search(options.pattern) >= 0 ? value : undefined;
    });
  },

  /**
   * True or false.
   *
   * @example
   * const inPlay = param.flag({ default: false });
   */
  flag(options: Described<boolean> = {}): Param<boolean> {
    return declare('flag', options, 'true or false', (raw) => {
      if (raw === true || raw === 'true') return true;
      return raw === false || raw === 'false' ? false : undefined;
    });
  },

  /**
   * One of a closed list of words, and typed as such.
   *
   * @example
   * const side = param.choice({ of: ['For', 'Against'], default: 'For' });
   */
  choice<const T extends string>(options: ChoiceOptions<T>): Param<T> {
    return declare<T>('choice', options, `one of ${options.of.join(', ')}`, (raw) => options.of.find((o) => o === raw));
  },

  /**
   * A duration, which `decide` gets in milliseconds.
   *
   * @example
   * const patience = param.duration({ default: '30s', max: '10m' });
   */
  duration(options: DurationOptions = {}): Param<number> {
    const min = options.min === undefined ? 0 : durationGiven(options.min);
    const max = options.max === undefined ? undefined : durationGiven(options.max);
    const bounds = { min, ...(max === undefined ? {} : { max }) };
    const described = {
      ...(options.default === undefined ? {} : { default: durationGiven(options.default) }),
      ...(options.about === undefined ? {} : { about: options.about }),
    };
    const upTo = options.max === undefined ? '' : `, at most ${options.max}`;
    const from = options.min === undefined ? '' : `, at least ${options.min}`;
    return declare('duration', described, `a duration such as 500ms, 30s, 5m or 2h${from}${upTo}`, (raw) => {
      const value = readDuration(raw);
      return value !== undefined && isWithin(value, bounds) ? value : undefined;
    });
  },
} as const;

function declare<T>(
  kind: Param<T>['kind'],
  options: Described<T>,
  allowed: string,
  read: (raw: unknown) => T | undefined,
): Param<T> {
  if (options.default !== undefined && read(options.default) === undefined) {
    throw new RangeError(`The default ${String(options.default)} is not ${allowed}.`);
  }
  return { kind, default: options.default, allowed, about: options.about, read };
}

function range(min: number | undefined, max: number | undefined): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`;
  if (min !== undefined) return `, at least ${min}`;
  return max === undefined ? '' : `, at most ${max}`;
}

function isWithin(value: number, bounds: { readonly min?: number; readonly max?: number }): boolean {
  return value >= (bounds.min ?? Number.NEGATIVE_INFINITY) && value <= (bounds.max ?? Number.POSITIVE_INFINITY);
}

const DECIMAL = /^(?:0x[\da-fA-F]+|0o[0-7]+|[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?)$/i;

function readNumber(raw: unknown): number | undefined {
  const value = typeof raw === 'string' && DECIMAL.test(raw.trim()) ? Number(raw) : raw;
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function readDuration(raw: unknown): number | undefined {
  return readNumber(raw) ?? (typeof raw === 'string' ? durationOf(raw) : undefined);
}

/** Whether a person wrote a duration as a bare number: `5` could be milliseconds, seconds or minutes. Zero needs no unit. */
export function lacksUnit({ kind }: Param<unknown>, raw: unknown): boolean {
  if (kind !== 'duration') return false;
  const plain = readNumber(raw);
  return plain !== undefined && plain !== 0;
}

/** The duration in ms. @throws RangeError for what is no duration */
export function durationGiven(raw: string | number): number {
  const ms = readDuration(raw);
  if (ms === undefined) throw new RangeError(`${raw} is not a duration such as 500ms, 30s, 5m or 2h.`);
  return ms;
}
