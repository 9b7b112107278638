/** Compares a document with what was made of it again: each of its values is there, or is named as one that is not read. */

import { expect } from 'vitest';

type Leaf = string | number | boolean | null;

/** Values by their place, such as `result.0.runners.3.ex.availableToBack.0.price`. */
export function leavesOf(value: unknown, path = '', into = new Map<string, Leaf>()): Map<string, Leaf> {
  if (value === undefined) return into;
  if (typeof value !== 'object' || value === null) return into.set(path, value as Leaf);
  for (const [key, each] of Object.entries(value)) leavesOf(each, path === '' ? key : `${path}.${key}`, into);
  return into;
}

/** Places that are not read with the reason, `*` for any part of a place. */
export type NotRead = Readonly<Record<string, string>>;

/**
 * Each value of `document` is at its place in `rebuilt`, which was made of what the program has read, or its place is in `notRead`. No place is
 * in the list that the document does not have, or that is read after all.
 */
export function expectKept(document: unknown, rebuilt: unknown, notRead: NotRead): void {
  const kept = leavesOf(rebuilt);
  const patterns = Object.keys(notRead).map((pattern) => ({ pattern, parts: pattern.split('.'), isUsed: false }));
  const lost: string[] = [];
  for (const [path, value] of leavesOf(document)) {
    const match = patterns.find(({ parts }) => covers(parts, path.split('.')));
    if (match !== undefined) match.isUsed = true;
    if (kept.has(path)) {
      expect([path, kept.get(path)]).toEqual([path, value]);
      expect(match?.pattern, `${path} is read`).toBeUndefined();
    } else if (match === undefined) lost.push(`${path} = ${value}`);
    kept.delete(path);
  }
  expect(lost, 'values that are not kept').toEqual([]);
  expect([...kept], 'values that the document does not have').toEqual([]);
  expect(
    patterns.filter(({ isUsed }) => !isUsed).map(({ pattern }) => pattern),
    'places that the document does not have',
  ).toEqual([]);
}

/** A pattern covers all that is below its place. */
function covers(pattern: readonly string[], path: readonly string[]): boolean {
  return pattern.length <= path.length && pattern.every((part, index) => part === '*' || part === path[index]);
}
