/** What sending an operation twice would do, and who goes first: facts by operation. */

import type { Priority } from '../../exchange-live/connection/priority.ts';
import { ENDPOINTS, type Operation } from '../wire/endpoints.ts';

/**
 * `reads`: changes nothing. `repeatable`: doing it twice leaves what doing it once does.
 * `once`: twice is two orders, wallets, keys or deposits, so it is never sent again unless nothing came of it for sure.
 */
export type Effect = 'reads' | 'repeatable' | 'once';

const ONCE: ReadonlySet<Operation> = new Set<Operation>([
  'createOrder',
  'createOrders',
  'requestOrder',
  'requestOrders',
  'createWallet',
  'createAppApiKey',
  'deactivateAppApiKey',
  'createWalletApiKey',
  'createDeposit',
  // Paid out by a GET (profile section 2).
  'askFaucet',
]);

/** The address is made where there is none yet (specification, Wallets). */
const ACTING_GETS: ReadonlySet<Operation> = new Set<Operation>(['getDepositAddress']);

export function effectOf(operation: Operation): Effect {
  if (ONCE.has(operation)) return 'once';
  return ENDPOINTS[operation].method === 'GET' && !ACTING_GETS.has(operation) ? 'reads' : 'repeatable';
}

const PRIORITY_OF: Partial<Readonly<Record<Operation, Priority>>> = {
  cancelOrders: 'cancel',
  cancelOrdersInFull: 'cancel',
  cancelOrder: 'cancel',
  // Without a session no cancel gets through.
  createSession: 'cancel',
  refreshSession: 'cancel',
  armHeartbeat: 'heartbeat',
  getHeartbeat: 'heartbeat',
  deleteHeartbeat: 'heartbeat',
  createOrder: 'order',
  createOrders: 'order',
  requestOrder: 'order',
  requestOrders: 'order',
};

export function priorityOf(operation: Operation): Priority {
  return PRIORITY_OF[operation] ?? 'poll';
}
