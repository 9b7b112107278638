/** Turns a schema checker's errors into what a person wants to read: one fault per mistake, in words. */

import type { ErrorObject } from 'ajv';
import { nearest } from '../../core/collections/nearest.ts';

export interface Fault {
  readonly kind: 'unknownKey' | 'missing' | 'value';
  /** The path of the fault. An unknown key has its own path, though the checker reports its parent. */
  readonly path: readonly (string | number)[];
  readonly what: string;
  readonly why?: string;
  readonly next: string;
}

/** Errors come from ajv with `allErrors` and `verbose`. */
export function faultsOf(errors: readonly ErrorObject[]): readonly Fault[] {
  return outermostAlternatives(errors).map(faultOf);
}

/**
 * A value that fits none of several shapes gives errors for each of them. Where exactly one shape is meant (a map with
 * the right `mode`, or the only shape of the value's own type), its own errors say more than "none fits": keep those;
 * else keep the one error of the choice.
 */
function outermostAlternatives(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const choices = errors.filter((error) => error.keyword === 'anyOf');
  const kept: ErrorObject[] = [];
  for (const error of errors) {
    const inside = choices.filter((choice) => choice !== error && isInside(error, choice));
    if (inside.every((choice) => meantBranch(choice, errors) === branchOf(error, choice))) {
      if (error.keyword !== 'anyOf' || meantBranch(error, errors) === undefined) kept.push(error);
    }
  }
  return kept;
}

function isInside(error: ErrorObject, choice: ErrorObject): boolean {
  const samePart = `${error.instancePath}/`.startsWith(`${choice.instancePath}/`);
  return samePart && error.schemaPath.startsWith(`${choice.schemaPath}/`);
}

function branchOf(error: ErrorObject, choice: ErrorObject): string | undefined {
  return error.schemaPath.slice(choice.schemaPath.length + 1).split('/')[0];
}

/** The one branch that is not ruled out by the value's type or by a literal in it; undefined where none or several are. */
function meantBranch(choice: ErrorObject, errors: readonly ErrorObject[]): string | undefined {
  if (typeof choice.data !== 'object' || choice.data === null) return undefined;
  const open = new Set<string>();
  const out = new Set<string>();
  for (const error of errors) {
    if (error === choice || !isInside(error, choice)) continue;
    const branch = branchOf(error, choice) ?? '';
    open.add(branch);
    const ownType = error.keyword === 'type' && error.instancePath === choice.instancePath;
    const isName = error.keyword === 'additionalProperties' || error.keyword === 'required';
    const strangers = isName && error.instancePath === choice.instancePath && !sharesKey(error);
    if (error.keyword === 'const' || ownType || strangers) out.add(branch);
  }
  const left = [...open].filter((branch) => !out.has(branch));
  return left.length === 1 ? left[0] : undefined;
}

/** Whether the map holds at least one of the keys this shape knows: else the shape was hardly meant. */
function sharesKey(error: ErrorObject): boolean {
  const known = keysOf(error.parentSchema);
  return Object.keys(Object(error.data)).some((key) => known.includes(key));
}

function faultOf(error: ErrorObject): Fault {
  const path = pathOf(error.instancePath);
  if (error.keyword === 'additionalProperties') return unknownKey(error, path);
  if (error.keyword === 'required') {
    const key = String(error.params['missingProperty']);
    return {
      kind: 'missing',
      path,
      what: `The key ${quote(key)} is missing${inside(path)}.`,
      next: `Add ${key}: and its value.`,
    };
  }
  const expected = error.parentSchema?.['title'] ?? error.message?.replace(/^must (be )?/, '') ?? 'something else';
  return {
    kind: 'value',
    path,
    what: `The value of ${nameOf(path)} must be ${expected}.`,
    ...(error.parentSchema?.['secret'] === true ? {} : { why: `It is ${shown(error.data)}.` }),
    next: 'Change the value, or leave the key out to get its default.',
  };
}

function unknownKey(error: ErrorObject, parent: readonly (string | number)[]): Fault {
  const key = String(error.params['additionalProperty']);
  const known = keysOf(error.parentSchema);
  const near = nearest(key, known);
  return {
    kind: 'unknownKey',
    path: [...parent, key],
    what: `Unknown key ${quote(key)}${inside(parent)}.`,
    why: `Allowed here: ${known.join(', ')}.`,
    next: near === undefined ? 'Remove the key, or use one of those.' : `Did you mean ${near}?`,
  };
}

function keysOf(schema: unknown): readonly string[] {
  return Object.keys(Object(Object(schema)['properties']));
}

function pathOf(pointer: string): readonly (string | number)[] {
  if (pointer === '') return [];
  return pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}

function nameOf(path: readonly (string | number)[]): string {
  if (path.length === 0) return 'the configuration';
  return path.map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`)).join('');
}

function inside(path: readonly (string | number)[]): string {
  return path.length === 0 ? '' : ` in ${nameOf(path)}`;
}

function quote(text: string): string {
  return `"${text}"`;
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return 'empty';
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
