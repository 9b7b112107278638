/** Compares a run's records with those of its replay, and says of each difference why. */

import { money, moneyToDecimal } from '../../core/number/units.ts';
import type { TimedRecord } from '../../core/run/journal.ts';
import { PARITY_CAUSES, type ParityCause, type ParityDifference, type ParityResult } from '../../result/parity.ts';
import { nameCauses } from './causes.ts';
import { Evidence, type EvidenceParts, type Span } from './evidence.ts';
import { RateWindows } from './rate-windows.ts';
import { compare } from './steps/compare.ts';
import { laneName, type Settlement, stepSequenceOf } from './steps/step-sequence.ts';

/** What the comparison itself finds out about run and replay. */
export type OfStories = 'stepMs' | 'pairsOf' | 'ordersOf' | 'orders' | 'rates';

interface ComparedRuns {
  readonly run: Iterable<TimedRecord>;
  readonly replay: Iterable<TimedRecord>;
  /** Markets that are on the tapes. */
  readonly span: Span;
  /** The spans of which the run has not all decisions and refusals any more; absent if it has them all. */
  readonly notExplained?: ParityResult['notExplained'];
  readonly updates: number;
  readonly evidence: Omit<EvidenceParts, OfStories>;
}

/** A paper run and its replay reckon times alike; in a live run answers and fills come over the network, with delays of their own. */
const TOLERANCES = { paper: { stepMs: 0, replyMs: 0 }, live: { stepMs: 250, replyMs: 250 } } as const;

export function compareRuns(parts: ComparedRuns): ParityResult {
  const { span, updates, evidence, notExplained = [] } = parts;
  const { mode } = evidence;
  const tolerance = TOLERANCES[mode];
  const compared = { ...span, notExplained };
  const run = stepSequenceOf(parts.run, compared);
  const replay = stepSequenceOf(parts.replay, compared);
  const { found, counts, pairs, partners, counterpart } = compare(run, replay, tolerance);
  const pairsOf = (strategy: string, market: string) => pairs.get(laneName(strategy, market)) ?? [];
  const ordersOf = (market: string) => [...run.orders.values()].filter(({ lane }) => lane.market === market);
  const { stepMs } = tolerance;
  const orders = { run: [...run.orders.values()], replay: [...replay.orders.values()], partners };
  const rates = new RateWindows({ run, replay, partners, counterpart, stepMs });
  const differences = nameCauses(found, new Evidence({ ...evidence, stepMs, pairsOf, ordersOf, orders, rates }));
  const causes = countCauses(differences);
  const profit = profitOf(run.settlements.values(), replay.settlements.values());
  return { mode, ...span, updates, counts, profit, notCompared: run.leftOut, notExplained, causes, differences };
}

function profitOf(run: Iterable<Settlement>, replay: Iterable<Settlement>): ParityResult['profit'] {
  const sides = [[...run], [...replay]] as const;
  const wallets = [...new Set(sides.flat().map(({ wallet }) => wallet))].sort();
  return wallets.map((wallet) => {
    const [ours, theirs] = sides.map((side) =>
      moneyToDecimal(money(side.reduce((sum, each) => sum + (each.wallet === wallet ? each.net : 0), 0))),
    );
    return { wallet, run: ours ?? 0, replay: theirs ?? 0 };
  });
}

function countCauses(differences: readonly ParityDifference[]): ParityResult['causes'] {
  const counted = new Map(PARITY_CAUSES.map((cause) => [cause, { causes: 0, consequences: 0 }]));
  for (const { cause, follows } of differences) {
    const count = counted.get(cause);
    if (count !== undefined) count[follows === undefined ? 'causes' : 'consequences'] += 1;
  }
  return Object.fromEntries(counted) as Record<ParityCause, { causes: number; consequences: number }>;
}
