/** Times in configurations: a number with its unit, such as `90m`. */

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of a text that a schema has taken. */
export function durationMs(text: string): number {
  return Number.parseInt(text, 10) * (UNIT_MS[text.at(-1) ?? ''] ?? Number.NaN);
}
