/** The slow and obvious memory of the limits: every result and every order in a list, each figure added up anew. */

import type { SettledResult } from '../../../src/core/run/risk-memory.ts';
import type { TradingState } from '../../../src/core/run/trading-state.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

interface At {
  readonly at: number;
}

/** A clock that went back stands still, in each of the lists. */
function pushed<T extends At>(list: T[], item: T): void {
  list.push({ ...item, at: still(item.at, list) });
}

/** The clock as a list knows it. */
function still(now: number, list: readonly At[]): number {
  return Math.max(now, list.at(-1)?.at ?? now);
}

function minute(at: number): number {
  return Math.floor(at / MINUTE_MS);
}

export class NaiveHistory {
  readonly #results: { at: number; profit: number }[] = [];
  /** What moves the drawdown: results, and acceptances of it. */
  readonly #path: (number | 'accepted')[] = [];
  /** Signs of first results that are not zero, with their instants. */
  readonly #runs: { at: number; isLoss: boolean }[] = [];
  readonly #sent: At[] = [];
  readonly #matched: At[] = [];
  #isStopped = false;

  settled({ at, profit, isDifference }: SettledResult): void {
    pushed(this.#results, { at, profit });
    this.#path.push(profit);
    if (!isDifference && profit !== 0) this.#runs.push({ at, isLoss: profit < 0 });
  }

  sent(at: number): void {
    pushed(this.#sent, { at });
  }

  matched(at: number): void {
    pushed(this.#matched, { at });
  }

  moved(to: TradingState, by: string): void {
    if (by === 'drawdown') this.#isStopped = true;
    if (to !== 'running' || !this.#isStopped) return;
    this.#isStopped = false;
    this.#path.push('accepted');
  }

  dayLoss(now: number): number {
    const day = Math.floor(still(now, this.#results) / DAY_MS);
    return loss(this.#results.filter(({ at }) => Math.floor(at / DAY_MS) === day));
  }

  rollingLoss(now: number, hours: number): number {
    const from = minute(still(now, this.#results)) - hours * 60;
    return loss(this.#results.filter(({ at }) => minute(at) >= from));
  }

  get drawdown(): number {
    let total = 0;
    let peak = 0;
    for (const step of this.#path) {
      if (step === 'accepted') peak = total;
      else total += step;
      peak = Math.max(peak, total);
    }
    return peak - total;
  }

  get losingRun(): number {
    const lastWin = this.#runs.findLastIndex(({ isLoss }) => !isLoss);
    return this.#runs.length - 1 - lastWin;
  }

  get lastLossAt(): number | undefined {
    const losses = this.#runs.filter(({ isLoss }) => isLoss).map(({ at }) => at);
    return losses.length === 0 ? undefined : Math.max(...losses);
  }

  ordersSent(now: number, hours: number): number {
    const from = minute(still(now, this.#sent)) - hours * 60;
    return this.#sent.filter(({ at }) => minute(at) >= from).length;
  }

  ordersMatched(now: number, hours: number): number {
    const from = minute(still(now, this.#matched)) - hours * 60;
    return this.#matched.filter(({ at }) => minute(at) >= from).length;
  }

  ordersInSecond(now: number): number {
    const from = still(now, this.#sent) - 1_000;
    return this.#sent.filter(({ at }) => at > from).length;
  }
}

function loss(results: readonly { readonly profit: number }[]): number {
  return Math.max(0, -results.reduce((sum, { profit }) => sum + profit, 0));
}
