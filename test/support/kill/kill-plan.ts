/** How each start of the daemon ends: drawn from the seed before anything runs. */

import type { JournalKind } from '../../../src/core/run/journal.ts';
import type { Random } from '../random.ts';
import type { Json } from '../vendor/vendor-client.ts';
import { JOURNAL_KINDS } from './provocations.ts';

export type RoundEnd =
  /** Killed after this part of the time that a start usually takes. */
  | { readonly kind: 'startup'; readonly part: number }
  /** Killed so long after it traded. */
  | { readonly kind: 'trading'; readonly afterMs: number }
  /** Killed at the first sight of a record, looked for from so long after it traded on. */
  | { readonly kind: 'record'; readonly record: JournalKind; readonly afterMs: number }
  /** Ended in order. */
  | { readonly kind: 'term'; readonly afterMs: number };

export interface Round {
  readonly end: RoundEnd;
  /** Injected so long before the kill. */
  readonly fault: { readonly body: Json; readonly beforeMs: number } | undefined;
  /** How long it is not started again. */
  readonly downMs: number;
}

const TRADING_MS_MAX = 2_500;
const RECORD_MS_MAX = 1_200;
/** More than the heartbeat lives: it lapses. */
const LONG_DOWN_MS = 16_000;
const PLACES = ['createOrders'];
const READS = ['listOrders', 'listPrices', 'listMarkets', 'getWallet'];

export function killPlan(kills: number, random: Random): readonly Round[] {
  const rounds: Round[] = [];
  let records = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    if (kill % 15 === 9) rounds.push(roundOf({ kind: 'term', afterMs: random.between(0, TRADING_MS_MAX) }, random));
    const kind = (['trading', 'record', 'startup'] as const)[kill % 3];
    if (kind === 'startup') rounds.push(roundOf({ kind, part: 1.2 * random.next() }, random));
    else if (kind === 'trading') rounds.push(roundOf({ kind, afterMs: random.between(0, TRADING_MS_MAX) }, random));
    else {
      const record = JOURNAL_KINDS[records % JOURNAL_KINDS.length] ?? 'sent';
      records += 1;
      rounds.push(roundOf({ kind: 'record', record, afterMs: random.between(0, RECORD_MS_MAX) }, random));
    }
  }
  return rounds;
}

function roundOf(end: RoundEnd, random: Random): Round {
  const isFaulty = end.kind !== 'startup' && random.chance(0.3);
  return {
    end,
    fault: isFaulty ? { body: faultOf(random), beforeMs: random.between(20, 400) } : undefined,
    downMs: random.chance(0.02) ? LONG_DOWN_MS : random.between(0, 200),
  };
}

function faultOf(random: Random): Json {
  const seed = random.between(1, 1_000_000);
  const forMs = random.between(500, 2_500);
  return random.pick<Json>([
    { kind: 'dropAfter', operations: PLACES, forMs },
    { kind: 'dropBefore', operations: PLACES, forMs },
    { kind: 'dropAfter', operations: ['cancelOrders'], forMs },
    { kind: 'status', status: 503, operations: PLACES, forMs },
    { kind: 'status', status: 500, operations: [...PLACES, ...READS], probability: 0.5, seed, forMs },
    { kind: 'status', status: 429, retryAfter: 1, operations: [...PLACES, ...READS], probability: 0.3, seed, forMs },
    { kind: 'latency', delayMs: 200, delayMsMax: 2_200, operations: PLACES, seed, forMs },
    { kind: 'latency', delayMs: 50, delayMsMax: 1_200, operations: READS, seed, forMs },
    { kind: 'orderError', code: 'INTERRUPTED', probability: 0.5, seed, forMs },
    { kind: 'stalePrices', forMs },
  ]);
}
