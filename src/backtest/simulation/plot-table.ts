/** What the strategies of a simulation plot: lines of points as columns, bounded by market and in all. */

import type { EventOf } from '../../engine/log/run-log.ts';
import type { PlotLine } from '../../result/result.ts';

/** Names that one strategy may plot in one market. */
export const PLOT_NAMES_MAX = 20;
/** Points that a line may have; then it is thinned to half of them. */
export const PLOT_LINE_POINTS_MAX = 4_000;
/** Points of all lines together. */
export const PLOT_POINTS_MAX = 5_000_000;

const POINTS_AT_FIRST = 64;
/** A thinned line keeps the lowest and the highest of this many points in a row. */
const THINNED_BY = 4;

/** A line without the run that it belongs to; plain data, which may be sent between threads. */
export type KeptLine = Omit<PlotLine, 'run' | 'flow'>;

export interface KeptPlots {
  readonly lines: readonly KeptLine[];
  /** Names of strategies, each as often as there were markets in which it plotted too many names. */
  readonly namesLeftOut: readonly string[];
  /** How many lines were thinned. */
  readonly thinned: number;
  /** Since when nothing is kept any more, because there were too many points in all. */
  readonly fullSince: number | undefined;
}

/** The lines of one strategy in one market. */
interface MarketLines {
  readonly strategy: number;
  readonly market: number;
  readonly lines: Map<string, GrowingLine>;
  hasLeftOut: boolean;
}

export class PlotTable {
  readonly #strategies: readonly string[];
  readonly #pointsMax: number;
  /** The lines by strategy, then by market. */
  readonly #plotted: MarketLines[][] = [];
  #points = 0;
  #fullSince: number | undefined;

  constructor(strategies: readonly string[], pointsMax = PLOT_POINTS_MAX) {
    this.#strategies = strategies;
    this.#pointsMax = pointsMax;
  }

  add({ at, strategy, market, name, value }: EventOf<'plotted'>): void {
    const plotted = this.#in(strategy, market);
    const line = plotted.lines.get(name) ?? this.#begin(plotted, name);
    if (line === undefined || line.isLast(value)) return;
    if (this.#points >= this.#pointsMax) {
      this.#fullSince ??= at;
      return;
    }
    this.#points += line.add(at, value);
  }

  /** `idOf` gives the id of a market by its index. */
  kept(idOf: (market: number) => string): KeptPlots {
    const all = this.#plotted.flat();
    const lines = all.flatMap(({ strategy, market, lines }) =>
      [...lines].map(([name, line]) => ({
        strategy: this.#strategies[strategy] ?? '',
        marketId: idOf(market),
        name,
        ...line.columns(),
      })),
    );
    return {
      lines,
      namesLeftOut: all.filter(({ hasLeftOut }) => hasLeftOut).map(({ strategy }) => this.#strategies[strategy] ?? ''),
      thinned: all.reduce((sum, { lines }) => sum + [...lines.values()].filter((line) => line.isThinned).length, 0),
      fullSince: this.#fullSince,
    };
  }

  #in(strategy: number, market: number): MarketLines {
    this.#plotted[strategy] ??= [];
    const byMarket = this.#plotted[strategy];
    const known = byMarket[market];
    if (known !== undefined) return known;
    const made: MarketLines = { strategy, market, lines: new Map(), hasLeftOut: false };
    byMarket[market] = made;
    return made;
  }

  #begin(plotted: MarketLines, name: string): GrowingLine | undefined {
    if (plotted.lines.size === PLOT_NAMES_MAX) {
      plotted.hasLeftOut = true;
      return undefined;
    }
    const line = new GrowingLine();
    plotted.lines.set(name, line);
    return line;
  }
}

class GrowingLine {
  isThinned = false;
  #count = 0;
  #at = new Float64Array(POINTS_AT_FIRST);
  #value = new Float64Array(POINTS_AT_FIRST);

  /** Whether a value says nothing new: a line begins with a value, and holds its last one. */
  isLast(value: number): boolean {
    return Object.is(value, this.#count === 0 ? Number.NaN : this.#value[this.#count - 1]);
  }

  /** Returns how many points more it has. Of points of one instant the last counts. */
  add(at: number, value: number): number {
    const before = this.#count;
    if (before > 0 && this.#at[before - 1] === at) this.#count -= 1;
    else if (before === PLOT_LINE_POINTS_MAX) this.#thin();
    if (this.#count === this.#at.length) this.#grow();
    this.#at[this.#count] = at;
    this.#value[this.#count] = value;
    this.#count += 1;
    return this.#count - before;
  }

  columns(): Pick<KeptLine, 'at' | 'value'> {
    return { at: this.#at.slice(0, this.#count), value: this.#value.slice(0, this.#count) };
  }

  #grow(): void {
    const [at, value] = [this.#at, this.#value];
    const capacity = Math.min(2 * at.length, PLOT_LINE_POINTS_MAX);
    this.#at = new Float64Array(capacity);
    this.#value = new Float64Array(capacity);
    this.#at.set(at);
    this.#value.set(value);
  }

  /** The lowest and the highest of each four points stay, in their order: what a chart would show of them. */
  #thin(): void {
    let kept = 0;
    for (let first = 0; first < this.#count; first += THINNED_BY) {
      const last = Math.min(first + THINNED_BY, this.#count);
      const [lowest, highest] = [this.#extreme(first, last, -1), this.#extreme(first, last, 1)];
      for (const place of lowest === highest ? [lowest] : [lowest, highest].sort((a, b) => a - b)) {
        this.#at[kept] = this.#at[place] ?? 0;
        this.#value[kept] = this.#value[place] ?? 0;
        kept += 1;
      }
    }
    this.#count = kept;
    this.isThinned = true;
  }

  /** The place of the lowest (sign −1) or the highest value; the last place where the line ends there, so that it does not seem to go on. */
  #extreme(first: number, last: number, sign: -1 | 1): number {
    let best = first;
    for (let place = first + 1; place < last; place += 1) {
      const [value, found] = [this.#value[place] ?? 0, this.#value[best] ?? 0];
      if (Number.isNaN(found) || sign * value > sign * found) best = place;
    }
    return Number.isNaN(this.#value[last - 1]) && sign === 1 ? last - 1 : best;
  }
}
