/** The part of a report's address that opens a market: written by its lists, read by its script. */

const START = '#market=';

export interface MarketAddress {
  readonly market: string;
  /** Row of the order whose life is shown. */
  readonly order: number | undefined;
}

export function marketAddress(id: string, order?: number): string {
  return `${START}${encodeURIComponent(id.toWellFormed())}${order === undefined ? '' : `&order=${order}`}`;
}

/** Undefined where it opens no market. */
export function readAddress(hash: string): MarketAddress | undefined {
  if (!hash.startsWith(START)) return undefined;
  const [market = '', order] = hash.slice(START.length).split('&order=');
  return { market: decoded(market), order: order === undefined ? undefined : Number(order) };
}

/** Who sends a link may have cut it anywhere. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
