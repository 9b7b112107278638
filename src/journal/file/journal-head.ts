/** Keeps beside a journal how far it was committed, which tells a complete journal from one whose end was lost. */

import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { assert } from '../../core/checks/assert.ts';
import { type Base, baseIn, baseText, genesis, JOURNAL_FORMAT } from './journal-schema.ts';

/** The last committed record. The journal may hold more records, never fewer. */
export interface Acknowledged {
  readonly run: string;
  readonly sequence: number;
  readonly checksum: string;
  readonly lastClient: number;
  /** What was packed, so that the first record can be proven also where the journal's own word for it is damaged. */
  readonly base: Base;
}

/**
 * Bytes from one copy to the next. The file has two copies, written alternately, so that one is intact whatever happens
 * to the other.
 */
const SLOT = 4096;
const TEXT_MAX = 1024;

/**
 * SQLite cannot tell a commit that was cut off by a crash from a log that was lost, truncated or not copied along: in
 * both cases it shows a journal that ends earlier. This file can. It is written after each commit without waiting for
 * the disk: after a killed process it is exact, after a loss of power it may be too low, never too high.
 */
export class JournalHead {
  readonly #file: number;
  readonly #buffer = Buffer.alloc(TEXT_MAX);
  readonly #run: string;
  #slot = 0;

  private constructor(path: string, run: string) {
    this.#run = run;
    this.#file = openSync(path, 'r+');
  }

  /** Creates the file or replaces it. The new file is on disk and complete before it takes the name. */
  static create(path: string, acknowledged: Acknowledged): void {
    const making = `${path}.making`;
    const file = openSync(making, 'w', 0o600);
    try {
      const text = textOf(acknowledged);
      const buffer = Buffer.alloc(2 * SLOT, ' ');
      for (const slot of [0, 1]) buffer.write(text, slot * SLOT);
      writeFileSync(file, buffer);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(making, path);
  }

  static open(path: string, run: string): JournalHead {
    return new JournalHead(path, run);
  }

  write(acknowledged: Omit<Acknowledged, 'run'>): void {
    this.#buffer.fill(' ');
    this.#buffer.write(textOf({ run: this.#run, ...acknowledged }));
    writeSync(this.#file, this.#buffer, 0, TEXT_MAX, this.#slot * SLOT);
    this.#slot = 1 - this.#slot;
  }

  /** Waits for the disk: what was acknowledged before is known after a loss of power, too. */
  flush(): void {
    fsyncSync(this.#file);
  }

  close(): void {
    this.flush();
    closeSync(this.#file);
  }
}

/** The newer of the two copies; undefined where neither can be read. Throws where the file is missing. */
export function readJournalHead(path: string): Acknowledged | undefined {
  const bytes = readFileSync(path);
  const [one, other] = [0, 1].map((slot) =>
    acknowledgedIn(bytes.toString('utf8', slot * SLOT, slot * SLOT + TEXT_MAX)),
  );
  if (one === undefined || other === undefined) return one ?? other;
  return one.sequence > other.sequence ? one : other;
}

/**
 * One copy as text: crc32, format, sequence, checksum, last client, base, run. The run is last because its name may hold
 * any character. Format 1 has no base. A build that knows format 1 alone takes this text for none, and then refuses the
 * journal by its format.
 */
function textOf({ run, sequence, checksum, lastClient, base }: Acknowledged): string {
  const words = `${JOURNAL_FORMAT} ${sequence} ${checksum} ${lastClient} ${baseText(base)} ${JSON.stringify(run)}`;
  const text = `${crc32(words).toString(16).padStart(8, '0')} ${words}\n`;
  assert(Buffer.byteLength(text) <= TEXT_MAX, "a run's name fits into the head of its journal");
  return text;
}

function acknowledgedIn(text: string): Acknowledged | undefined {
  const [, sum, words = ''] = /^([0-9a-f]{8}) (.*)\n/.exec(text) ?? [];
  if (sum === undefined || crc32(words) !== Number.parseInt(sum, 16)) return undefined;
  const [, sequence, checksum, lastClient, base, name] =
    /^[12] (\d+) ([0-9a-f]+) (\d+) (?:(\d+ [0-9a-f]+) )?(".*")$/.exec(words) ?? [];
  if (checksum === undefined || name === undefined) return undefined;
  const run = JSON.parse(name) as string;
  const known = base === undefined ? genesis(run) : baseIn(base);
  if (known === undefined) return undefined;
  return { run, sequence: Number(sequence), checksum, lastClient: Number(lastClient), base: known };
}
