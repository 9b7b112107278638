/** `backtest --prove`: replays a run with its future removed and altered, and compares what was decided until then. */

import type { StrategySeat } from '../engine/runtime.ts';
import { Transcript } from '../engine/transcript.ts';
import type { LookaheadProof } from '../report/result.ts';
import type { BacktestHooks, BacktestOptions } from './backtest-options.ts';
import { simulate } from './backtest-simulation.ts';
import { MergedUpdates, type SourceMarket, type UpdateSource } from './backtest-source.ts';
import { CliError } from './cli-error.ts';
import { AlteredSource, CutSource, firstDifference, Witness } from './lookahead-proof.ts';

/** Parts of the run's updates after which the future is changed. */
const CUTS: readonly number[] = [0.25, 0.5, 0.75];

export interface ProofParts {
  readonly options: BacktestOptions;
  readonly markets: readonly SourceMarket[];
  /** Loaded anew each time, signals included: rows available after the given instant are left out. */
  readonly seats: (until?: number) => Promise<readonly StrategySeat[]>;
  readonly signal: BacktestHooks['signal'];
}

/** @throws CliError LOOKAHEAD where a decision depends on what comes after it. */
export async function proveNoLookahead(parts: ProofParts): Promise<LookaheadProof | undefined> {
  const { markets } = parts;
  const instants: LookaheadProof['instants'][number][] = [];
  for (const at of cutTimes(markets)) {
    const whole = await witness(parts, new MergedUpdates(markets), at, undefined);
    const cut = await witness(parts, new CutSource(new MergedUpdates(markets), at), at, at);
    const altered = await witness(
      parts,
      new AlteredSource(new MergedUpdates(markets), at, parts.options.seed),
      at,
      undefined,
    );
    if (parts.signal.aborted) return undefined;
    const hash = whole.sha256();
    for (const [other, change] of [
      [cut, 'removed'],
      [altered, 'altered'],
    ] as const) {
      if (other.sha256() !== hash) throw lookahead(at, change, firstDifference(whole, other));
    }
    instants.push({ at, steps: whole.steps });
  }
  return { instants };
}

async function witness(
  parts: ProofParts,
  source: UpdateSource,
  at: number,
  until: number | undefined,
): Promise<Witness> {
  const seen = new Witness(at);
  await simulate({
    options: parts.options,
    source,
    seats: await parts.seats(until),
    bounds: ['central'],
    transcript: new Transcript('proof'),
    witness: seen.log,
    // Past the instant nothing is compared any more.
    onSlice: (_played, now) => parts.signal.aborted || now > at + AFTER_MS,
  });
  return seen;
}

/** How long a run goes on past the instant, so that the altered future is really met before it ends. */
const AFTER_MS = 60_000;

function cutTimes(markets: readonly SourceMarket[]): readonly number[] {
  const total = markets.reduce((sum, { market }) => sum + market.updates, 0);
  const wanted = CUTS.map((part) => Math.floor(part * total));
  const updates = new MergedUpdates(markets);
  const times = new Set<number>();
  let count = 0;
  for (let update = updates.next(); update !== undefined; update = updates.next()) {
    if (wanted.includes(count)) times.add(update.publishedAt);
    count += 1;
  }
  return [...times];
}

function lookahead(at: number, change: string, difference: string | undefined): CliError {
  return new CliError({
    code: 'LOOKAHEAD',
    what: `The run looks ahead: with all after ${new Date(at).toISOString()} ${change}, it decided otherwise before it.`,
    ...(difference === undefined ? {} : { where: difference }),
    why: 'A strategy reads something that changes with the recording: a file, the network, or chance of its own.',
    next: 'Let it decide from its input alone; bring outside data in as a signal with availableAt.',
  });
}
