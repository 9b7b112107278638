/** Whether a condition can hold at all where some keys are fixed and others are anywhere in their ranges: so a grid skips what lies in vain. */

import type { Operator, Rule } from './constraint-tree.ts';
import type { AssignedValue } from './dimension.ts';

/** What a key can be: a number of a range, or one value; undefined: any of several words or flags. */
export type Reach = { readonly low: number; readonly high: number } | { readonly only: AssignedValue } | undefined;

/** What a piece of a condition can come to. More than it really can is allowed, less is not. */
type Outcome =
  | { readonly kind: 'number'; readonly low: number; readonly high: number }
  | { readonly kind: 'boolean'; readonly isTrue: boolean; readonly isFalse: boolean }
  | { readonly kind: 'text'; readonly only: AssignedValue | undefined };
type Range = Extract<Outcome, { readonly kind: 'number' }>;

const ANYTHING: Range = { kind: 'number', low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
const EITHER: Outcome = { kind: 'boolean', isTrue: true, isFalse: true };
/** Wider than the noise within which the condition itself takes numbers for equal. */
const SLACK = 1e-9;

export function canHold(rule: Rule, reaches: ReadonlyMap<string, Reach>): boolean {
  const outcome = outcomeOf(rule, reaches);
  return outcome.kind !== 'boolean' || outcome.isTrue;
}

function outcomeOf(rule: Rule, reaches: ReadonlyMap<string, Reach>): Outcome {
  switch (rule.kind) {
    case 'literal':
      return reached(rule.type, { only: rule.value });
    case 'key':
      return reached(rule.type, reaches.get(rule.key));
    case 'unary': {
      const of = outcomeOf(rule.of, reaches);
      if (of.kind === 'boolean') return { kind: 'boolean', isTrue: of.isFalse, isFalse: of.isTrue };
      return rule.operator === '-' && of.kind === 'number' ? { kind: 'number', low: -of.high, high: -of.low } : of;
    }
    case 'binary':
      return joined(rule.operator, outcomeOf(rule.left, reaches), outcomeOf(rule.right, reaches));
    case 'call': {
      const of = rule.of.map((each) => rangeOf(outcomeOf(each, reaches)));
      const [first = ANYTHING] = of;
      if (rule.name === 'abs') {
        const ends = [Math.abs(first.low), Math.abs(first.high)];
        return {
          kind: 'number',
          low: first.low <= 0 && first.high >= 0 ? 0 : Math.min(...ends),
          high: Math.max(...ends),
        };
      }
      const pick = rule.name === 'min' ? Math.min : Math.max;
      return { kind: 'number', low: pick(...of.map(({ low }) => low)), high: pick(...of.map(({ high }) => high)) };
    }
  }
}

function reached(type: Rule['type'], reach: Reach): Outcome {
  const only = reach !== undefined && 'only' in reach ? reach.only : undefined;
  switch (type) {
    case 'number':
      if (typeof only === 'number') return { kind: 'number', low: only, high: only };
      return reach !== undefined && 'low' in reach ? { kind: 'number', ...reach } : ANYTHING;
    case 'boolean':
      return only === undefined ? EITHER : { kind: 'boolean', isTrue: only === true, isFalse: only === false };
    case 'text':
      return { kind: 'text', only };
  }
}

function joined(operator: Operator, left: Outcome, right: Outcome): Outcome {
  if (left.kind === 'boolean' && right.kind === 'boolean') {
    if (operator === 'and')
      return { kind: 'boolean', isTrue: left.isTrue && right.isTrue, isFalse: left.isFalse || right.isFalse };
    if (operator === 'or')
      return { kind: 'boolean', isTrue: left.isTrue || right.isTrue, isFalse: left.isFalse && right.isFalse };
    return EITHER;
  }
  if (left.kind === 'text' && right.kind === 'text') {
    if (left.only === undefined || right.only === undefined) return EITHER;
    const isTrue = (left.only === right.only) === (operator === '==');
    return { kind: 'boolean', isTrue, isFalse: !isTrue };
  }
  return reckoned(operator, rangeOf(left), rangeOf(right));
}

function rangeOf(outcome: Outcome): Range {
  return outcome.kind === 'number' ? outcome : ANYTHING;
}

function reckoned(operator: Operator, left: Range, right: Range): Outcome {
  switch (operator) {
    case '+':
      return { kind: 'number', low: left.low + right.low, high: left.high + right.high };
    case '-':
      return { kind: 'number', low: left.low - right.high, high: left.high - right.low };
    case '*':
      return ends((a, b) => a * b, left, right);
    case '/':
      return right.low <= 0 && right.high >= 0 ? ANYTHING : ends((a, b) => a / b, left, right);
    case '%':
      return ANYTHING;
    case '<':
    case '<=':
      return { kind: 'boolean', isTrue: reaches(left.low, right.high), isFalse: reaches(right.low, left.high) };
    case '>':
    case '>=':
      return { kind: 'boolean', isTrue: reaches(right.low, left.high), isFalse: reaches(left.low, right.high) };
    case '==':
      return { kind: 'boolean', isTrue: reaches(left.low, right.high) && reaches(right.low, left.high), isFalse: true };
    case '!=':
    case 'and':
    case 'or':
      return EITHER;
  }
}

/** Whether the one is at most the other, or so near that the condition may think so. An unknown difference counts. */
function reaches(low: number, high: number): boolean {
  return !(low - high > SLACK * Math.max(1, Math.abs(low), Math.abs(high)));
}

/** The least and the greatest of four corners; anything where one of them is no number. */
function ends(of: (a: number, b: number) => number, left: Range, right: Range): Range {
  const corners = [
    of(left.low, right.low),
    of(left.low, right.high),
    of(left.high, right.low),
    of(left.high, right.high),
  ];
  if (corners.some(Number.isNaN)) return ANYTHING;
  return { kind: 'number', low: Math.min(...corners), high: Math.max(...corners) };
}
