/** The pictures of docs/how-it-decides.md are what runs on the bundled recording give. */

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { pictures } from '../../tools/pictures/pictures.ts';

const folder = new URL('../../docs/pictures/', import.meta.url);

const drawn = await pictures();

test('each picture is up to date; else run: npm run make:pictures', () => {
  expect(
    readdirSync(folder)
      .filter((name) => name.endsWith('.svg'))
      .sort(),
  ).toEqual([...drawn.keys()].sort());
  for (const [name, text] of drawn) expect(readFileSync(new URL(name, folder), 'utf8') === text, name).toBe(true);
});

test('what the pictures claim is in the runs: the bounds are matched in their order, and later prices are worse', () => {
  expect(drawn.get('delay.svg')).toContain('Decided on 3.5, matched at 2.4');
  expect(drawn.get('queue.svg')).toContain('joins the queue behind 21.82');
  expect(drawn.get('queue.svg')).toMatch(/optimistic.*central.*pessimistic/);
});
