/**
 * Operations that read markets: every filter, visibility, the document through the market's life, documents beside it.
 */

import { describe, expect, test } from 'vitest';
import { instantToWire } from '../../../src/codec/instants.ts';
import { instant } from '../../../src/core/number/units.ts';
import { MARKET_OPERATIONS as operations } from '../../../src/sandbox/operations/catalogue/markets.ts';
import { numericId } from '../../../src/sandbox/world/ids.ts';
import { asker } from '../../support/sandbox/ask.ts';
import { HOUR_MS, MINUTE_MS, START, WorldBuilder } from '../../support/sandbox/world-builder.ts';

const at = (ms: number) => encodeURIComponent(instantToWire(instant(ms)));
const idOf = (market: number) => ({ path: { id: numericId(market) } });

function worldOfMarkets() {
  const builder = new WorldBuilder().catalogue();
  builder.make({ kind: 'createCurrency', id: 'EURC' });
  const [house, trader, other] = [builder.app('House', { isHouse: true }), builder.app('trader'), builder.app('other')];
  const soon = builder.event({ app: house, expectedStartTime: instant(START + HOUR_MS) });
  const later = builder.event({ app: house, expectedStartTime: instant(START + 5 * HOUR_MS), eventGroupId: 'SENATE' });
  const two = [{ title: 'Ayes' }, { title: 'Noes', participantId: 'CHE' }];
  const open = builder.openMarket({ app: house, event: soon, name: 'open', lockAt: instant(START + 90) });
  const playing = builder.openMarket({ app: house, event: soon, name: 'playing', inPlayDelayMs: 1500 });
  builder.command({ kind: 'setInPlay', market: playing, inPlay: true });
  const won = builder.openMarket({ app: house, event: soon, name: 'won', lockAt: instant(START + 80) });
  const vote = builder.openMarket({
    app: house,
    event: later,
    name: 'vote',
    marketTypeId: 'WINNER',
    currencyId: 'EURC',
    outcomes: two,
    turnsInPlay: false,
    marketValue: '2.5',
    marketDiscriminator: 'FIRST',
  });
  const own = builder.market({ app: trader, event: later, name: 'own' });
  const hidden = builder.market({ app: other, event: later, name: 'hidden' });
  builder.pass(MINUTE_MS);
  builder.settle(won, 2);
  for (const market of [open, hidden, won]) builder.refer('market', numericId(market), 'ref');
  const asking = asker(operations, { context: builder.context, caller: builder.caller(trader) });
  return { builder, ...asking, trader, soon, later, open, playing, won, vote, own, hidden };
}

