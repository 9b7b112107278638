/** How best-few ladders are read, on small synthetic streams. */

import { expect, test } from 'vitest';
import { DEFINITION, imported, rc } from '../support/imported-stream.ts';
import { ladder } from '../support/made-stream.ts';

test('a level pushed out of a window is remembered until the window covers its price', async () => {
  const { updates } = await imported([
    {},
    rc({ id: 1, batb: ladder('0 2 1, 1 1.9 2, 2 1.8 3'), batl: [[0, 2.1, 1]] }),
    rc({ id: 1, batb: ladder('0 2.02 9, 1 2 1, 2 1.9 2') }),
    rc({ id: 1, batb: ladder('0 2 1, 1 1.9 2, 2 1.7 4') }),
    rc({ id: 1, batb: [[0, 2.2, 8]] }),
  ]);
  expect(updates.slice(2)).toEqual([
    'level 1 Against 2.02 9',
    // 1.8 was remembered; the window now reaches to 1.7 and does not show it, nor 2.02.
    'level 1 Against 1.8 0, level 1 Against 2.02 0, level 1 Against 1.7 4',
    // The new best price replaces the old one and evicts what it crosses on the other side.
    'level 1 For 2.1 0, level 1 Against 2 0, level 1 Against 2.2 8',
  ]);
});

test('a level that is replaced while its window has room is gone, and the depth is what the source shows', async () => {
  const { updates, markets } = await imported([
    {},
    rc({ id: 1, batb: ladder('0 2 1, 1 1.9 2') }, { id: 2, batl: ladder('0 3 1, 1 3.1 2, 2 3.2 3') }),
    rc({ id: 1, batb: [[1, 1.95, 5]] }, { id: 2, batl: [[2, 3.15, 4]] }),
    rc({ id: 2, batl: ladder('0 2.98 9, 1 3 1, 2 3.1 2') }),
  ]);
  expect(updates.slice(2)).toEqual([
    // The window of 1 shows all there is; the better 3.15 covers less than 3.2 did.
    'level 1 Against 1.9 0, level 1 Against 1.95 5, level 2 For 3.15 4',
    'level 2 For 2.98 9',
  ]);
  expect(markets[0]).toMatchObject({ grade: 'B-', depth: 3 });
});

test('where windows turn out to be deeper, nothing had been pushed out of them before', async () => {
  const { updates, markets } = await imported([
    {},
    rc({ id: 1, batb: [[0, 2, 1]] }),
    rc({ id: 1, batb: [[0, 2.02, 2]] }),
    rc({ id: 2, batl: [[1, 3, 1]] }),
  ]);
  expect(updates.slice(2)).toEqual(['level 1 Against 2.02 2', 'level 1 Against 2 0, level 2 For 3 1']);
  expect(markets[0]?.depth).toBe(2);
});

test('levels out of sight are forgotten when the market turns in play', async () => {
  const inPlay = { marketDefinition: { ...DEFINITION, turnInPlayEnabled: true, inPlay: true } };
  const { updates } = await imported([
    { marketDefinition: { ...DEFINITION, turnInPlayEnabled: true } },
    rc({ id: 1, batl: [[0, 2, 1]] }),
    rc({ id: 1, batl: [[0, 1.9, 2]] }),
    inPlay,
    rc({ id: 1, batl: [[0, 1.8, 3]] }),
    { marketDefinition: { ...inPlay.marketDefinition, betDelay: 5 } },
  ]);
  expect(updates.slice(2)).toEqual([
    'level 1 For 1.9 2',
    'definition, level 1 For 2 0',
    'level 1 For 1.8 3',
    'definition',
  ]);
});
