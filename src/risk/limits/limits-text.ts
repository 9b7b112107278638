/** Limits as they were configured: flat and in decimals for the journal, and in words for a report. */

import { moneyToDecimal } from '../../core/number/units.ts';
import type { Limits } from './limits.ts';

/** By name; the parts of a limit that has more than one as `rollingLoss.amount`. */
export type FlatLimits = Readonly<Record<string, number | boolean | string>>;

export function flatLimits(limits: Limits): FlatLimits {
  const { rollingLoss, drawdown, cooldown, orderToMatch, selfMatch, heartbeat, ...rest } = limits;
  const { ordersPerSecond, ordersPerMarket, liveOrders, staleMs, ticksFromBook, ...amounts } = rest;
  return {
    ...Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, moneyToDecimal(amount)])),
    ...defined({ ordersPerSecond, ordersPerMarket, liveOrders, staleMs, ticksFromBook, selfMatch, heartbeat }),
    ...parts('rollingLoss', rollingLoss && { ...rollingLoss, amount: moneyToDecimal(rollingLoss.amount) }),
    ...parts('drawdown', drawdown && { ...drawdown, amount: moneyToDecimal(drawdown.amount) }),
    ...parts('cooldown', cooldown),
    ...parts('orderToMatch', orderToMatch),
  };
}

type Loose = Readonly<Record<string, number | boolean | string | undefined>>;

function defined(entries: Loose): FlatLimits {
  const flat: Record<string, number | boolean | string> = {};
  for (const [name, value] of Object.entries(entries)) if (value !== undefined) flat[name] = value;
  return flat;
}

function parts(name: string, limit: object | undefined): FlatLimits {
  return Object.fromEntries(Object.entries(limit ?? {}).map(([part, value]) => [`${name}.${part}`, value]));
}

export function limitsText(limits: Limits): string {
  const { rollingLoss, drawdown, cooldown, orderToMatch, selfMatch, heartbeat, ...rest } = limits;
  const { ordersPerSecond, ordersPerMarket, liveOrders, staleMs, ticksFromBook, ...amounts } = rest;
  const words = Object.entries(amounts).map(([name, amount]) => `${name} ${moneyToDecimal(amount)}`);
  if (ordersPerSecond !== undefined) words.push(`${ordersPerSecond} orders a second`);
  if (ordersPerMarket !== undefined) words.push(`${ordersPerMarket} live orders a market`);
  if (liveOrders !== undefined) words.push(`${liveOrders} live orders`);
  if (orderToMatch !== undefined) {
    const { ratio, minimumOrders, hours } = orderToMatch;
    words.push(`${ratio} orders per match after ${minimumOrders} in ${hours} h`);
  }
  if (selfMatch === 'refuse') words.push('no order against our own');
  if (staleMs !== undefined) words.push(`prices at most ${staleMs} ms old`);
  if (ticksFromBook !== undefined) words.push(`prices at most ${ticksFromBook} ticks from the book`);
  if (heartbeat === true) words.push('an active heartbeat');
  if (rollingLoss !== undefined) words.push(`loss ${moneyToDecimal(rollingLoss.amount)} in ${rollingLoss.hours} h`);
  if (drawdown !== undefined) words.push(`${drawdown.action} at a drawdown of ${moneyToDecimal(drawdown.amount)}`);
  if (cooldown !== undefined) words.push(`${cooldown.minutes} minutes' pause after ${cooldown.losses} losses in a row`);
  return words.length === 0 ? 'none' : words.join(', ');
}
