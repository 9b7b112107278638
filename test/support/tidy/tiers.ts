/** Fast tests do not wait: none of them reaches a process or a socket through what it imports from the tests' side. */

import { matchesGlob } from 'node:path';
import { PROCESSES, PROOFS } from '../../tiers.ts';
import { importsOf } from './imports.ts';
import { type Breach, breach, type Source } from './source.ts';

const OUTSIDE: ReadonlySet<string> = new Set([
  ...['node:child_process', 'node:worker_threads', 'node:net', 'node:http', 'node:https', 'node:tls'],
  ...['ws', 'undici', 'fastify', 'playwright-core'],
]);

const SLOW: readonly string[] = [...PROCESSES, ...PROOFS];

export function tierBreaches(sources: readonly Source[]): readonly Breach[] {
  const byPath = new Map(sources.map((each) => [each.path, each]));
  return sources
    .filter(({ path }) => path.endsWith('.test.ts') && !SLOW.some((glob) => matchesGlob(path, glob)))
    .flatMap((from) => {
      const trail = outside(from, byPath, new Set());
      if (trail === undefined) return [];
      const what = `reaches ${trail.join(' <- ')}: it belongs to PROCESSES or PROOFS of test/tiers.ts`;
      return [breach(from, from.tree, what)];
    });
}

/** What starts or listens, and the files through which it is reached, the nearest last. */
function outside(from: Source, byPath: ReadonlyMap<string, Source>, seen: Set<string>): readonly string[] | undefined {
  seen.add(from.path);
  for (const { specifier, target, erased } of importsOf(from)) {
    if (erased) continue;
    if (OUTSIDE.has(specifier)) return [specifier];
    if (target === undefined || !target.startsWith('test/') || seen.has(target)) continue;
    const next = byPath.get(target);
    const trail = next === undefined ? undefined : outside(next, byPath, seen);
    if (trail !== undefined) return [...trail, target];
  }
  return undefined;
}
