/** What an operator may ask of a running bot. */

import type { Limits } from '../../risk/limits/limits.ts';

/** `by`: `command`, `file`, `signal`; `cause`: in the operator's words. */
export type BotCommand =
  | { readonly kind: 'halt' | 'reduceOnly' | 'resume'; readonly by: string; readonly cause: string }
  /** `orders` stands for the configured way of ending. */
  | { readonly kind: 'stop'; readonly by: string; readonly cause: string; readonly orders?: 'cancel' | 'keep' }
  | { readonly kind: 'limits'; readonly limits: Limits }
  /** Something happened after which nothing that was read counts any more: the machine slept. */
  | { readonly kind: 'doubt'; readonly cause: string }
  /** The run's clock is wrong by too much, or, without a cause, is right again: until then nothing is placed or resumed. */
  | { readonly kind: 'clock'; readonly cause: string | undefined };
