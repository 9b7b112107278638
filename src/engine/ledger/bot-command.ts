/** Commands to a running bot. */

import type { Limits } from '../../risk/limits/limits.ts';

/** `by`: what gave the command (`command`, `file`, `signal`); `cause`: why, in the operator's words. */
export type BotCommand =
  | { readonly kind: 'halt' | 'reduceOnly' | 'resume'; readonly by: string; readonly cause: string }
  /** The orders that are live now are to end; trading goes on, and strategies may place new ones. */
  | { readonly kind: 'cancelAll'; readonly by: string; readonly cause: string }
  /** Ends the run. `orders` overrides what the configuration says about live orders. */
  | { readonly kind: 'stop'; readonly by: string; readonly cause: string; readonly orders?: 'cancel' | 'keep' }
  | { readonly kind: 'limits'; readonly limits: Limits }
  /** All feeds and account snapshots must be read again before anything is placed, as after the machine slept. */
  | { readonly kind: 'resync'; readonly cause: string }
  /** The run's clock is wrong by too much, and nothing is placed or resumed; without a cause, it is right again. */
  | { readonly kind: 'clock'; readonly cause: string | undefined };
