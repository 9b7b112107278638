/** No order leaves but from a bot that may trade. */

import type { Standing } from './bot-life.ts';

/** Each law that orders break which leave now, with what is wrong. */
export function brokenStanding(
  { phase, trading, heartbeat, isProtected, marketsOff }: Standing,
  orders: readonly { readonly market: string }[],
): readonly (readonly [law: string, what: string])[] {
  const broken: [string, string][] = [];
  if (phase !== 'trading') broken.push(['no order while not ready', `an order leaves in the phase ${phase}`]);
  if (trading === 'halted') broken.push(['no order while halted', 'an order leaves while halted']);
  if (heartbeat !== undefined && heartbeat !== 'active')
    broken.push(['no order without heartbeat', `an order leaves while the heartbeat is ${heartbeat}`]);
  if (!isProtected) broken.push(['no order without heartbeat', 'an order leaves after the heartbeat ran out']);
  for (const { market } of orders)
    if (marketsOff.has(market)) broken.push(['no order in a market at risk', `an order leaves for market ${market}`]);
  return broken;
}
