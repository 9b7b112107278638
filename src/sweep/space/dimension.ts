/** The dimensions of a space: what one key can be, as a finite list of values by number or as a range. */

import type { ConfigPath } from '../../backtest/options/loaded-config.ts';
import { assert, defined } from '../../core/checks/assert.ts';
import { writtenDuration } from '../../core/number/duration.ts';
import { decimalOfTick, tick } from '../../core/number/ladder.ts';
import { binaryLog, halved } from '../../core/number/steady-math.ts';
import { quantityOf, toNumber, type Unit } from './quantity.ts';

/** One value for each key of the space. Keys are paths of the configuration, such as `strategies[0].params.stake` or `latency.requestMs`. */
export type Assignment = Readonly<Record<string, AssignedValue>>;
export type AssignedValue = string | number | boolean;

export type Dimension = FiniteDimension | RangeDimension;
export type FiniteDimension = ListDimension | StepDimension | TickDimension;

interface Keyed {
  /** The full path of the configuration, as an assignment has it. */
  readonly key: string;
  readonly path: ConfigPath;
  /** The value as the user wrote it in the space. */
  readonly written: string;
}

export interface ListDimension extends Keyed {
  readonly kind: 'list';
  readonly values: readonly ListedValue[];
  /** Whether neighbours in the list are near each other in effect. */
  readonly isOrdered: boolean;
  /** Whether its values are texts whatever they read as: those of a text param. */
  readonly isText: boolean;
}

export interface ListedValue {
  /** What an assignment says: the value itself, or a list or map as JSON. */
  readonly label: AssignedValue;
  readonly raw: unknown;
}

export interface StepDimension extends Keyed {
  readonly kind: 'steps';
  readonly unit: Unit;
  /** Integers that count the last of `decimals` digits. */
  readonly from: bigint;
  readonly step: bigint;
  readonly decimals: number;
  readonly count: number;
  readonly isLog: boolean;
}

/** Prices of the ladder. */
export interface TickDimension extends Keyed {
  readonly kind: 'ticks';
  readonly from: number;
  readonly step: number;
  readonly count: number;
}

/** Every number from one to another, written with six digits. */
export interface RangeDimension extends Keyed {
  readonly kind: 'range';
  readonly unit: Unit;
  readonly from: number;
  readonly to: number;
  readonly isLog: boolean;
}

/** Digits of a number out of a range: enough for every use, and short enough to be read. */
const DIGITS = 6;

/** Undefined for a range. */
export function countOf(dimension: Dimension): number | undefined {
  switch (dimension.kind) {
    case 'list':
      return dimension.values.length;
    case 'steps':
    case 'ticks':
      return dimension.count;
    case 'range':
      return undefined;
  }
}

/** `coordinate` is the number of a value from 0 on, or the place in a range from 0 to 1. */
export function labelAt(dimension: Dimension, coordinate: number): AssignedValue {
  switch (dimension.kind) {
    case 'list':
      return defined(dimension.values[coordinate], 'a coordinate is the number of a value').label;
    case 'steps': {
      const digits = dimension.from + dimension.step * BigInt(coordinate);
      return inUnit(toNumber({ digits, decimals: dimension.decimals }), dimension.unit);
    }
    case 'ticks':
      return decimalOfTick(tick(dimension.from + dimension.step * coordinate));
    case 'range': {
      const { from, to, isLog, unit } = dimension;
      const exact = isLog ? between(from, to, coordinate) : from + (to - from) * coordinate;
      const rounded = unit === 'duration' ? Math.round(exact) : Number(exact.toPrecision(DIGITS));
      return inUnit(Math.min(to, Math.max(from, rounded)), unit);
    }
  }
}

function inUnit(value: number, unit: Unit): AssignedValue {
  return unit === 'duration' ? writtenDuration(value) : value;
}

/** What stands in the configuration for a label: itself, but for lists and maps. */
export function rawOf(dimension: Dimension, label: AssignedValue): unknown {
  if (dimension.kind !== 'list') return label;
  return defined(
    dimension.values.find((each) => each.label === label),
    `${dimension.key} has no value ${label}`,
  ).raw;
}

/** What a constraint reckons with: a number (of a duration its milliseconds), a flag, or a text. */
export function operandOf(dimension: Dimension, label: AssignedValue): AssignedValue {
  switch (operandType(dimension)) {
    case 'number':
      return defined(numberOf(label), 'each value of a numeric dimension is a number');
    case 'boolean':
      return label;
    case 'text':
      return String(label);
  }
}

export function operandType(dimension: Dimension): 'number' | 'boolean' | 'text' {
  if (dimension.kind !== 'list') return 'number';
  if (dimension.isText) return 'text';
  if (dimension.values.every(({ label }) => numberOf(label) !== undefined)) return 'number';
  return dimension.values.every(({ label }) => typeof label === 'boolean') ? 'boolean' : 'text';
}

/** The least and the greatest number that it can be; undefined of words and flags. */
export function spanOf(dimension: Dimension): { readonly low: number; readonly high: number } | undefined {
  if (operandType(dimension) !== 'number') return undefined;
  const count = countOf(dimension);
  const coordinates =
    dimension.kind === 'list' ? dimension.values.map((_, at) => at) : [0, count === undefined ? 1 : count - 1];
  const numbers = coordinates.map((at) => Number(operandOf(dimension, labelAt(dimension, at))));
  return { low: Math.min(...numbers), high: Math.max(...numbers) };
}

/** The number of a value; a duration has its milliseconds. */
export function numberOf(value: unknown): number | undefined {
  const quantity = quantityOf(value);
  return quantity && toNumber(quantity);
}

/** Whether near coordinates are near in effect. */
export function isOrdered(dimension: Dimension): boolean {
  return dimension.kind !== 'list' || dimension.isOrdered;
}

/** The coordinate at a place from 0 to 1, each of equal width on the dimension's own scale. */
export function coordinateAt(dimension: Dimension, place: number): number {
  const count = countOf(dimension);
  if (count === undefined) return place;
  if (dimension.kind === 'steps' && dimension.isLog) {
    const { low, high } = logEnds(dimension);
    const at = Math.round(between(low, high, place) - ratioOf(dimension));
    return Math.min(count - 1, Math.max(0, at));
  }
  return Math.min(count - 1, Math.floor(place * count));
}

/** The other way: the middle of a value's width. */
export function placeOf(dimension: Dimension, coordinate: number): number {
  const count = countOf(dimension);
  if (count === undefined) return coordinate;
  if (dimension.kind === 'steps' && dimension.isLog) {
    const { low, high } = logEnds(dimension);
    return positionBetween(low, high, ratioOf(dimension) + coordinate);
  }
  return (coordinate + 0.5) / count;
}

/** The ends in steps, half a step beyond the first and the last value. */
function logEnds(dimension: StepDimension): { readonly low: number; readonly high: number } {
  const first = ratioOf(dimension);
  assert(first > 0, 'a logarithmic scale begins above 0');
  return { low: Math.max(first - 0.5, first / 2), high: first + dimension.count - 0.5 };
}

function ratioOf({ from, step }: StepDimension): number {
  return Number(from) / Number(step);
}

/** The number at a place from 0 to 1 on a logarithmic scale, with the same bits on every JavaScript engine: equal ways are equal ratios. */
function between(from: number, to: number, place: number): number {
  const span = binaryLog(to / from);
  return Math.min(to, Math.max(from, to * halved(span * (1 - place))));
}

/** The place of a number. */
export function positionBetween(from: number, to: number, at: number): number {
  return to === from ? 0.5 : binaryLog(at / from) / binaryLog(to / from);
}
