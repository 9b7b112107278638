/** A run whose journal fails: which of its orders are cancelled past it, whatever the ledger knew of them. */

import { expect, it } from 'vitest';
import { stage } from '../support/engine/bot-stage.ts';
import type { PlainExchange } from '../support/engine/plain-exchange.ts';

const FAILS_AT = 5_000;
const FULL = 'failed: no space left on the device';

/** A run with one order, whose journal is full after five seconds; and its cancellation, which goes on with `until`. */
function failed(arrange: (exchange: PlainExchange) => void = () => undefined) {
  const { until, journal, bot, exchange, outcome } = stage();
  arrange(exchange);
  until(FAILS_AT);
  journal.isFull = true;
  bot.halt('command', 'which cannot be written');
  until(FAILS_AT + 300);
  expect(outcome()).toBe(FULL);
  return { exchange, ...cancelled({ bot, exchange, until }) };
}

function cancelled({ bot, exchange, until }: Pick<ReturnType<typeof stage>, 'bot' | 'exchange' | 'until'>) {
  /** How many were live, after each reading. */
  const said: number[] = [];
  let isDone = false;
  bot.emergencyCancel().subscribe({
    next: (left) => said.push(left),
    complete: () => {
      isDone = true;
    },
  });
  return {
    said,
    isDone: () => isDone,
    after: (ms: number) => until(FAILS_AT + 300 + ms),
    statuses: () => [...exchange.orders.values()].map(({ status }) => status),
  };
}

it('an order that is known is cancelled, and read until it is gone', () => {
  const { after, isDone, said, statuses } = failed();
  after(50);
  expect({ said, isDone: isDone(), statuses: statuses() }).toEqual({
    said: [0],
    isDone: true,
    statuses: ['Cancelled'],
  });
});

it('an order whose answer was lost is found among what the exchange holds', () => {
  const { after, isDone, said, statuses } = failed((exchange) => {
    exchange.placing = 'loses';
    exchange.tellsOrders = false;
  });
  expect(statuses()).toEqual(['Unmatched']);
  after(500);
  expect({ said, isDone: isDone(), statuses: statuses() }).toEqual({
    said: [1, 0],
    isDone: true,
    statuses: ['Cancelled'],
  });
});

it('an order that may come to be is looked for, and cancelled when it is there', () => {
  const { exchange, after, isDone, said, statuses } = failed((exchange) => {
    exchange.placing = 'never arrives';
  });
  after(3_000);
  expect(said.length).toBeGreaterThan(8);
  expect({ most: Math.max(...said), isDone: isDone() }).toEqual({ most: 0, isDone: false });
  exchange.placeForeign({ client: 1, reference: 'run-s-1' });
  after(4_000);
  expect({ isDone: isDone(), statuses: statuses() }).toEqual({ isDone: true, statuses: ['Cancelled'] });
});

it('an order that never left is not waited for', () => {
  const { until, journal, bot, exchange, outcome } = stage();
  const append = journal.append.bind(journal);
  journal.append = (at, record) => {
    if (record.kind === 'sent') journal.isFull = true;
    append(at, record);
  };
  until(FAILS_AT + 300);
  expect(outcome()).toBe(FULL);
  const { after, isDone, said } = cancelled({ bot, exchange, until });
  after(50);
  expect([...bot.ledger.liveOrders()].length, 'in the ledger').toBe(1);
  expect({ said, isDone: isDone(), orders: exchange.orders.size }).toEqual({ said: [0], isDone: true, orders: 0 });
});

it('a reading that fails is made again', () => {
  const { exchange, after, isDone, said, statuses } = failed((exchange) => {
    exchange.placing = 'loses';
    exchange.tellsOrders = false;
  });
  exchange.tellsBooks = false;
  after(3_000);
  expect({ said, isDone: isDone() }).toEqual({ said: [], isDone: false });
  exchange.tellsBooks = true;
  after(4_000);
  expect({ said, isDone: isDone(), statuses: statuses() }).toEqual({
    said: [1, 0],
    isDone: true,
    statuses: ['Cancelled'],
  });
});

it('an order that stays live is said to be, again and again', () => {
  const { after, isDone, said } = failed((exchange) => {
    exchange.cancelling = 'does nothing';
  });
  after(3_000);
  expect(new Set(said)).toEqual(new Set([1]));
  expect(said.length).toBeGreaterThan(5);
  expect(isDone()).toBe(false);
});

it('an order of somebody else is left alone', () => {
  const { exchange, after, isDone } = failed();
  const other = exchange.placeForeign();
  after(1_000);
  expect(exchange.orders.get(other.order)?.status).toBe('Unmatched');
  expect(isDone()).toBe(true);
});
