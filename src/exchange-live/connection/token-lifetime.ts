/** How long a token lives, reckoned on our own clock although the exchange names its end on another. */

const SECOND_MS = 1_000;
/** Of a long life, so much is left when the next token is asked for. */
const SPARE_MAX_MS = 300_000;

/**
 * `date` is the answer's Date header, which has whole seconds. Where our clock agrees with it, ours is the finer one,
 * and a life is thought too long by less than a second; where not, the latest moment that the header allows is taken,
 * and it is thought too short by no more.
 */
export function lifetimeMs(expiresAt: number, receivedAt: number, date: number | undefined): number {
  const agrees = date === undefined || (receivedAt >= date && receivedAt < date + 2 * SECOND_MS);
  const there = agrees ? receivedAt : date + SECOND_MS - 1;
  return Math.max(0, expiresAt - there);
}

/** When to ask for the next token: half of a short life, all but five minutes of a long one. */
export function renewAfterMs(lifetime: number): number {
  return Math.max(Math.floor(lifetime / 2), lifetime - SPARE_MAX_MS);
}

/** The Date header; undefined where there is none that can be read. */
export function dateOf(header: string | undefined): number | undefined {
  const at = header === undefined ? Number.NaN : Date.parse(header);
  return Number.isNaN(at) ? undefined : at;
}

/**
 * By how much our clock is ahead of the server's at least, negative where it is behind; 0 where the two may agree: the
 * header has whole seconds, and was written at some moment between question and answer.
 */
export function skewMs(date: number, { askedAt, answeredAt }: { askedAt: number; answeredAt: number }): number {
  const least = askedAt - (date + SECOND_MS - 1);
  const most = answeredAt - date;
  return least > 0 ? least : Math.min(0, most);
}
