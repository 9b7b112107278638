/** Every way in which markets may end, one after the other, with its chance: judges what is drawn, and exact variances. */

/** All sets of `winners` of `outcomes` outcomes. */
export function winnerSets(outcomes: number, winners: number): readonly (readonly number[])[] {
  const sets: number[][] = [];
  for (let bits = 0; bits < 1 << outcomes; bits += 1) {
    const set = Array.from({ length: outcomes }, (_, at) => at).filter((at) => (bits >> at) & 1);
    if (set.length === winners) sets.push(set);
  }
  return sets;
}

/** All ways in which markets with one winner each end. */
export function everyEnd(
  markets: readonly (readonly number[])[],
): readonly { readonly winners: readonly number[]; readonly chance: number }[] {
  return markets.reduce<readonly { readonly winners: readonly number[]; readonly chance: number }[]>(
    (ends, closing) =>
      ends.flatMap(({ winners, chance }) =>
        closing.map((each, outcome) => ({ winners: [...winners, outcome], chance: chance * each })),
      ),
    [{ winners: [], chance: 1 }],
  );
}
