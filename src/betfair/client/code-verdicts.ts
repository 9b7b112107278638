/** What each code of Betfair's answers proves about the order or call that it is about (profile section 6). */

import type { InstructionError, ReportError } from '../wire/basics/codes.ts';
import type { ApiErrorCode } from '../wire/exceptions.ts';

/** `refused`: nothing was done. `unknown`: it may have been done, or may still be. */
type Proof = 'refused' | 'unknown';

/**
 * What an exception proves of its call. `session`: nothing was done, because the session was not taken. `passing`: it may have been done, and a call
 * that does no harm twice may be sent again.
 */
export type ExceptionProof = Proof | 'session' | 'passing';

/** SERVICE_BUSY and TOO_MANY_REQUESTS say that a call was turned away, and nothing says that no part of it was carried out before. */
const EXCEPTION_PROOFS: Readonly<Record<ApiErrorCode, ExceptionProof>> = {
  NO_SESSION: 'session',
  INVALID_SESSION_INFORMATION: 'session',
  UNEXPECTED_ERROR: 'passing',
  TOO_MANY_REQUESTS: 'passing',
  SERVICE_BUSY: 'passing',
  TIMEOUT_ERROR: 'passing',
  TOO_MUCH_DATA: 'refused',
  INVALID_INPUT_DATA: 'refused',
  NO_APP_KEY: 'refused',
  INVALID_APP_KEY: 'refused',
  REQUEST_SIZE_EXCEEDS_LIMIT: 'refused',
  ACCESS_DENIED: 'refused',
  // Codes of operations that we never call prove nothing about those that we do.
  APP_KEY_CREATION_FAILED: 'unknown',
  DUPLICATE_APP_NAME: 'unknown',
  APP_CREATION_FAILED: 'unknown',
  INVALID_MARKET_GROUP: 'unknown',
  EXPOSURE_LIMIT_NOT_EXIST: 'unknown',
  MARKET_GROUP_NOT_BLOCKED: 'unknown',
  SUBSCRIPTION_EXPIRED: 'refused',
  INVALID_SUBSCRIPTION_TOKEN: 'unknown',
  INVALID_CLIENT_REF: 'unknown',
  WALLET_TRANSFER_ERROR: 'unknown',
  INVALID_VENDOR_CLIENT_ID: 'unknown',
  USER_NOT_SUBSCRIBED: 'unknown',
  INVALID_SECRET: 'unknown',
  INVALID_AUTH_CODE: 'unknown',
  INVALID_GRANT_TYPE: 'unknown',
};

/**
 * What a code proves of an instruction. `ended`: the order that it names is live no more. `done`: it is as was asked for already. Of an instruction to place, `ended` and `done` prove nothing.
 */
export type InstructionProof = Proof | 'ended' | 'done';

const REPORT_PROOFS: Readonly<Record<ReportError, InstructionProof>> = {
  INVALID_BET_SIZE: 'refused',
  ERROR_IN_ORDER: 'refused',
  ERROR_IN_MATCHER: 'unknown',
  PROCESSED_WITH_ERRORS: 'unknown',
  BET_ACTION_ERROR: 'refused',
  INVALID_ACCOUNT_STATE: 'refused',
  INVALID_WALLET_STATUS: 'refused',
  INSUFFICIENT_FUNDS: 'refused',
  LOSS_LIMIT_EXCEEDED: 'refused',
  MARKET_SUSPENDED: 'refused',
  MARKET_NOT_OPEN_FOR_BETTING: 'refused',
  DUPLICATE_TRANSACTION: 'unknown',
  INVALID_ORDER: 'refused',
  INVALID_MARKET_ID: 'refused',
  PERMISSION_DENIED: 'refused',
  DUPLICATE_BETIDS: 'refused',
  NO_ACTION_REQUIRED: 'done',
  SERVICE_UNAVAILABLE: 'unknown',
  REJECTED_BY_REGULATOR: 'refused',
  NO_CHASING: 'refused',
  REGULATOR_IS_NOT_AVAILABLE: 'unknown',
  TOO_MANY_INSTRUCTIONS: 'refused',
  INVALID_MARKET_VERSION: 'refused',
  EVENT_EXPOSURE_LIMIT_EXCEEDED: 'refused',
  EVENT_MATCHED_EXPOSURE_LIMIT_EXCEEDED: 'refused',
  EVENT_BLOCKED: 'refused',
};

const INSTRUCTION_PROOFS: Readonly<Record<InstructionError, InstructionProof>> = {
  INVALID_BET_SIZE: 'refused',
  INVALID_RUNNER: 'refused',
  BET_TAKEN_OR_LAPSED: 'ended',
  BET_IN_PROGRESS: 'unknown',
  RUNNER_REMOVED: 'refused',
  MARKET_NOT_OPEN_FOR_BETTING: 'refused',
  LOSS_LIMIT_EXCEEDED: 'refused',
  MARKET_NOT_OPEN_FOR_BSP_BETTING: 'refused',
  INVALID_PRICE_EDIT: 'refused',
  INVALID_ODDS: 'refused',
  INSUFFICIENT_FUNDS: 'refused',
  INVALID_PERSISTENCE_TYPE: 'refused',
  ERROR_IN_MATCHER: 'unknown',
  INVALID_BACK_LAY_COMBINATION: 'refused',
  ERROR_IN_ORDER: 'refused',
  INVALID_BID_TYPE: 'refused',
  INVALID_BET_ID: 'ended',
  CANCELLED_NOT_PLACED: 'refused',
  RELATED_ACTION_FAILED: 'refused',
  NO_ACTION_REQUIRED: 'done',
  INVALID_MIN_FILL_SIZE: 'refused',
  INVALID_CUSTOMER_ORDER_REF: 'refused',
  TIME_IN_FORCE_CONFLICT: 'refused',
  UNEXPECTED_PERSISTENCE_TYPE: 'refused',
  INVALID_ORDER_TYPE: 'refused',
  UNEXPECTED_MIN_FILL_SIZE: 'refused',
  INVALID_CUSTOMER_STRATEGY_REF: 'refused',
  BET_LAPSED_PRICE_IMPROVEMENT_TOO_LARGE: 'refused',
  INVALID_PROFIT_RATIO: 'refused',
};

/** A code that is newer than this client may mean anything. */
export function exceptionProof(code: string): ExceptionProof {
  return proofIn(EXCEPTION_PROOFS, code) ?? 'unknown';
}

/** The code of an instruction, or where it has none that of the whole report. */
export function instructionProof(code: string | undefined): InstructionProof {
  if (code === undefined) return 'unknown';
  return proofIn(INSTRUCTION_PROOFS, code) ?? proofIn(REPORT_PROOFS, code) ?? 'unknown';
}

function proofIn<P>(proofs: Readonly<Record<string, P>>, code: string): P | undefined {
  return Object.hasOwn(proofs, code) ? proofs[code] : undefined;
}
