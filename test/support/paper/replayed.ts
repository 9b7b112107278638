/** The replay of a paper run's own tapes, as it was or with something changed. */

import { compareRuns } from '../../../src/app/parity/compare-runs.ts';
import { hasBetween } from '../../../src/app/parity/parity-run.ts';
import { chooseMarkets, MergedUpdates, type UpdateSource } from '../../../src/backtest/simulation/backtest-source.ts';
import type { PendingUpdate } from '../../../src/recording/segment/update.ts';
import { Tape } from '../../../src/recording/tape/tape.ts';
import type { ParityResult } from '../../../src/result/parity.ts';
import type { LatencyModel } from '../../../src/simulator/gateway/latency.ts';
import type { StrategyPlugin } from '../../../src/strategy/contract.ts';
import { OPTIONS, runOver } from '../scripted-run.ts';
import { journalLog, type KeptRecord, PAPER, type PaperRun } from './paper-run.ts';

export interface Change {
  readonly latency?: LatencyModel;
  readonly commissionPpm?: number;
  /** Updates that are taken off the tapes, by their number. */
  readonly isLost?: (number: number) => boolean;
}

export interface Replayed {
  readonly records: readonly KeptRecord[];
  /** By market, in the order of time. */
  readonly heardAt: ReadonlyMap<string, readonly number[]>;
  /** Around what was taken off the tapes, by market. */
  readonly gaps: ReadonlyMap<string, readonly { readonly from: number; readonly to: number; readonly why: string }[]>;
}

export async function replayed(
  run: PaperRun,
  plugins: readonly StrategyPlugin[],
  change: Change = {},
): Promise<Replayed> {
  const records: KeptRecord[] = [];
  const tapes = run.tapes.map(({ path }) => Tape.open(path));
  const { latency, inPlayDelay, seed, wallets } = { ...PAPER, ...change };
  const [balance = 'unlimited'] = wallets;
  const commission = change.commissionPpm === undefined ? PAPER.commission : { ratePpm: change.commissionPpm };
  try {
    const { markets } = chooseMarkets(tapes, OPTIONS.markets);
    const source = new LossySource(new MergedUpdates(markets), change.isLost);
    await runOver(source, plugins, {
      ...{ latency, commission, inPlayDelay, seed, wallets: { main: { currency: 'X', balance } } },
      ...{ secondLog: journalLog(records, plugins) },
    });
    return { records, heardAt: source.heardAt, gaps: source.gaps };
  } finally {
    for (const tape of tapes) tape.close();
  }
}

/** What `oddsmith parity` would say of the run and a replay of it. */
export function parityOf(run: PaperRun, replay: Replayed): ParityResult {
  const { heardAt, gaps } = replay;
  const all = [...heardAt.values()].flat().sort((a, b) => a - b);
  return compareRuns({
    ...{ run: run.records, replay: replay.records, updates: all.length },
    span: { from: all[0] ?? 0, to: (all.at(-1) ?? 0) - 1 },
    evidence: {
      ...{ mode: 'paper', downs: [], stops: [], changed: new Set(), delayMaxMs: 390 },
      gaps: (market) => gaps.get(market) ?? [],
      hasUpdate: (market, { from, to }) => hasBetween(heardAt.get(market) ?? [], from, to),
      firstUpdate: (market) => heardAt.get(market)?.[0],
    },
  });
}

class LossySource implements UpdateSource {
  readonly startAt;
  readonly heardAt = new Map<string, number[]>();
  readonly gaps = new Map<string, { from: number; to: number; why: string }[]>();
  readonly #source: UpdateSource;
  readonly #isLost: (number: number) => boolean;
  #number = 0;

  constructor(source: UpdateSource, isLost: (number: number) => boolean = () => false) {
    this.#source = source;
    this.startAt = source.startAt;
    this.#isLost = isLost;
  }

  get index(): number {
    return this.#source.index;
  }

  next(): PendingUpdate | undefined {
    for (let update = this.#source.next(); update !== undefined; update = this.#source.next()) {
      this.#number += 1;
      if (this.#isLost(this.#number) && update.sequence > 0) this.#lose(update.publishedAt);
      else {
        this.#hear(update.publishedAt);
        return update;
      }
    }
    return undefined;
  }

  recorded(index: number) {
    return this.#source.recorded(index);
  }

  #hear(at: number): void {
    const market = this.#market;
    for (const gap of this.gaps.get(market) ?? []) gap.to = gap.to === Number.POSITIVE_INFINITY ? at : gap.to;
    const times = this.heardAt.get(market) ?? [];
    times.push(at);
    this.heardAt.set(market, times);
  }

  #lose(at: number): void {
    const from = this.heardAt.get(this.#market)?.at(-1) ?? at;
    const gap = { from, to: Number.POSITIVE_INFINITY, why: 'taken off' };
    this.gaps.set(this.#market, [...(this.gaps.get(this.#market) ?? []), gap]);
  }

  get #market(): string {
    return this.recorded(this.index).facts.id;
  }
}
