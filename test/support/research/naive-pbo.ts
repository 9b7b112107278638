/** PBO as its paper describes it, row by row: judges the one that works by sums of blocks. */

export function naivePbo(trials: readonly (readonly number[])[], measure: 'mean' | 'sharpe'): number {
  const rows = trials[0]?.length ?? 0;
  const divisions: number[] = [];
  for (let bits = 0; bits < 1 << 10; bits += 1) {
    if ([...bits.toString(2)].filter((bit) => bit === '1').length !== 5) continue;
    const blockOf = (row: number) => Math.floor(((row + 1) * 10 - 1) / rows);
    const performance = trials.map((trial) =>
      [1, 0].map((bit) =>
        performanceOf(
          trial.filter((_, row) => ((bits >> blockOf(row)) & 1) === bit),
          measure,
        ),
      ),
    );
    const inside = performance.map(([value = 0]) => value);
    const outside = performance.map(([, value = 0]) => value);
    const chosen = outside[inside.indexOf(Math.max(...inside))] ?? 0;
    const lower = outside.filter((value) => value < chosen).length;
    const same = outside.filter((value) => value === chosen).length;
    divisions.push((lower + (same + 1) / 2) / trials.length <= 0.5 ? 1 : 0);
  }
  return divisions.reduce((sum, each) => sum + each, 0) / divisions.length;
}

function performanceOf(profits: readonly number[], measure: 'mean' | 'sharpe'): number {
  const mean = profits.reduce((sum, each) => sum + each, 0) / profits.length;
  if (measure === 'mean') return mean;
  if (profits.every((each) => each === profits[0])) return 0;
  return mean / Math.sqrt(profits.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (profits.length - 1));
}
