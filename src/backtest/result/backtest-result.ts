/** Adds up the pieces of a run to one result. */

import { createHash } from 'node:crypto';
import { defined } from '../../core/checks/assert.ts';
import { type Money, moneyToDecimal, ZERO } from '../../core/number/units.ts';
import type { RefusalCode } from '../../core/refusal.ts';
import type { LoadedStrategy } from '../../loader/strategy-loader.ts';
import { type BetWorth, noBetWorth } from '../../matching/life/bet-worth.ts';
import { packageVersion } from '../../package/running-package.ts';
import type { Tape } from '../../recording/tape/tape.ts';
import { isImported } from '../../recording/tape/tape-schema.ts';
import { BOUNDS, type Bound, type ByBound, mapBounds } from '../../result/figures/bounds.ts';
import { joinedRefusals } from '../../result/figures/refusal-rows.ts';
import {
  type BacktestResult,
  type LookaheadProof,
  type MarketResult,
  type ProfitMoney,
  type ProfitPoint,
  profitFigures,
} from '../../result/result.ts';
import type { StrategyUsed } from '../../result/run-facts.ts';
import { writtenDurations } from '../../strategy/written-durations.ts';
import type { BacktestOptions } from '../options/backtest-options.ts';
import { worldsOf } from '../options/worlds.ts';
import type { CollectedMarket } from '../simulation/backtest-collector.ts';
import { type SourceChoice, worstGrade } from '../simulation/backtest-source.ts';
import { addCount } from '../simulation/strategy-tally.ts';
import { noticesOf } from './backtest-notices.ts';
import { settingsOf } from './describe-options.ts';
import { haltsInWords, haltsInWorlds, haltWarnings } from './halts.ts';
import type { KeptEnd, Piece } from './kept-piece.ts';
import { bothWorths, outcomeEnds } from './outcome-ends.ts';
import { plotNotices } from './plots-of-run.ts';
import { type PreOffBets, preOffBets } from './pre-off-bets.ts';
import { countsOf, resultRuns, sum } from './result-runs.ts';
import { runNotices } from './run-notices.ts';
import type { ReadSignal } from './signal-notices.ts';

export interface ResultParts {
  readonly options: BacktestOptions;
  readonly strategies: readonly LoadedStrategy[];
  readonly tapes: readonly Tape[];
  readonly source: SourceChoice;
  readonly signals: readonly ReadSignal[];
  readonly pieces: readonly Piece[];
  readonly proof?: LookaheadProof;
  readonly elapsedMs: number;
}

const NO_PROFIT: ProfitMoney = { stakeMatched: ZERO, profitGross: ZERO, commission: ZERO };
const NO_WORTH = noBetWorth(0);
const NO_PROFIT_BY_BOUND: ByBound<ProfitMoney> = { pessimistic: NO_PROFIT, central: NO_PROFIT, optimistic: NO_PROFIT };

/** All that a result has but its statistics, which the units of a sweep do without. */
export type ResultFigures = Omit<BacktestResult, 'statistics'>;

