/** The market summaries beside orders, trades and positions in an answer. */

import type { BESIDE_ORDERS } from '../../../betdex/wire/answers.ts';
import type { MarketSummary } from '../../../betdex/wire/shapes/markets.ts';
import { referTo } from '../../../betdex/wire/shapes/references.ts';
import { instantToWire } from '../../../codec/instants.ts';
import type { Written } from '../../../codec/notation.ts';
import type { Instant } from '../../../core/number/units.ts';
import { numericId } from '../../world/ids.ts';
import type { MarketRecord } from '../../world/records.ts';
import type { World } from '../../world/world.ts';
import { byVersion } from '../text/by-version.ts';
import { marketFacts, marketRecord } from './market-facts.ts';
import { eventRecord, type Tree, treeOfEvents } from './tree.ts';

export interface BesideMarkets extends Tree {
  readonly markets: Written<(typeof BESIDE_ORDERS)['markets']>;
}

/** The summary of a market, by the exchange machine's number; the market must not have been removed. */
export function marketSummary(world: World, market: number): Written<typeof MarketSummary> {
  const record = marketRecord(world, market);
  return { ...summaryFields(world, record), lockAt: lockText(world, record) };
}

const summaryFields = byVersion((world, record) => {
  const { inPlayStatus, published, suspended, status, settledAt } = marketFacts(world, record);
  return {
    id: record.id,
    name: record.name,
    inPlayStatus,
    published,
    suspended,
    status,
    ...(settledAt === undefined ? {} : { settledAt: instantToWire(settledAt) }),
    event: referTo('events', [numericId(record.event)]),
  };
});

/** The summaries of some markets, each once and in the order of first mention, and the tree above them. */
export function besideMarkets(world: World, markets: Iterable<number>): BesideMarkets {
  const once = [...new Set(markets)];
  const events = once.map((market) => marketRecord(world, market).event);
  return { markets: once.map((market) => marketSummary(world, market)), ...treeOfEvents(world, events) };
}

/** The lock time to show. It is required on the wire: a market without one shows the expected start of its event. */
export function shownLockAt(world: World, record: MarketRecord): Instant {
  return marketFacts(world, record).lockAt ?? eventRecord(world.catalogue, record.event).expectedStartTime;
}

export function lockText(world: World, record: MarketRecord): string {
  return ownLockText(world, record) ?? instantToWire(shownLockAt(world, record));
}

/**
 * The market's own lock time as text; undefined where it has none. The event's start is not cached here, since it may
 * change without a change of the market.
 */
const ownLockText = byVersion((world, record) => {
  const { lockAt } = marketFacts(world, record);
  return lockAt === undefined ? undefined : instantToWire(lockAt);
});
