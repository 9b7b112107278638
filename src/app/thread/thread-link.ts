/** What a command that runs in a thread of its own can tell the thread that watches it. */

import type { DecisionMark } from '../../engine/guest/decision-mark.ts';
import type { Reason, WatchPlan } from './thread-messages.ts';

/** By the signals that a command obeys besides those that end it. */
export type SignalHandlers = Readonly<Partial<Record<NodeJS.Signals, () => void>>>;

export interface ThreadLink {
  /** For the engine. */
  readonly mark: DecisionMark;
  /**
   * From now on strategies are watched. `answer` is called in the middle of whatever the thread does, and nothing of that goes
   * on where it answers an exit code: what is to be told of the command was told then.
   */
  watch(plan: WatchPlan, answer: (inquiry: Inquiry) => number | undefined): void;
  /** Gives what takes the handlers back. */
  onSignals(handlers: SignalHandlers): () => void;
}

export interface Inquiry {
  readonly reason: Reason;
  /** The seat that is being asked; undefined between calls. */
  readonly instance: number | undefined;
  /** The market that it is asked about, by its index. */
  readonly market: number;
  /** What the thread was doing, innermost first, as an error that was thrown there would have it. */
  readonly at: Error;
}
