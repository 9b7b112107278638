/** What a search makes as good as it can: one figure of the result. */

export interface Objective {
  readonly figure: string;
  readonly bound: 'pessimistic' | 'central' | 'optimistic';
  readonly goal: 'maximize' | 'minimize';
  /** The whole figure, or divided by the number of event groups. */
  readonly per: 'run' | 'event';
}
