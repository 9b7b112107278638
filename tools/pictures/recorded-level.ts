/** What a tape holds of one price level: the stake that rests there, and the trades at it. */

import { exportTape } from '../../src/recording/export.ts';
import { Tape } from '../../src/recording/tape/tape.ts';

interface LevelName {
  readonly market: string;
  readonly outcome: string;
  readonly side: string;
  readonly price: number;
}

/** Times in ms UTC, stakes in decimals. */
export interface RecordedLevel {
  readonly resting: readonly (readonly [at: number, stake: number])[];
  readonly trades: readonly (readonly [at: number, stake: number])[];
}

/** Events of an export that are of one price; others have neither a price nor an outcome. */
interface ExportedEvent {
  readonly kind: string;
  readonly outcome?: string;
  readonly side?: string;
  readonly price?: number;
  readonly stake?: number;
}

export function recordedLevel(path: string, { market, outcome, side, price }: LevelName): RecordedLevel {
  const resting: [number, number][] = [];
  const trades: [number, number][] = [];
  const tape = Tape.open(path);
  const index = tape.markets.findIndex(({ facts }) => facts.id === market);
  const lines = [...exportTape(tape, 'jsonl', { markets: [index] })].join('').trim().split('\n');
  tape.close();
  for (const line of lines) {
    const update: { readonly kind: string; readonly publishedAt: string; readonly events?: readonly ExportedEvent[] } =
      JSON.parse(line);
    if (update.kind !== 'update') continue;
    const at = Date.parse(update.publishedAt);
    for (const event of update.events ?? []) {
      if (event.outcome !== outcome || event.price !== price || event.stake === undefined) continue;
      if (event.kind === 'level' && event.side === side) resting.push([at, event.stake]);
      if (event.kind === 'trade') trades.push([at, event.stake]);
    }
  }
  return { resting, trades };
}
