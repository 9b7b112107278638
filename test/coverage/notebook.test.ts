/** The notebook that the coverage rests on: what it counts as seen, and that a table without sightings is all gaps. */

import { describe, expect, test } from 'vitest';
import { ENDPOINTS } from '../../src/betdex/wire/endpoints.ts';
import { Order } from '../../src/betdex/wire/shapes/orders.ts';
import { itemsOfSpecification } from '../support/coverage/items.ts';
import { item, Notebook, pathsOf } from '../support/coverage/notebook.ts';
import { noteAnswer, noteProblem, operationOf } from '../support/coverage/seam.ts';
import { coverage } from '../support/coverage/table.ts';

function notebook(test = 'first'): Notebook {
  const notes = new Notebook();
  notes.test = test;
  return notes;
}

describe('the notebook', () => {
  test('notes the fields and words of a value, and the first test that saw them', () => {
    const notes = notebook();
    const spot = { place: 'getOrder' };
    notes.noteValue('sandbox', { node: Order, value: { id: '1', status: 'Won', reference: null, other: 1 } }, spot);
    notes.test = 'second';
    notes.noteValue('sandbox', { node: Order, value: { id: '2', status: 'Lost' } }, { place: 'listOrders' });
    expect(notes.sighting('sandbox', 'Order.id')).toEqual({
      test: 'first',
      places: new Set(['getOrder', 'listOrders']),
    });
    expect(notes.sighting('sandbox', item.word('OrderStatus', 'Lost'))?.test).toBe('second');
    for (const name of ['Order.reference', 'Order.other', 'Order.side'])
      expect(notes.sighting('sandbox', name)).toBeUndefined();
    expect(notes.sighting('client', 'Order.id')).toBeUndefined();
  });

  test('notes the items of a choice by the shape that they are of', () => {
    const notes = notebook();
    const answer = { orders: [{ errorCode: 'INTERRUPTED' }] };
    noteAnswer(notes, 'client', { operation: 'createOrders', answer });
    expect(notes.sighting('client', 'OrderFailure.errorCode')).toBeDefined();
    expect(notes.sighting('client', 'createOrders > orders[].errorCode')).toBeDefined();
    expect(notes.sighting('client', 'Order.id')).toBeUndefined();
  });

  test('takes a refusal of a batch for covered only in the shape of the batch', () => {
    const notes = notebook();
    const plain = { title: 'Bad request', details: [] };
    noteProblem(notes, 'sandbox', { operation: 'createOrders', status: 400, problem: plain });
    expect(notes.sighting('sandbox', 'createOrders 400 in shape')).toBeUndefined();
    const keys = Object.keys(ENDPOINTS.createOrders.answer.schema.properties);
    const shape = Object.fromEntries(keys.map((key) => [key, []]));
    noteProblem(notes, 'sandbox', { operation: 'createOrders', status: 400, problem: { ...shape, ...plain } });
    expect(notes.sighting('sandbox', 'createOrders 400 in shape')).toBeDefined();
  });

  test('knows a request by its path, the literal one first', () => {
    expect(operationOf({ method: 'GET', path: '/orders/settled?page=0' })).toBe('listSettledOrders');
    expect(operationOf({ method: 'GET', path: '/orders/17' })).toBe('getOrder');
    expect(operationOf({ method: 'GET', path: '/market-prices/ladder' })).toBe('getPriceLadder');
  });

  test('lists every path of an answer once', () => {
    const paths = pathsOf(ENDPOINTS.createOrders.answer.schema);
    expect(paths).toEqual(expect.arrayContaining(['_meta._count', 'orders[].market._ids', 'orders[].errorCode']));
    expect(new Set(paths).size).toBe(paths.length);
  });
});

describe('the table', () => {
  test('of an empty notebook has a gap at every item of the specification', () => {
    const { gaps } = coverage(notebook());
    const { documents, requests, operations } = itemsOfSpecification();
    const fields = [...documents.values()].reduce((sum, each) => sum + each.length, 0);
    expect(gaps.length).toBeGreaterThan(fields + requests.length + operations.length);
  });

  test('has a gap where the sandbox sent what the client did not read', () => {
    const notes = notebook();
    const value = { id: '1' };
    notes.noteValue('sandbox', { node: Order, value }, { place: 'getOrder' });
    expect(coverage(notes).gaps).toContain('**Order**: `id` | sends |  | first');
    notes.noteValue('client', { node: Order, value }, { place: 'getOrder' });
    expect(coverage(notes).gaps).not.toContain('**Order**: `id` | sends |  | first');
  });

  test('tells of a reason given for what is seen after all', () => {
    const notes = notebook();
    notes.note('sandbox', item.word('OrderStatus', 'HalfWon'), 'getOrder');
    expect(coverage(notes).stale).toEqual(['OrderStatus: HalfWon']);
  });
});
