/** How much of each limit is used: of a limit that many have, the one that is nearest to it. */

import { defined } from '../../../core/checks/assert.ts';
import { type Instant, type Money, moneyToDecimal } from '../../../core/number/units.ts';
import type { Ledger } from '../../../engine/ledger/ledger.ts';
import { strategyName, walletName } from '../../../engine/ledger/run-names.ts';
import type { MarketEntry } from '../../../engine/ledger/strategy-in-market.ts';
import { type Bar, usedShare } from '../../../pages/panels.ts';
import type { LimitKey, Limits } from '../../../risk/limits/limits.ts';
import { marketLabel } from '../../../words/market-label.ts';

/** What bars are drawn from. */
interface Looked {
  readonly ledger: Ledger;
  readonly now: Instant;
}

type BarOf<Limit = unknown> = { bar(limit: Limit, looked: Looked): Bar }['bar'];

/**
 * The bars in the order in which they are shown: settled losses, which stop new risk when they reach their limit, then
 * what can be lost, matched and unmatched, then counts. `undefined`: each order is measured by itself, so that nothing
 * adds up.
 */
const BARS: { readonly [Key in LimitKey]: BarOf<NonNullable<Limits[Key]>> | undefined } = {
  dailyLoss: (limit, { ledger, now }) =>
    amountBar('loss of the day', { value: ledger.risk.history.dayLoss(now), of: 'UTC' }, limit),
  rollingLoss: ({ amount, hours }, { ledger, now }) =>
    amountBar('rolling loss', { value: ledger.risk.history.rollingLoss(now, hours), of: `in ${hours} h` }, amount),
  drawdown: ({ amount, action }, { ledger }) =>
    amountBar('drawdown', { value: ledger.risk.history.drawdown, of: `then ${action}` }, amount),
  cooldown: ({ losses }, { ledger }) =>
    countBar('losses in a row', { value: ledger.risk.history.losingRun, of: '' }, losses),

  outcome: (limit, { ledger }) =>
    amountBar(
      'worst outcome',
      worstMarket(ledger, (entry) => outcomeLossIn(ledger, entry)),
      limit,
    ),
  market: (limit, { ledger }) => {
    const lossOf = ({ state }: MarketEntry) => ledger.exposure.lossOfMarket(state.index);
    return amountBar('worst market', worstMarket(ledger, lossOf), limit);
  },
  event: (limit, { ledger }) => {
    const lossOf = ({ state }: MarketEntry) => ledger.exposure.lossOfEvent(state.facts.eventId);
    return amountBar(
      'worst event',
      worst(openMarkets(ledger), lossOf, ({ state }) => state.facts.eventName),
      limit,
    );
  },
  strategy: (limit, { ledger: { exposure, instances, names } }) => {
    const strategies = [...instances.map(({ index }) => index), instances.length];
    const lossOf = (index: number) => exposure.lossOfStrategy(index);
    return amountBar(
      'worst strategy',
      worst(strategies, lossOf, (index) => strategyName(names, index)),
      limit,
    );
  },
  wallet: (limit, { ledger: { exposure, names } }) => {
    const wallets = names.wallets.map((_, index) => index);
    const lossOf = (index: number) => exposure.lossOfWallet(index);
    return amountBar(
      'worst wallet',
      worst(wallets, lossOf, (index) => walletName(names, index)),
      limit,
    );
  },

  liveOrders: (limit, { ledger }) => countBar('live orders', { value: ledger.exposure.liveOrders, of: '' }, limit),
  ordersPerMarket: (limit, { ledger }) => {
    const ordersIn = ({ state }: MarketEntry) => ledger.exposure.liveOrdersInMarket(state.index);
    return countBar('orders in a market', worstMarket(ledger, ordersIn), limit);
  },
  ordersPerSecond: (limit, { ledger, now }) =>
    countBar('orders a second', { value: ledger.risk.history.ordersInSecond(now), of: '' }, limit),
  ordersPerHour: (limit, { ledger, now }) =>
    countBar('orders an hour', { value: ledger.risk.history.ordersSent(now, 1), of: '' }, limit),
  orderToMatch: ({ ratio, hours, minimumOrders }, { ledger, now }) => {
    const { history } = ledger.risk;
    const sent = history.ordersSent(now, hours);
    const perMatch = sent / Math.max(1, history.ordersMatched(now, hours));
    const of = sent > minimumOrders ? `in ${hours} h` : `counts from ${minimumOrders} orders on`;
    return countBar('orders per match', { value: Math.round(perMatch * 10) / 10, of }, ratio);
  },

  order: undefined,
  selfMatch: undefined,
  staleMs: undefined,
  ticksFromBook: undefined,
  heartbeat: undefined,
};

export function limitBars(ledger: Ledger, now: Instant): readonly Bar[] {
  const limits: Readonly<Record<string, unknown>> = ledger.risk.limits;
  return Object.entries<BarOf | undefined>(BARS).flatMap(([key, bar]) =>
    bar === undefined || limits[key] === undefined ? [] : [bar(limits[key], { ledger, now })],
  );
}

/** The limit that is nearest to being reached; undefined where none is set. */
export function nearestLimit(ledger: Ledger, now: Instant): Bar | undefined {
  return limitBars(ledger, now).toSorted((a, b) => usedShare(b) - usedShare(a))[0];
}

interface Used {
  readonly value: number;
  readonly of: string;
}

function worstMarket(ledger: Ledger, of: (entry: MarketEntry) => number): Used {
  return worst(openMarkets(ledger), of, ({ state }) => marketLabel(state.facts));
}

function openMarkets(ledger: Ledger): readonly MarketEntry[] {
  return [...ledger.marketEntries()].filter(({ state }) => ledger.exposure.isOpen(state.index));
}

/** The one with the most, and its name; of none, where nothing is used. */
function worst<Item>(items: readonly Item[], of: (item: Item) => number, name: (item: Item) => string): Used {
  let value = 0;
  let found: Item | undefined;
  for (const item of items) {
    const used = of(item);
    if (used <= value) continue;
    value = used;
    found = item;
  }
  return { value, of: value === 0 ? '' : name(defined(found, 'more than nothing is somebody’s')) };
}

function outcomeLossIn({ exposure }: Ledger, { state }: MarketEntry): number {
  let most = 0;
  for (let index = 0; index < state.facts.outcomes.length; index += 1)
    most = Math.max(most, exposure.outcomeLoss(state.index, index));
  return most;
}

function amountBar(label: string, { value, of }: Used, limit: Money): Bar {
  return { label, used: moneyToDecimal(value as Money), limit: moneyToDecimal(limit), unit: 'amount', of };
}

function countBar(label: string, { value, of }: Used, limit: number): Bar {
  return { label, used: value, limit, unit: 'count', of };
}
