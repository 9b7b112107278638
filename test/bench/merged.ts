/** The bench of many markets in one line of time: the active strategy in all of them, beside one of them alone. */

import { BareReplay } from './bare-replay.ts';
import type { BenchData } from './data.ts';
import { asLongAs, claim, compared, type Figure } from './figure.ts';
import { mergedTape } from './merged-tape.ts';
import { OrderReplay } from './order-replay.ts';
import { activeCounts, Replay, withMarkets } from './replay-run.ts';
import { layFavourite } from './replay-strategies.ts';
import type { BenchSize } from './size.ts';

export async function benchMerged(data: BenchData, size: BenchSize): Promise<Figure> {
  return withMarkets(await mergedTape(data, size.merged), async (markets) => {
    const merged = new Replay({ markets, plugins: [layFavourite] });
    const one = new Replay({ markets: markets.slice(0, 1), plugins: [layFavourite] });
    const alone = activeCounts(await one.warmUp(1));
    const counts = activeCounts(await merged.warmUp(1));
    // They share an exchange and a wallet, and nothing that would change an order.
    for (const what of ['updates', 'orders', 'matched', 'cancelled']) {
      const [all = 0, each = 0] = [counts[what], alone[what]];
      claim(all === markets.length * each, `${what}: ${all} in ${markets.length} markets, ${each} in one`);
    }
    const { value, yardstick, ratio } = await compared(size.mergedRepetitions, merged, await asLongAs(merged, one));
    return {
      name: 'replay-merged',
      value,
      unit: 'updates/s',
      yardstick: { name: 'one of the markets alone', value: yardstick },
      ratio,
      counts: { markets: markets.length, ...counts, updatesOfOne: one.operations, ordersOfOne: alone['orders'] ?? 0 },
      data: described(markets.length, data),
    };
  });
}

/** Merged markets without exchange, risk and ledger: what merging costs the tape, books, overlays and views that any framework reads. */
export async function benchMergedBare(data: BenchData, size: BenchSize): Promise<Figure> {
  return withMarkets(await mergedTape(data, size.merged), async (markets) => {
    const alone = markets.slice(0, 1);
    const { counts, stakeMatched } = await OrderReplay.record(alone, layFavourite);
    const { orders, cancels, fills } = counts;
    const one = new BareReplay(alone, layFavourite, { orders, cancels, fills, stake: stakeMatched });
    const { length } = markets;
    const all = {
      orders: orders * length,
      cancels: cancels * length,
      fills: fills * length,
      stake: stakeMatched * length,
    };
    const merged = new BareReplay(markets, layFavourite, all);
    merged.run();
    for (let pass = 0; pass < size.warmPasses; pass += 1) one.run();
    const { value, yardstick, ratio } = await compared(size.mergedRepetitions, merged, await asLongAs(merged, one));
    return {
      name: 'replay-merged-bare',
      value,
      unit: 'updates/s',
      yardstick: { name: 'one of the markets alone, bare', value: yardstick },
      ratio,
      counts: { markets: length, updates: merged.operations, ...all, updatesOfOne: one.operations },
      data: described(length, data),
    };
  });
}

function described(copies: number, data: BenchData): string {
  return `${copies} copies of the longest market of ${data.tapeName}, each 7 s later than the one before`;
}
