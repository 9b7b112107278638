/** How spans of time are written with their unit: `500ms`, `30s`, `5m`, `2h`. */

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Milliseconds, or undefined for what is no number with a unit. */
export function durationOf(text: string): number | undefined {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h)$/.exec(text.trim()) ?? [];
  const ms = Number(amount) * (UNIT_MS[unit ?? ''] ?? Number.NaN);
  return Number.isFinite(ms) ? Math.round(ms) : undefined;
}

/** Whole milliseconds in the largest unit that leaves no fraction: `10m`, `90s`, `-500ms`. */
export function writtenDuration(ms: number): string {
  if (ms === 0) return '0ms';
  const unit = ['h', 'm', 's'].find((each) => ms % Number(UNIT_MS[each]) === 0) ?? 'ms';
  return `${ms / Number(UNIT_MS[unit])}${unit}`;
}
