/** What a command that runs in a thread of its own can tell the thread that watches it. */

import type { DecisionMark } from '../../engine/guest/decision-mark.ts';
import type { Inquiry } from '../strategies/stuck-strategy.ts';
import type { WatchPlan } from './thread-messages.ts';

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
