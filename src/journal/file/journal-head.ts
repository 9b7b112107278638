/** Remembers beside a journal how far it was acknowledged: what tells a whole journal from one whose end was lost. */

import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { assert } from '../../core/checks/assert.ts';
import { JOURNAL_FORMAT } from './journal-schema.ts';

/** Up to here all was committed. The journal may hold more, never less. */
export interface Acknowledged {
  readonly run: string;
  readonly sequence: number;
  readonly checksum: string;
  readonly lastClient: number;
}

/** Two places written in turn, so that one is whole whatever happens to the other. */
const SLOT = 4096;
const TEXT_MAX = 1024;

/**
 * SQLite cannot tell a commit that was cut off by a crash from one whose log was lost, truncated or copied without its
 * log: it takes both for a journal that ends earlier. This file can. It is written after each commit, without waiting
 * for the disk: a process that is killed leaves it exact, a machine that loses power leaves it too low at worst.
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

  /** Makes the file, or puts a new one in its place, on disk and whole whenever the process dies. */
  static create(path: string, acknowledged: Acknowledged): void {
    const making = `${path}.making`;
    const file = openSync(making, 'w');
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

  close(): void {
    fsyncSync(this.#file);
    closeSync(this.#file);
  }
}

/** The newer of the two places; undefined where neither can be read. Throws where there is no file. */
export function readJournalHead(path: string): Acknowledged | undefined {
  const bytes = readFileSync(path);
  const [one, other] = [0, 1].map((slot) =>
    acknowledgedIn(bytes.toString('utf8', slot * SLOT, slot * SLOT + TEXT_MAX)),
  );
  if (one === undefined || other === undefined) return one ?? other;
  return one.sequence > other.sequence ? one : other;
}

/** crc32, format, sequence, checksum, last client, run: the run is last because its name may hold anything. */
function textOf({ run, sequence, checksum, lastClient }: Acknowledged): string {
  const words = `${JOURNAL_FORMAT} ${sequence} ${checksum} ${lastClient} ${JSON.stringify(run)}`;
  const text = `${crc32(words).toString(16).padStart(8, '0')} ${words}\n`;
  assert(Buffer.byteLength(text) <= TEXT_MAX, "a run's name fits into the head of its journal");
  return text;
}

function acknowledgedIn(text: string): Acknowledged | undefined {
  const [, sum, words, sequence, checksum, lastClient, run] =
    /^([0-9a-f]{8}) (1 (\d+) ([0-9a-f]+) (\d+) (".*"))\n/.exec(text) ?? [];
  if (sum === undefined || words === undefined || checksum === undefined || run === undefined) return undefined;
  if (crc32(words) !== Number.parseInt(sum, 16)) return undefined;
  return { run: JSON.parse(run) as string, sequence: Number(sequence), checksum, lastClient: Number(lastClient) };
}
