/** How each start of the daemon ends: drawn from the seed before anything runs. */

import type { Random } from '../random.ts';
import type { Json } from '../vendor/vendor-client.ts';
import { COMPACTION_STEP_NAMES } from './compaction-steps.ts';
import { JOURNAL_KINDS, type KeptKind } from './provocations.ts';

export type RoundEnd =
  /** Killed after this part of the time that a start usually takes. */
  | { readonly kind: 'startup'; readonly part: number }
  /** Killed so long after it traded. */
  | { readonly kind: 'trading'; readonly afterMs: number }
  /** Killed at the first sight of a record, looked for from so long after it traded on. */
  | { readonly kind: 'record'; readonly record: KeptKind; readonly afterMs: number }
  /** Dies by itself when it comes to a step of a compaction: each start packs what was written before the last one. */
  | { readonly kind: 'step'; readonly step: string }
  /** Ended in order. */
  | { readonly kind: 'term'; readonly afterMs: number };

export interface Round {
  readonly end: RoundEnd;
  /** Injected so long before the kill. */
  readonly fault: { readonly body: Json; readonly beforeMs: number } | undefined;
  /** How long it is not started again. */
  readonly downMs: number;
}

const KINDS = ['trading', 'record', 'startup', 'step'] as const;
const TRADING_MS_MAX = 2_500;
const RECORD_MS_MAX = 1_200;
/** More than the heartbeat lives: it lapses. */
const LONG_DOWN_MS = 16_000;
const PLACES = ['createOrders'];
const READS = ['listOrders', 'listPrices', 'listMarkets', 'getWallet'];

interface PlanChoice {
  /** Each kill is at the sight of a record, or at a step of a compaction; then a start before it trades for a while. */
  readonly only?: 'step' | 'record' | undefined;
  readonly kinds?: readonly KeptKind[];
}

export function killPlan(
  kills: number,
  random: Random,
  { only, kinds = JOURNAL_KINDS }: PlanChoice = {},
): readonly Round[] {
  const rounds: Round[] = [];
  let [records, steps] = [0, 0];
  const add = (end: RoundEnd): void => void rounds.push(roundOf(end, random));
  const addTrading = (): void => add({ kind: 'trading', afterMs: random.between(0, TRADING_MS_MAX) });
  for (let kill = 0; kill < kills; kill += 1) {
    if (kill % 15 === 9) add({ kind: 'term', afterMs: random.between(0, TRADING_MS_MAX) });
    const kind = only ?? KINDS[kill % KINDS.length];
    if (only === 'step') addTrading();
    if (kind === 'startup') add({ kind, part: 1.2 * random.next() });
    else if (kind === 'trading') addTrading();
    else if (kind === 'step') {
      add({ kind, step: COMPACTION_STEP_NAMES[steps % COMPACTION_STEP_NAMES.length] ?? '' });
      steps += 1;
    } else {
      const record = kinds[records % kinds.length] ?? 'sent';
      records += 1;
      add({ kind: 'record', record, afterMs: random.between(0, RECORD_MS_MAX) });
    }
  }
  return rounds;
}

function roundOf(end: RoundEnd, random: Random): Round {
  const isFaulty = end.kind !== 'startup' && end.kind !== 'step' && random.chance(0.3);
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
