/** What makes one world of Betfair's rules differ from another. */

import type { FaceSettings } from './face-state.ts';

export interface WorldOptions {
  /**
   * Whether a world without markets of its own is filled with invented ones; absent: it is. Where a tape is played, a bot
   * should find the tape's alone.
   */
  readonly invents?: boolean;
  /** Seed of the default world; absent: 1. */
  readonly seed?: number;
  readonly settings?: Partial<FaceSettings>;
}
