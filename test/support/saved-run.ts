/** A run as its description says it. */

import type { RunFile } from '../../src/app/run/run-file.ts';
import { FILL_RULES } from '../../src/app/run/run-file-of.ts';
import { money } from '../../src/core/number/units.ts';

export const SAVED_RUN: RunFile = {
  ...{ format: 1, version: '0.1.0', mode: 'paper', seed: 7, fills: 'central', inPlayDelay: 'recorded' },
  ...{ intentsMax: 100, fillRules: FILL_RULES, limits: { staleMs: 5_000 }, commission: { ratePpm: 20_000 } },
  latency: { request: { kind: 'fixed', ms: 80 }, response: { kind: 'fixed', ms: 40 } },
  strategies: [{ name: 's', file: 's.ts', params: {}, sha256: '', wallet: 'main' }],
  wallets: [{ name: 'main', currency: 'USDC', balance: money(1_000_000_000) }],
};
