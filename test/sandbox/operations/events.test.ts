/** Operations that read events: every filter, pages, references, and the documents beside them. */

import { describe, expect, test } from 'vitest';
import { instantToWire } from '../../../src/codec/instants.ts';
import { instant } from '../../../src/core/number/units.ts';
import { EVENT_OPERATIONS as operations } from '../../../src/sandbox/operations/catalogue/events.ts';
import { numericId } from '../../../src/sandbox/world/ids.ts';
import { asker } from '../../support/sandbox/ask.ts';
import { DAY_MS, HOUR_MS, START, WorldBuilder } from '../../support/sandbox/world-builder.ts';

/** Five events, named after their state at 12:00 UTC, which is now. */
function worldOfEvents() {
  const builder = new WorldBuilder().catalogue();
  const house = builder.app('House', { isHouse: true });
  const trader = builder.app('trader');
  const starting = (hours: number) => instant(START + hours * HOUR_MS);
  const event = (name: string, hours: number, terms = {}) =>
    builder.event({ app: house, name, expectedStartTime: starting(hours), ...terms });
  const live = event('live', -1);
  const over = event('over', -30);
  const tonight = event('tonight', 11);
  const tomorrow = event('tomorrow', 12, { app: trader });
  const vote = event('vote', 24, { eventGroupId: 'SENATE', participantIds: [] });
  builder.make({ kind: 'setEventTimes', event: live, actualStartTime: starting(-1) });
  builder.make({ kind: 'setEventTimes', event: over, actualStartTime: starting(-30), actualEndTime: starting(-28) });
  builder.command({ kind: 'setEventActive', event: over, active: false });
  builder.refer('event', numericId(tonight), 'derby');
  builder.refer('event', numericId(vote), 'derby');
  const asking = asker(operations, { context: builder.context, caller: builder.caller(trader) });
  return { builder, ...asking, live, over, tonight, tomorrow, vote };
}

const at = (ms: number) => encodeURIComponent(instantToWire(instant(ms)));

