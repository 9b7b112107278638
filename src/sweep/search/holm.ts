/** Holm's correction: which of several comparisons hold at once with one error of a given size. */

/** The corrected p-values, in the same order (S. Holm, Scand. J. Statist. 6 (1979), 65–70). */
export function holm(ps: readonly number[]): readonly number[] {
  const order = ps.map((p, index) => ({ p, index })).sort((a, b) => a.p - b.p || a.index - b.index);
  const corrected: number[] = ps.map(() => 1);
  let least = 0;
  for (const [rank, { p, index }] of order.entries()) {
    least = Math.min(1, Math.max(least, p * (ps.length - rank)));
    corrected[index] = least;
  }
  return corrected;
}
