/** A difference between a run and its replay, before its cause is sought. */

import type { ParityStep } from '../../../result/parity.ts';
import type { OrderStory, Step } from './step.ts';

/** A difference before it has a cause. */
export interface Found {
  readonly at: number;
  readonly step: ParityStep;
  readonly strategy: string;
  readonly market: string;
  readonly run: string | undefined;
  readonly replay: string | undefined;
  /** The steps or orders that differ, on each side that has one. */
  readonly runStep?: Step | undefined;
  readonly replayStep?: Step | undefined;
  readonly runOrder?: OrderStory | undefined;
  readonly replayOrder?: OrderStory | undefined;
  /** What the other side made of the same intent of the same decision; absent if it did not decide the same. */
  readonly counterpart?: Step | undefined;
  /** How many equal steps of the same strategy and market lie between the difference before and this one, while both had the same orders. */
  readonly sameBefore: number;
  /** Only of a reply, a fill or an end: in which way it differs. */
  readonly how?: 'delay' | 'lost' | 'code' | 'taken' | 'rested' | 'price' | 'reason';
}

export interface Tolerance {
  /** Two equal steps count as the same if they are at most this far apart in time. */
  readonly stepMs: number;
  /** How much longer replies of one side may take than those of the other. */
  readonly replyMs: number;
}

export interface Tally {
  run: number;
  replay: number;
  same: number;
}

export type Tallies = Record<ParityStep, Tally>;
