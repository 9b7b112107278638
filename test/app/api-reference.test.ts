/** docs/api is what the docstrings say. */

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { apiReference } from '../../tools/api-reference.ts';

const folder = new URL('../../docs/api/', import.meta.url);

test('the API reference is up to date; else run: npm run make:api', async () => {
  const pages = await apiReference();
  expect(readdirSync(folder).sort()).toEqual([...pages.keys()].sort());
  for (const [name, text] of pages) expect(readFileSync(new URL(name, folder), 'utf8') === text, name).toBe(true);
});
