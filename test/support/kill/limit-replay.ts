/** Whether any order was sent that a limit forbids: the journal played again, every figure from the list of all orders. */

import { priceOfTick, tick } from '../../../src/core/number/ladder.ts';
import { type Money, money } from '../../../src/core/number/units.ts';
import type { TimedRecord } from '../../../src/core/run/journal.ts';
import type { ReportedOrder, SentOrder } from '../../../src/core/run/kept-order.ts';
import { isLiveReport } from './run-fold.ts';

export interface ReplayedLimits {
  readonly order: number;
  readonly outcome: number;
  readonly market: number;
  readonly strategy: number;
  readonly wallet: number;
  readonly ordersPerSecond: number;
  readonly ordersPerMarket: number;
  readonly liveOrders: number;
}

interface Held {
  readonly terms: SentOrder;
  report: ReportedOrder | undefined;
}

const MICROS = 1_000_000;
const SECOND_MS = 1_000;

export interface ReplayedMarket {
  readonly outcomes: readonly string[];
  /** When its result was asked for: what it held is no risk from then on. */
  readonly overAt: number | undefined;
}

interface Rules {
  readonly limits: ReplayedLimits;
  readonly markets: ReadonlyMap<string, ReplayedMarket>;
}

/** Orders that lower what is above a limit are no breach. Amounts of the limits are decimals. */
export function limitBreaches(records: Iterable<TimedRecord>, { limits, markets }: Rules): readonly string[] {
  const held = new Map<number, Held>();
  /** Proven absent, or refused: of the first one a report may still come, and it counts again then. */
  const absent = new Map<number, Held>();
  const sentAt: number[] = [];
  const breaches: string[] = [];
  for (const { at, record } of records) {
    if (record.kind === 'sent' || record.kind === 'adopted') {
      const before = [...held.values()];
      held.set(record.client, { terms: record, report: undefined });
      if (record.kind === 'adopted') continue;
      sentAt.push(at);
      const inSecond = sentAt.filter((each) => each > at - SECOND_MS).length;
      if (inSecond > limits.ordersPerSecond) breaches.push(`client ${record.client}: ${inSecond} orders in a second`);
      const isNow = ({ terms: { market } }: Held) => (markets.get(market)?.overAt ?? Number.POSITIVE_INFINITY) > at;
      breaches.push(...breachesOf(record, { before: before.filter(isNow), rules: { limits, markets } }));
      while ((sentAt[0] ?? at) <= at - SECOND_MS) sentAt.shift();
    } else if (record.kind === 'reported') {
      const order = held.get(record.client) ?? absent.get(record.client);
      if (order === undefined) continue;
      held.set(record.client, order);
      if (order.report === undefined || record.at >= order.report.at) order.report = record;
      if (!isLiveReport(order.report) && order.report.stakeMatched === 0) held.delete(record.client);
    } else if (record.kind === 'rejected') {
      const order = held.get(record.client);
      if (order === undefined || order.report !== undefined) continue;
      held.delete(record.client);
      absent.set(record.client, order);
    } else if (record.kind === 'marketDone') {
      for (const orders of [held, absent])
        for (const [client, { terms }] of orders) if (terms.market === record.market) orders.delete(client);
    }
  }
  return breaches;
}

