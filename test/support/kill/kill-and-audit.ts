/** The whole proof: a world, a daemon killed in it again and again, and the books laid beside each other at the end. */

import { Random } from '../random.ts';
import type { ExchangeName } from './exchange/kill-exchange.ts';
import { KillLoop } from './kill-loop.ts';
import { killPlan } from './kill-plan.ts';
import { auditRun, type KillReport } from './kill-report.ts';
import { type KillStage, openStage } from './kill-stage.ts';
import { journalKindsOf } from './provocations.ts';

export interface KillChoice {
  readonly kills: number;
  readonly seed: number;
  readonly exchange?: ExchangeName;
  /** Kills at the steps of a compaction, or at the sight of records, alone. */
  readonly only?: 'step' | 'record' | undefined;
  readonly onRound?: (line: string) => void;
  /** Ends the kills early; the books are compared all the same. */
  readonly signal?: AbortSignal;
  /** Where the remains are reported if something differs. */
  readonly onKept?: (directory: string) => void;
}

const MARKETS = 6;
const LIFE_MS: readonly [number, number] = [15_000, 50_000];
/** How long results may take to be received at the end. */
const QUIET_MS = 30_000;

export async function killAndAudit({
  kills,
  seed,
  exchange = 'betdex',
  only,
  signal,
  onRound = () => undefined,
  onKept,
}: KillChoice): Promise<KillReport> {
  const startedAt = Date.now();
  const stage = await openStage({ exchange, seed, markets: MARKETS, lifeMs: LIFE_MS });
  let isWell = false;
  try {
    const loop = new KillLoop({ stage, onRound });
    await loop.run(killPlan(kills, new Random(seed), { only, kinds: journalKindsOf(stage.exchange) }), signal);
    await stage.makers.stop();
    await stage.mill.pause();
    await stage.mill.settleNow(Math.floor(MARKETS / 2), false);
    const isTold = (market: string) => loop.fold.results.some((result) => result.market === market);
    let awaited: readonly string[];
    // The sandbox's own markets end, too: of one that ends while the daemon is stopped, the next start is told.
    do {
      awaited = await tradedAndOver(stage);
      await loop.finish(() => loop.fold.inDoubt.size === 0 && awaited.every(isTold), QUIET_MS);
    } while (!(await tradedAndOver(stage)).every((market) => awaited.includes(market)));
    const report = await auditRun({ stage, loop }, { seed, startedAt });
    isWell = report.differences.length === 0;
    return report;
  } finally {
    if (!isWell) onKept?.(stage.place.directory);
    await stage.close({ keeps: !isWell && onKept !== undefined });
  }
}

async function tradedAndOver({ exchange }: KillStage): Promise<readonly string[]> {
  const { over, orders } = await exchange.books();
  const traded = [...orders.values()].filter(({ matched }) => matched > 0).map(({ market }) => market);
  return [...new Set(traded)].filter((market) => over.has(market));
}
