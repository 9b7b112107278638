/** What a comparison of a run with the replay of its own recording says, as plain data: `oddsmith parity --json`. */

/**
 * Why the two differ. `missedPoll`: an update that only one of them saw. `latency`: the same reply, decision or order at another time.
 * `queue`: an order at rest was filled more or less than the model fills it. `liquidity`: an order that takes found
 * other volume. `rule`: one side refuses, rounds, charges or cancels where the other does not. `version`: the run was
 * judged by an older version of this program, by another rule. `strategyChanged`: the
 * strategy's code is not the one that ran. `nonDeterminism`: the strategy decided otherwise on the same inputs.
 * `operator`: a person, or a guard of the running bot, stopped, resumed or cancelled. `ownStake`: the recording of a live run holds its own orders, which the replay lays over it once more.
 * `restart`: the process was down, or had lost its memory. `unexplained`: none of these causes was found.
 */
export const PARITY_CAUSES = [
  'missedPoll',
  'latency',
  'queue',
  'liquidity',
  'rule',
  'version',
  'operator',
  'ownStake',
  'strategyChanged',
  'nonDeterminism',
  'restart',
  'unexplained',
] as const;
export type ParityCause = (typeof PARITY_CAUSES)[number];

export const PARITY_STEPS = ['decision', 'refusal', 'order', 'cancel', 'reply', 'fill', 'end', 'settlement'] as const;
export type ParityStep = (typeof PARITY_STEPS)[number];

export interface ParityDifference {
  /** The number of the difference, from 1, in the order of time. */
  readonly number: number;
  /** The earlier of the times of run and replay, by the run's clock, ms UTC. */
  readonly at: number;
  readonly strategy: string;
  /** The exchange's id. */
  readonly market: string;
  readonly step: ParityStep;
  /** What happened in the run, and in the replay, as text; absent where nothing did. */
  readonly run?: string;
  readonly replay?: string;
  /** The cause of the chain of differences that it belongs to. */
  readonly cause: ParityCause;
  readonly details: string;
  /** The number of the difference that it follows from; absent where it is itself the first of its chain. */
  readonly follows?: number;
}

/** How many steps of one kind run and replay have, and how many are the same in both. */
export interface ParityCount {
  readonly run: number;
  readonly replay: number;
  readonly same: number;
}

/** What the settled markets brought a wallet, net, in its own currency. */
export interface ParityProfit {
  readonly wallet: string;
  readonly run: number;
  readonly replay: number;
}

export interface ParityResult {
  readonly mode: 'live' | 'paper';
  /** The time span of the tapes, which both sides know, ms UTC. */
  readonly from: number;
  readonly to: number;
  readonly updates: number;
  readonly counts: Readonly<Record<ParityStep, ParityCount>>;
  /** The profit of each wallet with a settled market; empty if no market is settled. */
  readonly profit: readonly ParityProfit[];
  /** Steps of the run before or after the time span of its tapes, and decisions and refusals in what is not explained. */
  readonly notCompared: number;
  /**
   * Parts of the time span whose decisions and refusals the run has not any more, or not all, ms UTC: there orders are
   * compared, and what led to them is not.
   */
  readonly notExplained: readonly { readonly from: number; readonly to: number; readonly why: string }[];
  /** How many chains each cause began, and how many differences follow in them. */
  readonly causes: Readonly<Record<ParityCause, { readonly causes: number; readonly consequences: number }>>;
  readonly differences: readonly ParityDifference[];
}
