/** The task of a first pass in a fresh process, and its report. */

export interface ColdTask {
  readonly kind: 'noop' | 'active' | 'bare' | 'parse';
  readonly tape: string;
  /** The recording as lines of JSON. */
  readonly tapeLines: string;
  /** The first so many markets of the tape. */
  readonly markets: number;
}

export interface ColdTold {
  /** The time that a person waits for the pass; loading the modules is not part of it. */
  readonly waited: number;
  /** Processor time of it: the engine's compiler works beside it, on processors of its own where there are any. */
  readonly seconds: number;
  /** Updates replayed, or lines parsed. */
  readonly done: number;
  readonly orders: number;
  readonly transcript: string;
}
