/** The markets of a sandbox: its own order books, with the orders of its users in them. */

import { decimalOfTick, NO_TICK } from '../../../../core/number/ladder.ts';
import { type Money, moneyToDecimal } from '../../../../core/number/units.ts';
import { isLive } from '../../../../core/order.ts';
import type { MarketView } from '../../../../matching/state/views.ts';
import type { PriceLevel } from '../../../../matching/state/visible-prices.ts';
import type { MarketRow } from '../../../../pages/market-row.ts';
import type { Ask, Level, MarketPanel, OutcomeRow, Part, PositionRow } from '../../../../pages/panels.ts';
import type { FaceNames } from '../../../../sandbox/context/face-names.ts';
import type { MarketRecord } from '../../../../sandbox/world/records.ts';
import type { World } from '../../../../sandbox/world/world.ts';
import type { PriceMemory, ReadMarket } from '../shown/price-memory.ts';
import { DEPTH, ladderRows, mappedPart, partOf, stateWords } from '../shown/shown-rows.ts';
import type { FaceWords } from './commands/shown-sandbox.ts';
import type { UserMarket, UserOrders } from './user-orders.ts';

export interface SandboxView {
  readonly world: World;
  readonly names: FaceNames;
  readonly words: Pick<FaceWords, 'named'>;
  readonly users: UserOrders;
  readonly prices: PriceMemory;
  readonly now: number;
}

export function sandboxMarkets(view: SandboxView, ask: Ask): Part<MarketRow> {
  const { world, users, now, names, words } = view;
  const { catalogue } = world;
  const startOf = ({ event }: MarketRecord) => catalogue.events.get(event)?.expectedStartTime ?? 0;
  const found = [...catalogue.markets.values()].filter((market) => {
    const event = catalogue.events.get(market.event)?.name ?? '';
    const isFound = `${event} ${words.named(market, world).name} ${names.marketId(market)}`
      .toLowerCase()
      .includes(ask.find);
    return isFound && (ask.which !== 'own' || users.in(market.market, now).orders.length > 0);
  });
  const isOver = ({ market }: MarketRecord) => Number(world.exchange.market(market)?.status !== 'Open');
  found.sort((a, b) => isOver(a) - isOver(b) || startOf(a) - startOf(b) || a.market - b.market);
  return mappedPart(partOf(found, ask), (market) => marketRow(view, market));
}

export function marketRow(view: SandboxView, record: MarketRecord): MarketRow {
  const { world, users, now, words } = view;
  const market = words.named(record, world);
  const levels = world.exchange.prices(market.market);
  const outcome = favouriteOf(levels);
  const title = outcome === undefined ? undefined : market.outcomes[outcome]?.title;
  const { back, lay } = bestOf(levels, outcome ?? -1);
  const favourite = title === undefined ? undefined : { title, back: back?.price, lay: lay?.price };
  return { ...plainRow(view, market, users.in(market.market, now)), favourite };
}

export function* readMarkets({ catalogue, exchange }: World): Iterable<ReadMarket> {
  for (const { id, market, outcomes } of catalogue.markets.values()) {
    const bests = () => {
      const byOutcome = bestTicks(exchange.prices(market));
      return outcomes.map((_, outcome) => byOutcome.get(outcome) ?? NO_TICK);
    };
    yield { id, isOpen: exchange.market(market)?.status === 'Open', bests };
  }
}

export function sandboxMarket(view: SandboxView, ask: Ask): MarketPanel {
  const { world, users, now, names, words } = view;
  const plain = names.market(ask.id, world);
  const record = plain && words.named(plain, world);
  const idOf = (outcome: number) => (record === undefined ? '' : names.outcomeId(record, outcome, world));
  const market = record && world.exchange.market(record.market);
  if (record === undefined || market === undefined)
    return { page: 'market', id: ask.id, paid: undefined, market: undefined };
  const held = users.in(record.market, now);
  const levels = world.exchange.prices(record.market);
  const asked = record.outcomes.findIndex((_, index) => idOf(index) === ask.outcome);
  const shown = asked >= 0 ? asked : (favouriteOf(levels) ?? 0);
  const positions = positionsOf(view, held);
  const newest = [...held.orders].reverse();
  return {
    page: 'market',
    id: ask.id,
    paid: undefined,
    market: {
      ...plainRow(view, record, held),
      lockAt: market.lockAt,
      inPlayDelayMs: market.inPlayDelayMs,
      winners: record.winners,
      outcomes: record.outcomes.map((_, index) => ({
        ...outcomeRow({ record, market, levels, held, positions, index }),
        id: idOf(index),
      })),
      prices: view.prices.curve(record),
      ladder: {
        outcome: idOf(shown),
        title: record.outcomes[shown]?.title ?? '',
        rows: ladderRows({ levels: nearest(levels, shown), own: ownLevels(held, shown) }),
      },
      positions,
      orders: mappedPart(partOf(newest, ask), (order) => users.row(order)),
    },
  };
}

