/** The words in which differences are found, before anybody asks why. */

import type { ParityStep } from '../../report/parity/parity.ts';
import type { OrderStory, Step } from './step-sequence.ts';

/** A difference before it has a cause. */
export interface Found {
  readonly at: number;
  readonly step: ParityStep;
  readonly strategy: string;
  readonly market: string;
  readonly run: string | undefined;
  readonly replay: string | undefined;
  /** What it is about, as far as there is one. */
  readonly runStep?: Step | undefined;
  readonly replayStep?: Step | undefined;
  readonly runOrder?: OrderStory | undefined;
  readonly replayOrder?: OrderStory | undefined;
  /** Steps of the lane that were the same since its difference before this one. */
  readonly sameBefore: number;
  /** Of a reply, a fill or an end: in which way it differs. */
  readonly how?: 'delay' | 'lost' | 'code' | 'taken' | 'rested' | 'price' | 'reason';
}

export interface Tolerance {
  /** How far apart in time two equal steps are still the same. */
  readonly stepMs: number;
  /** How much longer the one's answers may take than the other's. */
  readonly replyMs: number;
}

export interface Tally {
  run: number;
  replay: number;
  same: number;
}

export type Tallies = Record<ParityStep, Tally>;
