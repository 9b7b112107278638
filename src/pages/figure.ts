/** One figure of a page that a server feeds, and how good or bad something is. */

export type Tone = 'good' | 'warn' | 'bad' | 'plain';

/** One figure: a text, a signed amount, or an instant that is shown as an age. */
export interface Figure {
  readonly label: string;
  readonly text?: string;
  readonly amount?: number;
  readonly at?: number;
  /** The instant is one of the past: `14 s ago`. */
  readonly isAgo?: boolean;
  readonly tone?: Tone;
}
