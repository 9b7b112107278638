/** The calls of a gateway, each reported with its kind, its outcome and how long it took. */

import type { RequestKind, TimedCall } from '../../exchange-live/adapter/edge-event.ts';
import { timedCall } from '../../exchange-live/adapter/timed-call.ts';
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

/** `calls`, each reported. */
export function timedCalls(calls: LenientCaller, clock: Clock, onCall: (call: TimedCall) => void): LenientCaller {
  return {
    reading: 'lenient',
    call: <O extends Operation>(operation: O, input: CallInput<O>) =>
      timedCall(calls.call(operation, input), { request: KIND_OF[operation], clock, onCall }),
  };
}
