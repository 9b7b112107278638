/** A market in a table of markets, of a run as of a sandbox. */

import type { Tone } from './figure.ts';
import type { OpenValue } from './money-panel.ts';

export interface MarketRow {
  readonly id: string;
  readonly name: string;
  readonly event: string;
  readonly state: string;
  readonly tone: Tone;
  /** Why no new orders are placed on it. */
  readonly off: string | undefined;
  readonly startAt: number | undefined;
  /** The time of its prices. */
  readonly freshAt: number | undefined;
  readonly favourite:
    | { readonly title: string; readonly back: number | undefined; readonly lay: number | undefined }
    | undefined;
  /** Backer’s stake matched so far; undefined where a run cannot know it. */
  readonly traded: number | undefined;
  readonly liveOrders: number;
  readonly worstLoss: number;
  /** What it paid so far, net of commission; undefined before its result. */
  readonly settled: number | undefined;
  /** What closing the positions in it would bring now; undefined without any, and where only the exchange knows. */
  readonly open: OpenValue | undefined;
}
