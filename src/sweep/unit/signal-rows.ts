/** The rows of signal files by market, each file read once: a unit gets and is identified by those of its own markets alone. */

import { createHash } from 'node:crypto';
import { readRows } from '../../backtest/pieces/run-strategies.ts';
import type { SignalRow } from '../../strategy/signals.ts';

const NONE: readonly SignalRow[] = [];

export class SignalRows {
  readonly #byFile = new Map<string, ReadonlyMap<string, readonly SignalRow[]>>();

  /** Those of some markets, in order of time within a market. A strategy sees no signal of another market. @throws OddsmithError SIGNAL_… */
  of(file: string, markets: readonly string[]): readonly SignalRow[] {
    const byMarket = this.#file(file);
    const [only] = markets;
    if (markets.length === 1 && only !== undefined) return byMarket.get(only) ?? NONE;
    return markets.flatMap((market) => byMarket.get(market) ?? NONE);
  }

  sha256(file: string, markets: readonly string[]): string {
    const hash = createHash('sha256');
    for (const { market, outcome, availableAt, value } of this.of(file, markets)) {
      hash.update(`${JSON.stringify([market, outcome, availableAt, value])}\n`);
    }
    return hash.digest('hex');
  }

  #file(file: string): ReadonlyMap<string, readonly SignalRow[]> {
    const known = this.#byFile.get(file);
    if (known !== undefined) return known;
    const byMarket = new Map<string, SignalRow[]>();
    for (const row of readRows(file)) {
      const rows = byMarket.get(row.market);
      if (rows === undefined) byMarket.set(row.market, [row]);
      else rows.push(row);
    }
    this.#byFile.set(file, byMarket);
    return byMarket;
  }
}
