/** Reads one entry of a space. */

import { type ConfigPath, pathText } from '../../../backtest/options/loaded-config.ts';
import { tickOfDecimal } from '../../../core/number/ladder.ts';
import type { Param } from '../../../strategy/params.ts';
import { type AssignedValue, type Dimension, type ListDimension, numberOf, type TickDimension } from '../dimension.ts';
import { digitsAt, type Quantity, quantityOf, toNumber } from '../quantity.ts';
import { fullKey, pathOf } from './config-key.ts';
import { spaceError } from './space-error.ts';
import type { DimensionConfig } from './sweep-schema.ts';

/** The place of a part of the entry in the file. */
type Where = (path: ConfigPath) => string;
interface Entry {
  readonly key: string;
  readonly path: ConfigPath;
  readonly written: string;
  readonly where: Where;
  readonly declared: Param<unknown> | undefined;
}
type RangeConfig = Extract<DimensionConfig, { readonly from: unknown }>;

/** Points of one dimension; a range of more is one without a step. */
const COUNT_MAX = 2 ** 32;
const TICKS = /^(?:(\d+) ?)?ticks?$/;

/** `declared`: the param that it sets, where it sets one and the strategy is known. @throws OddsmithError CONFIG_INVALID */
export function readDimension(
  written: string,
  config: DimensionConfig,
  where: Where,
  declared?: Param<unknown>,
): Dimension {
  const path = pathOf(fullKey(written));
  if (path === undefined) {
    throw spaceError({
      what: `"${written}" is no key of the configuration.`,
      where: where([]),
      next: 'Write a path such as params.stake, latency.requestMs or strategies[1].params.stake.',
    });
  }
  const entry: Entry = { key: pathText(path), path, written, where, declared };
  return 'values' in config ? listOf(entry, config) : rangeOf(entry, config);
}

function listOf(
  { where: _where, declared, ...keyed }: Entry,
  { values, ordered }: Extract<DimensionConfig, { readonly values: unknown }>,
): ListDimension {
  const listed = values.map((raw) => ({ label: labelOf(raw), raw }));
  return {
    ...{ kind: 'list', ...keyed, values: listed, isOrdered: ordered ?? isMonotone(values.map(numberOf)) },
    isText: declared?.kind === 'text' || declared?.kind === 'choice',
  };
}

/** A list or a map as JSON. */
function labelOf(raw: unknown): AssignedValue {
  if (typeof raw === 'string' || typeof raw === 'number' || typeof raw === 'boolean') return raw;
  return JSON.stringify(raw);
}

function isMonotone(numbers: readonly (number | undefined)[]): boolean {
  const signs = numbers.map((each, index) => {
    const before = numbers[index - 1];
    return index === 0 ? undefined : each === undefined || before === undefined ? 0 : Math.sign(each - before);
  });
  return numbers.length > 1 && signs.slice(1).every((sign) => sign !== 0 && sign === signs[1]);
}

function rangeOf(entry: Entry, config: RangeConfig): Dimension {
  const from = endOf(entry, 'from', config.from);
  const to = endOf(entry, 'to', config.to);
  const isLog = config.scale === 'log';
  checkEnds(entry, { from, to, isLog, config });
  const { where, declared: _declared, ...keyed } = entry;
  const step = String(config.step ?? '');
  if (TICKS.test(step)) return ticksOf(entry, config, step);
  if (config.step === undefined) {
    return { kind: 'range', ...keyed, unit: from.unit, from: toNumber(from), to: toNumber(to), isLog };
  }
  const by = quantityOf(config.step);
  if (by === undefined || by.unit !== from.unit) {
    const wanted = from.unit === 'duration' ? 'a duration such as 30s' : 'a number, tick, or a number of ticks';
    throw spaceError({
      what: `The step of ${entry.written} must be ${wanted}.`,
      where: where(['step']),
      why: `It is ${config.step}, and the range is from ${config.from} to ${config.to}.`,
      next: 'Give the step in the unit of from and to.',
    });
  }
  return stepsOf(entry, { from, to, by, isLog, config });
}

function endOf({ written, where }: Entry, end: 'from' | 'to', raw: string | number): Quantity {
  const quantity = quantityOf(raw);
  if (quantity !== undefined) return quantity;
  throw spaceError({
    what: `The value of ${written}.${end} must be a number, or a duration such as 90s.`,
    where: where([end]),
    why: `It is ${JSON.stringify(raw)}.`,
    next: 'Write words as a list: { values: [a, b] }.',
  });
}

