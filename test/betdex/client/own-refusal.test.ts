/** Which refusals are the exchange's own: only they prove that nothing was done. */

import { expect, test } from 'vitest';
import { stage } from '../../support/betdex/client-stage.ts';
import { problem, replied, type Scripted } from '../../support/betdex/scripted-transport.ts';

const PAGE = '<html><body>Not here</body></html>';

/** Refusals with status 403 that a proxy in front of the exchange may have written. */
const OTHERS: readonly (readonly [string, Scripted['reply']])[] = [
  ['no body at all', replied(403, '')],
  ['JSON of another shape', replied(403, { message: 'Forbidden' })],
  ["another API's problem", replied(403, { type: 'about:blank', title: 'Forbidden', status: 403 })],
  ['a title whose details are no list', replied(403, { title: 'Forbidden', details: 'by the firewall' })],
  ['a problem cut short', replied(403, '{"title":"Forbidden","details":["heart')],
  ['a list', replied(403, [])],
  [
    "the API's problem as a page",
    replied(403, { title: 'x', details: [] }, { contentType: 'text/html; charset=utf-8' }),
  ],
  ["the API's problem of no type", replied(403, { title: 'x', details: [] }, { contentType: '' })],
];

/** The outcome of placing an order to which this is the reply. */
function ordered(reply: Scripted['reply']) {
  const context = stage({ script: () => ({ reply }) });
  const outcomes = context.call('createOrders', { body: {} });
  context.run(60_000);
  return { sent: context.sent().length, outcomes };
}

test.each(OTHERS)('an order that is answered with 403 and %s may exist', (_, reply) => {
  expect(ordered(reply)).toMatchObject({ sent: 1, outcomes: [{ status: 403, isOwn: false, mayHaveActed: true }] });
});

test("the exchange's own 403 says that nothing was done, as a problem or in the shape of a batch", () => {
  const batch = { _meta: { _primary_document: 'orders', _count: 0 }, orders: [] };
  for (const body of [{ title: 'Forbidden', details: ['lapsed'] }, batch]) {
    const reply = replied(403, body, { contentType: 'application/json; charset=utf-8' });
    expect(ordered(reply)).toMatchObject({ sent: 1, outcomes: [{ isOwn: true, mayHaveActed: false }] });
  }
});

test("an order goes again with another token on the exchange's own 401 alone", () => {
  expect(ordered(problem(401))).toMatchObject({ sent: 2, outcomes: [{ isOwn: true, mayHaveActed: false }] });
  expect(ordered(replied(401, PAGE))).toMatchObject({ sent: 1, outcomes: [{ isOwn: false, mayHaveActed: true }] });
});

test('a log-in that a proxy refuses says nothing about our key', () => {
  const context = stage({ before: () => ({ reply: replied(403, PAGE) }) });
  const outcomes = context.call('listCategories', {});
  context.run(60_000);
  expect(outcomes).toMatchObject([{ kind: 'failed', code: 'BAD_ANSWER' }]);
  expect(context.events).toMatchObject([{ kind: 'sessionFailed' }]);
  expect(context.events[0]).not.toHaveProperty('status');
});