export function backtestResult(parts: ResultParts): ResultFigures {
  const { options, source, pieces } = parts;
  const mains = pieces.map(centralEnd);
  const markets = marketsInOrder(pieces);
  const profits = markets.map(({ profit }) => profit);
  const worlds = worldsOf(options);
  const halts = haltsInWords(haltsInWorlds(pieces), {
    all: worlds,
    strategies: parts.strategies.length,
    limitMs: options.strategyTimeoutMs,
  });
  const byMarket = markets.map(marketResult);
  const currency = currencyOf(options, source);
  const strategies = strategiesOf(parts, mains);
  const updates = updatesOf(options, mains);
  const total = mapBounds(profits.reduce(addAll, NO_PROFIT_BY_BOUND), profitFigures);
  return {
    version: packageVersion(),
    seed: options.seed,
    currency,
    tapes: parts.tapes.map((tape) => tapeUsed(tape, source)),
    strategies,
    settings: settingsOf(options),
    wallets: walletsOf(options, mains, currency),
    fills: options.fills,
    updates,
    decisions: sum(mains.map(({ decisions }) => decisions)),
    orders: countsOf(mains),
    refusals: Object.fromEntries(added<RefusalCode>(mains.map(({ collector }) => collector.refusals))),
    refused: joinedRefusals(mains.map(({ collector }) => collector.refused)),
    rejections: Object.fromEntries(added<string>(mains.map(({ collector }) => collector.rejections))),
    total,
    byMarket,
    leftOut: source.leftOut,
    curve: curveOf(markets),
    ...resultRuns(pieces),
    warnings: haltWarnings(halts, worlds),
    notices: [
      ...noticesOf({
        ...parts,
        fills: options.fills,
        fillRules: options.fillRules,
        window: options.markets.window,
        strategies: parts.strategies.map(({ plugin }) => plugin.name),
        ends: mains,
        everyEnd: pieces.flatMap(({ ends }) => ends.map(([, end]) => end)),
        total,
        interrupted: pieces.some(({ interrupted }) => interrupted),
      }),
      ...runNotices({ byMarket, strategies, updates, rejectionsUntold: rejectionsUntoldOf(strategies, mains) }),
      ...plotNotices(mains),
    ],
    halts,
    ...(parts.proof === undefined ? {} : { proof: parts.proof }),
    interrupted: pieces.some(({ interrupted }) => interrupted),
    transcriptSha256: identityOf(pieces),
    elapsedMs: parts.elapsedMs,
  };
}

/** What is kept of one unit of many backtests. */
export interface UnitResult extends Pick<BacktestResult, 'byMarket' | 'orders' | 'updates' | 'decisions'> {
  /** How often a strategy was halted. */
  readonly halts: number;
  /** What was matched before the off, by market id and bound. */
  readonly preOff: ReadonlyMap<string, ReadonlyMap<Bound, PreOffBets>>;
}

/** The same figures, without all that only the reader of one run asks for. */
export function unitResult({ options, pieces }: Pick<ResultParts, 'options' | 'pieces'>): UnitResult {
  const mains = pieces.map(centralEnd);
  const byMarket = marketsInOrder(pieces).map(marketResult);
  return {
    byMarket,
    preOff: preOffBets(pieces, byMarket, BOUNDS),
    orders: countsOf(mains),
    updates: updatesOf(options, mains),
    decisions: sum(mains.map(({ decisions }) => decisions)),
    halts: haltsInWorlds(pieces).length,
  };
}

function marketsInOrder(pieces: readonly Piece[]): readonly RunMarket[] {
  return merged(pieces.flatMap(marketsOf)).sort((a, b) => a.central.index - b.central.index);
}

function strategiesOf({ options, strategies }: ResultParts, ends: readonly KeptEnd[]): readonly StrategyUsed[] {
  return strategies.map(({ plugin, file, params }, index) => ({
    name: plugin.name,
    file: options.strategies[index]?.file ?? file,
    params,
    durations: writtenDurations(plugin.params ?? {}, params),
    timerCalls: sum(ends.map(({ timerCalls }) => defined(timerCalls[index], OF_EACH_STRATEGY))),
  }));
}

function rejectionsUntoldOf(strategies: readonly StrategyUsed[], ends: readonly KeptEnd[]): readonly number[] {
  return strategies.map((_, index) =>
    sum(ends.map(({ rejectionsUntold }) => defined(rejectionsUntold[index], OF_EACH_STRATEGY))),
  );
}

const OF_EACH_STRATEGY = 'a simulation counts for each strategy of the run';

interface RunMarket {
  readonly central: CollectedMarket;
  readonly profit: ByBound<ProfitMoney>;
  readonly worth: ByBound<BetWorth>;
}

function centralEnd(piece: Piece): KeptEnd {
  const [, end] = piece.ends.find(([bound]) => bound === 'central') ?? piece.ends[0] ?? [];
  return defined(end, 'a piece has at least one world');
}

