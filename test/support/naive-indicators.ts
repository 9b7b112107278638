/** Indicators by their definition, worked out anew from all that was ever added: the slow judge of the incremental ones. */

export interface Added {
  readonly now: number;
  readonly value: number | undefined;
}

interface Span {
  readonly from: number;
  readonly until: number;
  readonly value: number;
}

/** From when until when each value held; the last one until the last call. */
function spansOf(added: readonly Added[]): readonly Span[] {
  const spans: Span[] = [];
  let now = Number.NEGATIVE_INFINITY;
  let held: { readonly from: number; readonly value: number } | undefined;
  for (const each of added) {
    now = Math.max(now, each.now);
    if (each.value === undefined || each.value === held?.value) continue;
    if (held !== undefined) spans.push({ ...held, until: now });
    held = { from: now, value: each.value };
  }
  if (held !== undefined) spans.push({ ...held, until: now });
  return spans;
}

function within(spans: readonly Span[], windowMs: number): readonly Span[] {
  const from = (spans.at(-1)?.until ?? 0) - windowMs;
  return spans
    .filter((span, at) => span.until > from || at === spans.length - 1)
    .map((span) => ({ ...span, from: Math.max(span.from, from) }));
}

export function slowAverage(added: readonly Added[], windowMs: number): number | undefined {
  const spans = within(spansOf(added), windowMs);
  const last = spans.at(-1);
  const length = spans.reduce((sum, { from, until }) => sum + until - from, 0);
  if (length === 0) return last?.value;
  return spans.reduce((sum, { from, until, value }) => sum + value * (until - from), 0) / length;
}

/** The weight of a moment is 2 to the power of minus its age in half-lives; the first value stands for all before it. */
export function slowExponential(added: readonly Added[], halfLifeMs: number): number | undefined {
  const spans = spansOf(added);
  const [first] = spans;
  const now = spans.at(-1)?.until ?? 0;
  const left = (at: number): number => 2 ** (-(now - at) / halfLifeMs);
  if (first === undefined) return undefined;
  return spans.reduce(
    (sum, { from, until, value }) => sum + value * (left(until) - left(from)),
    first.value * left(first.from),
  );
}

export function slowRange(added: readonly Added[], windowMs: number): { low: number; high: number } | undefined {
  const values = within(spansOf(added), windowMs).map(({ value }) => value);
  return values.length === 0 ? undefined : { low: Math.min(...values), high: Math.max(...values) };
}
