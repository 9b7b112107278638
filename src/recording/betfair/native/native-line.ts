/** One line of a recording, in the form in which Betfair sells them: the envelope has no id of a subscription, which readers take for another's. */

export function nativeLine(publishedAt: number, clk: unknown, changes: readonly unknown[]): string {
  return JSON.stringify({ op: 'mcm', ...(typeof clk === 'string' ? { clk } : {}), pt: publishedAt, mc: changes });
}
