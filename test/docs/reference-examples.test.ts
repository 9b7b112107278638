/** What the examples of docs/api say of a value is the value; that they type-check is a test of the reference itself. */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as root from 'oddsmith';
import { describe, expect, test } from 'vitest';
import { blocksIn, textOf } from '../support/docs/blocks.ts';
import { ROOT } from '../support/places.ts';

const blocks = readdirSync(join(ROOT, 'docs/api'))
  .map((name) => `docs/api/${name}`)
  .flatMap((document) => blocksIn(document, textOf(document)));

describe('what an example says of a value is the value', () => {
  const said = blocks.flatMap(({ text }) => [...text.matchAll(/^(\w+\(.*\)); \/\/ (.+)$/gm)]);

  test.each(said.map(([, expression = '', value = '']) => ({ expression, value })))(
    '$expression',
    ({ expression, value }) => {
      const call = new Function(...Object.keys(root), `return ${expression};`);
      expect(call(...Object.values(root))).toBe(Number(value));
    },
  );

  test('and there are some', () => expect(said.length).toBeGreaterThan(4));
});
