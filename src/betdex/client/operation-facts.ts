/** What sending an operation twice would do, and its priority in the request budget. */

import type { Effect } from '../../exchange-live/connection/call-run.ts';
import type { Priority } from '../../exchange-live/connection/priority.ts';
import { ENDPOINTS, type Operation } from '../wire/endpoints.ts';

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
  // The faucet pays out test money on a GET (profile section 2).
  'askFaucet',
]);

/** GET requests that change something: the deposit address is created if there is none yet (specification, Wallets). */
const ACTING_GETS: ReadonlySet<Operation> = new Set<Operation>(['getDepositAddress']);

/** What sending the operation twice would do. */
export function effectOf(operation: Operation): Effect {
  if (ONCE.has(operation)) return 'once';
  return ENDPOINTS[operation].method === 'GET' && !ACTING_GETS.has(operation) ? 'reads' : 'repeatable';
}

const PRIORITY_OF: Partial<Readonly<Record<Operation, Priority>>> = {
  cancelOrders: 'cancel',
  cancelOrdersInFull: 'cancel',
  cancelOrder: 'cancel',
  // Without a session no cancel can be sent, so opening one has the priority of a cancel.
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

/** The operation's priority in the request budget. */
export function priorityOf(operation: Operation): Priority {
  return PRIORITY_OF[operation] ?? 'poll';
}
