/** What a replay must be told of a run, from what the run was told. */

import type { RunOptions } from '../live/run-options.ts';
import type { SeatedStrategy } from '../live/run-seats.ts';
import { packageVersion } from '../version.ts';
import type { RunFile } from './run-file.ts';

/** As `openPaper` is told by the daemon. */
export const FILL_RULES: RunFile['fillRules'] = {
  cancellations: 'pro-rata',
  hiddenVolume: 'through-queue',
  crossMatching: 'rounded',
};

/** Of a live run, the settings of `paper` are what the replay takes for the exchange's. */
export function describeRun(options: RunOptions, seated: readonly SeatedStrategy[]): RunFile {
  const { mode, paper, wallets, currency, limits, settings } = options;
  const { heartbeat: _heartbeat, ...judged } = limits;
  const staleMs = Math.min(limits.staleMs ?? Number.POSITIVE_INFINITY, settings.freshness.prices);
  return {
    ...{ format: 1, version: packageVersion(), mode, fillRules: FILL_RULES },
    strategies: seated.map(({ name, choice, loaded: { file, sha256 } }) => {
      return { name, file, sha256, params: choice.params, wallet: choice.wallet };
    }),
    wallets: wallets.map(({ name, balance }) => ({ name, currency, balance })),
    ...{ limits: { ...judged, staleMs }, intentsMax: settings.intentsMax },
    ...{ latency: paper.latency, fills: paper.fills, inPlayDelay: paper.inPlayDelay },
    ...{ commission: paper.commission, seed: paper.seed },
  };
}
