/** Imports small made Betfair streams, and words what the tape holds then. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ImportReport, importBetfair } from '../../src/recording/betfair/import.ts';
import type { OnError } from '../../src/recording/betfair/market/recording-import.ts';
import { exportTape } from '../../src/recording/export.ts';
import { Tape } from '../../src/recording/tape/tape.ts';
import type { TapeMarket } from '../../src/recording/tape/tape-schema.ts';
import { temporaryDirectory } from './temporary-directory.ts';

export const RUNNERS = [
  { id: 1, status: 'ACTIVE', sortPriority: 1, name: 'One', adjustmentFactor: 60 },
  { id: 2, status: 'ACTIVE', sortPriority: 2, name: 'Two', adjustmentFactor: 40 },
];
export const DEFINITION = {
  status: 'OPEN',
  bettingType: 'ODDS',
  inPlay: false,
  betDelay: 0,
  numberOfWinners: 1,
  runners: RUNNERS,
};

export interface Imported {
  readonly markets: readonly TapeMarket[];
  /** The events of each update, as the export words them, without the definition's text. */
  readonly updates: readonly string[];
  readonly definitions: ReturnType<Tape['definitions']>;
  readonly report: ImportReport;
}

/** Each change is one message of market 1.5, a second after the one before; the first gets the definition. */
export async function imported(
  changes: readonly object[],
  options: { onError?: OnError; name?: string } = {},
): Promise<Imported> {
  return importedLines(linesOf(changes), options);
}

/** Shows the tape of the same messages to `use`, and closes it. */
export async function withTape(changes: readonly object[], use: (tape: Tape) => void | Promise<void>): Promise<void> {
  const { tape } = await importedTape(linesOf(changes), {});
  try {
    await use(tape);
  } finally {
    tape.close();
  }
}

function linesOf(changes: readonly object[]): readonly string[] {
  return changes.map((change, i) => {
    const first = i === 0 ? { marketDefinition: DEFINITION } : {};
    return JSON.stringify({ op: 'mcm', pt: 1000 * (i + 1), mc: [{ id: '1.5', ...first, ...change }] });
  });
}

async function importedTape(
  lines: readonly string[],
  { onError = 'fail', name = 'made' }: { onError?: OnError; name?: string },
): Promise<{ readonly tape: Tape; readonly report: ImportReport }> {
  const folder = temporaryDirectory('rules');
  const file = join(folder, name);
  const path = join(folder, 'out.tape');
  writeFileSync(file, lines.join('\n'));
  const report = await importBetfair({ files: [file], tape: path, onError });
  return { tape: Tape.open(path), report };
}

export async function importedLines(
  lines: readonly string[],
  options: { onError?: OnError; name?: string },
): Promise<Imported> {
  const { tape, report } = await importedTape(lines, options);
  try {
    const updates = [...exportTape(tape, 'jsonl')]
      .map((line) => JSON.parse(line))
      .filter((row) => row.kind === 'update');
    return {
      markets: tape.markets,
      updates: updates.map((row) => row.events.map(word).join(', ')),
      definitions: tape.definitions(0),
      report,
    };
  } finally {
    tape.close();
  }
}

function word(event: Record<string, unknown>): string {
  const { kind, outcome, side, price, stake } = event;
  return [kind, outcome, side, price, stake].filter((part) => part !== undefined).join(' ');
}

export const rc = (...changes: object[]) => ({ rc: changes });