interface Ends {
  readonly from: Quantity;
  readonly to: Quantity;
  readonly isLog: boolean;
  readonly config: RangeConfig;
}

function checkEnds({ written, where }: Entry, { from, to, isLog, config }: Ends): void {
  if (from.unit !== to.unit) {
    throw spaceError({
      what: `The range of ${written} has one end in numbers and one in durations.`,
      where: where(['to']),
      why: `It is from ${config.from} to ${config.to}.`,
      next: 'Give both as numbers, or both with a unit (ms, s, m, h).',
    });
  }
  if (isLog && from.digits <= 0n) {
    throw spaceError({
      what: `A logarithmic scale of ${written} must begin above 0.`,
      where: where(['from']),
      why: `It begins at ${config.from}.`,
      next: 'Begin at a small positive number, or leave scale: log out.',
    });
  }
  const fractions = from.unit === 'duration' && [from, to].some((end) => !Number.isInteger(toNumber(end)));
  if (fractions) {
    throw spaceError({
      what: `The range of ${written} must begin and end at whole milliseconds.`,
      where: where(['from']),
      why: `It is from ${config.from} to ${config.to}.`,
      next: 'Round the two.',
    });
  }
  const decimals = Math.max(from.decimals, to.decimals);
  const span = digitsAt(to, decimals) - digitsAt(from, decimals);
  if (span > 0n) return;
  const down = quantityOf(config.step)?.digits ?? 1n;
  throw spaceError({
    what: `The range of ${written} is empty.`,
    where: where([]),
    why: `It is from ${config.from} to ${config.to}.`,
    next:
      span === 0n
        ? 'A key of one value belongs into the configuration itself, not into the space.'
        : down < 0n
          ? 'Ranges go up: swap from and to, and give a step above 0.'
          : 'Swap from and to.',
  });
}

function stepsOf(
  { where, declared: _declared, ...keyed }: Entry,
  { from, to, by, isLog, config }: Ends & { readonly by: Quantity },
): Dimension {
  const decimals = Math.max(from.decimals, to.decimals, by.decimals);
  const [first, last, step] = [digitsAt(from, decimals), digitsAt(to, decimals), digitsAt(by, decimals)];
  const isFraction = by.unit === 'duration' && !Number.isInteger(toNumber(by));
  const why = `It is ${config.step}, and the range is from ${config.from} to ${config.to}.`;
  if (step <= 0n || isFraction) {
    throw spaceError({
      what: `The step of ${keyed.written} must be ${isFraction ? 'whole milliseconds' : 'above 0'}.`,
      where: where(['step']),
      why,
      next: 'Ranges go up, from `from` to `to`.',
    });
  }
  const count = Number((last - first) / step) + 1;
  if (count < 2 || count > COUNT_MAX) {
    throw spaceError({
      what: `The step of ${keyed.written} is ${count < 2 ? 'wider than its range' : 'too fine'}.`,
      where: where(['step']),
      why: count < 2 ? why : `The range would have more than ${COUNT_MAX} values.`,
      next: count < 2 ? 'Give a smaller step.' : 'Give a wider one, or none for a range of all numbers.',
    });
  }
  return { kind: 'steps', ...keyed, unit: from.unit, from: first, step, decimals, count, isLog };
}

function ticksOf({ where, declared: _declared, ...keyed }: Entry, config: RangeConfig, text: string): TickDimension {
  const step = Number(TICKS.exec(text)?.[1] ?? 1);
  const [from, to] = (['from', 'to'] as const).map((end) => {
    const at = tickOfDecimal(numberOf(config[end]) ?? 0);
    if (at !== undefined) return at;
    throw spaceError({
      what: `The value of ${keyed.written}.${end} must be a price of the ladder.`,
      where: where([end]),
      why: `It is ${config[end]}, and the step is ${text}.`,
      next: 'Give a price such as 1.5, 3.25 or 40.',
    });
  });
  if (from === undefined || to === undefined) throw new Error('a range has two ends');
  const count = step === 0 ? 0 : Math.floor((to - from) / step) + 1;
  if (count < 2 || config.scale === 'log') {
    throw spaceError({
      what: count < 2 ? `The step of ${keyed.written} must lie within its range.` : 'Steps of ticks have no scale.',
      where: where([count < 2 ? 'step' : 'scale']),
      why:
        count < 2
          ? `${config.from} and ${config.to} are ${to - from} ticks apart.`
          : 'The ladder is close to logarithmic itself.',
      next: count < 2 ? 'Give a smaller step.' : 'Leave scale out.',
    });
  }
  return { kind: 'ticks', ...keyed, from, step, count };
}
