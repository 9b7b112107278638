/** The bench of what trials over one market could share: reading the tape and keeping the recorded book, beside whole replays of the sample. */

import { join } from 'node:path';
import { MergedUpdates, type SourceMarket } from '../../src/backtest/simulation/backtest-source.ts';
import { defined } from '../../src/core/checks/assert.ts';
import { moneyToDecimal } from '../../src/core/number/units.ts';
import { loadStrategy } from '../../src/loader/strategy-loader.ts';
import type { Bound } from '../../src/result/figures/bounds.ts';
import { RecordedBook } from '../../src/simulator/overlay/recorded-book.ts';
import type { StrategyPlugin } from '../../src/strategy/contract.ts';
import type { BenchData } from './data.ts';
import { asLongAs, BenchFailure, claim, compared, type Figure, type Measured, Stopwatch } from './figure.ts';
import { Replay, withMarkets } from './replay-run.ts';
import { noop } from './replay-strategies.ts';
import type { BenchSize } from './size.ts';

const CENTRAL: readonly Bound[] = ['central'];
/** The one that quotes at each update last. */
const SAMPLES = ['favourite-scalp', 'dutch-book', 'passive-quoter'];
const INTERVAL: readonly Bound[] = ['central', 'pessimistic', 'optimistic'];

/** Percent of a replay's processor time, by strategy and bounds. What is shared saves at most that of every trial but the first. */
export async function benchDecoding(data: BenchData, size: BenchSize): Promise<Figure> {
  return withMarkets(join(data.root, 'backtest/sample.tape'), async (all) => {
    const markets = all.slice(0, size.markets);
    const decoding = new Decoding(markets);
    for (let pass = 0; pass < size.warmPasses; pass += 1) decoding.run();
    const shares: Record<string, number> = {};
    let last: { readonly value: number; readonly yardstick: number; readonly ratio: number } | undefined;
    const plugins = [noop, ...(await Promise.all(SAMPLES.map((name) => sampleStrategy(data, name))))];
    for (const plugin of plugins) {
      for (const bounds of [CENTRAL, INTERVAL]) {
        const replay = new Replay({ markets, plugins: [plugin], bounds });
        await replay.warmUp(size.warmPasses);
        last = await compared(size.repetitions, await asLongAs(replay, decoding), replay);
        shares[`${plugin.name}-${bounds.length}-percent`] = (100 * last.yardstick) / last.value;
      }
    }
    claim(last !== undefined, 'something was measured');
    return {
      name: 'replay-decoding',
      value: last.value,
      unit: 'updates/s',
      yardstick: { name: `whole replay of ${SAMPLES.at(-1)}, three bounds`, value: last.yardstick },
      ratio: last.ratio,
      counts: { updates: decoding.operations, traded: decoding.traded, ...shares },
      data: 'the bundled sample',
    };
  });
}

async function sampleStrategy({ root }: BenchData, name: string): Promise<StrategyPlugin> {
  const loaded = await loadStrategy(join(root, 'strategies', `${name}.ts`));
  if (loaded.kind === 'fault') throw new BenchFailure(`${loaded.fault.what} ${loaded.fault.why}`);
  return loaded.plugin;
}

/** Reads every update of a run in its order into a book of its market; each book is dropped after its last update. */
class Decoding implements Measured {
  readonly operations: number;
  /** What was traded on the first outcome of each market, in units, so that nothing is read in vain. */
  traded = 0;
  readonly #markets: readonly SourceMarket[];

  constructor(markets: readonly SourceMarket[]) {
    this.#markets = markets;
    this.operations = markets.reduce((sum, { market }) => sum + market.updates, 0);
  }

  run(): number {
    const watch = new Stopwatch();
    const source = new MergedUpdates(this.#markets);
    const books: (RecordedBook | undefined)[] = [];
    let played = 0;
    this.traded = 0;
    for (;;) {
      const update = source.nextPrices() ?? source.next();
      if (update === undefined) break;
      const { index } = source;
      books[index] ??= new RecordedBook(source.recorded(index).facts.outcomes.length);
      const book = defined(books[index], 'made above');
      update.recordInto(book);
      played += 1;
    }
    for (const book of books) if (book !== undefined) this.traded += moneyToDecimal(book.traded(0));
    claim(played === this.operations && this.traded > 0, 'all updates are read');
    return watch.seconds();
  }
}
