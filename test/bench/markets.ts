/** The bench of many small markets: each opens, is traded in now and then and is settled, under the interval of fills. */

import { join } from 'node:path';
import type { Bound } from '../../src/result/figures/bounds.ts';
import { defineStrategy } from '../../src/strategy/define-strategy.ts';
import { cancel, lay } from '../../src/strategy/helpers/place.ts';
import type { BenchData } from './data.ts';
import { claim, compared, type Figure, median } from './figure.ts';
import { MarkedSource, type Marks, watchedMarkets } from './marked-source.ts';
import { copiedTape } from './merged-tape.ts';
import { activeCounts, idleCounts, Replay, withMarkets } from './replay-run.ts';
import { noop } from './replay-strategies.ts';
import type { BenchSize } from './size.ts';

const INTERVAL: readonly Bound[] = ['central', 'pessimistic', 'optimistic'];
const MILLION = 1e6;
const WARM_PASSES = 2;
const ORDERS_EVERY = 100;
const NOTHING: readonly never[] = [];

/** Orders once in a hundred updates of a market: joins the queue of the first outcome, after it has cancelled what it left there. */
const seldom = defineStrategy({
  name: 'bench-seldom',
  state: () => ({ seen: 0 }),
  decide({ market, orders, state, why }) {
    if (why !== 'prices') return NOTHING;
    state.seen += 1;
    if (state.seen % ORDERS_EVERY !== 0 || !market.tradable) return NOTHING;
    const outcome = market.outcomes.find(({ status, bestAgainst }) => status === 'Active' && bestAgainst !== undefined);
    const price = outcome?.bestAgainst?.price;
    if (outcome === undefined || price === undefined) return NOTHING;
    const cancels = orders.filter(({ status, cancelling }) => status !== undefined && !cancelling).map(cancel);
    return [...cancels, lay(outcome, { stake: 2, price })];
  },
});

export async function benchMarkets(data: BenchData, size: BenchSize): Promise<Figure> {
  const sample = join(data.root, 'backtest/sample.tape');
  const tape = await copiedTape(sample, size.copies, join(data.directory, 'markets.tape'));
  return withMarkets(tape, async (markets) => {
    const trading = new Replay({ markets, plugins: [seldom], bounds: INTERVAL });
    const idle = new Replay({ markets, plugins: [noop], bounds: INTERVAL });
    const end = await trading.warmUp(WARM_PASSES);
    idleCounts(await idle.warmUp(WARM_PASSES));
    const settled = end.collector.markets.filter(({ settledAt }) => settledAt !== undefined).length;
    claim(settled === markets.length, `${settled} of ${markets.length} markets were settled or voided`);
    const measured = await compared(size.repetitions, trading, idle);
    const value = MILLION / measured.value;
    const yardstick = MILLION / measured.yardstick;
    const counts = { markets: markets.length, ...activeCounts(end) };
    return {
      name: 'markets',
      value,
      unit: 's/M updates',
      yardstick: { name: 's/M updates with a strategy that does nothing', value: yardstick },
      ratio: value / yardstick,
      counts: { ...counts, ...(await shares({ markets, size, transcript: trading.transcript })) },
      data: `${size.copies} copies of each market of the bundled sample, one an hour; three bounds`,
    };
  });
}

/**
 * What share of the processor time, in percent, goes to updates that open a market, change its definition, or settle and close it,
 * decisions and orders at these moments included: by marks in runs of their own, which must give the same transcript.
 */
async function shares(of: {
  readonly markets: Parameters<typeof watchedMarkets>[0];
  readonly size: BenchSize;
  readonly transcript: string;
}): Promise<Readonly<Record<string, number>>> {
  const { markets, size, transcript } = of;
  const watched = watchedMarkets(markets);
  let source: MarkedSource | undefined;
  const sourceOf = () => {
    source = new MarkedSource(markets, watched);
    return source;
  };
  const marked = new Replay({ markets, plugins: [seldom], bounds: INTERVAL, sourceOf });
  await marked.warmUp(WARM_PASSES);
  claim(marked.transcript === transcript, 'marks changed what happened');
  const passes: { readonly seconds: number; readonly marks: Marks }[] = [];
  for (let pass = 0; pass < size.repetitions; pass += 1) {
    const seconds = await marked.run();
    if (source !== undefined) passes.push({ seconds, marks: source.marks });
  }
  const { times } = passes[0]?.marks ?? { times: { opening: 0, changing: 0, closing: 0 } };
  claim(times.opening === markets.length && times.closing >= markets.length, 'each market opens and closes once');
  const percent = (part: 'opening' | 'changing' | 'closing'): number =>
    median(passes.map(({ seconds, marks }) => (100 * marks.seconds[part]) / seconds));
  const [opening, changing, closing] = [percent('opening'), percent('changing'), percent('closing')];
  return {
    openingPercent: opening,
    closingPercent: closing,
    changingPercent: changing,
    openings: times.opening,
    closings: times.closing,
    definitions: times.changing,
  };
}
