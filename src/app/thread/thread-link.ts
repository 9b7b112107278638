/** The link from a command in a thread of its own to the main thread, which watches it. */

import type { DecisionMark } from '../../engine/guest/decision-mark.ts';
import type { Inquiry } from '../../loader/stuck-strategy.ts';
import type { WatchPlan } from './thread-messages.ts';

/** What a command does on signals that it obeys besides those that end it. */
export type SignalHandlers = Readonly<Partial<Record<NodeJS.Signals, () => void>>>;

/** What a command says to an inquiry. Undefined: all is well, and the thread goes on. */
export type Answer = (inquiry: Inquiry) => number | (() => void) | undefined;

export interface ThreadLink {
  /** Shared memory in which the engine marks calls of strategies. */
  readonly mark: DecisionMark;
  /**
   * Begins to watch strategies. `answer` is called in the middle of any code that the thread executes. If it returns an
   * exit code, the thread does not go on: the command has written all that it had to write. If it returns a function,
   * what the thread executes is ended in the middle, up to its event loop, which goes on and calls the function.
   */
  watch(plan: WatchPlan, answer: Answer): void;
  /** Returns a function that removes the handlers. */
  onSignals(handlers: SignalHandlers): () => void;
}
