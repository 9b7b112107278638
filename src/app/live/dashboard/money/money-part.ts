/** What a run has made: the ledger’s settled sums, what closing would bring now, and how both divide among its strategies. */

import { type Instant, type Money, moneyToDecimal } from '../../../../core/number/units.ts';
import { AGAINST, FOR } from '../../../../core/side.ts';
import type { Ledger } from '../../../../engine/ledger/ledger.ts';
import { strategyName } from '../../../../engine/ledger/run-names.ts';
import type { MarketEntry } from '../../../../engine/ledger/strategy-in-market.ts';
import type { BotStatus } from '../../../../engine/live/bot-status.ts';
import type { CashRow, MoneyPart, OpenValue, RestMoney, StrategyMoney } from '../../../../pages/money-panel.ts';
import type { Position } from '../../../../risk/exposure/position.ts';
import { NOTHING_OPEN, positionValue, sumOpen } from './closing-value.ts';
import type { MarketSums } from './market-sums.ts';
import { dayOf, type MoneyCurves } from './money-curve.ts';

export interface MoneyParts {
  readonly ledger: Ledger;
  readonly bot: BotStatus;
  readonly sums: MarketSums;
  readonly curves: MoneyCurves;
}

export function moneyPart({ ledger, bot, sums, curves }: MoneyParts): MoneyPart {
  const { today, total, drawdown } = bot.results;
  const now = Math.floor(bot.at) as Instant;
  const open = openByStrategy(ledger);
  const strategies = strategyRows({ bot, sums, now, open });
  return {
    settled: total,
    today,
    open: [...open.values()].reduce(sumOpen, NOTHING_OPEN),
    belowPeak: drawdown,
    canLose: bot.wallets.reduce((sum, { worstLoss }) => sum + (worstLoss ?? 0), 0),
    wallets: bot.wallets.map((wallet, index) => cashRow(wallet, ledger.exposure.matchedOfWallet(index))),
    strategies,
    rest: restRows({ today, total }, strategies, commissionOf(sums, now)),
    ...curves.of(ledger.risk.history, sums, now),
  };
}

/** The exchange takes what matched bets can lose out of the balance. The three figures add up as they are written. */
function cashRow(
  { name, balance, balanceAvailable, worstLoss, unreadMs }: BotStatus['wallets'][number],
  matched: Money,
): CashRow {
  const [cash, free] = [cents(balance + moneyToDecimal(matched)), cents(balanceAvailable)];
  const isUnread = unreadMs !== undefined;
  return { name, cash: cash / 100, atRisk: (cash - free) / 100, free: free / 100, worstLoss, isUnread };
}

function cents(amount: number): number {
  return Math.round(amount * 100);
}

function openByStrategy(ledger: Ledger): ReadonlyMap<string, OpenValue> {
  const byName = new Map<string, OpenValue>();
  for (const entry of ledger.marketEntries())
    for (const { owner, open } of openPositions(ledger, entry))
      byName.set(owner, sumOpen(byName.get(owner) ?? NOTHING_OPEN, open));
  return byName;
}

interface OwnedPosition {
  readonly owner: string;
  readonly open: OpenValue;
}

/** The positions of each strategy that has matched something in the market, and of adopted orders. */
export function openPositions(
  { exposure, instances, names }: Ledger,
  { state }: MarketEntry,
): readonly OwnedPosition[] {
  if (!exposure.isOpen(state.index)) return [];
  const positions: OwnedPosition[] = [];
  for (let strategy = 0; strategy <= instances.length; strategy += 1) {
    const position = exposure.position(state.index, strategy);
    if (position === undefined || !hasMatched(position)) continue;
    const value = positionValue(state, position);
    const isPriced = value !== undefined;
    const open = { value: value ?? 0, positions: isPriced ? 1 : 0, unpriced: isPriced ? 0 : 1 };
    positions.push({ owner: strategyName(names, strategy), open });
  }
  return positions;
}

function hasMatched(position: Position): boolean {
  for (let outcome = 0; outcome < position.outcomes; outcome += 1)
    if (position.matchedStake(outcome, FOR) > 0 || position.matchedStake(outcome, AGAINST) > 0) return true;
  return false;
}

interface StrategyParts {
  readonly bot: BotStatus;
  readonly sums: MarketSums;
  readonly now: Instant;
  readonly open: ReadonlyMap<string, OpenValue>;
}

/** Those of the run, and others that earned something before. */
function strategyRows({ bot, sums, now, open }: StrategyParts): readonly StrategyMoney[] {
  const settled = new Map(Object.entries(sums.older.gross));
  const today = new Map<string, number>();
  for (const { at, gross } of sums.markets)
    for (const [name, profit] of Object.entries(gross)) {
      settled.set(name, (settled.get(name) ?? 0) + profit);
      if (dayOf(at) === dayOf(now)) today.set(name, (today.get(name) ?? 0) + profit);
    }
  const earned = (name: string) => ({
    settled: decimal(settled.get(name) ?? 0),
    today: decimal(today.get(name) ?? 0),
    open: open.get(name) ?? NOTHING_OPEN,
  });
  const known = new Set(bot.strategies.map(({ name }) => name));
  const gone = [...settled.keys()].filter((name) => !known.has(name));
  return [
    ...bot.strategies.map((strategy) => ({ ...strategy, ...earned(strategy.name) })),
    ...gone.map((name) => ({ name, isHalted: false, liveOrders: 0, worstLoss: 0, ...earned(name) })),
  ];
}

type Sums = Pick<RestMoney, 'settled' | 'today'>;

function commissionOf({ markets, older }: MarketSums, now: Instant): Sums {
  let [settled, today] = [older.commission, 0];
  for (const { at, commission } of markets) {
    settled += commission;
    if (dayOf(at) === dayOf(now)) today += commission;
  }
  return { settled: -decimal(settled), today: -decimal(today) };
}

function restRows(
  { total, today }: BotStatus['results'] | { readonly total: number; readonly today: number },
  strategies: readonly StrategyMoney[],
  commission: Sums,
): readonly RestMoney[] {
  const left = (of: keyof Sums, all: number): number =>
    all - strategies.reduce((sum, strategy) => sum + strategy[of], 0) - commission[of];
  const unknown = { settled: left('settled', total), today: left('today', today) };
  const rows = [
    { label: 'commission', ...commission },
    { label: 'not known by strategy', ...unknown },
  ];
  return rows.filter(({ settled, today: ofDay }) => Math.abs(settled) >= CENT / 2 || Math.abs(ofDay) >= CENT / 2);
}

const CENT = 0.01;

function decimal(micros: number): number {
  return moneyToDecimal(micros as Money);
}