describe('GET /events', () => {
  const { ask, askInVain, tonight, vote } = worldOfEvents();
  const names = (query: string) => ask('listEvents', { query }).events.map(({ name }) => name);

  test.each([
    ['', ['vote', 'tomorrow', 'tonight', 'over', 'live'], 'all, the newest first'],
    ['sort=expectedStartTime', ['over', 'live', 'tonight', 'tomorrow', 'vote'], 'sorted'],
    ['sort=name%2Cdesc&size=2', ['vote', 'tonight'], 'sorted, a page'],
    ['sort=name%2Cdesc&size=2&page=2', ['live'], 'the last page'],
    ['starting=Live', ['live'], 'started and not ended'],
    ['starting=Today', ['tonight', 'live'], 'of the day in UTC'],
    ['starting=Later', ['vote', 'tomorrow'], 'of a later day'],
    ['starting=Range', ['vote', 'tomorrow', 'tonight', 'over', 'live'], 'a range without ends'],
    [`starting=Range&fromDateTime=${at(START)}`, ['vote', 'tomorrow', 'tonight'], 'from a date on'],
    [`fromDateTime=${at(START + 12 * HOUR_MS)}`, ['vote', 'tomorrow'], 'both ends included'],
    [`fromDateTime=${at(START)}&toDateTime=${at(START + 12 * HOUR_MS)}`, ['tomorrow', 'tonight'], 'between dates'],
    [`toDateTime=${at(START - DAY_MS)}`, ['over'], 'up to a date'],
    [`fromDateTime=${at(START + 1)}&toDateTime=${at(START)}`, [], 'an empty period'],
    [`starting=Later&toDateTime=${at(START + 12 * HOUR_MS)}`, ['tomorrow'], 'a word and a date'],
    ['active=true', ['vote', 'tomorrow', 'tonight', 'live'], 'active'],
    ['active=false', ['over'], 'not active'],
    [`ids=${numericId(vote)}%2C${numericId(tonight)}%2C999%2Cx`, ['vote', 'tonight'], 'ids, unknown ones among them'],
    [`ids=${numericId(vote)}&ids=${numericId(vote)}`, ['vote'], 'an id twice'],
    ['ids=', [], 'an empty list'],
    ['ids=01', [], 'an id has one spelling'],
    ['ownerAppIds=trader', ['tomorrow'], 'of an owner'],
    ['ownerAppIds=trader%2CHouse&active=false', ['over'], 'of two owners'],
    ['categoryIds=POLITICS', ['vote'], 'of a category'],
    ['subcategoryIds=ELECTIONS%2CFOOTBALL&categoryIds=SPORT&starting=Live', ['live'], 'of a subcategory'],
    ['eventGroupIds=SENATE', ['vote'], 'of a group'],
    ['eventGroupIds=SENATE&categoryIds=SPORT', [], 'all filters must agree'],
  ])('%s: %3$s', (query, expected) => {
    expect(names(query)).toEqual(expected);
  });

  test.each(['sort=lockAt', 'sort=code', 'sort=settledAt%2Cdesc'])('%s is refused', (query) => {
    expect(askInVain('listEvents', { query }).status).toBe(400);
  });

  test('counts pages', () => {
    expect(ask('listEvents', { query: 'size=2&page=1' })._meta).toEqual({
      _primary_document: 'events',
      _count: 2,
      _page: { _pageNumber: 1, _pageSize: 2, _totalElements: 5, _totalPages: 3 },
    });
  });

  test('everything beside the events stands there once, with dates', () => {
    const answer = ask('listEvents', { query: 'sort=id' });
    expect(answer.eventGroups.map(({ id }) => id)).toEqual(['EPL', 'SENATE']);
    expect(answer.categories.map(({ id }) => id)).toEqual(['SPORT', 'POLITICS']);
    expect(answer.participants.map(({ id }) => id)).toEqual(['ARS', 'CHE']);
    expect(answer.externalReferences.map(({ externalReference }) => externalReference)).toEqual(['derby', 'derby']);
    for (const group of answer.eventGroups) expect(group.createdAt).toBe('2026-03-24T12:00:00.000Z');
  });
});

test('an event by id shows its actual times once they are known, and never as null', () => {
  const { ask, over, vote } = worldOfEvents();
  const byId = (event: number) => ask('getEvent', { path: { id: numericId(event) } });
  expect(byId(over).events).toMatchObject([
    { active: false, actualStartTime: '2026-03-23T06:00:00.000Z', actualEndTime: '2026-03-23T08:00:00.000Z' },
  ]);
  const { events, participants } = byId(vote);
  expect(Object.keys(events[0] ?? {})).not.toContain('actualStartTime');
  expect(events[0]?.participants).toEqual({ _ref: 'participants.id', _ids: [] });
  expect(participants).toEqual([]);
  expect(byId(vote)._meta).toEqual({ _primary_document: 'events', _count: 1 });
});

test('events by reference, in pages', () => {
  const { ask, vote } = worldOfEvents();
  const find = (reference: string, query = '') => ask('findEvents', { path: { source: 'FFT', reference }, query });
  expect(find('derby').events.map(({ name }) => name)).toEqual(['vote', 'tonight']);
  expect(find('derby', 'size=1').events.map(({ id }) => id)).toEqual([numericId(vote)]);
  expect(find('derby', 'size=1')._meta._page).toMatchObject({ _totalElements: 2, _totalPages: 2 });
  expect(find('no-such-reference').events).toEqual([]);
});

test('the participants of an event', () => {
  const { ask, live } = worldOfEvents();
  const path = { id: numericId(live) };
  expect(ask('listEventParticipants', { path }).participants).toEqual([
    { id: 'ARS', code: 'ARS', name: 'Arsenal', type: 'Team' },
    { id: 'CHE', code: 'CHE', name: 'Chelsea', type: 'Team' },
  ]);
});
