/** One damage to a copy of a journal, and everything that must hold of it then. */

import { existsSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { TimedRecord } from '../../../src/core/run/journal.ts';
import { rebuild } from '../../../src/journal/history/rebuild.ts';
import type { RunJournal } from '../../../src/journal/run-journal.ts';
import { copyJournal, open, PARTS, recordsOf, refusalOf } from './journal-folder.ts';

export interface DamageTrial {
  /** The undamaged files and what they hold. */
  readonly original: string;
  readonly records: readonly TimedRecord[];
  /** Where the copy goes: a path in an empty folder. */
  readonly file: string;
  readonly damage: (file: string) => void;
}

/** `harmless`: nothing is different. `found`: refused. Else what should not be. */
export type TrialEnd = 'harmless' | 'found' | `BREACH ${string}`;

export function damageTrial({ original, records, file, damage }: DamageTrial): TrialEnd {
  copyJournal(original, file);
  damage(file);
  const read = readingBreach(file, records);
  if (read !== undefined) return read;
  const before = bytesOf(file);
  const refusal = refusalOf(() => open(file));
  if (refusal === undefined) return harmlessBreach(file, records) ?? 'harmless';
  if (refusal.code !== 'JOURNAL_CORRUPT') return `BREACH refused with ${refusal.message}`;
  if (!isDeepStrictEqual(bytesOf(file), before)) return 'BREACH a refused journal was changed';
  return acceptanceBreach(file, records) ?? 'found';
}

function bytesOf(file: string): readonly (Buffer | undefined)[] {
  return PARTS.map((part) => (existsSync(`${file}${part}`) ? readFileSync(`${file}${part}`) : undefined)).map(
    (bytes) => (bytes?.length === 0 ? undefined : bytes),
  );
}

/** A reader may stop with a failure, having given good records; it never gives another, and never ends early in silence. */
function readingBreach(file: string, records: readonly TimedRecord[]): TrialEnd | undefined {
  try {
    if (isDeepStrictEqual(recordsOf(file), records)) return undefined;
    return 'BREACH a reader got other records and no failure';
  } catch (error) {
    if (error instanceof Error && error.name === 'JournalFailure') return undefined;
    return `BREACH a reader got ${String(error)}`;
  }
}

/** It must still hold all, and take more. */
function harmlessBreach(file: string, records: readonly TimedRecord[]): TrialEnd | undefined {
  const more: TimedRecord = { at: 5, record: { kind: 'marketDone', market: 'after' } };
  const journal = open(file);
  if (!isDeepStrictEqual(journal.restored, rebuild('r1', records))) return 'BREACH another state in silence';
  add(journal, more);
  if (!isDeepStrictEqual(recordsOf(file), [...records, more])) return 'BREACH other records in silence';
  const again = refusalOf(() => open(file));
  return again === undefined ? undefined : `BREACH it broke with the next commit: ${again.message}`;
}

/** What is kept was there, in its order; the run is the same, and no number of an order can come again. */
function acceptanceBreach(file: string, records: readonly TimedRecord[]): TrialEnd | undefined {
  const journal = open(file, { acceptCorrupt: true });
  const { state, quarantine, droppedRecords } = journal.opening;
  const lastClient = journal.restored?.lastClient ?? 0;
  add(journal, { at: 5, record: { kind: 'marketDone', market: 'after' } });
  if (state !== 'acceptedCorrupt' || quarantine === undefined) return `BREACH accepted, and it was ${state}`;
  if (journal.run !== 'r1') return `BREACH the run became ${journal.run}`;
  if (lastClient < rebuild('r1', records).lastClient + 1_000_000) return `BREACH number ${lastClient} may come again`;
  const kept = recordsOf(file).slice(0, -2);
  if (kept.length + droppedRecords !== records.length)
    return `BREACH ${kept.length} of ${records.length} kept, ${droppedRecords} said to be lost`;
  if (!isPartOf(kept, records)) return 'BREACH records that never were';
  const again = refusalOf(() => open(file));
  return again === undefined ? undefined : `BREACH the accepted journal is refused: ${again.message}`;
}

function isPartOf(some: readonly TimedRecord[], all: readonly TimedRecord[]): boolean {
  let from = 0;
  return some.every((each) => {
    while (from < all.length && !isDeepStrictEqual(all[from], each)) from += 1;
    from += 1;
    return from <= all.length;
  });
}

function add(journal: RunJournal, { at, record }: TimedRecord): void {
  journal.append(at, record);
  journal.commit();
  journal.close();
}