describe('GET /markets', () => {
  const { ask, askInVain, soon, later, open, vote, hidden } = worldOfMarkets();
  const names = (query: string) => ask('listMarkets', { query }).markets.map(({ name }) => name);

  test.each([
    ['', ['own', 'vote', 'won', 'playing', 'open'], 'newest first, without those of others that are not published'],
    ['sort=name', ['open', 'own', 'playing', 'vote', 'won'], 'by name'],
    ['sort=lockAt', ['won', 'open', 'playing', 'own', 'vote'], 'by lock'],
    ['sort=settledAt%2Cdesc', ['won', 'own', 'vote', 'playing', 'open'], 'by settlement, others last'],
    ['sort=modifiedAt%2Cdesc&sort=id', ['won', 'open', 'playing', 'vote', 'own'], 'by two criteria'],
    ['sort=createdAt&sort=id&size=2&page=1', ['won', 'vote'], 'a page'],
    [`ids=${numericId(open)}%2C${numericId(hidden)}%2C999%2Czero`, ['open'], 'ids'],
    ['ids=', [], 'an empty list'],
    [`eventIds=${numericId(later)}`, ['own', 'vote'], 'of an event'],
    [
      `eventIds=${numericId(soon)}%2C${numericId(later)}&eventIds=77`,
      ['own', 'vote', 'won', 'playing', 'open'],
      'of two',
    ],
    [`ids=${numericId(open)}&eventIds=${numericId(later)}`, [], 'ids and events must agree'],
    ['ownerAppIds=trader', ['own'], 'of an owner'],
    ['ownerAppIds=other', [], 'of an owner who published none'],
    ['marketTypeIds=WINNER', ['vote'], 'of a type'],
    ['currencyIds=EURC%2CGBP', ['vote'], 'of a currency'],
    ['statuses=Open', ['vote', 'playing', 'open'], 'of a status'],
    ['statuses=Settled%2CInitializing', ['own', 'won'], 'of two statuses'],
    ['inPlayStatuses=InPlay', ['playing'], 'in play'],
    ['inPlayStatuses=NotApplicable%2CInPlay', ['vote', 'playing'], 'of two in-play statuses'],
    ['published=true', ['vote', 'won', 'playing', 'open'], 'published'],
    ['published=false', ['own'], 'not published'],
    [`fromDateTime=${at(START + 2 * HOUR_MS)}`, ['own', 'vote'], 'the event starts from then on'],
    [`toDateTime=${at(START + HOUR_MS)}`, ['won', 'playing', 'open'], 'up to then, that moment included'],
    [
      `fromDateTime=${at(START + HOUR_MS)}&toDateTime=${at(START + HOUR_MS)}&statuses=Settled`,
      ['won'],
      'at that moment',
    ],
  ])('%s: %3$s', (query, expected) => {
    expect(names(query)).toEqual(expected);
  });

  test.each(['sort=expectedStartTime', 'sort=status', 'sort=id%2Casc&sort=price'])('%s is refused', (query) => {
    expect(askInVain('listMarkets', { query }).status).toBe(400);
  });

  test('what stands beside the markets stands there once', () => {
    const answer = ask('listMarkets', { query: 'sort=id' });
    expect(answer._meta).toEqual({
      _primary_document: 'markets',
      _count: 5,
      _page: { _pageNumber: 0, _pageSize: 25, _totalElements: 5, _totalPages: 1 },
    });
    expect(answer.marketTypes.map(({ id }) => id)).toEqual(['FULL_TIME_RESULT', 'WINNER']);
    expect(answer.marketTypes[1]).toEqual({
      id: 'WINNER',
      outcomesRange: { min: 2, max: 40 },
      winnersRange: { min: 1, max: 1 },
    });
    expect(answer.events.map(({ id }) => id)).toEqual([numericId(soon), numericId(later)]);
    expect(answer.eventGroups.map(({ id }) => id)).toEqual(['EPL', 'SENATE']);
    expect(answer.participants.map(({ id }) => id)).toEqual(['ARS', 'CHE']);
    expect(answer.marketOutcomes.map(({ id }) => id)).toEqual(
      answer.markets.flatMap(({ marketOutcomes }) => marketOutcomes._ids),
    );
    expect(answer.externalReferences.map(({ id }) => String(id))).toEqual(
      answer.markets.flatMap(({ externalReferences }) => externalReferences._ids),
    );
    expect(vote).toBeGreaterThan(open);
  });
});

test('the document of a market says all that it is', () => {
  const { ask, soon, playing, vote } = worldOfMarkets();
  const marketOf = (market: number) => ask('getMarket', idOf(market)).markets[0];
  expect(marketOf(playing)).toEqual({
    id: numericId(playing),
    ownerAppId: 'House',
    name: 'playing',
    currencyId: 'USDC',
    inPlayStatus: 'InPlay',
    event: { _ref: 'events.id', _ids: [numericId(soon)] },
    marketType: { _ref: 'marketTypes.id', _ids: ['FULL_TIME_RESULT'] },
    // 1500 ms, rounded up: the wire has whole seconds, never fewer than the real delay.
    inPlayDelay: 2,
    crossMatchingEnabled: true,
    published: true,
    suspended: false,
    status: 'Open',
    lockAt: '2026-03-24T13:00:00.000Z',
    marketLockAction: 'None',
    eventStartAction: 'None',
    marketOutcomes: { _ref: 'marketOutcomes.id', _ids: ['4', '5', '6'] },
    externalReferences: { _ref: 'externalReferences.id', _ids: [] },
    createdAt: '2026-03-24T12:00:00.000Z',
    modifiedAt: '2026-03-24T12:00:00.000Z',
  });
  expect(marketOf(vote)).toMatchObject({ marketValue: '2.5', marketDiscriminator: 'FIRST' });
  expect(Object.keys(marketOf(vote) ?? {})).not.toContain('inPlayDelay');
});

