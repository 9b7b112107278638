/** The entries of the package. */

import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** How each is imported, what it is for, and the name of its page. */
export const ENTRIES = [
  {
    module: 'index',
    page: 'oddsmith',
    title: 'oddsmith',
    about: 'What strategies import. [../strategies.md](../strategies.md) is the guide.',
  },
  {
    module: 'testing',
    page: 'testing',
    title: 'oddsmith/testing',
    about: 'Tests of strategies without a tape. [../strategies.md](../strategies.md), "Tests", is the guide.',
  },
  {
    module: 'backtest',
    page: 'backtest',
    title: 'oddsmith/backtest',
    about: 'Backtests, tapes and imports inside a program. [../library.md](../library.md) is the guide.',
  },
  {
    module: 'client',
    page: 'client',
    title: 'oddsmith/client',
    about: 'The exchange API for programs. [../client.md](../client.md) is the guide.',
  },
] as const;

/** Title of the names that another entry describes. */
export const SHARED = 'Exported here as well, and described elsewhere';

export function entryOf(page: string): (typeof ENTRIES)[number] {
  const entry = ENTRIES.find((each) => each.page === page);
  if (entry === undefined) throw new Error(`${page} is the page of no entry`);
  return entry;
}
