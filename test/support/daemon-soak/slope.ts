/** Growth over time by least squares, with the error that the scatter of the points leaves it. */

export interface Slope {
  /** Per hour. */
  readonly perHour: number;
  /** Its standard error. */
  readonly error: number;
}

export interface Point {
  /** ms. */
  readonly at: number;
  readonly value: number;
}

const HOUR_MS = 3_600_000;

/** At least three points. */
export function slopeOf(points: readonly Point[]): Slope {
  const count = points.length;
  const meanX = points.reduce((sum, { at }) => sum + at, 0) / count;
  const meanY = points.reduce((sum, { value }) => sum + value, 0) / count;
  let squares = 0;
  let products = 0;
  for (const { at, value } of points) {
    squares += (at - meanX) ** 2;
    products += (at - meanX) * (value - meanY);
  }
  const slope = products / squares;
  const rest = points.reduce((sum, { at, value }) => sum + (value - meanY - slope * (at - meanX)) ** 2, 0);
  return { perHour: slope * HOUR_MS, error: Math.sqrt(rest / (count - 2) / squares) * HOUR_MS };
}

/** The least value of each span: of a heap, what a collection left. */
export function floorOf(points: readonly Point[], spanMs: number): readonly Point[] {
  const floors = new Map<number, Point>();
  for (const point of points) {
    const span = Math.floor(point.at / spanMs);
    const lowest = floors.get(span);
    if (lowest === undefined || point.value < lowest.value) floors.set(span, point);
  }
  return [...floors.values()];
}
