/** The API reference in docs/api, made from the docstrings of what the package exports. */

import { type Entry, surfaces } from './api/entries.ts';
import { addressesOf } from './api/layout.ts';
import { missingDescriptions } from './api/missing.ts';
import { pageOf } from './api/page.ts';
import type { Declared } from './api/public-surface.ts';

/** Text of each page by its name in docs/api. @throws Error where a description is missing, with the place of each */
export function apiReference(): ReadonlyMap<string, string> {
  const all = surfaces('src');
  const missing = [...new Set([...all.values()].flatMap(missingDescriptions))];
  if (missing.length > 0) throw new Error(`Without a description:\n${missing.join('\n')}`);
  return pagesOf(all);
}

/** Names, types and docstrings alone decide it. */
export function pagesOf(all: ReadonlyMap<Entry, readonly Declared[]>): ReadonlyMap<string, string> {
  const addresses = addressesOf(all);
  return new Map([...all].map(([entry, surface]) => [`${entry.page}.md`, pageOf(entry, surface, addresses)]));
}
