/** What somebody before the exchange says with status 200 is never read as an answer, above all not as an empty list. */

import { expect, test } from 'vitest';
import { readAnswer } from '../../../src/betdex/client/answer-reader.ts';
import { ENDPOINTS, type Operation } from '../../../src/betdex/wire/endpoints.ts';

const OPERATIONS = Object.keys(ENDPOINTS) as Operation[];
const PAGES = [
  '{"message":"no healthy upstream","code":404}',
  '{"type":"about:blank","title":"Not Found","status":404}',
  '{"_meta":"none"}',
  '{}',
  '[]',
  'null',
  '"ok"',
];

test.each(OPERATIONS)('%s, however it is read', (operation) => {
  const { primary } = ENDPOINTS[operation].answer;
  for (const reading of ['lenient', 'strict'] as const)
    for (const body of [...PAGES, `{"${primary}":null}`, `{"${primary}":""}`])
      expect([body, reading, readAnswer(operation, body, reading).kind]).toEqual([body, reading, 'faults']);
});

test.each(OPERATIONS)('%s is read by the lenient reader where its head or one of its lists is there', (operation) => {
  const lists = Object.entries(ENDPOINTS[operation].answer.schema.properties).filter(
    ([, { type }]) => type === 'array',
  );
  for (const body of ['{"_meta":{}}', ...lists.map(([key]) => `{"${key}":[]}`)])
    expect([body, readAnswer(operation, body, 'lenient').kind]).toEqual([body, 'read']);
});
