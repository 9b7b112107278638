/** A fault of a sandbox in words. */

import type { FaultRow } from '../../../../../pages/exchange-panel.ts';
import type { ActiveFault } from '../../../../../sandbox/context/injected-faults.ts';
import { count, plural } from '../../../../../words/numbers.ts';
import { appIdOf } from './sandbox-command.ts';
import type { ShownSandbox } from './shown-sandbox.ts';

/** Longer than any client waits. */
export const NEVER_MS = 600_000;

export function faultRow(
  sandbox: ShownSandbox,
  { id, action, match, probability, until, count: times }: ActiveFault,
): FaultRow {
  const { words } = sandbox;
  const app = match.app === undefined ? `all ${words.app}s` : appIdOf(sandbox, match.app);
  const known = [...words.requests, ...words.otherRequests].find(
    ({ operations }) => String(operations) === String(match.operations),
  )?.label;
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
    case 'error':
      return `answers with ${action.code}`;
    case 'report':
      return `answers orders with ${action.reportStatus}${action.code === undefined ? '' : `, ${action.code}`}`;
    case 'silence':
      return 'sends nothing over the stream';
    case 'oddDocument':
      return `sends ${action.documents} with an odd ${action.field}`;
  }
}
