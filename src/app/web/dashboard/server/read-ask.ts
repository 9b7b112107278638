/** Reads from an address which page is asked for: whatever it says, what comes out is small and well formed. */

import { type Ask, PAGES } from '../../../../pages/panels.ts';

const TEXT_MAX = 100;
const FROM_MAX = 1_000_000;

export function readAsk(query: URLSearchParams): Ask {
  const text = (name: string): string => (query.get(name) ?? '').slice(0, TEXT_MAX);
  const which = query.get('which');
  const from = Number(query.get('from') ?? 0);
  return {
    page: PAGES.find((page) => page === query.get('page')) ?? 'now',
    id: text('id'),
    outcome: text('outcome'),
    from: Number.isInteger(from) && from >= 0 && from <= FROM_MAX ? from : 0,
    find: text('find').toLowerCase(),
    which: which === 'own' || which === 'live' ? which : 'all',
  };
}

/** Two that read the same page have the same key, and what they are shown is made once. */
export function askKey({ page, id, outcome, from, find, which }: Ask): string {
  return JSON.stringify([page, id, outcome, from, find, which]);
}
