/** Sends each reader what its page shows, four times a second: whole panels, only when they changed, and nothing to nobody. */

import type { ServerResponse } from 'node:http';
import type { Ask, Head, Panel } from '../../../../pages/panels.ts';
import { askKey } from './read-ask.ts';
import type { RecordRing } from './record-ring.ts';

export interface StreamParts {
  readonly head: () => Head;
  readonly panel: (ask: Ask) => Panel | undefined;
  readonly ring: RecordRing | undefined;
  /** Called with what making a panel threw: nothing more is sent. */
  readonly onFault: (error: unknown) => void;
  /** Called with how long each round took, ms. */
  readonly onRound: (ms: number) => void;
}

export const EVERY_MS = 250;
export const READERS_MAX = 32;
/** A reader that takes nothing for so long is disconnected; its page connects again when it can. */
const STALLED_MS = 60_000;

interface Reader {
  readonly response: ServerResponse;
  readonly ask: Ask;
  readonly key: string;
  /** The panel that it was sent last, as text. */
  sent: string;
  /** The last line of the record that it was sent. */
  line: number;
  /** Since when it takes no more; undefined while it does. What it misses meanwhile is left out. */
  fullSince: number | undefined;
}

export class EventStreams {
  readonly #parts: StreamParts;
  readonly #readers = new Set<Reader>();
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: StreamParts) {
    this.#parts = parts;
  }

  get size(): number {
    return this.#readers.size;
  }

  /** The head of the answer was sent. The first picture follows at once. */
  add(response: ServerResponse, ask: Ask): void {
    const reader: Reader = { response, ask, key: askKey(ask), sent: '', line: -1, fullSince: undefined };
    this.#readers.add(reader);
    response.on('close', () => this.#remove(reader));
    // The reader has gone away: nothing can be sent to it.
    response.on('error', () => response.destroy());
    response.on('drain', () => {
      reader.fullSince = undefined;
    });
    this.#timer ??= setInterval(() => this.#round([...this.#readers]), EVERY_MS);
    this.#round([reader]);
  }

  /** Ends all streams, each with the newest state: of a run that has ended in order it is the last word. */
  close(): void {
    this.#round([...this.#readers]);
    for (const { response } of this.#readers) response.end();
    this.drop();
  }

  /** Ends all streams at once. */
  drop(): void {
    for (const { response } of this.#readers) response.destroy();
    this.#readers.clear();
    this.#rest();
  }

  #remove(reader: Reader): void {
    this.#readers.delete(reader);
    if (this.#readers.size === 0) this.#rest();
  }

  #rest(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #round(readers: readonly Reader[]): void {
    const now = performance.now();
    const begun = busyMs();
    try {
      const head = frame('head', JSON.stringify(this.#parts.head()));
      const made = new Map<string, string>();
      for (const reader of readers) {
        if (reader.fullSince === undefined) this.#send(reader, head, made);
        else if (now - reader.fullSince > STALLED_MS) reader.response.destroy();
      }
    } catch (error) {
      this.#parts.onFault(error);
      return;
    }
    this.#parts.onRound(busyMs() - begun);
  }

  /** `made`: the panels of this round as text, since several readers may look at one page. */
  #send(reader: Reader, head: string, made: Map<string, string>): void {
    const { ask, key, response } = reader;
    let panel = made.get(key);
    if (panel === undefined) {
      panel = JSON.stringify(this.#parts.panel(ask) ?? { page: ask.page });
      made.set(key, panel);
    }
    let text = head;
    if (panel !== reader.sent) text += frame('panel', panel);
    reader.sent = panel;
    if (ask.page === 'record') text += this.#newLines(reader);
    if (!response.write(text)) reader.fullSince = performance.now();
  }

  #newLines(reader: Reader): string {
    const lines = this.#parts.ring?.after(reader.line) ?? [];
    const last = lines.at(-1);
    if (last === undefined) return '';
    reader.line = last.seq;
    return frame('lines', JSON.stringify(lines));
  }
}

/** What this thread has computed, ms; on a busy machine that is less than the time that passed. Older versions of Node cannot say. */
function busyMs(): number {
  const { threadCpuUsage } = process;
  if (typeof threadCpuUsage !== 'function') return performance.now();
  const { user, system } = threadCpuUsage.call(process);
  return (user + system) / 1_000;
}

/** JSON has no line ends of its own, so that one line holds it. */
function frame(event: string, data: string): string {
  return `event: ${event}\ndata: ${data}\n\n`;
}
