/** What follows from each code by which the stream refuses a request. */

import type { StreamErrorCode } from '../../wire/stream/messages.ts';

/**
 * `final`: the same request is refused for ever, so that none is sent until somebody changes something. `session`: with another
 * session it may be taken. `clock`: without clocks it is taken. `busy`: later it is taken, and not soon. `passing`: it may be
 * taken at once. `stays`: this request alone is refused, and the connection goes on.
 */
export type Consequence = 'final' | 'session' | 'clock' | 'busy' | 'passing' | 'stays';

const CONSEQUENCES: Readonly<Record<StreamErrorCode, Consequence>> = {
  NO_APP_KEY: 'final',
  INVALID_APP_KEY: 'final',
  NOT_AUTHORIZED: 'final',
  INVALID_INPUT: 'final',
  INVALID_REQUEST: 'final',
  NO_SESSION: 'session',
  INVALID_SESSION_INFORMATION: 'session',
  INVALID_CLOCK: 'clock',
  TOO_MANY_REQUESTS: 'busy',
  MAX_CONNECTION_LIMIT_EXCEEDED: 'busy',
  TIMEOUT: 'passing',
  CONNECTION_FAILED: 'passing',
  UNEXPECTED_ERROR: 'passing',
  SUBSCRIPTION_LIMIT_EXCEEDED: 'stays',
};

/** A code that is newer than this client is tried again. */
export function consequenceOf(code: string): Consequence {
  return Object.hasOwn(CONSEQUENCES, code) ? CONSEQUENCES[code as StreamErrorCode] : 'passing';
}
