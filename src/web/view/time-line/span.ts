/** Which stretch of time a time line shows, in ms UTC: zoomed, moved and followed, never beyond the market. */

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Nothing shorter is shown. */
const LEAST_MS = 20;

/** Moves the ends by parts of the span’s length; a move that meets an end of the whole keeps the length. */
export function moved(span: Span, whole: Span, [left, right]: readonly [number, number]): Span {
  const length = span.to - span.from;
  if (left === right) return shifted(span, whole, length * left);
  return within({ from: span.from + length * left, to: span.to + length * right }, whole);
}

/** What is wanted, as far as the whole has it; undefined ends and spans without length are none. */
export function within({ from, to }: Span, whole: Span): Span {
  const first = Math.max(whole.from, Math.min(from, to));
  const last = Math.min(whole.to, Math.max(from, to));
  if (last - first >= LEAST_MS) return { from: first, to: last };
  const middle = (first + last) / 2;
  return shifted({ from: middle - LEAST_MS / 2, to: middle + LEAST_MS / 2 }, whole, 0);
}

/** The part of the shown span that the followed instant keeps from its edge. */
const MARGIN = 0.08;

/** The same length, moved so far that the instant is seen. */
export function following(span: Span, whole: Span, at: number): Span {
  if (at >= span.from && at <= span.to) return span;
  const margin = (span.to - span.from) * MARGIN;
  return shifted(span, whole, at > span.to ? at - margin - span.from : at + margin - span.to);
}

function shifted({ from, to }: Span, whole: Span, by: number): Span {
  const length = Math.min(to - from, whole.to - whole.from);
  const first = Math.max(whole.from, Math.min(whole.to - length, from + by));
  return { from: first, to: first + length };
}

const SECOND_STEPS = [0.01, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];
const MINUTE_STEPS = [1, 2, 5, 10, 15, 30].map((minutes) => minutes * 60);
const HOUR_STEPS = [1, 2, 3, 6, 12, 24, 48, 168, 720].map((hours) => hours * 3600);
const STEPS = [...SECOND_STEPS, ...MINUTE_STEPS, ...HOUR_STEPS];

export interface TimePlaces {
  /** Seconds UTC. */
  readonly places: readonly number[];
  readonly step: number;
}

/** Round times in the span, at most so many. */
export function timePlaces({ from, to }: Span, most: number): TimePlaces {
  const seconds = (to - from) / 1000;
  const step = STEPS.find((each) => seconds / each <= most) ?? Math.ceil(seconds / most / 86_400) * 86_400;
  const places: number[] = [];
  for (let count = Math.ceil(from / 1000 / step); count * step <= to / 1000; count += 1) places.push(count * step);
  return { places, step };
}

/** Round values from one to another, at most about so many. */
export function valuePlaces(from: number, to: number, most: number): readonly number[] {
  const least = (to - from) / most;
  if (!(least > 0)) return [from];
  const power = 10 ** Math.floor(Math.log10(least));
  const step = ([1, 2, 5, 10].find((times) => times * power >= least) ?? 10) * power;
  const places: number[] = [];
  for (let count = Math.ceil(from / step); count * step <= to; count += 1)
    places.push(Number((count * step).toPrecision(12)));
  return places;
}