function plainRow(
  { world: { exchange, catalogue }, names }: SandboxView,
  record: MarketRecord,
  held: UserMarket,
): Omit<MarketRow, 'favourite'> {
  const market = exchange.market(record.market);
  const event = catalogue.events.get(record.event);
  return {
    id: names.marketId(record),
    name: record.name,
    event: event?.name ?? '',
    ...(market === undefined ? ({ state: 'forgotten', tone: 'plain' } as const) : stateWords(market)),
    off: undefined,
    startAt: event?.expectedStartTime,
    freshAt: undefined,
    traded: tradedIn(market),
    liveOrders: held.orders.filter(({ status }) => isLive(status)).length,
    settled: undefined,
    open: undefined,
    worstLoss: held.positions.reduce((sum, { possible }) => sum + lossOf(possible), 0),
  };
}

interface OutcomeParts {
  readonly record: MarketRecord;
  readonly market: MarketView;
  readonly levels: readonly PriceLevel[];
  readonly held: UserMarket;
  readonly positions: readonly PositionRow[];
  readonly index: number;
}

function outcomeRow({ record, market, levels, held, positions, index }: OutcomeParts): Omit<OutcomeRow, 'id'> {
  const { title = '' } = record.outcomes[index] ?? {};
  const status = market.removed.includes(index) ? 'Removed' : market.winners.includes(index) ? 'Winner' : 'Active';
  return {
    title,
    status,
    ...bestOf(levels, index),
    last: undefined,
    traded: (market.traded[index] ?? 0) / 1e6,
    profit: positions.length === 0 ? undefined : positions.reduce((sum, { profits }) => sum + (profits[index] ?? 0), 0),
    liveOrders: held.orders.filter(({ status: each, outcome }) => outcome === index && isLive(each)).length,
  };
}

function positionsOf({ world, users }: SandboxView, { positions }: UserMarket): readonly PositionRow[] {
  return positions.map(({ wallet, exposures, possible, required }) => ({
    owner: users.walletName(world.registry.wallet(wallet)),
    profits: exposures.map(moneyToDecimal),
    worstLoss: lossOf(possible),
    held: moneyToDecimal(required),
  }));
}

/** A certain profit is no loss. */
function lossOf(possible: Money): number {
  return Math.max(0, moneyToDecimal(possible));
}

/** A For order meets resting Against stake. */
const COLUMN = { For: 'lay', Against: 'back' } as const;

function bestOf(levels: readonly PriceLevel[], outcome: number): Readonly<Record<'back' | 'lay', Level | undefined>> {
  const level = (side: PriceLevel['side']): Level | undefined => {
    const best = levels.find((each) => each.outcome === outcome && each.side === side);
    return best && { price: decimalOfTick(best.tick), stake: moneyToDecimal(best.amount) };
  };
  return { back: level('Against'), lay: level('For') };
}

function favouriteOf(levels: readonly PriceLevel[]): number | undefined {
  return [...bestTicks(levels)].sort(([, a], [, b]) => a - b)[0]?.[0];
}

/** The best tick to back of each outcome that has one. */
function bestTicks(levels: readonly PriceLevel[]): ReadonlyMap<number, number> {
  const bests = new Map<number, number>();
  for (const { outcome, side, tick } of levels) if (side === 'Against' && !bests.has(outcome)) bests.set(outcome, tick);
  return bests;
}

/** Backer’s stake. */
export function tradedIn(market: MarketView | undefined): number {
  return (market?.traded ?? []).reduce<number>((sum, each) => sum + each, 0) / 1e6;
}

function nearest(levels: readonly PriceLevel[], outcome: number) {
  return (['Against', 'For'] as const).flatMap((side) =>
    levels
      .filter((level) => level.outcome === outcome && level.side === side)
      .slice(0, DEPTH)
      .map(({ tick, amount }) => ({ price: decimalOfTick(tick), column: COLUMN[side], stake: moneyToDecimal(amount) })),
  );
}

function ownLevels({ orders }: UserMarket, outcome: number) {
  return orders
    .filter((order) => order.outcome === outcome && isLive(order.status))
    .map(({ tick, side, stakeUnmatched }) => ({
      price: decimalOfTick(tick),
      column: COLUMN[side],
      stake: moneyToDecimal(stakeUnmatched),
    }));
}
