/** Settings of an app: its heartbeat and its commission rates. */

import { document, flag, id, integer, maybe, moment, number } from '../../../codec/notation.ts';

export const Heartbeat = document(
  'Heartbeat',
  { appId: id, active: flag, timeoutMs: integer, lastSeenAt: moment },
  { needs: ['active', 'timeoutMs', 'lastSeenAt'] },
);

/** `rate` is a percentage: 1 is 1 % (profile section 7). */
export const CommissionRate = document('CommissionRate', { id, rate: number, createdAt: maybe(moment) });
