/** Which strategy is being asked, in words that another thread may read, and that thread's word that no more are to be. */

/**
 * Written at every call, whether anybody reads it or not: plain stores cost less than to ask. Whoever shares the words
 * (`SharedArrayBuffer`) reads them from a thread of its own, while this one may hang in a call for ever.
 */
export type DecisionMark = Int32Array;

/** What each word says. */
export const MARK = {
  /** How many calls were begun: while it stands still, so does the strategy. */
  calls: 0,
  /** Whose call it is, by the seat's index and one; 0: nobody's. */
  instance: 1,
  /** In which market, by its index. */
  market: 2,
  /** Written from outside: no strategy is to be asked any more. */
  ends: 3,
} as const;

/** Words before those of whoever shares them. */
export const MARK_WORDS = 4;

export function newMark(): DecisionMark {
  return new Int32Array(MARK_WORDS);
}

export function beginCall(mark: DecisionMark, instance: number, market: number): void {
  mark[MARK.calls] = (mark[MARK.calls] ?? 0) + 1;
  mark[MARK.market] = market;
  mark[MARK.instance] = instance + 1;
}

export function endCall(mark: DecisionMark): void {
  mark[MARK.instance] = 0;
}

export function isAskedToEnd(mark: DecisionMark): boolean {
  return mark[MARK.ends] !== 0;
}
