/** A small sweep to play in tests: a directory with tapes, a signal, a strategy and a configuration, each of which a test may change. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { loadSweep } from '../../../src/app/config/resolve/load-sweep.ts';
import { lockedStore, openTapes, threadEngine } from '../../../src/app/sweep/open-sweep.ts';
import { trialsSha256 } from '../../../src/app/sweep/play-sweep.ts';
import type { SweepEngine } from '../../../src/sweep/engine/engine.ts';
import { FIGURES } from '../../../src/sweep/result/figures.ts';
import { type RankedTrial, topTrials } from '../../../src/sweep/result/top-trials.ts';
import { runSweep, type SweepOutcome, type SweepProgress } from '../../../src/sweep/run/sweep-run.ts';
import type { StoredFailure } from '../../../src/sweep/store/trial-store.ts';
import { TrialInputs } from '../../../src/sweep/unit/trial-inputs.ts';
import { DAY, MINUTE, racesTape } from '../made-races.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

export interface StagePlay {
  readonly jobs?: number;
  /** Stands for the hash of our own code. */
  readonly build?: string;
  readonly signal?: AbortSignal;
  readonly engine?: SweepEngine | undefined;
  readonly onProgress?: (progress: SweepProgress) => void;
}

export interface StageEnd {
  readonly outcome: SweepOutcome;
  readonly sha256: string;
  /** Rows in the store, and how often one was computed, over all plays. */
  readonly counts: { readonly units: number; readonly computed: number };
  readonly tried: { readonly trials: number; readonly different: number };
  /** In order of number. */
  readonly ranked: readonly RankedTrial[];
  readonly failures: readonly StoredFailure[];
}

export class SweepStage {
  readonly directory = temporaryDirectory('sweep');
  readonly config = join(this.directory, 'sweep.yaml');
  readonly out = join(this.directory, 'sweeps');
  tapes: string[] = [];
  space: Readonly<Record<string, unknown>> = {};
  options: Readonly<Record<string, unknown>> = {};
  /** Of the block `sweep`, besides its space. */
  sweep: Readonly<Record<string, unknown>> = {};

  /** So many trials over so many events of one market each. */
  constructor({ trials, races }: { readonly trials: number; readonly races: number }) {
    this.tapes = [raceTape(0, races)];
    this.writeStrategy();
    this.writeSignal([]);
    this.stakes(Array.from({ length: trials / 2 }, (_, index) => index + 2));
  }

  /** Two trials for each stake. */
  stakes(values: readonly number[]): void {
    this.space = { [`${PARAMS}.stake`]: { values }, [`${PARAMS}.ticks`]: { values: [0, 3] } };
  }

  set(options: Readonly<Record<string, unknown>>): void {
    this.options = options;
  }

  /** `line` stands in `decide`, before anything else. */
  writeStrategy(line = ''): void {
    writeFileSync(join(this.directory, 'quote.ts'), STRATEGY.replace('// line', line));
  }

  /** Rows for races by their number. */
  writeSignal(rows: readonly (readonly [race: number, value: number])[]): void {
    const lines = rows.map(([race, value]) => `${DAY - 1},win-${race},o0,${value}`);
    writeFileSync(join(this.directory, 'edge.csv'), ['availableAt,market,outcome,value', ...lines, ''].join('\n'));
  }

  writeConfig(): void {
    const strategy = { file: join(this.directory, 'quote.ts'), params: {} };
    const sweep = { name: 'small', out: this.out, space: this.space, constraints: NO_LEAST, ...this.sweep };
    const config = { strategies: [strategy], tapes: this.tapes, isolate: 'event', ...this.options, sweep };
    mkdirSync(this.out, { recursive: true });
    writeFileSync(this.config, stringify(config));
  }

  async play({ jobs = 1, build = 'build', signal, engine, onProgress }: StagePlay = {}): Promise<StageEnd> {
    this.writeConfig();
    const plan = await loadSweep(this.config, Object.keys(FIGURES));
    const { tapes } = plan.config;
    using opened = openTapes(tapes);
    using locked = lockedStore(join(this.out, 'small'));
    const { store } = locked;
    const playing = engine ?? threadEngine(tapes, jobs);
    signal?.addEventListener('abort', () => void playing.close());
    try {
      const outcome = await runSweep({
        ...{ plan, store, engine: playing, inputs: new TrialInputs(opened.tapes, build, { before: plan.holdoutFrom }) },
        signal: signal ?? new AbortController().signal,
        onProgress: onProgress ?? (() => undefined),
      });
      const { configuration } = outcome;
      const best = topTrials(store, { configuration, objective: plan.objective });
      const ranked = best.toSorted((a, b) => a.trial - b.trial);
      const [counts, tried, failures] = [store.counts(), store.tried(), store.failures(1_000)];
      return { outcome, sha256: trialsSha256(store, configuration), counts, tried, ranked, failures };
    } finally {
      await playing.close();
    }
  }
}

/** Tests have few events. */
export const NO_LEAST = { ordersMatched: { min: 0 }, eventsBet: { min: 0 } };

const PARAMS = 'strategies[0].params';

/** Races by number, from one to before another; each is an event of its own. */
export function raceTape(from: number, to: number, seed = 1): string {
  const races = Array.from({ length: to - from }, (_, index) => {
    const race = from + index;
    const startAt = DAY + race * 5 * MINUTE;
    return {
      ...{ id: `win-${race}`, startAt, firstAt: startAt - 10 * MINUTE, lastAt: startAt + 2 * MINUTE, updates: 80 },
      ...{ facts: { eventId: `race-${race}` }, offAt: startAt + 10_000, settledAt: startAt + MINUTE },
    };
  });
  return racesTape(races, seed);
}

const STRATEGY = `import { back, defineStrategy, lay, param } from 'oddsmith';

export default defineStrategy({
  name: 'quote',
  params: { stake: param.stake({ default: 5 }), ticks: param.number({ default: 1, min: 0, max: 10 }) },
  signals: [{ name: 'edge', file: 'edge.csv' }],
  state: () => ({ sent: 0 }),
  decide({ market, params, state, signal }) {
    // line
    if (!market.tradable || state.sent >= 10 + params.ticks) return [];
    const [outcome] = market.outcomes;
    const edge = outcome === undefined ? 0 : (signal('edge', outcome.id) ?? 0);
    const price = edge >= 0 ? outcome?.bestAgainst?.price : outcome?.bestFor?.price;
    if (outcome === undefined || price === undefined) return [];
    const terms = { stake: params.stake, price };
    const order = edge >= 0 ? back(outcome, terms) : lay(outcome, terms);
    return { intents: [order], state: { sent: state.sent + 1 } };
  },
});
`;
