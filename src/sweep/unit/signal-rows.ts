/** The rows of signal files by market, each file read once until it changes: a unit gets and is identified by those of its own markets alone. */

import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { readRows } from '../../backtest/pieces/run-strategies.ts';
import type { SignalRow } from '../../strategy/signals.ts';

const NO_ROWS: readonly SignalRow[] = [];

interface KnownFile {
  /** The identity of the file when it was read. */
  readonly identity: string;
  readonly byMarket: ReadonlyMap<string, readonly SignalRow[]>;
}

export class SignalRows {
  readonly #byFile = new Map<string, KnownFile>();

  /** Those of some markets, in order of time within a market. A strategy sees no signal of another market. @throws OddsmithError SIGNAL_… */
  of(file: string, markets: readonly string[]): readonly SignalRow[] {
    const byMarket = this.#file(file);
    const [only] = markets;
    if (markets.length === 1 && only !== undefined) return byMarket.get(only) ?? NO_ROWS;
    return markets.flatMap((market) => byMarket.get(market) ?? NO_ROWS);
  }

  sha256(file: string, markets: readonly string[]): string {
    const hash = createHash('sha256');
    for (const { market, outcome, availableAt, value } of this.of(file, markets)) {
      hash.update(`${JSON.stringify([market, outcome, availableAt, value])}\n`);
    }
    return hash.digest('hex');
  }

  /** Forgets those of some files that were changed since they were read. False: none was. */
  forgetChanged(files: readonly string[]): boolean {
    const changed = files.filter((file) => {
      const known = this.#byFile.get(file);
      return known !== undefined && known.identity !== identityOf(file);
    });
    for (const file of changed) this.#byFile.delete(file);
    return changed.length > 0;
  }

  #file(file: string): ReadonlyMap<string, readonly SignalRow[]> {
    const known = this.#byFile.get(file);
    if (known !== undefined) return known.byMarket;
    // Before it is read: what is written meanwhile makes it another one.
    const identity = identityOf(file);
    const byMarket = new Map<string, SignalRow[]>();
    for (const row of readRows(file)) {
      const rows = byMarket.get(row.market);
      if (rows === undefined) byMarket.set(row.market, [row]);
      else rows.push(row);
    }
    this.#byFile.set(file, { identity, byMarket });
    return byMarket;
  }
}

/** Another one where the file was written, or another one has taken its place. */
function identityOf(file: string): string {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? '' : `${found.dev} ${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`;
}
