/** The calls of the exchange, each with its kind, its outcome and how long it took. */

import { defer, tap } from 'rxjs';
import type { CallInput, LenientCaller } from '../../../betdex/client/call.ts';
import type { Operation } from '../../../betdex/wire/endpoints.ts';
import type { CallFaultCode } from '../../../exchange-live/connection/call-outcome.ts';
import type { Clock } from '../../../time/clock.ts';

export interface TimedCall {
  readonly request: RequestKind;
  readonly outcome: 'answered' | 'refused' | CallFaultCode;
  readonly ms: number;
}

export type RequestKind =
  | 'place'
  | 'cancel'
  | 'heartbeat'
  | 'clearHeartbeat'
  | 'prices'
  | 'markets'
  | 'orders'
  | 'trades'
  | 'positions'
  | 'wallets'
  | 'transactions'
  | 'other';

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
              request: KIND_OF[operation] ?? 'other',
              outcome: outcome.kind === 'failed' ? outcome.code : outcome.kind,
              ms: clock.now() - startedAt,
            }),
          ),
        );
      }),
  };
}
