/** What a first pass in a fresh process is told to do, and what it tells of it. */

export interface ColdTask {
  readonly kind: 'noop' | 'active' | 'parse';
  readonly tape: string;
  /** The same as lines of JSON. */
  readonly tapeLines: string;
  /** The first so many markets of the tape. */
  readonly markets: number;
}

export interface ColdTold {
  /** Processor time of the pass; loading the modules is over by then. */
  readonly seconds: number;
  /** Updates replayed, or lines parsed. */
  readonly done: number;
  readonly orders: number;
  readonly transcript: string;
}
