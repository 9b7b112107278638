/** The rows of the tables of a run's bets: by price, by time to the off, by side. */

import { SIDES } from '../../core/side.ts';
import type { MarketResult } from '../../result/result.ts';
import { isBeforeOff } from '../result/pre-off-bets.ts';

const PRICES = [1.5, 2, 3, 5, 10, 20, 50];
export const PRICE_BANDS: readonly string[] = [
  'below 1.5',
  ...PRICES.slice(1).map((to, at) => `${PRICES[at]} to ${to}`),
  '50 and more',
];

/** A band holds its lower price, not its upper one. */
export function priceBand(price: number): number {
  const at = PRICES.findIndex((edge) => price < edge);
  return at === -1 ? PRICES.length : at;
}

const MINUTE = 60_000;
/** The longest first. */
const TIMES = [
  { from: 360 * MINUTE, name: '6 hours and more' },
  { from: 60 * MINUTE, name: '1 to 6 hours' },
  { from: 30 * MINUTE, name: '30 to 60 minutes' },
  { from: 10 * MINUTE, name: '10 to 30 minutes' },
  { from: 5 * MINUTE, name: '5 to 10 minutes' },
  { from: MINUTE, name: '1 to 5 minutes' },
  { from: 0, name: 'last minute' },
];
const IN_PLAY = TIMES.length;
const UNKNOWN = IN_PLAY + 1;
export const TIME_BANDS: readonly string[] = [...TIMES.map(({ name }) => name), 'in play', 'off not known'];

/** The band of a bet by its time to the off as it was, or to the scheduled start where the recording shows no off. */
export function timeBand({ preOffAt, inPlayAt, startsAt }: MarketResult, at: number): number {
  const isEarly = isBeforeOff({ preOffAt: preOffAt ?? inPlayAt ?? Number.POSITIVE_INFINITY, inPlayAt }, at);
  if (!isEarly) return IN_PLAY;
  const off = inPlayAt ?? preOffAt ?? startsAt;
  if (off === undefined) return UNKNOWN;
  const left = Math.max(0, off - at);
  return TIMES.findIndex(({ from }) => left >= from);
}

/** The names by index of the side. */
export const SIDE_NAMES: readonly string[] = SIDES.map((side) => (side === 'For' ? 'For (back)' : 'Against (lay)'));
