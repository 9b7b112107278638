/** Whether a point fulfils the condition of its space: a walk over the condition's tree. */

import { assert, defined } from '../../core/checks/assert.ts';
import type { FunctionName, Operator, Rule } from './constraint-tree.ts';
import type { AssignedValue } from './dimension.ts';

/** The values by key; a duration has its milliseconds. */
export type Operands = Readonly<Record<string, AssignedValue>>;

export function isFulfilled(rule: Rule, operands: Operands): boolean {
  return resultOf(rule, operands) === true;
}

function resultOf(rule: Rule, operands: Operands): AssignedValue {
  switch (rule.kind) {
    case 'literal':
      return rule.value;
    case 'key':
      return defined(operands[rule.key], `an operand for ${rule.key}`);
    case 'unary': {
      const of = resultOf(rule.of, operands);
      return rule.operator === 'not' ? of !== true : rule.operator === '-' ? -numeric(of) : of;
    }
    case 'binary':
      return joined(rule, operands);
    case 'call':
      return called(
        rule.name,
        rule.of.map((each) => numeric(resultOf(each, operands))),
      );
  }
}

function joined(rule: Extract<Rule, { readonly kind: 'binary' }>, operands: Operands): AssignedValue {
  const left = resultOf(rule.left, operands);
  if (rule.operator === 'and' && left === false) return false;
  if (rule.operator === 'or' && left === true) return true;
  const right = resultOf(rule.right, operands);
  if (rule.operator === 'and' || rule.operator === 'or') return right;
  if (rule.operator === '==') return isSame(left, right);
  if (rule.operator === '!=') return !isSame(left, right);
  return reckoned(rule.operator, numeric(left), numeric(right));
}

type Numeric = Exclude<Operator, 'and' | 'or' | '==' | '!='>;

function reckoned(operator: Numeric, left: number, right: number): AssignedValue {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return left / right;
    case '%':
      return left % right;
    case '<':
      return left < right && !isSame(left, right);
    case '<=':
      return left < right || isSame(left, right);
    case '>':
      return left > right && !isSame(left, right);
    case '>=':
      return left > right || isSame(left, right);
  }
}

/** Numbers are compared as decimals: 0.1 + 0.2 is 0.3, so that a condition means what its reader reads. */
function isSame(left: AssignedValue, right: AssignedValue): boolean {
  if (typeof left !== 'number' || typeof right !== 'number') return left === right;
  if (left === right) return true;
  const size = Math.max(Math.abs(left), Math.abs(right));
  return size < Number.POSITIVE_INFINITY && Math.abs(left - right) <= NOISE * size;
}

/** Far above the rounding error of a few operations, far below any difference that is meant. */
const NOISE = 1e-12;

function called(name: FunctionName, of: readonly number[]): number {
  switch (name) {
    case 'min':
      return Math.min(...of);
    case 'max':
      return Math.max(...of);
    case 'abs':
      return Math.abs(of[0] ?? 0);
  }
}

function numeric(value: AssignedValue): number {
  assert(typeof value === 'number', 'the tree is typed');
  return value;
}
