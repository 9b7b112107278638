/** A fault of a sandbox in words, and the requests that the page offers to strike. */

import type { FaultRow } from '../../../../../pages/exchange-panel.ts';
import type { CommandOption } from '../../../../../pages/panels.ts';
import type { ActiveFault } from '../../../../../sandbox/context/injected-faults.ts';
import type { World } from '../../../../../sandbox/world/world.ts';
import { count, plural } from '../../../../../words/numbers.ts';

/** Longer than any client waits. */
export const NEVER_MS = 600_000;

/** Which requests a fault is for, by the words of the page. */
export const REQUESTS: readonly (CommandOption & { readonly operations: readonly string[] | undefined })[] = [
  { value: 'all', label: 'all requests', operations: undefined },
  {
    ...{ value: 'place', label: 'placing orders' },
    operations: ['createOrder', 'createOrders', 'requestOrder', 'requestOrders'],
  },
  {
    ...{ value: 'cancel', label: 'cancelling orders' },
    operations: ['cancelOrder', 'cancelOrders', 'cancelOrdersInFull'],
  },
  { value: 'orders', label: 'reading orders', operations: ['listOrders', 'getOrder', 'getOrderByReference'] },
  {
    ...{ value: 'prices', label: 'reading prices' },
    operations: ['listPrices', 'getMarketPriceBook', 'listMarketPriceRows'],
  },
  { value: 'markets', label: 'reading markets', operations: ['listMarkets', 'getMarket', 'findMarkets'] },
  { value: 'sessions', label: 'opening sessions', operations: ['createSession', 'refreshSession'] },
  { value: 'heartbeats', label: 'heartbeats', operations: ['armHeartbeat', 'getHeartbeat', 'deleteHeartbeat'] },
];

export function faultRow(
  { registry }: World,
  { id, action, match, probability, until, count: times }: ActiveFault,
): FaultRow {
  const app = match.app === undefined ? 'all apps' : (registry.apps[match.app]?.id ?? '');
  const known = REQUESTS.find(({ operations }) => String(operations) === String(match.operations))?.label;
  const requests = match.path ?? known ?? match.operations?.join(', ');
  const share = probability === 1 ? '' : `${Math.round(probability * 100)} % of `;
  const left = times === undefined ? '' : `, ${plural(times, 'time')}`;
  return { id: String(id), what: actionWords(action), of: `${share}${requests} of ${app}${left}`, until };
}

function actionWords(action: ActiveFault['action']): string {
  switch (action.kind) {
    case 'latency':
      if (action.delayMsMin >= NEVER_MS) return 'gives no answer in time';
      return action.delayMsMin === action.delayMsMax
        ? `answers ${count(action.delayMsMin)} ms late`
        : `answers ${count(action.delayMsMin)} to ${count(action.delayMsMax)} ms late`;
    case 'status':
      return `answers with status ${action.status}`;
    case 'dropBefore':
      return 'breaks connections before a request is carried out';
    case 'dropAfter':
      return 'breaks connections after a request was carried out';
    case 'orderError':
      return `lets orders fail: ${action.code}`;
    case 'stalePrices':
      return 'freezes prices';
    case 'oddDocument':
      return `sends ${action.documents} with an odd ${action.field}`;
  }
}
