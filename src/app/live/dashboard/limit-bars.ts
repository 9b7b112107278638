/** How much of each limit is used: of a limit that many have, the one that is nearest to it. */

import { defined } from '../../../core/checks/assert.ts';
import { type Instant, type Money, moneyToDecimal } from '../../../core/number/units.ts';
import type { Ledger } from '../../../engine/ledger/ledger.ts';
import { strategyName, walletName } from '../../../engine/ledger/run-names.ts';
import type { MarketEntry } from '../../../engine/ledger/strategy-in-market.ts';
import type { Bar } from '../../../pages/panels.ts';
import { marketLabel } from '../../../words/market-label.ts';

interface Used {
  readonly value: number;
  readonly of: string;
}

export function limitBars(ledger: Ledger, now: Instant): readonly Bar[] {
  return [...lossBars(ledger, now), ...exposureBars(ledger), ...countBars(ledger, now)];
}

/** Settled losses, which stop new risk when they reach their limit. */
function lossBars({ risk }: Ledger, now: Instant): readonly Bar[] {
  const { limits, history } = risk;
  const { dailyLoss, rollingLoss, drawdown, cooldown } = limits;
  const bars: Bar[] = [];
  if (dailyLoss !== undefined) bars.push(amountBar('loss of the day', history.dayLoss(now), dailyLoss, 'UTC'));
  if (rollingLoss !== undefined) {
    const { amount, hours } = rollingLoss;
    bars.push(amountBar('rolling loss', history.rollingLoss(now, hours), amount, `in ${hours} h`));
  }
  if (drawdown !== undefined)
    bars.push(amountBar('drawdown', history.drawdown, drawdown.amount, `then ${drawdown.action}`));
  if (cooldown !== undefined)
    bars.push(countBar('losses in a row', { value: history.losingRun, of: '' }, cooldown.losses));
  return bars;
}

/** What can be lost, matched and unmatched. */
function exposureBars(ledger: Ledger): readonly Bar[] {
  const { exposure, names, instances, risk } = ledger;
  const { outcome, market, event, strategy, wallet } = risk.limits;
  const open = [...ledger.marketEntries()].filter(({ state }) => exposure.isOpen(state.index));
  const bars: Bar[] = [];
  const add = (label: string, limit: Money | undefined, used: () => Used): void => {
    if (limit === undefined) return;
    const { value, of } = used();
    bars.push(amountBar(label, value, limit, of));
  };
  add('worst outcome', outcome, () => worst(open, (entry) => outcomeLossIn(ledger, entry), placeOf));
  add('worst market', market, () => worst(open, ({ state }) => exposure.lossOfMarket(state.index), placeOf));
  add('worst event', event, () => {
    const eventLoss = ({ state }: MarketEntry) => exposure.lossOfEvent(state.facts.eventId);
    return worst(open, eventLoss, ({ state }) => state.facts.eventName);
  });
  const strategies = [...instances.map(({ index }) => index), instances.length];
  add('worst strategy', strategy, () =>
    worst(
      strategies,
      (index) => exposure.lossOfStrategy(index),
      (index) => strategyName(names, index),
    ),
  );
  add('worst wallet', wallet, () =>
    worst(
      names.wallets.map((_, index) => index),
      (index) => exposure.lossOfWallet(index),
      (index) => walletName(names, index),
    ),
  );
  return bars;
}

function countBars(ledger: Ledger, now: Instant): readonly Bar[] {
  const { exposure, risk } = ledger;
  const { ordersPerSecond, ordersPerMarket, liveOrders, orderToMatch } = risk.limits;
  const bars: Bar[] = [];
  const add = (label: string, limit: number | undefined, used: () => Used): void => {
    if (limit !== undefined) bars.push(countBar(label, used(), limit));
  };
  add('live orders', liveOrders, () => ({ value: exposure.liveOrders, of: '' }));
  add('orders in a market', ordersPerMarket, () => {
    const open = [...ledger.marketEntries()].filter(({ state }) => exposure.isOpen(state.index));
    return worst(open, ({ state }) => exposure.liveOrdersInMarket(state.index), placeOf);
  });
  add('orders a second', ordersPerSecond, () => ({ value: risk.history.ordersInSecond(now), of: '' }));
  if (orderToMatch !== undefined) {
    const { ratio, hours, minimumOrders } = orderToMatch;
    const sent = risk.history.ordersSent(now, hours);
    const perMatch = sent / Math.max(1, risk.history.ordersMatched(now, hours));
    const of = sent > minimumOrders ? `in ${hours} h` : `counts from ${minimumOrders} orders on`;
    bars.push(countBar('orders per match', { value: Math.round(perMatch * 10) / 10, of }, ratio));
  }
  return bars;
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

function placeOf({ state: { facts } }: MarketEntry): string {
  return marketLabel(facts);
}

function amountBar(label: string, used: number, limit: Money, of: string): Bar {
  return { label, used: moneyToDecimal(used as Money), limit: moneyToDecimal(limit), unit: 'amount', of };
}

function countBar(label: string, { value, of }: Used, limit: number): Bar {
  return { label, used: value, limit, unit: 'count', of };
}
