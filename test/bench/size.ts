/** How much a bench does: enough for figures that stay, or just enough to see that it works. */

export interface BenchSize {
  readonly repetitions: number;
  /** Of rows whose runs take less time than a collection of their yardstick's garbage, which falls into some of them. */
  readonly shortRepetitions: number;
  /** Processes whose first pass is measured. */
  readonly coldStarts: number;
  readonly bookOperations: number;
  /** Orders and cancels together. */
  readonly exchangeOperations: number;
  /** The first so many markets of the tape are replayed. */
  readonly markets: number;
  /** Markets that run at the same time. */
  readonly merged: number;
  /** Copies of each market of the sample, one an hour. */
  readonly copies: number;
  readonly mergedRepetitions: number;
  readonly slopeRepetitions: number;
  /** Updates of one kind of event; a multiple of sixteen. */
  readonly eventUpdates: number;
  /** Lines of a made recording. */
  readonly madeLines: number;
  /** Passes over a tape before the first that counts. */
  readonly warmPasses: number;
  /** Turns before the first that counts: the engine compiles for thousands of calls. */
  readonly sandboxWarmUps: number;
  /** Calls of one turn. */
  readonly sandboxGets: number;
  readonly sandboxBatches: number;
  /** Orders that the client sends nowhere. */
  readonly clientOrders: number;
}

export const FULL: BenchSize = {
  repetitions: 5,
  shortRepetitions: 15,
  coldStarts: 9,
  bookOperations: 1_000_000,
  exchangeOperations: 250_000,
  markets: Number.MAX_SAFE_INTEGER,
  merged: 20,
  copies: 9,
  mergedRepetitions: 3,
  warmPasses: 8,
  slopeRepetitions: 5,
  eventUpdates: 96_000,
  madeLines: 100_000,
  sandboxWarmUps: 5,
  sandboxGets: 2_500,
  sandboxBatches: 400,
  clientOrders: 200_000,
};

export const QUICK: BenchSize = {
  repetitions: 1,
  shortRepetitions: 1,
  coldStarts: 1,
  bookOperations: 20_000,
  exchangeOperations: 5_000,
  markets: 1,
  merged: 4,
  copies: 1,
  mergedRepetitions: 1,
  warmPasses: 1,
  slopeRepetitions: 1,
  eventUpdates: 16_000,
  madeLines: 2_000,
  sandboxWarmUps: 1,
  sandboxGets: 200,
  sandboxBatches: 20,
  clientOrders: 2_000,
};
