/** Unusual frames: valid messages are handled, each invalid one gets one problem, and the connection stays. */

import { afterEach, beforeEach, expect, test } from 'vitest';
import { StreamStage } from './stream-stage.ts';

let stage: StreamStage;

beforeEach(async () => {
  stage = await StreamStage.open();
});
afterEach(() => stage.close());

const sub = (more: object): string => JSON.stringify({ action: 'subscribe', subscriptionType: 'EventUpdate', ...more });

test.each([
  '',
  ' ',
  '0',
  '-0',
  'true',
  'null',
  '""',
  '"subscribe"',
  'NaN',
  '{',
  '{"a":1',
  '[1',
  '{}{}',
  '[][]',
  "{'action':'subscribe'}",
  '\uFEFF{}',
  '{"action":null}',
  '{"action":5}',
  '{"action":["subscribe"]}',
  '{"action":{}}',
  '{"action":"__proto__"}',
  '{"action":"constructor"}',
  '{"action":"Subscribe"}',
  '{"action":"subscribe "}',
  '{"ACTION":"subscribe"}',
  '{"action":"authenticate"}',
  '{"action":"authenticate","accessToken":null}',
  '{"action":"authenticate","accessToken":["x"]}',
  '{"action":"authenticate","token":"x"}',
  '{"action":"order"}',
  '{"action":1e308}',
  '[]',
  `[${'5,'.repeat(500)}5]`,
  '[null]',
  '[5]',
  '[""]',
  '[[{}]]',
  '[{}]',
  sub({}),
  sub({ subscriptionIds: null }),
  sub({ subscriptionIds: 'x' }),
  sub({ subscriptionIds: {} }),
  sub({ subscriptionIds: [5] }),
  sub({ subscriptionIds: [null] }),
  sub({ subscriptionIds: [['1']] }),
  sub({ subscriptionIds: ['1', 2] }),
  sub({ subscriptionIds: [true] }),
  sub({ subscriptionId: '1' }),
  sub({ subscriptionType: 'eventUpdate', subscriptionIds: ['1'] }),
  sub({ subscriptionType: null, subscriptionIds: [] }),
  sub({ subscriptionType: '*', subscriptionIds: ['*'] }),
  sub({ subscriptionType: ['EventUpdate'], subscriptionIds: ['1'] }),
  `${'['.repeat(50_000)}`,
  `${'['.repeat(9)}${']'.repeat(9)}`,
])('%s is answered by one problem, before and after authentication', async (text) => {
  const problem = {
    message: expect.stringMatching(/./),
    connectionId: expect.any(String),
    requestId: expect.any(String),
  };
  for (const token of [undefined, stage.ann.token]) {
    const client = await stage.connect(token);
    client.send(text);
    client.send(Buffer.from([1, 2, 3]));
    const problems = await client.after();
    expect(problems).toEqual([problem, problem]);
    expect(problems[0].requestId).not.toBe(problems[1].requestId);
    client.subscribe('EventUpdate', 'after');
    expect((await client.after()).map(({ type }) => type)).toEqual([
      token === undefined ? 'SubscribeNotAuthenticatedUpdate' : 'SubscribeUpdate',
    ]);
  }
});

test.each([
  '',
  ' ',
  '*',
  '**',
  '-1',
  '01',
  '1.0',
  '\u{1F40E}',
  '\u0000',
  '__proto__',
  'a b',
  '"',
  '9007199254740993',
  'x'.repeat(200),
  '1,2',
])('any id is confirmed as it was written, also “%s”, and ended so', async (id) => {
  const client = await stage.connect(stage.ann.token);
  for (const type of [
    'EventUpdate',
    'MarketUpdate',
    'MarketPriceUpdate',
    'MarketStatusUpdate',
    'OrderUpdate',
    'WalletUpdate',
  ]) {
    client.subscribe(type, id, id);
    expect(await client.after()).toEqual([{ type: 'SubscribeUpdate', subscriptionType: type, subscriptionId: id }]);
    client.unsubscribe(type, id, id);
    expect(await client.after()).toEqual([{ type: 'UnsubscribeUpdate', subscriptionType: type, subscriptionId: id }]);
  }
});

test.each([
  [sub({ subscriptionIds: ['1'], more: { deep: [1] }, action: 'subscribe' })],
  [` \r\n\t${sub({ subscriptionIds: ['1'] })}\n `],
  [`[${sub({ subscriptionIds: ['1'] })}]`],
  ['{"action":"subscribe","action":"subscribe","subscriptionType":"\\u0045ventUpdate","subscriptionIds":["\\u0031"]}'],
  [`{"__proto__":{"action":"authenticate"},${sub({ subscriptionIds: ['1'] }).slice(1)}`],
])('unknown fields, space and escapes are read as JSON has them: %s', async (text) => {
  const client = await stage.connect(stage.ann.token);
  client.send(text);
  expect(await client.after()).toEqual([
    { type: 'SubscribeUpdate', subscriptionType: 'EventUpdate', subscriptionId: '1' },
  ]);
});

test('no ids are nothing to confirm', async () => {
  const client = await stage.connect(stage.ann.token);
  for (const action of ['subscribe', 'unsubscribe'])
    client.send({ action, subscriptionType: 'OrderUpdate', subscriptionIds: [] });
  expect(await client.after()).toEqual([]);
});