/** Joins what the worlds of a piece have of each market. A bound of the interval that was not computed equals the central one. */
function marketsOf(piece: Piece): readonly RunMarket[] {
  const found = piece.ends.map(
    ([bound, end]) => [bound, new Map(end.collector.markets.map((market) => [market.index, market]))] as const,
  );
  return centralEnd(piece).collector.markets.map((central) => {
    const of = new Map(found.map(([bound, byIndex]) => [bound, byIndex.get(central.index)]));
    return { central, profit: byBound(of, central, profitOf), worth: byBound(of, central, worthOf) };
  });
}

function profitOf({ profit }: CollectedMarket): ProfitMoney {
  return profit;
}

function worthOf({ worth }: CollectedMarket): BetWorth {
  return worth;
}

function byBound<Figure>(
  found: ReadonlyMap<Bound, CollectedMarket | undefined>,
  central: CollectedMarket,
  figureOf: (market: CollectedMarket) => Figure,
): ByBound<Figure> {
  const made: { -readonly [Key in keyof ByBound<Figure>]: ByBound<Figure>[Key] } = {
    pessimistic: figureOf(found.get('pessimistic') ?? central),
    central: figureOf(central),
    optimistic: figureOf(found.get('optimistic') ?? central),
  };
  for (const bound of ['lowest', 'highest', 'refilled'] as const) {
    const market = found.get(bound);
    if (market !== undefined) made[bound] = figureOf(market);
  }
  return made;
}

/** One entry for each market: where each strategy had a run of its own, the profits of a market are added up. */
function merged(markets: readonly RunMarket[]): RunMarket[] {
  const byIndex = new Map<number, RunMarket>();
  for (const market of markets) {
    const known = byIndex.get(market.central.index);
    byIndex.set(market.central.index, known === undefined ? market : bothOf(known, market));
  }
  return [...byIndex.values()];
}

function bothOf(a: RunMarket, b: RunMarket): RunMarket {
  return {
    central: {
      ...a.central,
      orders: a.central.orders + b.central.orders,
      ordersSuspended: a.central.ordersSuspended + b.central.ordersSuspended,
      stakeOutOfSight: (a.central.stakeOutOfSight + b.central.stakeOutOfSight) as Money,
    },
    profit: addAll(a.profit, b.profit),
    worth: mapBounds(b.worth, (worth, bound) => bothWorths(a.worth[bound] ?? NO_WORTH, worth)),
  };
}

/** Updates are counted once, even where they were played to each strategy in a run of its own. */
function updatesOf({ isolate }: BacktestOptions, ends: readonly KeptEnd[]): number {
  const updates = ends.map((end) => end.updates);
  return isolate === 'strategy' ? Math.max(0, ...updates) : sum(updates);
}

function marketResult({ central, profit, worth }: RunMarket): MarketResult {
  const { facts, grade } = central;
  return {
    id: facts.id,
    name: facts.name,
    eventId: facts.eventId,
    eventName: facts.eventName,
    ...(facts.venue === undefined ? {} : { venue: facts.venue }),
    marketTypeId: facts.marketTypeId,
    ...(central.startsAt === undefined ? {} : { startsAt: central.startsAt }),
    ...(central.inPlayAt === undefined ? {} : { inPlayAt: central.inPlayAt }),
    ...(central.preOff === undefined ? {} : { preOffAt: central.preOff.at }),
    winnerCount: central.winnerCount,
    outcomes: outcomeEnds(central, worth),
    grade,
    updates: central.updates,
    orders: central.orders,
    status: central.status,
    ...(central.settledAt === undefined ? {} : { settledAt: central.settledAt }),
    ...(central.cutOffAt === undefined ? {} : { cutOffAt: central.cutOffAt }),
    ordersSuspended: central.ordersSuspended,
    stakeOutOfSight: moneyToDecimal(central.stakeOutOfSight),
    profit: mapBounds(profit, profitFigures),
  };
}

