/** Which document of several cannot be read in a simulated life: drawn from its seed, apart from all other faults. */

import { Random } from '../../../src/core/number/random.ts';
import { isOn } from './hardships.ts';

/** `market`: one in which the bot has something at stake when it is killed. `wallet`: one of two. */
export interface OddPlan {
  readonly kind: 'market' | 'wallet';
  /** When the bot is killed, or when the wallet becomes odd. */
  readonly afterMs: number;
  /** Undefined: until the bot was seen to trade again, after all other faults. */
  readonly forMs: number | undefined;
  /** Which way it is odd, which market and which wallet it is: each counts round where there are fewer. */
  readonly pick: number;
}

const CHANCE = 0.06;
/** What rests in a market is to end within its freshness; orders from a wallet stop within its own. */
const LEAST_MS = 26_000;
const SPREAD_MS = 12_000;

export function oddPlan(seed: number): OddPlan | undefined {
  const random = Random.fromSeed(seed).fork().fork().fork();
  const luck = random.uniform();
  const kind = luck < CHANCE ? 'market' : luck < 2 * CHANCE ? 'wallet' : undefined;
  if (kind === undefined || !isOn(kind === 'market' ? 'oddMarket' : 'oddWallet')) return undefined;
  const afterMs = kind === 'market' ? 5_000 + random.below(5_000) : 4_000 + random.below(1_000);
  const forMs = random.chance(0.5) ? LEAST_MS + random.below(SPREAD_MS) : undefined;
  return { kind, afterMs, forMs, pick: random.below(1_000) };
}
