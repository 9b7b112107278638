/** Tapes of made updates. */

import fc from 'fast-check';
import type { Instant } from '../../src/core/number/units.ts';
import { LAST_PRICE, LEVEL, type RecordedKind, STARTING_PRICE, TRADE } from '../../src/recording/segment/update.ts';
import { UpdateBuffer } from '../../src/recording/segment/update-buffer.ts';
import type { MarketDescription } from '../../src/recording/tape/tape-schema.ts';
import { TapeWriter } from '../../src/recording/tape/tape-writer.ts';
import { madeDefinition, madeFacts } from './made-market.ts';

export type MadeEvent = readonly [kind: number, outcome: number, side: number, tick: number, amount: number];
export interface MadeUpdate {
  readonly market: number;
  readonly at: number;
  readonly receivedAt: number;
  readonly events: readonly MadeEvent[];
}

const OUTCOMES = 40;
export const MADE_DEFINITION = madeDefinition(2, { commissionPpm: 50_000 });

export function madeDescription(id: string, outcomes = OUTCOMES): MarketDescription {
  return {
    facts: madeFacts(id, outcomes),
    ...{ bettingType: 'ODDS', grade: 'A', winnerCount: 1, source: { file: 'made', sha256: '' } },
  };
}

/** Writes the updates in the order given, interleaved as they come. */
export function writeMade(target: string, markets: number, updates: readonly MadeUpdate[]): string {
  const writer = TapeWriter.create(target);
  const keys = Array.from({ length: markets }, () => writer.startMarket());
  for (const key of keys) writer.addDefinition(key, MADE_DEFINITION);
  const buffer = new UpdateBuffer(1);
  for (const update of updates) {
    buffer.start(update.at as Instant, update.receivedAt as Instant);
    for (const [kind, ...rest] of update.events) buffer.push(kind as RecordedKind, ...rest);
    writer.appendUpdate(keys[update.market] as number, buffer);
  }
  keys.forEach((key, index) => {
    writer.finishMarket(key, madeDescription(`m${index}`));
  });
  return writer.finish();
}

const amount = fc.oneof(
  fc.integer({ min: 0, max: 10_000_000 }).map((cents) => cents * 10_000),
  fc.integer({ min: 0, max: 10_000_000 }).map((half) => half * 5_000),
  fc.maxSafeInteger().map((value) => Math.floor(Math.abs(value) / 4)),
);
const madeEvent: fc.Arbitrary<MadeEvent> = fc
  .record({
    kind: fc.constantFrom(TRADE, LEVEL, LAST_PRICE, STARTING_PRICE),
    outcome: fc.oneof(fc.nat(OUTCOMES - 1), fc.constantFrom(0, 30, 31, 32)),
    side: fc.nat(2),
    tick: fc.nat(349),
    amount,
  })
  .map(({ kind, outcome, side, tick, amount: some }) => {
    if (kind === LEVEL) return [kind, outcome, side % 2, tick, some] as const;
    if (kind === STARTING_PRICE) return [kind, outcome, side, 0, some % 1_000_000] as const;
    return [kind, outcome, 0, tick, kind === LAST_PRICE ? 0 : some + 1] as const;
  });
export const madeStream = fc.array(
  fc.record({
    market: fc.nat(3),
    step: fc.oneof(fc.nat(3), fc.nat(100_000_000)),
    late: fc.integer({ min: -5, max: 300 }),
    events: fc.array(madeEvent, { maxLength: 12 }),
  }),
  { maxLength: 60 },
);

/** Enough for several segments a market. */
export function longMade(): MadeUpdate[] {
  return Array.from({ length: 30_000 }, (_, i) => {
    const at = 1_700_000_000_000 + Math.floor(i / 3) * 10;
    return { market: i % 3, at, receivedAt: at, events: [[LEVEL, i % 5, i % 2, (i * 31) % 350, (i % 977) * 10_000]] };
  });
}
