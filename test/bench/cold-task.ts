/** What a first pass in a fresh process is told to do, and what it tells of it. */

export interface ColdTask {
  readonly kind: 'noop' | 'active' | 'bare' | 'parse';
  readonly tape: string;
  /** The same as lines of JSON. */
  readonly tapeLines: string;
  /** The first so many markets of the tape. */
  readonly markets: number;
}

export interface ColdTold {
  /** What somebody waits for the pass; loading the modules is over by then. */
  readonly waited: number;
  /** Processor time of it: the engine's compiler works beside it, on processors of its own where there are any. */
  readonly seconds: number;
  /** Updates replayed, or lines parsed. */
  readonly done: number;
  readonly orders: number;
  readonly transcript: string;
}
