/** In which order a page shows what an entry exports, and the anchors of its headings. */

import type { Entry } from './entries.ts';
import type { Declared } from './public-surface.ts';

const GROUPS = [
  { kind: 'function', title: 'Functions' },
  { kind: 'class', title: 'Classes' },
  { kind: 'constant', title: 'Constants' },
  { kind: 'type', title: 'Types' },
] as const;

export interface Group {
  readonly title: string;
  readonly all: readonly Declared[];
}

/** Groups that are not empty, each by name. */
export function groupsOf({ page }: Entry, surface: readonly Declared[]): readonly Group[] {
  const own = surface.filter((declared) => declared.page === page).sort(byName);
  return GROUPS.map(({ kind, title }) => ({ title, all: own.filter((declared) => declared.kind === kind) })).filter(
    ({ all }) => all.length > 0,
  );
}

export function byName(a: Declared, b: Declared): number {
  return a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1;
}

export function headingOf({ kind, name }: Pick<Declared, 'kind' | 'name'>): string {
  return kind === 'function' ? `${name}()` : name;
}

/** The address of each export, `page.md#anchor` by page and name, as GitHub makes anchors: `Param` after `param` is `param-1`. */
export function addressesOf(surfaces: ReadonlyMap<Entry, readonly Declared[]>): ReadonlyMap<string, string> {
  const addresses = new Map<string, string>();
  for (const [entry, surface] of surfaces) {
    const seen = new Map<string, number>();
    const anchor = (heading: string) => {
      const plain = heading
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, '')
        .replaceAll(' ', '-');
      const times = seen.get(plain) ?? 0;
      seen.set(plain, times + 1);
      return times === 0 ? plain : `${plain}-${times}`;
    };
    for (const heading of [entry.title, 'Contents']) anchor(heading);
    for (const { title, all } of groupsOf(entry, surface)) {
      anchor(title);
      for (const declared of all) addresses.set(keyOf(declared), `${entry.page}.md#${anchor(headingOf(declared))}`);
    }
  }
  return addresses;
}

export function keyOf({ page, name }: { readonly page: string; readonly name: string }): string {
  return `${page} ${name}`;
}
