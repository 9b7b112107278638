/** The whole API between the typed client and the sandbox, over HTTP and WebSocket; what was seen is api-coverage.md beside it. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Floor } from '../support/coverage/floor.ts';
import { Notebook } from '../support/coverage/notebook.ts';
import { Stage } from '../support/coverage/stage.ts';
import { coverage } from '../support/coverage/table.ts';
import { holdersChapter, moneyChapter } from './accounts-chapter.ts';
import { catalogueChapter, pricesChapter } from './catalogue-chapter.ts';
import { ordersChapter } from './orders-chapter.ts';
import { statusesChapter } from './statuses-chapter.ts';
import { streamChapter } from './stream-chapter.ts';

const notes = new Notebook();
let stage: Stage;
let floor: Floor;

beforeAll(async () => {
  stage = await Stage.open(notes);
  floor = await Floor.open(stage);
});

beforeEach(({ task }) => {
  notes.test = task.name;
});

afterAll(() => stage.close());

const floorOf = () => floor;
holdersChapter(floorOf);
catalogueChapter(floorOf);
ordersChapter(floorOf);
pricesChapter(floorOf);
moneyChapter(floorOf);
streamChapter(floorOf);
statusesChapter(floorOf);

/** These come last: they look at what all the others saw. */
describe('the table', () => {
  test('has no empty cell', () => {
    expect(coverage(notes).gaps).toEqual([]);
  });

  test('gives no reason for what was seen after all', () => {
    expect(coverage(notes).stale).toEqual([]);
  });

  test('is the committed one (npm run make:coverage writes it anew)', async () => {
    await expect(coverage(notes).text).toMatchFileSnapshot('./api-coverage.md');
  });
});
