/** What a run's own tapes say of the markets in which it had orders: their facts and ends, and the prices over time. */

import { unitResult } from '../../backtest/result/backtest-result.ts';
import { keptEnd } from '../../backtest/result/kept-piece.ts';
import { simulate } from '../../backtest/simulation/backtest-simulation.ts';
import { chooseMarkets, MergedUpdates, type UpdateSource } from '../../backtest/simulation/backtest-source.ts';
import { PriceHistory } from '../../backtest/simulation/price-history.ts';
import { Transcript } from '../../engine/log/transcript.ts';
import type { PendingUpdate } from '../../recording/segment/update.ts';
import type { Tape } from '../../recording/tape/tape.ts';
import type { MarketPrices } from '../../result/market-prices.ts';
import type { MarketResult, OrderRow } from '../../result/result.ts';
import type { RecordedMarket } from '../../simulator/replay/played-market.ts';
import { replayOptions } from '../parity/replay-run.ts';
import type { RunFile } from '../run/run-file.ts';

export interface RecordedMarkets {
  readonly markets: readonly MarketResult[];
  readonly prices: readonly MarketPrices[];
  readonly updates: number;
}

interface RecordedParts {
  readonly run: RunFile;
  readonly tapes: readonly Tape[];
  readonly orders: readonly OrderRow[];
  readonly signal: AbortSignal;
}

const NOTHING: RecordedMarkets = { markets: [], prices: [], updates: 0 };

/** The tapes are played once, with no strategy. */
export async function recordedMarkets({ run, tapes, orders, signal }: RecordedParts): Promise<RecordedMarkets> {
  const ids = [...new Set(orders.map(({ marketId }) => marketId))];
  const recorded = new Set(tapes.flatMap(({ markets }) => markets.map(({ facts }) => facts.id)));
  const known = ids.filter((id) => recorded.has(id));
  if (known.length === 0) return NOTHING;
  const { markets } = chooseMarkets(tapes, { types: [], ids: known, events: [] });
  if (markets.length === 0) return NOTHING;
  const options = replayOptions({ run, balances: new Map() });
  const source = new IndexedSource(new MergedUpdates(markets));
  const seen = new SeenPrices(orders);
  const end = await simulate({
    options,
    source,
    instances: [],
    bound: 'central',
    transcript: new Transcript('report'),
    goesOnUnrecorded: true,
    afterUpdate: (replay) => seen.updated(replay.market(source.index)),
    onSlice: () => signal.aborted,
  });
  const piece = { transcriptSha256: '', interrupted: false };
  const { byMarket } = unitResult({ options, pieces: [{ ...piece, ends: [['central', keptEnd(end, []), '']] }] });
  return { markets: byMarket, prices: seen.prices(), updates: end.updates };
}

/** Remembers which market the last update was of, also after the source went on to the next. */
class IndexedSource implements UpdateSource {
  index = 0;
  readonly startAt: UpdateSource['startAt'];
  readonly #source: UpdateSource;

  constructor(source: UpdateSource) {
    this.#source = source;
    this.startAt = source.startAt;
  }

  next(): PendingUpdate | undefined {
    const update = this.#source.next();
    this.index = this.#source.index;
    return update;
  }

  recorded(index: number): RecordedMarket {
    return this.#source.recorded(index);
  }
}

type SeenMarket = Parameters<PriceHistory['updated']>[1];

/** Keeps the prices of each outcome from its first order on, as a backtest does. */
class SeenPrices {
  readonly #history = new PriceHistory();
  /** Keyed by market id: outcomes with orders that are not yet kept, the earliest first. */
  readonly #waiting: ReadonlyMap<string, { readonly outcome: string; readonly at: number }[]>;
  readonly #indexes = new Set<number>();

  constructor(orders: readonly OrderRow[]) {
    const waiting = new Map<string, { readonly outcome: string; readonly at: number }[]>();
    for (const { marketId, outcomeId, decidedAt } of orders) {
      const own = waiting.get(marketId) ?? [];
      waiting.set(marketId, own);
      if (!own.some(({ outcome }) => outcome === outcomeId)) own.push({ outcome: outcomeId, at: decidedAt });
    }
    for (const own of waiting.values()) own.sort((a, b) => a.at - b.at);
    this.#waiting = waiting;
  }

  updated(market: SeenMarket | undefined): void {
    if (market === undefined) return;
    const own = this.#waiting.get(market.facts.id);
    for (let next = own?.[0]; next !== undefined && next.at <= market.updatedAt; next = own?.[0]) {
      own?.shift();
      const outcome = market.facts.outcomes.findIndex(({ id }) => id === next?.outcome);
      if (outcome >= 0) this.#history.sent(next.at, outcome, market);
      this.#indexes.add(market.index);
    }
    this.#history.updated(market.updatedAt, market);
  }

  prices(): readonly MarketPrices[] {
    for (const index of this.#indexes) this.#history.marketEnded(index);
    return this.#history.kept;
  }
}