function breachesOf(
  sent: SentOrder,
  { before, rules: { limits, markets } }: { readonly before: readonly Held[]; readonly rules: Rules },
): readonly string[] {
  const marketsLoss = (orders: readonly Held[]) => sum(byMarket(orders).map((each) => marketLoss(each, markets)));
  const after = [...before, { terms: sent, report: undefined }];
  const same = (key: 'market' | 'outcome' | 'strategy' | 'wallet') => (held: Held) => held.terms[key] === sent[key];
  const sums: readonly [string, number, (orders: readonly Held[]) => number][] = [
    ['order', limits.order, () => unmatchedRisk(sent, sent.stake)],
    // At Betfair one outcome, such as the draw, has one id in all markets.
    ['outcome', limits.outcome, (orders) => outcomeLoss(orders.filter(same('market')), sent.outcome)],
    ['market', limits.market, (orders) => marketsLoss(orders.filter(same('market')))],
    ['strategy', limits.strategy, (orders) => marketsLoss(orders.filter(same('strategy')))],
    ['wallet', limits.wallet, (orders) => marketsLoss(orders.filter(same('wallet')))],
  ];
  const breaches = sums.flatMap(([name, limit, lossOf]) => {
    const loss = lossOf(after);
    if (loss <= limit * MICROS) return [];
    // A hedge may be of any size, and what raises no loss is never refused for it (src/risk/rules.ts).
    if (name === 'order' ? isHedge(sent, before, markets) : loss <= lossOf(before)) return [];
    return [`client ${sent.client}: ${name} could lose ${loss / MICROS}, the limit is ${limit}`];
  });
  const live = after.filter(({ report }) => report === undefined || isLiveReport(report));
  const inMarket = live.filter(same('market')).length;
  if (live.length > limits.liveOrders) breaches.push(`client ${sent.client}: ${live.length} orders live`);
  if (inMarket > limits.ordersPerMarket) breaches.push(`client ${sent.client}: ${inMarket} orders live in its market`);
  return breaches;
}

/** Matched in full it lowers what the strategy's matched bets in the market can lose. */
function isHedge(sent: SentOrder, before: readonly Held[], markets: Rules['markets']): boolean {
  const matched = before
    .filter(({ terms }) => terms.market === sent.market && terms.strategy === sent.strategy)
    .flatMap((held) => (held.report === undefined ? [] : [matchedPart(held.terms, held.report)]));
  const whole = { stakeMatched: sent.stake, winningsMatched: winningsOf(sent, sent.stake) };
  const after = [...matched, matchedPart(sent, whole)];
  return matched.length > 0 && marketLoss(after, markets) < marketLoss(matched, markets);
}

type Matched = Pick<ReportedOrder, 'stakeMatched' | 'winningsMatched'>;

function matchedPart(terms: SentOrder, { stakeMatched, winningsMatched }: Matched): Held {
  const none = money(0);
  const report = { client: terms.client, order: 0, status: 'Matched', at: 0 } as const;
  return { terms, report: { ...report, stakeMatched, winningsMatched, stakeUnmatched: none, stakeVoided: none } };
}

function winningsOf({ tick: at }: SentOrder, stake: number): Money {
  return money(Number((BigInt(stake) * BigInt(priceOfTick(tick(at)) - 1_000)) / 1_000n));
}

function unmatchedRisk(terms: SentOrder, stake: number): number {
  return terms.side === 'For' ? stake : winningsOf(terms, stake);
}

/** The worst of matched and unmatched bets together, whichever outcome wins and whatever else matches. */
function lossIf({ terms, report }: Held, wins: boolean): number {
  const unmatched = report === undefined ? terms.stake : isLiveReport(report) ? report.stakeUnmatched : 0;
  const isBack = terms.side === 'For';
  const risk = wins === isBack ? 0 : unmatchedRisk(terms, unmatched);
  const forProfit = wins ? (report?.winningsMatched ?? 0) : -(report?.stakeMatched ?? 0);
  return risk - (isBack ? forProfit : -forProfit);
}

function outcomeLoss(orders: readonly Held[], outcome: string): number {
  const on = orders.filter(({ terms }) => terms.outcome === outcome);
  return Math.max(...[true, false].map((wins) => sum(on.map((order) => lossIf(order, wins)))));
}

/** One of its outcomes wins. */
function marketLoss(orders: readonly Held[], markets: Rules['markets']): number {
  const market = orders[0]?.terms.market ?? '';
  const outcomes = markets.get(market)?.outcomes;
  if (outcomes === undefined) throw new Error(`nobody knows the outcomes of market ${market}`);
  return Math.max(
    0,
    ...outcomes.map((winner) => sum(orders.map((order) => lossIf(order, order.terms.outcome === winner)))),
  );
}

function byMarket(orders: readonly Held[]): readonly (readonly Held[])[] {
  const markets = new Map<string, Held[]>();
  for (const order of orders) {
    const of = markets.get(order.terms.market);
    if (of === undefined) markets.set(order.terms.market, [order]);
    else of.push(order);
  }
  return [...markets.values()];
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
