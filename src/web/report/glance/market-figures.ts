/** What a run's settled markets say at one glance: how many were won, how far the profits spread, when and where they came. */

import type { MarketResult } from '../../../result/result.ts';

/** A market in which something was matched and which was settled by a result. */
export interface JudgedMarket {
  readonly market: MarketResult;
  readonly net: number;
  readonly settledAt: number;
}

export function judgedMarkets(all: readonly MarketResult[]): readonly JudgedMarket[] {
  return all.flatMap((market) => {
    const { settledAt, status, profit } = market;
    if (settledAt === undefined || status === 'Voided' || profit.central.stakeMatched === 0) return [];
    return [{ market, net: profit.central.profitNet, settledAt }];
  });
}

export interface WinFigures {
  readonly won: number;
  readonly lost: number;
  readonly gains: number;
  /** Below zero. */
  readonly losses: number;
  /** Gains per unit lost; undefined where nothing was lost. */
  readonly profitFactor: number | undefined;
}

/** What rounds to nothing is neither won nor lost. */
export function winFigures(markets: readonly JudgedMarket[]): WinFigures {
  const won = markets.filter(({ net }) => net >= LEAST);
  const lost = markets.filter(({ net }) => net <= -LEAST);
  const [gains, losses] = [sum(won), sum(lost)];
  return {
    won: won.length,
    lost: lost.length,
    gains,
    losses,
    profitFactor: losses === 0 ? undefined : gains / -losses,
  };
}

const LEAST = 0.005;

function sum(markets: readonly JudgedMarket[]): number {
  return markets.reduce((total, { net }) => total + net, 0);
}

export interface Bin {
  /** Markets from here, included, up to `to`. */
  readonly from: number;
  readonly to: number;
  readonly markets: readonly JudgedMarket[];
}

/** A rounded width, so that zero is always an edge; at most this many bins, but for one more on each side. */
const BINS_MAX = 24;

export function distribution(markets: readonly JudgedMarket[]): readonly Bin[] {
  if (markets.length === 0) return [];
  const nets = markets.map(({ net }) => net);
  const [low, high] = [Math.min(0, ...nets), Math.max(0, ...nets)];
  const width = roundedWidth((high - low) / BINS_MAX);
  const [first, last] = [Math.floor(low / width), Math.floor(high / width)];
  const bins = Array.from({ length: last - first + 1 }, (): JudgedMarket[] => []);
  for (const each of markets) bins[Math.floor(each.net / width) - first]?.push(each);
  return bins.map((inBin, at) => ({ from: (first + at) * width, to: (first + at + 1) * width, markets: inBin }));
}

/** 1, 2 or 5 times a power of ten, at least as large. */
function roundedWidth(least: number): number {
  if (least <= LEAST) return LEAST * 2;
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5].find((step) => step * power >= least) ?? 10);
}

export interface SumOf {
  readonly name: string;
  readonly markets: number;
  readonly stake: number;
  readonly net: number;
}

/** Sums by a name, in the order in which the names come first. */
export function sumsBy(markets: readonly JudgedMarket[], nameOf: (market: JudgedMarket) => string): readonly SumOf[] {
  const byName = Map.groupBy(markets, nameOf);
  return [...byName].map(([name, all]) => ({
    name,
    markets: all.length,
    stake: all.reduce((total, { market }) => total + market.profit.central.stakeMatched, 0),
    net: sum(all),
  }));
}

export interface Fall {
  readonly depth: number;
  /** When the profit stood highest before it: undefined where that was the beginning. */
  readonly from: number | undefined;
  /** When it stood lowest. */
  readonly to: number;
  /** When it was made up for; undefined: not yet. */
  readonly recoveredAt: number | undefined;
}

/** The deepest falls of a curve of cumulative profit, deepest first. */
export function deepestFalls(at: ArrayLike<number>, profit: ArrayLike<number>, most: number): readonly Fall[] {
  const falls: Fall[] = [];
  let peak = { value: 0, at: undefined as number | undefined };
  let lowest: { value: number; at: number } | undefined;
  const end = (recoveredAt: number | undefined): void => {
    if (lowest !== undefined && peak.value - lowest.value >= LEAST)
      falls.push({ depth: peak.value - lowest.value, from: peak.at, to: lowest.at, recoveredAt });
    lowest = undefined;
  };
  for (let index = 0; index < at.length; index += 1) {
    const [time = 0, value = 0] = [at[index], profit[index]];
    if (value >= peak.value) {
      end(time);
      peak = { value, at: time };
    } else if (lowest === undefined || value < lowest.value) lowest = { value, at: time };
  }
  end(undefined);
  return falls.toSorted((a, b) => b.depth - a.depth).slice(0, most);
}
