/** What could have been lost with the bets that were matched, over the time of a run, by central fills. */

import { winnersOfCount } from '../../core/market.ts';
import type { BacktestResult, FillRow, MarketResult } from '../../result/result.ts';

export interface ExposurePoint {
  readonly at: number;
  readonly exposure: number;
}

const POINTS_MAX = 4000;

/**
 * The exposure over time. The loss of each market under its worst set of winners is added up over the markets that are
 * open at a time: markets are settled apart, so that all of it can be lost. Orders that rest are not in it. The highest
 * point of each stretch is kept where there are many.
 */
export function exposureCurve(result: Pick<BacktestResult, 'byMarket' | 'fillRows'>): readonly ExposurePoint[] {
  const byId = new Map(result.byMarket.map((market) => [market.id, market]));
  const open = new Map<string, OpenMarket>();
  const changes = new Changes();
  for (const fill of result.fillRows) {
    if (fill.flow !== 'central') continue;
    const market = byId.get(fill.marketId);
    if (market === undefined) continue;
    const key = `${fill.run} ${fill.marketId}`;
    const bets = open.get(key) ?? new OpenMarket(market);
    open.set(key, bets);
    changes.add(fill.at, bets.filled(fill));
  }
  for (const bets of open.values()) {
    const at = bets.market.settledAt ?? bets.market.cutOffAt;
    if (at !== undefined) changes.add(at, -bets.exposure);
  }
  return changes.curve();
}

/** The changes in columns, since a long run has millions of fills. */
class Changes {
  #at = new Float64Array(1024);
  #change = new Float64Array(1024);
  #count = 0;

  add(at: number, change: number): void {
    if (this.#count === this.#at.length) {
      this.#at = longer(this.#at);
      this.#change = longer(this.#change);
    }
    this.#at[this.#count] = at;
    this.#change[this.#count] = change;
    this.#count += 1;
  }

  /** The highest point of each stretch of many changes, and the last one. */
  curve(): readonly ExposurePoint[] {
    const order = this.#inTime();
    const stretches = Math.min(order.length, POINTS_MAX / 2);
    const points: ExposurePoint[] = [];
    let exposure = 0;
    for (let stretch = 0; stretch < stretches; stretch += 1) {
      const from = Math.floor((stretch * order.length) / stretches);
      const to = Math.floor(((stretch + 1) * order.length) / stretches);
      let highest: ExposurePoint | undefined;
      let last: ExposurePoint | undefined;
      for (let place = from; place < to; place += 1) {
        const row = order[place] ?? 0;
        exposure += this.#change[row] ?? 0;
        last = { at: this.#at[row] ?? 0, exposure: Math.max(0, exposure) };
        if (highest === undefined || last.exposure > highest.exposure) highest = last;
      }
      if (highest !== undefined) points.push(highest);
      if (last !== undefined && last !== highest) points.push(last);
    }
    return points;
  }

  /** Rows by time; equal ones as they came. */
  #inTime(): Uint32Array {
    const at = this.#at;
    return Uint32Array.from({ length: this.#count }, (_, row) => row).sort(
      (a, b) => (at[a] ?? 0) - (at[b] ?? 0) || a - b,
    );
  }
}

function longer(column: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const made = new Float64Array(2 * column.length);
  made.set(column);
  return made;
}

class OpenMarket {
  readonly market: MarketResult;
  exposure = 0;
  readonly #bets = new Map<string, { wins: number; loses: number }>();

  constructor(market: MarketResult) {
    this.market = market;
  }

  /** Returns by how much the exposure changed. */
  filled({ outcomeId, side, price, stake }: FillRow): number {
    const bets = this.#bets.get(outcomeId) ?? { wins: 0, loses: 0 };
    this.#bets.set(outcomeId, bets);
    const sign = side === 'For' ? 1 : -1;
    bets.wins += sign * stake * (price - 1);
    bets.loses -= sign * stake;
    const before = this.exposure;
    this.exposure = this.#worstLoss();
    return this.exposure - before;
  }

  /** Outcomes without bets win without a change. */
  #worstLoss(): number {
    const { outcomes, winnerCount } = this.market;
    const { min, max } = winnersOfCount(winnerCount, outcomes.length);
    const all = [...this.#bets.values()];
    const without = Math.max(0, outcomes.length - all.length);
    const gains = [...all.map(({ wins, loses }) => wins - loses), ...Array.from({ length: without }, () => 0)];
    gains.sort((a, b) => a - b);
    const lost = all.reduce((sum, { loses }) => sum + loses, 0);
    const winning = gains.slice(0, max).filter((gain, index) => index < min || gain < 0);
    const worst = winning.reduce((sum, gain) => sum + gain, lost);
    return Math.max(0, -worst);
  }
}
