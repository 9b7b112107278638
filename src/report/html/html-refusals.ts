/** What risk refused: how often, under which limit, and how large that is. */

import { REFUSAL_CODES, type RefusalCode } from '../../core/refusal.ts';
import { amount, count, plural } from '../numbers.ts';
import type { ReportedResult } from '../page/report-facts.ts';
import { type Html, html } from './html-text.ts';

/** Keys of the configuration's `limits`, where a refusal is by one of them. */
const LIMIT_OF: Readonly<Partial<Record<RefusalCode, string>>> = {
  LIMIT_ORDER: 'order',
  LIMIT_OUTCOME: 'outcome',
  LIMIT_MARKET: 'market',
  LIMIT_EVENT: 'event',
  LIMIT_STRATEGY: 'strategy',
  LIMIT_WALLET: 'wallet',
  LIMIT_RATE: 'ordersPerSecond',
  LIMIT_ORDERS_PER_MARKET: 'ordersPerMarket',
  LIMIT_LIVE_ORDERS: 'liveOrders',
  LIMIT_DAILY_LOSS: 'dailyLoss',
  LIMIT_ROLLING_LOSS: 'rollingLoss',
  SELF_MATCH: 'selfMatch',
  ORDER_TO_MATCH: 'orderToMatch',
  FEED_STALE: 'staleMs',
  PRICE_FAR_FROM_BOOK: 'ticksFromBook',
  HEARTBEAT_NOT_ACTIVE: 'heartbeat',
  COOLING_DOWN: 'cooldown',
};

export function refusals({ refusals: times, orders, settings }: ReportedResult): Html | undefined {
  const counted = Object.entries(REFUSAL_CODES)
    .map(([code, meaning]) => ({ code, meaning, times: timesOf(times, code) }))
    .filter((each) => each.times > 0)
    .sort((a, b) => b.times - a.times);
  if (counted.length === 0) return undefined;
  const limits = settings.find(({ name }) => name === 'limits')?.value;
  const rows = counted.map(
    ({ code, meaning, times }) =>
      html`<tr><td><code>${code}</code></td><td>${count(times)}</td><td>${amount((times / Math.max(1, orders.intended)) * 100, 1)} %</td><td class="why">${meaning}${limitOf(code)}</td></tr>`,
  );
  return html`<section class="card"><div class="head"><h2>Refusals by limit <span class="soft">${plural(orders.refused, 'intent')} of ${count(orders.intended)}</span></h2></div>
<div class="sideways"><table class="plain"><thead><tr><th scope="col">Code</th><th scope="col">Times</th><th scope="col">Of all intents</th><th scope="col" class="why">Why</th></tr></thead><tbody>${rows}</tbody></table></div>${limits === undefined ? undefined : html`<p class="soft small">Limits of the run: ${limits}.</p>`}</section>`;
}

function timesOf(times: ReportedResult['refusals'], code: string): number {
  return Object.entries(times).find(([name]) => name === code)?.[1] ?? 0;
}

function limitOf(code: string): Html | undefined {
  const key = Object.entries(LIMIT_OF).find(([name]) => name === code)?.[1];
  return key === undefined ? undefined : html` <code>limits.${key}</code>`;
}
