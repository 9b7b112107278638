/** The keys of a space: paths of the configuration, such as `strategies[0].params.stake`. */

import type { ConfigPath } from '../../../backtest/options/loaded-config.ts';
import type { Param, ParamsSpec } from '../../../strategy/params.ts';

const STEP = /(?:^|\.)([A-Za-z_][\w-]*)|\[(\d+)\]|\[(?:"([^"]*)"|'([^']*)')\]/y;

/** Undefined for what is no path. */
export function pathOf(key: string): ConfigPath | undefined {
  const path: (string | number)[] = [];
  STEP.lastIndex = 0;
  for (let at = 0; at < key.length; at = STEP.lastIndex) {
    const [, name, index, double, single] = STEP.exec(key) ?? [];
    if (STEP.lastIndex === 0) return undefined;
    path.push(index === undefined ? (name ?? double ?? single ?? '') : Number(index));
  }
  return typeof path[0] === 'string' ? path : undefined;
}

/** `key` with the short form `params.` written out. */
export function fullKey(key: string): string {
  return /^params(\.|\[)/.test(key) ? `strategies[0].${key}` : key;
}

/** The index of the strategy and the name of its param, of a path of that kind. */
export function paramOf(path: ConfigPath): { readonly strategy: number; readonly name: string } | undefined {
  const [list, strategy, params, name] = path;
  const isParam = path.length === 4 && list === 'strategies' && params === 'params';
  return isParam && typeof strategy === 'number' ? { strategy, name: String(name) } : undefined;
}

/** What the strategy declares of the param that a path sets. */
export function declaredAt(path: ConfigPath, specs: readonly ParamsSpec[]): Param<unknown> | undefined {
  const param = paramOf(path);
  const spec = param && specs[param.strategy];
  return spec && Object.hasOwn(spec, param.name) ? spec[param.name] : undefined;
}

export function valueAt(tree: unknown, path: ConfigPath): unknown {
  let node = tree;
  for (const step of path) node = Object.hasOwn(Object(node), step) ? Object(node)[step] : undefined;
  return node;
}

/** Changes the tree: maps that are missing on the way are made. False where the way leads through an item that a list does not have. */
export function setAt(tree: Record<string, unknown>, path: ConfigPath, value: unknown): boolean {
  let node: object = tree;
  for (const [depth, step] of path.entries()) {
    if (Array.isArray(node) !== (typeof step === 'number')) return false;
    if (Array.isArray(node) && Number(step) >= node.length) return false;
    const last = depth === path.length - 1;
    const inner: unknown = Object.hasOwn(node, step) ? Reflect.get(node, step) : undefined;
    const next = last ? value : typeof inner === 'object' && inner !== null ? inner : {};
    Object.defineProperty(node, step, { value: next, writable: true, enumerable: true, configurable: true });
    if (!last) node = Object(next);
  }
  return true;
}
