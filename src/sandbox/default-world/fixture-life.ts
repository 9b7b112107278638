/** A fixture of the default world from its announcement to its result. */

import { type Instant, instant } from '../../core/number/units.ts';
import type { EventRecord, MarketRecord } from '../world/records.ts';
import { type Fixture, isAbandoned, type Series } from './calendar.ts';
import { command, draw, type House, made, quote, trade, type WorldDesk } from './house.ts';
import { CURRENCY, FEED, type MarketKind, participantId, SPORTS } from './sports.ts';

/** Announces a fixture: its event, its markets open and quoted, and a first trade in each. */
export function announce(desk: WorldDesk, house: House, fixture: Fixture): void {
  const { series, code, startAt } = fixture;
  const names = namesOf(fixture);
  const changed = made(desk, {
    ...{ kind: 'createEvent', app: house.app, eventGroupId: series.groupId, code, expectedStartTime: startAt },
    name: series.sides === 2 ? names.join(' v ') : `${names.length} runners`,
    participantIds: names.map((name) => participantId(series.sport, name)),
  });
  const event = changed.events.flatMap((each) => (each.kind === 'eventCreated' ? [each.event] : []))[0] ?? 0;
  const record = desk.world.catalogue.events.get(event);
  if (record === undefined) return;
  made(desk, { kind: 'addReference', source: FEED, reference: `fixture-${code}`, target: 'event', id: record.id });
  for (const kind of series.markets) openMarket(desk, house, { fixture, event, kind, names });
}

/** Brings an event and its markets to where they ought to be now; one that was made inactive by hand, when it is over. */
export function carryOn(desk: WorldDesk, house: House, event: EventRecord, series: Series): void {
  const now = desk.now();
  const endAt = instant(event.expectedStartTime + series.lastsMs);
  const isOver = now >= endAt;
  if (!isOver && desk.world.exchange.event(event.event)?.active !== true) return;
  if (now >= event.expectedStartTime && event.actualStartTime === undefined) {
    made(desk, { kind: 'setEventTimes', event: event.event, actualStartTime: event.expectedStartTime });
  }
  for (const market of marketsOf(desk, house, event)) {
    if (now >= event.expectedStartTime) start(desk, market);
    if (isOver) end(desk, market, isAbandoned(series, event.code));
    else keepOpen(desk, house, market);
  }
  if (!isOver) return;
  made(desk, { kind: 'setEventTimes', event: event.event, actualEndTime: endAt });
  command(desk, { kind: 'setEventActive', event: event.event, active: false });
}

function namesOf({ series, sides }: Fixture): readonly string[] {
  const names = SPORTS.find((sport) => sport.id === series.sport)?.names ?? [];
  return sides.flatMap((side) => names[side] ?? []);
}

interface NewMarket {
  readonly fixture: Fixture;
  readonly event: number;
  readonly kind: MarketKind;
  readonly names: readonly string[];
}

function openMarket(desk: WorldDesk, house: House, { fixture, event, kind, names }: NewMarket): void {
  const { series, startAt } = fixture;
  const { inPlayDelayMs } = series;
  const turnsInPlay = inPlayDelayMs !== undefined;
  const changed = made(desk, {
    ...{ kind: 'createMarket', app: house.app, event, name: kind.name, marketTypeId: kind.id, currencyId: CURRENCY },
    winners: { min: kind.winners, max: kind.winners },
    outcomes: kind.titles(names).map(({ title, side }) => {
      const name = side === undefined ? undefined : names[side];
      return name === undefined ? { title } : { title, participantId: participantId(series.sport, name) };
    }),
    ...{ crossMatching: kind.crossMatching, turnsInPlay, inPlayDelayMs: inPlayDelayMs ?? 0 },
    // A fixture that is made up for afterwards still takes the house's first trades.
    lockAt: instant(Math.max(turnsInPlay ? startAt + series.lastsMs : startAt, desk.now() + 1)),
    ...{ eventStartAction: 'CancelUnmatchedLiquidity', marketLockAction: 'CancelUnmatchedLiquidity' },
    ...(kind.value === undefined ? {} : { marketValue: kind.value }),
  });
  const market = changed.events.flatMap((each) => (each.kind === 'marketCreated' ? [each.market] : []))[0] ?? 0;
  const record = desk.world.catalogue.markets.get(market);
  if (record === undefined) return;
  command(desk, { kind: 'publish', market, published: true });
  command(desk, { kind: 'open', market });
  quote(desk, house, record);
  trade(desk, house, record);
}

function marketsOf(desk: WorldDesk, house: House, event: EventRecord): readonly MarketRecord[] {
  const ids = desk.world.exchange.event(event.event)?.markets ?? [];
  return ids.flatMap((id) => {
    const record = desk.world.catalogue.markets.get(id);
    return record?.app === house.app ? [record] : [];
  });
}

function start(desk: WorldDesk, { market }: MarketRecord): void {
  const view = desk.world.exchange.market(market);
  if (view?.status !== 'Open') return;
  if (view.inPlayStatus === 'PrePlay') command(desk, { kind: 'setInPlay', market, inPlay: true });
  if (view.inPlayStatus === 'NotApplicable') command(desk, { kind: 'lock', market });
}

/** An operator may have moved the market by hand: each move is made only from where it can be made. */
function end(desk: WorldDesk, record: MarketRecord, isVoid: boolean): void {
  const { market } = record;
  const status = () => desk.world.exchange.market(market)?.status;
  if (status() === 'Initializing') command(desk, { kind: 'open', market });
  if (status() === 'Open') command(desk, { kind: 'lock', market });
  if (status() === 'Locking') command(desk, { kind: 'lock', market, step: 'finish' });
  if (status() === 'Locked') {
    const winners = isVoid ? [] : winnersOf(desk, record);
    command(desk, winners.length === 0 ? { kind: 'void', market } : { kind: 'settle', market, winners });
  }
  if (status() === 'Settling') command(desk, { kind: 'settle', market, winners: [], step: 'finish' });
  if (status() === 'Voiding') command(desk, { kind: 'void', market, step: 'finish' });
}

/** Removed outcomes do not win; where only they were drawn, the market has no result. */
function winnersOf(desk: WorldDesk, record: MarketRecord): readonly number[] {
  const removed = desk.world.exchange.market(record.market)?.removed ?? [];
  return draw(record).filter((winner) => !removed.includes(winner));
}

function keepOpen(desk: WorldDesk, house: House, record: MarketRecord): void {
  const view = desk.world.exchange.market(record.market);
  if (view?.status !== 'Open' || view.suspended || !view.published) return;
  quote(desk, house, record);
}

export function isOldBy(settledAt: Instant | undefined, ageMs: number, now: Instant): boolean {
  return settledAt !== undefined && now - settledAt >= ageMs;
}
