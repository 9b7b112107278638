/** Tapes of many markets: copies of the longest one there is, each some seconds later, and of all there are, each an hour later. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { SourceMarket } from '../../src/backtest/simulation/backtest-source.ts';
import { instant } from '../../src/core/number/units.ts';
import type { UpdateColumns } from '../../src/recording/segment/update.ts';
import { UpdateBuffer } from '../../src/recording/segment/update-buffer.ts';
import type { MarketDescription, TapeMarket } from '../../src/recording/tape/tape-schema.ts';
import { TapeWriter } from '../../src/recording/tape/tape-writer.ts';
import type { BenchData } from './data.ts';
import { claim } from './figure.ts';
import { withMarkets } from './replay-run.ts';

/** No whole numbers of seconds, so that updates of two copies seldom share an instant. */
const SHIFT_MS = 7_001;
const HOUR_MS = 3_600_001;

interface Copying {
  readonly copies: number;
  /** How much later each copy runs than the one before it. */
  readonly shiftMs: number;
}

/** The path of it. The first row that asks makes it, the others of the same run find it. */
export async function mergedTape(data: BenchData, copies: number): Promise<string> {
  const path = join(data.directory, `merged-${copies}.tape`);
  if (existsSync(path)) return path;
  await withMarkets(data.tape, async (markets) => writeCopies([longest(markets)], { copies, shiftMs: SHIFT_MS }, path));
  return path;
}

/** The path of a tape on which every market of another runs so many times, from its opening to its settlement. */
export async function copiedTape(tape: string, copies: number, path: string): Promise<string> {
  await withMarkets(tape, async (markets) => writeCopies(markets, { copies, shiftMs: HOUR_MS }, path));
  return path;
}

function longest(markets: readonly SourceMarket[]): SourceMarket {
  const [first] = [...markets].sort((a, b) => b.market.updates - a.market.updates);
  claim(first !== undefined, 'there is a market to copy');
  return first;
}

function writeCopies(markets: readonly SourceMarket[], copying: Copying, path: string): void {
  const writer = TapeWriter.create(path);
  for (const market of markets) writeMarket(writer, market, copying);
  writer.finish();
}

function writeMarket(writer: TapeWriter, { tape, market }: SourceMarket, { copies, shiftMs }: Copying): void {
  const keys = Array.from({ length: copies }, () => writer.startMarket());
  for (const definition of tape.definitions(market.index))
    for (const key of keys) writer.addDefinition(key, definition);
  const cursor = tape.cursor({ markets: [market.index] });
  const later = new UpdateBuffer();
  for (let update = cursor.next(); update !== undefined; update = cursor.next()) {
    for (const [copy, key] of keys.entries()) writer.appendUpdate(key, shifted(later, update, copy * shiftMs));
  }
  for (const [copy, key] of keys.entries()) writer.finishMarket(key, describe(market, copy, copy * shiftMs));
}

function shifted(later: UpdateBuffer, update: UpdateColumns, byMs: number): UpdateBuffer {
  later.copy(update);
  later.publishedAt = instant(update.publishedAt + byMs);
  later.receivedAt = instant(update.receivedAt + byMs);
  return later;
}

/** Another market of another event, and said to be a copy. */
function describe(market: TapeMarket, copy: number, laterMs: number): MarketDescription {
  const { facts, bettingType, grade, winnerCount, source } = market;
  const id = `${facts.id}.${copy}`;
  const generated = `copy ${copy} of ${facts.id}, ${laterMs} ms later`;
  return {
    facts: { ...facts, id, eventId: `${facts.eventId}.${copy}` },
    ...{ bettingType, grade, winnerCount, source, generated },
  };
}
