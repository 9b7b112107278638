/** The messages between a command in a thread of its own and the main thread, and the memory that both share. */

import { MARK_WORDS } from '../../engine/guest/decision-mark.ts';
import type { Inquiry } from '../../loader/stuck-strategy.ts';

/** Properties of the terminal, which only the main thread can see. */
export interface TerminalFacts {
  readonly interactive: boolean;
  readonly isDumb: boolean | undefined;
  readonly colourOut: boolean;
  readonly colourNote: boolean;
  readonly width: number;
  readonly columnsOut: number | undefined;
  readonly columnsNote: number | undefined;
}

/** What the thread is started with. */
export interface ThreadStart {
  readonly kind: 'command';
  readonly args: readonly string[];
  readonly terminal: TerminalFacts;
  /** Shared memory of `WORDS_COUNT` integers. */
  readonly words: Int32Array;
}

export type FromThread =
  /** Text for stdout, or for stderr. */
  | { readonly kind: 'out'; readonly text: string }
  | { readonly kind: 'note'; readonly text: string }
  /** Signals that the command handles besides those that end it. */
  | { readonly kind: 'obeys'; readonly signals: readonly NodeJS.Signals[] }
  | { readonly kind: 'watch'; readonly plan: WatchPlan }
  /** The thread has begun to answer an inquiry. */
  | { readonly kind: 'asked' }
  /** The signal that ends the command was received. */
  | { readonly kind: 'heard' }
  /** All output was sent. */
  | { readonly kind: 'ended'; readonly exitCode: number };

export type ToThread =
  | { readonly kind: 'signal'; readonly name: NodeJS.Signals }
  /** What the thread was executing is ended, as it had asked for. */
  | { readonly kind: 'left' };

/** What a thread answers to an inquiry: it has ended with it, goes on, or asks to be ended in the middle of what it executes. */
export type InquiryAnswer = 'ended' | 'goesOn' | 'leave';

/** How strategies are watched, and the texts for one that hangs, which the thread itself cannot write then. */
export interface WatchPlan {
  readonly limitMs: number;
  /** Names by the strategy's index. */
  readonly strategies: readonly { readonly name: string; readonly file: string }[];
  /** What the run does about it. */
  readonly consequence: string;
  readonly exitCode: number;
  /** Only for a daemon: the file that makes its next start halt the strategy. */
  readonly stuckFile?: string;
  /** Only for a daemon that sends alerts: where the main thread finds the ways. */
  readonly lastWord?: LastWord;
}

/** The configuration of a daemon as it was read at its start; its variables are those of the environment, which both threads share. */
export interface LastWord {
  readonly text: string;
  readonly file: string;
}

/** Integers after those of the decision mark. */
export const WORDS = {
  /** Grows while the thread's event loop turns. */
  turns: MARK_WORDS,
  /** How many characters the main thread has written. */
  written: MARK_WORDS + 1,
} as const;

export const WORDS_COUNT = MARK_WORDS + 2;

/** Name of the global function in the thread that the main thread calls to ask what it is doing. */
export const ASKED = 'oddsmith.asked';

/** Why the main thread asks. */
export type Reason = Inquiry['reason'];
