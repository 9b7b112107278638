/** How long a token lives on our own clock, although the exchange gives its end on its own clock. */

const SECOND_MS = 1_000;
/** A token with a long life is renewed when this much of it is left, ms. */
const SPARE_MAX_MS = 300_000;

/**
 * The remaining life of a token in ms. `date` is the answer's Date header, which has whole seconds. If our clock agrees with
 * it, our clock is the finer one, and the result is too long by less than a second. Otherwise the latest moment that the header
 * allows is used, and the result is too short by less than a second.
 */
export function lifetimeMs(expiresAt: number, receivedAt: number, date: number | undefined): number {
  const agrees = date === undefined || (receivedAt >= date && receivedAt < date + 2 * SECOND_MS);
  const there = agrees ? receivedAt : date + SECOND_MS - 1;
  return Math.max(0, expiresAt - there);
}

/** When to ask for the next token, ms from now: after half of a short life, or five minutes before the end of a long one. */
export function renewAfterMs(lifetime: number): number {
  return Math.max(Math.floor(lifetime / 2), lifetime - SPARE_MAX_MS);
}

/** The Date header in ms since 1970; undefined if there is none that can be read. */
export function dateOf(header: string | undefined): number | undefined {
  const at = header === undefined ? Number.NaN : Date.parse(header);
  return Number.isNaN(at) ? undefined : at;
}

/**
 * By how many ms our clock is at least ahead of the server's; negative if it is behind, 0 if the two may agree. The header has
 * whole seconds and was written at some moment between question and answer.
 */
export function skewMs(date: number, { askedAt, answeredAt }: { askedAt: number; answeredAt: number }): number {
  const least = askedAt - (date + SECOND_MS - 1);
  const most = answeredAt - date;
  return least > 0 ? least : Math.min(0, most);
}
