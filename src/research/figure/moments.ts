/** Sum, mean, spread and shape of a row of figures. */

/** A plain or typed array of figures; units are those of the figures. */
export type Figures = ArrayLike<number>;

/** Neumaier's sum: its error does not grow with the number of figures. */
export function sumOf(figures: Figures): number {
  let sum = 0;
  let lost = 0;
  for (let at = 0; at < figures.length; at += 1) {
    const figure = figures[at]!;
    const next = sum + figure;
    lost += Math.abs(sum) >= Math.abs(figure) ? sum - next + figure : figure - next + sum;
    sum = next;
  }
  return sum + lost;
}

/** The mean of at least one figure. */
export function meanOf(figures: Figures): number {
  return sumOf(figures) / figures.length;
}

export interface Moments {
  readonly count: number;
  readonly mean: number;
  /** The deviation of the sample, with n − 1; 0 for one figure. */
  readonly deviation: number;
  /** Third standardised moment; 0 where nothing deviates. */
  readonly skewness: number;
  /** Fourth standardised moment, 3 for a normal distribution; 3 where nothing deviates. */
  readonly kurtosis: number;
}

/** The moments of at least one figure. Figures that are all the same deviate by exactly 0, whatever the rounding of their mean. */
export function momentsOf(figures: Figures): Moments {
  const count = figures.length;
  const mean = meanOf(figures);
  if (areEqual(figures)) return { count, mean: figures[0]!, deviation: 0, skewness: 0, kurtosis: 3 };
  let second = 0;
  let third = 0;
  let fourth = 0;
  for (let at = 0; at < count; at += 1) {
    const off = figures[at]! - mean;
    const square = off * off;
    second += square;
    third += square * off;
    fourth += square * square;
  }
  const variance = second / count;
  return {
    count,
    mean,
    deviation: Math.sqrt(second / (count - 1)),
    skewness: third / count / (variance * Math.sqrt(variance)),
    kurtosis: fourth / count / (variance * variance),
  };
}

function areEqual(figures: Figures): boolean {
  for (let at = 1; at < figures.length; at += 1) if (figures[at] !== figures[0]) return false;
  return true;
}
