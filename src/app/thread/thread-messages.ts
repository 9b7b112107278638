/** What a command in a thread of its own and the main thread say to each other, and the words that both may read. */

import { MARK_WORDS } from '../../engine/guest/decision-mark.ts';
import type { Inquiry } from '../strategies/stuck-strategy.ts';

/** How the terminal is, as the main thread sees it. */
export interface TerminalFacts {
  readonly interactive: boolean;
  readonly colourOut: boolean;
  readonly colourNote: boolean;
  readonly width: number;
}

/** What the thread is begun with. */
export interface ThreadStart {
  readonly kind: 'command';
  readonly args: readonly string[];
  readonly terminal: TerminalFacts;
  /** Of `WORDS_COUNT` words, shared. */
  readonly words: Int32Array;
}

export type FromThread =
  /** For stdout, or for stderr. */
  | { readonly kind: 'out'; readonly text: string }
  | { readonly kind: 'note'; readonly text: string }
  /** The signals that it obeys besides those that end it. */
  | { readonly kind: 'obeys'; readonly signals: readonly NodeJS.Signals[] }
  | { readonly kind: 'watch'; readonly plan: WatchPlan }
  /** It begins to answer what it does. */
  | { readonly kind: 'asked' }
  /** The signal that ends it was heard. */
  | { readonly kind: 'heard' }
  /** All was said. */
  | { readonly kind: 'ended'; readonly exitCode: number };

export interface ToThread {
  readonly kind: 'signal';
  readonly name: NodeJS.Signals;
}

/** How strategies are watched, and what is said of one that is stuck where the thread itself cannot say it. */
export interface WatchPlan {
  readonly limitMs: number;
  /** By the index of the seat. */
  readonly strategies: readonly { readonly name: string; readonly file: string }[];
  /** What follows for the run. */
  readonly consequence: string;
  readonly exitCode: number;
  /** Of a daemon: where it is kept that the strategy is to be halted. */
  readonly stuckFile?: string;
}

/** Words after those of the mark. */
export const WORDS = {
  /** Grows while the thread's event loop turns. */
  turns: MARK_WORDS,
  /** Characters that the main thread has written. */
  written: MARK_WORDS + 1,
} as const;

export const WORDS_COUNT = MARK_WORDS + 2;

/** By this name the main thread finds, in the thread's globals, whom to ask what it is doing. */
export const ASKED = 'oddsmith.asked';

/** Why the main thread asks. */
export type Reason = Inquiry['reason'];
