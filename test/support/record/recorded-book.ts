/** The last levels and trades of a market on a tape, in columns of text that a test can compare. */

import { DEFINITION, LEVEL, TRADE } from '../../../src/recording/segment/update.ts';
import type { RecordedDefinition } from '../../../src/recording/tape/definition.ts';
import { Tape } from '../../../src/recording/tape/tape.ts';

export interface RecordedMarketEnd {
  readonly definition: RecordedDefinition | undefined;
  /** `outcome side tick amount`, sorted. */
  readonly levels: readonly string[];
  /** Traded by `outcome tick`. */
  readonly traded: ReadonlyMap<string, number>;
  readonly publishedAt: readonly number[];
  readonly receivedAt: readonly number[];
}

/** By market id. */
export function recordedEnds(path: string): ReadonlyMap<string, RecordedMarketEnd> {
  const tape = Tape.open(path);
  try {
    return new Map(tape.markets.map(({ index, facts }) => [facts.id, endOf(tape, index)]));
  } finally {
    tape.close();
  }
}

function endOf(tape: Tape, market: number): RecordedMarketEnd {
  const levels = new Map<string, number>();
  const traded = new Map<string, number>();
  const publishedAt: number[] = [];
  const receivedAt: number[] = [];
  let definition: RecordedDefinition | undefined;
  const cursor = tape.cursor({ markets: [market] });
  for (let update = cursor.next(); update !== undefined; update = cursor.next()) {
    publishedAt.push(update.publishedAt);
    receivedAt.push(update.receivedAt);
    for (let i = 0; i < update.count; i += 1) {
      const { [i]: amount = 0 } = update.amount;
      const where = `${update.outcome[i]} ${update.tick[i]}`;
      if (update.kind[i] === DEFINITION) definition = tape.definitions(market)[amount];
      if (update.kind[i] === TRADE) traded.set(where, (traded.get(where) ?? 0) + amount);
      if (update.kind[i] !== LEVEL) continue;
      const level = `${update.outcome[i]} ${update.side[i]} ${update.tick[i]}`;
      if (amount === 0) levels.delete(level);
      else levels.set(level, amount);
    }
  }
  const lines = [...levels].map(([level, amount]) => `${level} ${amount}`).sort();
  return { definition, levels: lines, traded, publishedAt, receivedAt };
}
