/** Why an order ended, in words: the API's words are for files and programs. */

import { CANCELLATION_REASONS, type CancellationReason } from '../core/order.ts';

const WORDS: Readonly<Record<CancellationReason, string>> = {
  UserRequest: 'on request',
  CancelUnmatched: 'what did not match at once was not to rest',
  MarketInPlay: 'the market turned in play',
  MarketLock: 'the market was locked',
  MarketSettled: 'the market was settled',
  MarketVoided: 'the market was voided',
  HeartbeatLapsed: 'the heartbeat lapsed',
  CreationFailed: 'the exchange did not create it',
  OutcomeRemoved: 'its outcome was removed',
  MarketSuspended: 'the market was suspended',
};

/** A code of a rejection stays what it is. */
export function reasonInWords(reason: string): string {
  const known = CANCELLATION_REASONS.find((each) => each === reason);
  return known === undefined ? reason : WORDS[known];
}
