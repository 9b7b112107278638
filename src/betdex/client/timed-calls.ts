/** The calls of a gateway, each reported with its kind, its outcome and how long it took. */

import { defer, tap } from 'rxjs';
import type { RequestKind, TimedCall } from '../../exchange-live/adapter/edge-event.ts';
import type { Clock } from '../../time/clock.ts';
import type { Operation } from '../wire/endpoints.ts';
import type { CallInput, LenientCaller } from './call.ts';

const KIND_OF: Partial<Readonly<Record<Operation, RequestKind>>> = {
  createOrders: 'place',
  cancelOrders: 'cancel',
  armHeartbeat: 'heartbeat',
  getHeartbeat: 'heartbeat',
  deleteHeartbeat: 'clearHeartbeat',
  listPrices: 'prices',
  listMarkets: 'markets',
  listOrders: 'orders',
  listTrades: 'trades',
  listAllPositions: 'positions',
  listWallets: 'wallets',
  listWalletTransactions: 'transactions',
};

/** `calls`, each reported when its outcome is there; one that its caller gives up is not. */
export function timedCalls(calls: LenientCaller, clock: Clock, onCall: (call: TimedCall) => void): LenientCaller {
  return {
    reading: 'lenient',
    call: <O extends Operation>(operation: O, input: CallInput<O>) =>
      defer(() => {
        const startedAt = clock.now();
        return calls.call(operation, input).pipe(
          tap((outcome) =>
            onCall({
              kind: 'call',
              request: KIND_OF[operation] ?? 'other',
              outcome: outcome.kind === 'failed' ? outcome.code : outcome.kind,
              ms: clock.now() - startedAt,
            }),
          ),
        );
      }),
  };
}
