/** Reads of categories, subcategories, event groups, participants and sources of references. */

import { expect, test } from 'vitest';
import { CATALOGUE_OPERATIONS as operations } from '../../../src/sandbox/operations/catalogue/catalogue.ts';
import { asker } from '../../support/sandbox/ask.ts';
import { WorldBuilder } from '../../support/sandbox/world-builder.ts';

const builder = new WorldBuilder().catalogue();
builder.refer('subcategory', 'FOOTBALL', 'soccer');
builder.refer('subcategory', 'FOOTBALL', 'football');
builder.refer('eventGroup', 'EPL', 'premier/league');
builder.refer('participant', 'ARS', 'gunners');
const { ask } = asker(operations, { context: builder.context, caller: builder.caller(builder.app('trader')) });
const fft = (reference: string) => ({ path: { source: 'FFT', reference } });

const ids = (documents: readonly { readonly id: string | number }[]) => documents.map(({ id }) => id);

test('lists categories and finds one', () => {
  const all = ask('listCategories');
  expect(all._meta).toEqual({ _primary_document: 'categories', _count: 2 });
  expect(ids(all.categories)).toEqual(['SPORT', 'POLITICS']);
  const one = ask('getCategory', { path: { id: 'SPORT' } });
  expect(one.categories).toEqual([
    { id: 'SPORT', name: 'Sport', createdAt: '2026-03-24T12:00:00.000Z', modifiedAt: '2026-03-24T12:00:00.000Z' },
  ]);
});

test('lists subcategories with the categories above them, and their references', () => {
  const all = ask('listSubcategories');
  expect(ids(all.subcategories)).toEqual(['FOOTBALL', 'ELECTIONS']);
  expect(all.categories).toEqual([
    { id: 'SPORT', name: 'Sport' },
    { id: 'POLITICS', name: 'Politics' },
  ]);
  expect(all.subcategories[0]?.externalReferences).toEqual({ _ref: 'externalReferences.id', _ids: ['1', '2'] });
  expect(all.subcategories[1]?.externalReferences).toEqual({ _ref: 'externalReferences.id', _ids: [] });
  expect(all.externalReferences).toEqual([
    { id: 1, source: 'FFT', externalReference: 'soccer' },
    { id: 2, source: 'FFT', externalReference: 'football' },
  ]);
});

test.each([
  ['categoryIds=SPORT', ['FOOTBALL']],
  ['categoryIds=SPORT%2CPOLITICS', ['FOOTBALL', 'ELECTIONS']],
  ['categoryIds=nothing', []],
  ['categoryIds=', []],
])('subcategories by %s', (query, expected) => {
  const found = ask('listSubcategories', { query });
  expect(ids(found.subcategories)).toEqual(expected);
  for (const { category } of found.subcategories) expect(category._ref).toBe('categories.id');
});

test('one subcategory, by id and by either of its references', () => {
  const byId = ask('getSubcategory', { path: { id: 'FOOTBALL' } });
  for (const reference of ['soccer', 'football']) expect(ask('findSubcategories', fft(reference))).toEqual(byId);
  expect(ids(byId.subcategories)).toEqual(['FOOTBALL']);
});

test('an unknown reference or source finds nothing, which is no error', () => {
  for (const path of [
    { source: 'FFT', reference: 'no-such' },
    { source: 'constructor', reference: 'soccer' },
  ]) {
    expect(ask('findSubcategories', { path }).subcategories).toEqual([]);
    expect(ask('findEventGroups', { path }).eventGroups).toEqual([]);
    expect(ask('findParticipants', { path }).participants).toEqual([]);
  }
});

test('lists event groups with both levels above them, by subcategory, by id and by reference', () => {
  const all = ask('listEventGroups');
  expect([ids(all.eventGroups), ids(all.subcategories), ids(all.categories)]).toEqual([
    ['EPL', 'SENATE'],
    ['FOOTBALL', 'ELECTIONS'],
    ['SPORT', 'POLITICS'],
  ]);
  const football = ask('listEventGroups', { query: 'subcategoryIds=FOOTBALL' });
  expect([ids(football.eventGroups), ids(football.subcategories), ids(football.categories)]).toEqual([
    ['EPL'],
    ['FOOTBALL'],
    ['SPORT'],
  ]);
  expect(ask('getEventGroup', { path: { id: 'EPL' } })).toEqual(football);
  expect(ask('findEventGroups', fft('premier/league'))).toEqual(football);
});

test('lists the participants of a subcategory, and finds them by reference', () => {
  const path = { id: 'FOOTBALL' };
  const all = ask('listSubcategoryParticipants', { path });
  expect(ids(all.participants)).toEqual(['ARS', 'CHE']);
  const found = ask('findParticipants', fft('gunners'));
  expect(found.participants).toEqual([all.participants[0]]);
  expect(ids(found.externalReferences).map(String)).toEqual(found.participants[0]?.externalReferences._ids);
  const none = { path: { id: 'ELECTIONS' } };
  expect(ask('listSubcategoryParticipants', none).participants).toEqual([]);
});

test('lists the sources of references', () => {
  const all = ask('listExternalReferenceSources');
  expect(all.externalReferenceSources).toEqual([{ code: 'FFT', description: 'Football facts and times' }]);
});
