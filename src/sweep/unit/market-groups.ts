/** Which markets of the tapes a trial plays, and which of them make one unit. */

import { createHash } from 'node:crypto';
import type { BacktestOptions } from '../../backtest/options/backtest-options.ts';
import { chooseMarkets, type SourceMarket } from '../../backtest/simulation/backtest-source.ts';
import { canonical } from '../../core/collections/canonical.ts';
import { eventGroupOf } from '../../core/market.ts';
import type { Tape } from '../../recording/tape/tape.ts';
import type { GroupOrder } from '../engine/engine.ts';

export interface UnitGroup extends GroupOrder {
  /** Recorded updates, which are most of the work. */
  readonly updates: number;
}

/** A window changes what is asked in a market, not which group it belongs to. */
export interface MarketChoice extends Pick<BacktestOptions, 'isolate'> {
  readonly markets: Omit<BacktestOptions['markets'], 'window'>;
}

/** The groups of open tapes; each choice of markets is made once. */
export class MarketGroups {
  readonly #tapes: readonly Tape[];
  readonly #byChoice = new Map<string, readonly UnitGroup[]>();

  constructor(tapes: readonly Tape[]) {
    this.#tapes = tapes;
  }

  /** In the order in which the tapes have them. Empty where no market is left to replay. */
  of({ markets, isolate }: MarketChoice): readonly UnitGroup[] {
    const choice = canonical([markets.types, markets.ids, markets.events, isolate]);
    const known = this.#byChoice.get(choice);
    if (known !== undefined) return known;
    const byName = new Map<string, SourceMarket[]>();
    for (const market of chooseMarkets(this.#tapes, markets).markets) {
      const name = groupName(market, isolate);
      const group = byName.get(name);
      if (group === undefined) byName.set(name, [market]);
      else group.push(market);
    }
    const groups = [...byName].map(([name, group]) => groupOf(name, group));
    this.#byChoice.set(choice, groups);
    return groups;
  }
}

/** Wallets that several markets share make all of them one unit. */
function groupName({ market }: SourceMarket, isolate: BacktestOptions['isolate']): string {
  if (isolate === 'market') return market.facts.id;
  return isolate === 'event' ? eventGroupOf(market.facts) : '';
}

function groupOf(name: string, group: readonly SourceMarket[]): UnitGroup {
  const updates = group.reduce((sum, { market }) => sum + market.updates, 0);
  return { name, markets: group.map(({ market }) => market.facts.id), sha256: groupSha256(group), updates };
}

/** Of what is recorded of these markets. */
export function groupSha256(group: readonly SourceMarket[]): string {
  const hash = createHash('sha256');
  for (const { tape, market, later = [] } of group) {
    const parts = [{ tape, market }, ...later];
    hash.update(`${parts.map((part) => part.tape.marketSha256(part.market.index)).join(' ')}\n`);
  }
  return hash.digest('hex');
}