/** Cumulative net profit, settlement by settlement. */
function curveOf(markets: readonly RunMarket[]): readonly ProfitPoint[] {
  const settled = markets.flatMap(({ central, profit }) => {
    const at = central.settledAt;
    return at === undefined ? [] : [{ at, central, profit }];
  });
  settled.sort((a, b) => a.at - b.at || a.central.index - b.central.index);
  const running = new Map<Bound, number>();
  return settled.map(({ at, central, profit }) => ({
    at,
    market: central.facts.id,
    ...mapBounds(profit, ({ profitGross, commission }, bound) => {
      const sum = (running.get(bound) ?? 0) + profitGross - commission;
      running.set(bound, sum);
      return moneyToDecimal(sum as Money);
    }),
  }));
}

function addProfit(a: ProfitMoney, b: ProfitMoney): ProfitMoney {
  const worth =
    a.markToMarket === undefined && b.markToMarket === undefined ? undefined : plus(a.markToMarket, b.markToMarket);
  return {
    stakeMatched: plus(a.stakeMatched, b.stakeMatched),
    profitGross: plus(a.profitGross, b.profitGross),
    commission: plus(a.commission, b.commission),
    ...(worth === undefined ? {} : { markToMarket: worth }),
  };
}

function plus(a: Money | undefined, b: Money | undefined): Money {
  return ((a ?? 0) + (b ?? 0)) as Money;
}

/** Adds up bound by bound: all markets of a run have the same bounds. */
function addAll(a: ByBound<ProfitMoney>, b: ByBound<ProfitMoney>): ByBound<ProfitMoney> {
  return mapBounds(b, (profit, bound) => addProfit(a[bound] ?? NO_PROFIT, profit));
}

function added<K extends string>(maps: readonly ReadonlyMap<K, number>[]): ReadonlyMap<K, number> {
  const total = new Map<K, number>();
  for (const map of maps) for (const [key, count] of map) addCount(total, key, count);
  return total;
}

/** The grade is that of the markets replayed from it: its other markets say nothing of this result. */
function tapeUsed(tape: Tape, { markets }: SourceChoice): BacktestResult['tapes'][number] {
  const generated = tape.markets.find((market) => market.generated !== undefined)?.generated;
  const replayed = markets
    .flatMap((chosen) => [chosen, ...(chosen.later ?? [])])
    .flatMap((part) => (part.tape === tape ? [part.market] : []));
  const grade = replayed.length === 0 ? {} : { grade: worstGrade(replayed) };
  return { path: tape.path, sha256: tape.sha256, ...grade, ...(generated === undefined ? {} : { generated }) };
}

/** An imported recording is in the currency of whoever recorded it, which it does not say. */
function currencyOf({ wallets }: BacktestOptions, { markets }: SourceChoice): string {
  const [named] = Object.values(wallets).flatMap(({ currency }) => currency ?? []);
  return named ?? (markets.some(({ market }) => isImported(market)) ? 'units' : 'USDC');
}

/** Each piece starts with the full balances, so the balance at the end is the start plus the profits of all pieces. */
function walletsOf(options: BacktestOptions, ends: readonly KeptEnd[], currency: string): BacktestResult['wallets'] {
  return Object.entries(options.wallets).map(([name, { balance }], index) => {
    if (balance === 'unlimited') return { name, currency };
    const brought = sum(ends.map(({ balances }) => (balances[index] ?? balance) - balance));
    return {
      name,
      currency,
      balanceStart: moneyToDecimal(balance),
      balanceEnd: moneyToDecimal((balance + brought) as Money),
    };
  });
}

function identityOf(pieces: readonly Piece[]): string {
  const [first, ...others] = pieces;
  if (first !== undefined && others.length === 0) return first.transcriptSha256;
  const hash = createHash('sha256');
  for (const piece of pieces) hash.update(`${piece.transcriptSha256}\n`);
  return hash.digest('hex');
}
