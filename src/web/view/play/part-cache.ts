/** The parts of one market: asked for when they are wanted, the nearest first, and a few of them kept. */

import type { ViewPart } from '../../../pages/view-data.ts';
import type { Answer, Trouble } from './answers.ts';
import { PartReel } from './book.ts';

/** Enough for both directions, little enough for a phone. */
const KEPT_MAX = 10;
const RETRY_MS = 2_000;

interface PartCacheParts {
  readonly market: string;
  /** A part came, or a request failed, or does not fail any more. */
  readonly onChange: () => void;
  readonly ask: (market: string, part: number) => Promise<Answer<ViewPart>>;
}

export class PartCache {
  /** The reels by part; the one that was used last is the last. */
  readonly #reels = new Map<number, PartReel>();
  readonly #parts: PartCacheParts;
  /** Parts that the server refused: asked for again only when the reader says so. */
  readonly #refused = new Set<number>();
  #wanted: readonly number[] = [];
  #isAsking = false;
  #isClosed = false;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #trouble: Trouble | undefined;

  constructor(parts: PartCacheParts) {
    this.#parts = parts;
  }

  get trouble(): Trouble | undefined {
    return this.#trouble;
  }

  get size(): number {
    return this.#reels.size;
  }

  get(part: number): PartReel | undefined {
    const reel = this.#reels.get(part);
    if (reel === undefined) return undefined;
    this.#reels.delete(part);
    this.#reels.set(part, reel);
    return reel;
  }

  /** What is needed now, the most urgent first; what was wanted before and is not named any more is not asked for. */
  want(parts: readonly number[]): void {
    this.#wanted = parts;
    this.#next();
  }

  retry(): void {
    clearTimeout(this.#retry);
    this.#retry = undefined;
    this.#refused.clear();
    this.#next();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    this.#reels.clear();
  }

  /** One request at a time: whoever drags over the whole market asks for where he stopped, not for all he passed. */
  #next(): void {
    if (this.#isAsking || this.#isClosed || this.#retry !== undefined) return;
    const part = this.#wanted.find((each) => !this.#reels.has(each) && !this.#refused.has(each));
    if (part === undefined) return;
    this.#isAsking = true;
    void this.#parts.ask(this.#parts.market, part).then((answer) => this.#receive(part, answer));
  }

  #receive(part: number, answer: Answer<ViewPart>): void {
    this.#isAsking = false;
    if (this.#isClosed) return;
    if (answer.kind === 'value') {
      this.#trouble = undefined;
      this.#keep(part, new PartReel(answer.value));
      this.#next();
    } else {
      this.#trouble = answer;
      if (answer.kind === 'silent') this.#retry = setTimeout(() => this.retry(), RETRY_MS);
      else this.#refused.add(part);
    }
    this.#parts.onChange();
  }

  #keep(part: number, reel: PartReel): void {
    this.#reels.set(part, reel);
    for (const old of this.#reels.keys()) {
      if (this.#reels.size <= KEPT_MAX) return;
      if (!this.#wanted.includes(old)) this.#reels.delete(old);
    }
  }
}
