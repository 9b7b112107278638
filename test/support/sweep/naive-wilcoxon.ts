/** Wilcoxon's signed-rank test for paired values, both sides, exact for few pairs, by the normal approximation for many: short and slow, for tests of races. */

export function naiveWilcoxon(pairs: readonly (readonly [number, number])[]): number {
  const differences = pairs.map(([a, b]) => a - b).filter((difference) => difference !== 0);
  const n = differences.length;
  const ranked = differences.map((difference) => {
    const below = differences.filter((each) => Math.abs(each) < Math.abs(difference)).length;
    const same = differences.filter((each) => Math.abs(each) === Math.abs(difference)).length;
    return { difference, rank: below + (same + 1) / 2 };
  });
  const sum = ranked.reduce((all, { difference, rank }) => all + (difference > 0 ? rank : 0), 0);
  if (n <= EXACT)
    return exact(
      ranked.map(({ rank }) => rank),
      sum,
    );
  const z = (Math.abs(sum - (n * (n + 1)) / 4) - 0.5) / Math.sqrt((n * (n + 1) * (2 * n + 1)) / 24);
  return Math.min(1, 2 * upperTail(Math.max(0, z)));
}

const EXACT = 20;

/** Over all signs that the ranks could have had: how many lie as far from the middle. */
function exact(ranks: readonly number[], sum: number): number {
  const middle = ranks.reduce((all, rank) => all + rank, 0) / 2;
  let ways = new Map<number, number>([[0, 1]]);
  for (const rank of ranks) {
    const next = new Map(ways);
    for (const [at, count] of ways) next.set(at + rank, (next.get(at + rank) ?? 0) + count);
    ways = next;
  }
  const far = [...ways].filter(([at]) => Math.abs(at - middle) >= Math.abs(sum - middle));
  return far.reduce((all, [, count]) => all + count, 0) / 2 ** ranks.length;
}

/** The share of a standard normal above z, summed in small steps. */
function upperTail(z: number): number {
  let sum = 0;
  for (let x = z; x < z + 12; x += 1e-3) sum += Math.exp((-x * x) / 2) * 1e-3;
  return sum / Math.sqrt(2 * Math.PI);
}
