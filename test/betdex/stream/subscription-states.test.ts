/** The state of each subscription of a connection. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SubscriptionStates } from '../../../src/betdex/stream/subscription-states.ts';

const TYPE = 'MarketUpdate';

test('asks in one message a type, ids sorted, money first, and no more than there is room for', () => {
  const states = new SubscriptionStates([
    { type: 'EventUpdate', id: '1' },
    { type: 'MarketUpdate', id: '9' },
    { type: 'MarketUpdate', id: '10' },
    { type: 'WalletUpdate', id: '*' },
    { type: 'OrderUpdate', id: 'b' },
  ]);
  expect(states.ask(3, 0)).toEqual([
    { type: 'OrderUpdate', ids: ['b'] },
    { type: 'WalletUpdate', ids: ['*'] },
    { type: 'MarketUpdate', ids: ['10'] },
  ]);
  expect(states.waiting).toBe(2);
  expect(states.ask(0, 0)).toEqual([]);
  expect(states.ask(10, 0).map(({ type }) => type)).toEqual(['MarketUpdate', 'EventUpdate']);
  expect(states.waiting).toBe(0);
});

test('an id that was ended and wanted again counts as confirmed with the last reply alone', () => {
  const states = new SubscriptionStates([{ type: TYPE, id: '1' }]);
  states.ask(1, 0);
  expect(states.unwant(TYPE, '1')).toBe(true);
  states.want(TYPE, '1');
  states.ask(1, 0);
  expect(states.reply('SubscribeUpdate', TYPE, '1')).toBeUndefined();
  expect(states.reply('UnsubscribeUpdate', TYPE, '1')).toBeUndefined();
  expect(states.isSettled).toBe(false);
  expect(states.reply('SubscribeUpdate', TYPE, '1')).toMatchObject({ id: '1' });
  expect(states.isConfirmed({ type: TYPE, id: '1' })).toBe(true);
});

test('an id that was not asked for yet is ended without a word', () => {
  const states = new SubscriptionStates([{ type: TYPE, id: '1' }]);
  expect(states.unwant(TYPE, '1')).toBe(false);
  expect(states.isSettled).toBe(true);
  expect(states.ask(5, 0)).toEqual([]);
});

test('replies to nothing change nothing', () => {
  const states = new SubscriptionStates([{ type: TYPE, id: '1' }]);
  expect(states.reply('SubscribeUpdate', TYPE, '1')).toBeUndefined();
  expect(states.reply('SubscribeUpdate', 'NewUpdate', '1')).toBeUndefined();
  expect(states.reply('UnsubscribeUpdate', TYPE, '2')).toBeUndefined();
  expect(states.confirmed()).toEqual([]);
});

test('only what was asked for in time past is given up, and may still be confirmed', () => {
  const states = new SubscriptionStates([{ type: TYPE, id: '1' }]);
  states.ask(1, 100);
  states.want(TYPE, '2');
  states.ask(1, 200);
  expect(states.firstAskedAt).toBe(100);
  expect(states.giveUp(150).map(({ id }) => id)).toEqual(['1']);
  expect(states.firstAskedAt).toBe(200);
  expect(states.isSettled).toBe(false);
  states.reply('SubscribeUpdate', TYPE, '2');
  expect(states.isSettled).toBe(true);
  expect(states.reply('SubscribeUpdate', TYPE, '1')).toMatchObject({ id: '1' });
});

test('what was given up is asked for again, and ended by one reply, whether the late one comes or not', () => {
  for (const isLate of [true, false]) {
    const states = new SubscriptionStates([{ type: TYPE, id: '1' }]);
    states.ask(1, 100);
    states.giveUp(100);
    states.askAgain();
    expect([states.waiting, states.isSettled]).toEqual([1, false]);
    expect(states.ask(5, 200)).toEqual([{ type: TYPE, ids: ['1'] }]);
    expect(states.reply('SubscribeUpdate', TYPE, '1')).toMatchObject({ id: '1' });
    if (isLate) expect(states.reply('SubscribeUpdate', TYPE, '1')).toBeUndefined();
    states.want(TYPE, '2');
    states.ask(5, 300);
    states.giveUp(300);
    expect(states.unwant(TYPE, '2')).toBe(true);
    if (isLate) expect(states.reply('SubscribeUpdate', TYPE, '2')).toBeUndefined();
    expect(states.reply('UnsubscribeUpdate', TYPE, '2')).toMatchObject({ id: '2' });
    states.askAgain();
    expect(states.ask(5, 400)).toEqual([]);
    expect(states.confirmed().map(({ id }) => id)).toEqual(['1']);
  }
});

test('after any requests and an exchange that answers each message in order, exactly the wanted ids are confirmed', () => {
  const move = fc.tuple(fc.constantFrom('want', 'unwant', 'ask', 'answer'), fc.constantFrom('1', '2', '3'));
  fc.assert(
    fc.property(fc.array(move, { maxLength: 60 }), (moves) => {
      const states = new SubscriptionStates([]);
      const wanted = new Set<string>();
      const atExchange = new Set<string>();
      const queue: (readonly ['SubscribeUpdate' | 'UnsubscribeUpdate', string])[] = [];
      const ask = (): void => {
        for (const { ids } of states.ask(2, 0)) for (const id of ids) queue.push(['SubscribeUpdate', id]);
      };
      const answer = (): void => {
        const [kind, id = ''] = queue.shift() ?? [];
        if (kind === undefined) return;
        if (kind === 'SubscribeUpdate') atExchange.add(id);
        else atExchange.delete(id);
        states.reply(kind, TYPE, id);
      };
      for (const [what, id] of moves) {
        if (what === 'want') wanted.add(id);
        if (what === 'want') states.want(TYPE, id);
        if (what === 'unwant') wanted.delete(id);
        if (what === 'unwant' && states.unwant(TYPE, id)) queue.push(['UnsubscribeUpdate', id]);
        if (what === 'ask') ask();
        if (what === 'answer') answer();
      }
      ask();
      ask();
      while (queue.length > 0) answer();
      expect(states.isSettled).toBe(true);
      expect(new Set(states.confirmed().map(({ id }) => id))).toEqual(wanted);
      expect(atExchange).toEqual(wanted);
    }),
    { numRuns: 500 },
  );
});
