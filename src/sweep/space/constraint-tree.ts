/** The condition of a space as a typed tree: read from its text, and refused where it makes no sense. */

import jsep from 'jsep';
import type { ConfigPath } from '../../backtest/options/loaded-config.ts';
import { type AssignedValue, numberOf } from './dimension.ts';

export type Rule =
  | { readonly kind: 'literal'; readonly type: RuleType; readonly value: AssignedValue }
  | { readonly kind: 'key'; readonly type: RuleType; readonly key: string }
  | { readonly kind: 'unary'; readonly type: RuleType; readonly operator: '-' | '+' | 'not'; readonly of: Rule }
  | {
      readonly kind: 'binary';
      readonly type: RuleType;
      readonly operator: Operator;
      readonly left: Rule;
      readonly right: Rule;
    }
  | { readonly kind: 'call'; readonly type: 'number'; readonly name: FunctionName; readonly of: readonly Rule[] };

export type RuleType = 'number' | 'text' | 'boolean';
export type Operator = (typeof ARITHMETIC)[number] | (typeof ORDER)[number] | '==' | '!=' | 'and' | 'or';
export type FunctionName = 'min' | 'max' | 'abs';

const ARITHMETIC = ['+', '-', '*', '/', '%'] as const;
const ORDER = ['<', '<=', '>', '>='] as const;
const SAME: Readonly<Record<string, Operator>> = { '==': '==', '===': '==', '!=': '!=', '!==': '!=' };
const LOGIC: Readonly<Record<string, Operator>> = { and: 'and', '&&': 'and', or: 'or', '||': 'or' };
const FUNCTIONS = ['min', 'max', 'abs'] as const;

/** What stands for a key: its place in an assignment, or its fixed value; a text says why there is none. */
export type KeyOf = (path: ConfigPath) => Extract<Rule, { readonly kind: 'key' | 'literal' }> | string;

/** The text is no condition; the message says why. */
export class ConstraintError extends Error {
  override readonly name = 'ConstraintError';
}

/** @throws ConstraintError */
export function readConstraint(text: string, keyOf: KeyOf): Rule {
  const rule = ruleOf(parsed(text), keyOf);
  if (rule.type === 'boolean') return rule;
  throw new ConstraintError(`It is a ${rule.type}, not a condition that is true or false.`);
}

function parsed(text: string): jsep.Expression {
  jsep.addBinaryOp('and', 2);
  jsep.addBinaryOp('or', 1);
  jsep.addUnaryOp('not');
  try {
    return jsep(withoutDurations(text));
  } catch (error) {
    throw new ConstraintError(error instanceof Error ? error.message : String(error));
  }
}

/** jsep knows no `10m`: durations outside of quotes become milliseconds. */
function withoutDurations(text: string): string {
  return text.replace(/("[^"]*"|'[^']*')|(?<![\w.])(\d+(?:\.\d+)?(?:ms|s|m|h))\b/g, (whole, quoted, duration) =>
    quoted === undefined ? String(numberOf(duration)) : whole,
  );
}

function ruleOf(node: jsep.Expression, keyOf: KeyOf): Rule {
  const expression = node as jsep.CoreExpression;
  switch (expression.type) {
    case 'Literal':
      return literal(expression.value);
    case 'Identifier':
    case 'MemberExpression':
      return keyRule(expression, keyOf);
    case 'UnaryExpression':
      return unary(expression.operator, ruleOf(expression.argument, keyOf));
    case 'BinaryExpression':
      return binary(expression.operator, ruleOf(expression.left, keyOf), ruleOf(expression.right, keyOf));
    case 'CallExpression':
      return call(expression, keyOf);
    default:
      throw new ConstraintError(
        expression.type === 'Compound'
          ? 'It is more than one expression: join them with and, or, or an operator.'
          : 'It may have comparisons, arithmetic, and, or, not, min, max and abs only.',
      );
  }
}

function literal(value: unknown): Rule {
  if (typeof value === 'number') return { kind: 'literal', type: 'number', value };
  if (typeof value === 'boolean') return { kind: 'literal', type: 'boolean', value };
  if (typeof value === 'string') return { kind: 'literal', type: 'text', value };
  throw new ConstraintError(`It may hold numbers, durations, texts, true and false, but not ${String(value)}.`);
}

function keyRule(node: jsep.Expression, keyOf: KeyOf): Rule {
  const rule = keyOf(pathOfNode(node));
  if (typeof rule === 'string') throw new ConstraintError(rule);
  return rule;
}

function pathOfNode(node: jsep.Expression): ConfigPath {
  const expression = node as jsep.CoreExpression;
  if (expression.type === 'Identifier') return [expression.name];
  if (expression.type === 'MemberExpression' && expression.optional !== true) {
    const property = expression.property as jsep.CoreExpression;
    const inside = pathOfNode(expression.object);
    if (!expression.computed && property.type === 'Identifier') return [...inside, property.name];
    if (property.type === 'Literal' && (typeof property.value === 'number' || typeof property.value === 'string'))
      return [...inside, property.value];
  }
  throw new ConstraintError('A key must be a path such as params.stake or strategies[1].params.stake.');
}

function unary(operator: string, of: Rule): Rule {
  if (operator === '-' || operator === '+') {
    wants('number', of, `${operator} in front of it`);
    return { kind: 'unary', type: 'number', operator, of };
  }
  if (operator !== 'not' && operator !== '!') throw new ConstraintError(`There is no operator ${operator}.`);
  wants('boolean', of, 'not: write not (a > b)');
  return { kind: 'unary', type: 'boolean', operator: 'not', of };
}

function binary(operator: string, left: Rule, right: Rule): Rule {
  const logic = LOGIC[operator];
  const same = SAME[operator];
  const arithmetic = ARITHMETIC.find((each) => each === operator);
  const order = ORDER.find((each) => each === operator);
  if (same !== undefined) {
    if (left.type === right.type) return { kind: 'binary', type: 'boolean', operator: same, left, right };
    throw new ConstraintError(`${operator} compares a ${left.type} with a ${right.type}.`);
  }
  const known = logic ?? arithmetic ?? order;
  if (known === undefined) throw new ConstraintError(`There is no operator ${operator}.`);
  for (const side of [left, right]) {
    const hint = order !== undefined && side.type === 'boolean' ? '; write a < b and b < c for a < b < c' : '';
    wants(logic === undefined ? 'number' : 'boolean', side, `${operator}${hint}`);
  }
  return { kind: 'binary', type: arithmetic === undefined ? 'boolean' : 'number', operator: known, left, right };
}

function call({ callee, arguments: given }: jsep.CallExpression, keyOf: KeyOf): Rule {
  const named = callee as jsep.CoreExpression;
  const name = named.type === 'Identifier' ? FUNCTIONS.find((each) => each === named.name) : undefined;
  if (name === undefined) throw new ConstraintError('The functions are min, max and abs.');
  const of = given.map((each) => ruleOf(each, keyOf));
  if (of.length === 0 || (name === 'abs' && of.length > 1))
    throw new ConstraintError(`${name} takes ${name === 'abs' ? 'one number' : 'one number or more'}.`);
  for (const each of of) wants('number', each, name);
  return { kind: 'call', type: 'number', name, of };
}

function wants(type: RuleType, rule: Rule, by: string): void {
  if (rule.type === type) return;
  throw new ConstraintError(`A ${type} is wanted by ${by}, and it is a ${rule.type}.`);
}
