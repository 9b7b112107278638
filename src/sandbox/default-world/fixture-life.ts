/** Moves a fixture of the default world through its life, from its announcement to its result. */

import { instant } from '../../core/number/units.ts';
import { applyChange, eventOfKind, mainCurrency } from '../traffic/market-maker.ts';
import type { WorldContext } from '../traffic/traffic.ts';
import type { EventRecord, MarketRecord } from '../world/records.ts';
import { type Fixture, isAbandoned, type Series } from './calendar.ts';
import { applyCommand, drawWinners, type LiquidityProvider, quote, trade } from './liquidity-provider.ts';
import { FEED, type MarketKind, participantId, SPORTS } from './sports.ts';

/** Creates a fixture's event and markets, opened and quoted, with a first trade in each. */
export function createFixture(context: WorldContext, provider: LiquidityProvider, fixture: Fixture): void {
  const { series, code, startAt } = fixture;
  const names = namesOf(fixture);
  const changed = applyChange(context, {
    kind: 'createEvent',
    app: provider.app,
    eventGroupId: series.groupId,
    code,
    expectedStartTime: startAt,
    name: series.sides === 2 ? names.join(' v ') : `${names.length} runners`,
    participantIds: names.map((name) => participantId(series.sport, name)),
  });
  const { event } = eventOfKind(changed, 'eventCreated');
  const record = context.world.catalogue.events.get(event);
  if (record === undefined) return;
  applyChange(context, {
    kind: 'addReference',
    source: FEED,
    reference: `fixture-${code}`,
    target: 'event',
    id: record.id,
  });
  for (const kind of series.markets) openMarket(context, provider, { fixture, event, kind, names });
}

/**
 * Brings an event and its markets to their state for the current time. An event that was made inactive by hand is left
 * alone until it is over.
 */
export function advanceFixture(
  context: WorldContext,
  provider: LiquidityProvider,
  event: EventRecord,
  series: Series,
): void {
  const now = context.now();
  const endAt = instant(event.expectedStartTime + series.lastsMs);
  const isOver = now >= endAt;
  if (!isOver && context.world.exchange.event(event.event)?.active !== true) return;
  if (now >= event.expectedStartTime && event.actualStartTime === undefined) {
    applyChange(context, { kind: 'setEventTimes', event: event.event, actualStartTime: event.expectedStartTime });
  }
  for (const market of marketsOf(context, provider, event)) {
    if (now >= event.expectedStartTime) start(context, market);
    if (isOver) end(context, market, isAbandoned(series, event.code));
    else keepOpen(context, provider, market);
  }
  if (!isOver) return;
  applyChange(context, { kind: 'setEventTimes', event: event.event, actualEndTime: endAt });
  applyCommand(context, { kind: 'setEventActive', event: event.event, active: false });
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

function openMarket(
  context: WorldContext,
  provider: LiquidityProvider,
  { fixture, event, kind, names }: NewMarket,
): void {
  const { series, startAt } = fixture;
  const { inPlayDelayMs } = series;
  const turnsInPlay = inPlayDelayMs !== undefined;
  const changed = applyChange(context, {
    kind: 'createMarket',
    app: provider.app,
    event,
    name: kind.name,
    marketTypeId: kind.id,
    currencyId: mainCurrency(context.world).id,
    winners: { min: kind.winners, max: kind.winners },
    outcomes: kind.titles(names).map(({ title, side }) => {
      const name = side === undefined ? undefined : names[side];
      return name === undefined ? { title } : { title, participantId: participantId(series.sport, name) };
    }),
    crossMatching: kind.crossMatching,
    turnsInPlay,
    inPlayDelayMs: inPlayDelayMs ?? 0,
    // A fixture created after its start must still accept the first trades.
    lockAt: instant(Math.max(turnsInPlay ? startAt + series.lastsMs : startAt, context.now() + 1)),
    eventStartAction: 'CancelUnmatchedLiquidity',
    marketLockAction: 'CancelUnmatchedLiquidity',
    ...(kind.value === undefined ? {} : { marketValue: kind.value }),
  });
  const { market } = eventOfKind(changed, 'marketCreated');
  const record = context.world.catalogue.markets.get(market);
  if (record === undefined) return;
  applyCommand(context, { kind: 'publish', market, published: true });
  applyCommand(context, { kind: 'open', market });
  quote(context, provider, record);
  trade(context, provider, record);
}

function marketsOf(context: WorldContext, provider: LiquidityProvider, event: EventRecord): readonly MarketRecord[] {
  const ids = context.world.exchange.event(event.event)?.markets ?? [];
  return ids.flatMap((id) => {
    const record = context.world.catalogue.markets.get(id);
    return record?.app === provider.app ? [record] : [];
  });
}

function start(context: WorldContext, { market }: MarketRecord): void {
  const view = context.world.exchange.market(market);
  if (view?.status !== 'Open') return;
  if (view.inPlayStatus === 'PrePlay') applyCommand(context, { kind: 'setInPlay', market, inPlay: true });
  if (view.inPlayStatus === 'NotApplicable') applyCommand(context, { kind: 'lock', market });
}

/** Ends a market. An operator may have moved it by hand, so each step is made only from a status that allows it. */
function end(context: WorldContext, record: MarketRecord, isVoid: boolean): void {
  const { market } = record;
  const status = () => context.world.exchange.market(market)?.status;
  if (status() === 'Initializing') applyCommand(context, { kind: 'open', market });
  if (status() === 'Open') applyCommand(context, { kind: 'lock', market });
  if (status() === 'Locking') applyCommand(context, { kind: 'lock', market, step: 'finish' });
  if (status() === 'Locked') {
    const winners = isVoid ? [] : winnersOf(context, record);
    applyCommand(context, winners.length === 0 ? { kind: 'void', market } : { kind: 'settle', market, winners });
  }
  if (status() === 'Settling') applyCommand(context, { kind: 'settle', market, winners: [], step: 'finish' });
  if (status() === 'Voiding') applyCommand(context, { kind: 'void', market, step: 'finish' });
}

/**
 * The drawn winners without removed outcomes; empty where only removed ones were drawn: then the market has no result.
 */
function winnersOf(context: WorldContext, record: MarketRecord): readonly number[] {
  const removed = context.world.exchange.market(record.market)?.removed ?? [];
  return drawWinners(record).filter((winner) => !removed.includes(winner));
}

function keepOpen(context: WorldContext, provider: LiquidityProvider, record: MarketRecord): void {
  const view = context.world.exchange.market(record.market);
  if (view?.status !== 'Open' || view.suspended || !view.published) return;
  quote(context, provider, record);
}
