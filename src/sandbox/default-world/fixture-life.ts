/** Moves a fixture of the default world through its life, from its announcement to its result. */

import { type Instant, instant } from '../../core/number/units.ts';
import type { EventRecord, MarketRecord } from '../world/records.ts';
import { type Fixture, isAbandoned, type Series } from './calendar.ts';
import { command, draw, type LiquidityProvider, made, quote, trade, type WorldContext } from './liquidity-provider.ts';
import { CURRENCY, FEED, type MarketKind, participantId, SPORTS } from './sports.ts';

/** Creates a fixture's event and markets, opened and quoted, with a first trade in each. */
export function announce(context: WorldContext, house: LiquidityProvider, fixture: Fixture): void {
  const { series, code, startAt } = fixture;
  const names = namesOf(fixture);
  const changed = made(context, {
    ...{ kind: 'createEvent', app: house.app, eventGroupId: series.groupId, code, expectedStartTime: startAt },
    name: series.sides === 2 ? names.join(' v ') : `${names.length} runners`,
    participantIds: names.map((name) => participantId(series.sport, name)),
  });
  const event = changed.events.flatMap((each) => (each.kind === 'eventCreated' ? [each.event] : []))[0] ?? 0;
  const record = context.world.catalogue.events.get(event);
  if (record === undefined) return;
  made(context, { kind: 'addReference', source: FEED, reference: `fixture-${code}`, target: 'event', id: record.id });
  for (const kind of series.markets) openMarket(context, house, { fixture, event, kind, names });
}

/**
 * Brings an event and its markets to their state for the current time. An event that was made inactive by hand is left
 * alone until it is over.
 */
export function carryOn(context: WorldContext, house: LiquidityProvider, event: EventRecord, series: Series): void {
  const now = context.now();
  const endAt = instant(event.expectedStartTime + series.lastsMs);
  const isOver = now >= endAt;
  if (!isOver && context.world.exchange.event(event.event)?.active !== true) return;
  if (now >= event.expectedStartTime && event.actualStartTime === undefined) {
    made(context, { kind: 'setEventTimes', event: event.event, actualStartTime: event.expectedStartTime });
  }
  for (const market of marketsOf(context, house, event)) {
    if (now >= event.expectedStartTime) start(context, market);
    if (isOver) end(context, market, isAbandoned(series, event.code));
    else keepOpen(context, house, market);
  }
  if (!isOver) return;
  made(context, { kind: 'setEventTimes', event: event.event, actualEndTime: endAt });
  command(context, { kind: 'setEventActive', event: event.event, active: false });
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

function openMarket(context: WorldContext, house: LiquidityProvider, { fixture, event, kind, names }: NewMarket): void {
  const { series, startAt } = fixture;
  const { inPlayDelayMs } = series;
  const turnsInPlay = inPlayDelayMs !== undefined;
  const changed = made(context, {
    ...{ kind: 'createMarket', app: house.app, event, name: kind.name, marketTypeId: kind.id, currencyId: CURRENCY },
    winners: { min: kind.winners, max: kind.winners },
    outcomes: kind.titles(names).map(({ title, side }) => {
      const name = side === undefined ? undefined : names[side];
      return name === undefined ? { title } : { title, participantId: participantId(series.sport, name) };
    }),
    ...{ crossMatching: kind.crossMatching, turnsInPlay, inPlayDelayMs: inPlayDelayMs ?? 0 },
    // A fixture created after its start must still accept the first trades.
    lockAt: instant(Math.max(turnsInPlay ? startAt + series.lastsMs : startAt, context.now() + 1)),
    ...{ eventStartAction: 'CancelUnmatchedLiquidity', marketLockAction: 'CancelUnmatchedLiquidity' },
    ...(kind.value === undefined ? {} : { marketValue: kind.value }),
  });
  const market = changed.events.flatMap((each) => (each.kind === 'marketCreated' ? [each.market] : []))[0] ?? 0;
  const record = context.world.catalogue.markets.get(market);
  if (record === undefined) return;
  command(context, { kind: 'publish', market, published: true });
  command(context, { kind: 'open', market });
  quote(context, house, record);
  trade(context, house, record);
}

function marketsOf(context: WorldContext, house: LiquidityProvider, event: EventRecord): readonly MarketRecord[] {
  const ids = context.world.exchange.event(event.event)?.markets ?? [];
  return ids.flatMap((id) => {
    const record = context.world.catalogue.markets.get(id);
    return record?.app === house.app ? [record] : [];
  });
}

function start(context: WorldContext, { market }: MarketRecord): void {
  const view = context.world.exchange.market(market);
  if (view?.status !== 'Open') return;
  if (view.inPlayStatus === 'PrePlay') command(context, { kind: 'setInPlay', market, inPlay: true });
  if (view.inPlayStatus === 'NotApplicable') command(context, { kind: 'lock', market });
}

/** Ends a market. An operator may have moved it by hand, so each step is made only from a status that allows it. */
function end(context: WorldContext, record: MarketRecord, isVoid: boolean): void {
  const { market } = record;
  const status = () => context.world.exchange.market(market)?.status;
  if (status() === 'Initializing') command(context, { kind: 'open', market });
  if (status() === 'Open') command(context, { kind: 'lock', market });
  if (status() === 'Locking') command(context, { kind: 'lock', market, step: 'finish' });
  if (status() === 'Locked') {
    const winners = isVoid ? [] : winnersOf(context, record);
    command(context, winners.length === 0 ? { kind: 'void', market } : { kind: 'settle', market, winners });
  }
  if (status() === 'Settling') command(context, { kind: 'settle', market, winners: [], step: 'finish' });
  if (status() === 'Voiding') command(context, { kind: 'void', market, step: 'finish' });
}

/**
 * The drawn winners without removed outcomes; empty where only removed ones were drawn: then the market has no result.
 */
function winnersOf(context: WorldContext, record: MarketRecord): readonly number[] {
  const removed = context.world.exchange.market(record.market)?.removed ?? [];
  return draw(record).filter((winner) => !removed.includes(winner));
}

function keepOpen(context: WorldContext, house: LiquidityProvider, record: MarketRecord): void {
  const view = context.world.exchange.market(record.market);
  if (view?.status !== 'Open' || view.suspended || !view.published) return;
  quote(context, house, record);
}

export function isOldBy(settledAt: Instant | undefined, ageMs: number, now: Instant): boolean {
  return settledAt !== undefined && now - settledAt >= ageMs;
}
