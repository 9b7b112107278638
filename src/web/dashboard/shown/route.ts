/** Which page the address names, after its `#`, and the address of another one. */

import { useEffect, useState } from 'preact/hooks';
import { type Ask, PAGES, type PageName } from '../../../pages/panels.ts';

export type Route = { readonly page: PageName } & Readonly<
  Partial<Record<'id' | 'outcome' | 'from' | 'find' | 'which', string>>
>;

export function useRoute(pages: readonly PageName[]): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const read = (): void => setHash(location.hash);
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const page = PAGES.find((name) => name === path && pages.includes(name)) ?? pages[0] ?? 'now';
  return { ...Object.fromEntries(new URLSearchParams(query)), page };
}

export function addressOf({ page, ...rest }: Route): string {
  const query = queryOf(rest);
  return `#/${page}${query === '' ? '' : `?${query}`}`;
}

/** The address from which a page is fed. */
export function eventsOf(route: Route): string {
  return `/events?${queryOf(route)}`;
}

export function go(route: Route): void {
  location.hash = addressOf(route);
}

export function whichOf({ which }: Route): Ask['which'] {
  return which === 'own' || which === 'live' ? which : 'all';
}

function queryOf(parts: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parts)) if (value !== undefined && value !== '') query.set(name, value);
  return query.toString();
}
