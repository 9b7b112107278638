/** What the parts of the face share: the sandbox's context, and what the world does not know. */

import { Subscription } from 'rxjs';
import { InjectedFaults } from '../../sandbox/context/injected-faults.ts';
import type { SandboxContext } from '../../sandbox/context/sandbox-context.ts';
import type { AccountTerms } from '../names/account-terms.ts';
import { Bets } from './bets.ts';
import { CallQueue } from './call-queue.ts';
import { CustomerRequests } from './customer-requests.ts';
import { Sessions } from './sessions.ts';
import { Transactions } from './transactions.ts';

export interface FaceSettings {
  /** How long a session lives after its login or its last keepAlive. */
  readonly sessionMs: number;
  /** The terms of some accounts, by user name; all others have the usual ones. */
  readonly accounts: ReadonlyMap<string, AccountTerms>;
}

/** A session lives for 24 hours (profile section 1). */
const FACE_SETTINGS: FaceSettings = { sessionMs: 24 * 3_600_000, accounts: new Map() };

export interface FaceState {
  readonly context: SandboxContext;
  readonly settings: FaceSettings;
  readonly sessions: Sessions;
  readonly bets: Bets;
  readonly requests: CustomerRequests;
  readonly transactions: Transactions;
  readonly queue: CallQueue;
  readonly faults: InjectedFaults;
  /** What is still to be done for faults of before: it ends with the face. */
  readonly late: Subscription;
}

export function faceState(
  context: SandboxContext,
  settings: Partial<FaceSettings> = {},
  faults = new InjectedFaults(),
): FaceState {
  const all = { ...FACE_SETTINGS, ...settings };
  return {
    context,
    settings: all,
    sessions: new Sessions(all.sessionMs),
    bets: new Bets(context.world),
    requests: new CustomerRequests(),
    transactions: new Transactions(),
    queue: new CallQueue(),
    faults,
    late: new Subscription(),
  };
}