test('a market shows each step of its life at once', () => {
  const { builder, ask, open } = worldOfMarkets();
  const look = () => {
    const { markets, marketOutcomes } = ask('getMarket', idOf(open));
    const { status, suspended, lockAt, settledAt, inPlayDelay, modifiedAt } = markets[0] ?? {};
    const winners = marketOutcomes.map(({ winner }) => winner);
    return { status, suspended, lockAt, settledAt, inPlayDelay, modifiedAt, winners };
  };
  const unknown = [undefined, undefined, undefined];
  expect(look()).toMatchObject({ status: 'Open', suspended: false, settledAt: undefined, winners: unknown });
  builder.command({ kind: 'suspend', market: open, suspended: true });
  builder.command({ kind: 'setInPlayDelay', market: open, delayMs: 8000 });
  expect(look()).toMatchObject({ suspended: true, inPlayDelay: 8, modifiedAt: '2026-03-24T12:01:00.000Z' });
  builder.command({ kind: 'setLockAt', market: open, lockAt: undefined });
  expect(look()).toMatchObject({ lockAt: '2026-03-24T13:00:00.000Z' });
  builder.command({ kind: 'lock', market: open });
  expect(look()).toMatchObject({ status: 'Locked', settledAt: undefined, winners: unknown });
  builder.command({ kind: 'settle', market: open, winners: [1], step: 'begin' });
  expect(look()).toMatchObject({ status: 'Settling', settledAt: undefined, winners: [false, true, false] });
  builder.pass(MINUTE_MS);
  builder.command({ kind: 'settle', market: open, winners: [1], step: 'finish' });
  expect(look()).toMatchObject({ status: 'Settled', settledAt: '2026-03-24T12:02:00.000Z' });
  builder.command({ kind: 'resettle', market: open, winners: [] });
  expect(look()).toMatchObject({ status: 'Voided', winners: unknown });
});

test('a market that is not published is its owner’s alone', () => {
  const { builder, ask, askInVain, hidden, own, won } = worldOfMarkets();
  expect(askInVain('getMarket', idOf(hidden)).status).toBe(404);
  expect(ask('getMarket', idOf(own)).markets[0]?.published).toBe(false);
  const byReference = () => ask('findMarkets', { path: { source: 'FFT', reference: 'ref' } }).markets;
  expect(byReference().map(({ name }) => name)).toEqual(['won', 'open']);
  builder.command({ kind: 'publish', market: hidden, published: true });
  expect(ask('getMarket', idOf(hidden)).markets[0]?.name).toBe('hidden');
  expect(byReference().map(({ name }) => name)).toEqual(['hidden', 'won', 'open']);
  builder.command({ kind: 'publish', market: won, published: false });
  expect(byReference().map(({ name }) => name)).toEqual(['hidden', 'open']);
});

test('a wallet’s key sees the unpublished markets of its app', () => {
  const { builder, trader, own } = worldOfMarkets();
  const caller = builder.caller(trader, builder.wallet(trader));
  const { ask } = asker(operations, { context: builder.context, caller });
  expect(ask('getMarket', idOf(own)).markets).toHaveLength(1);
});

test('a market that is forgotten is unknown, and absent wherever it stood', () => {
  const { builder, ask, askInVain, soon, won } = worldOfMarkets();
  builder.command({ kind: 'forget', market: won });
  expect(askInVain('getMarket', idOf(won)).status).toBe(404);
  const names = (query: string) => ask('listMarkets', { query }).markets.map(({ name }) => name);
  expect(names(`eventIds=${numericId(soon)}`)).toEqual(['playing', 'open']);
  expect(names(`ids=${numericId(won)}`)).toEqual([]);
  const path = { source: 'FFT', reference: 'ref' };
  expect(ask('findMarkets', { path }).markets.map(({ name }) => name)).toEqual(['open']);
});

test('market types, all and one', () => {
  const { ask, askInVain } = worldOfMarkets();
  const all = ask('listMarketTypes');
  expect(all._meta).toEqual({ _primary_document: 'marketTypes', _count: 2 });
  const one = ask('getMarketType', { path: { id: 'WINNER' } });
  expect(one.marketTypes).toEqual([all.marketTypes[1]]);
  expect(askInVain('getMarketType', { path: { id: 'toString' } }).status).toBe(404);
});
