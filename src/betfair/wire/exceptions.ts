/** The exceptions by which Betfair's APIs refuse a call, and the faults of calls that cannot be read at all. */

import type { Api } from './operations.ts';

const SPORTS = [
  'TOO_MUCH_DATA',
  'INVALID_INPUT_DATA',
  'INVALID_SESSION_INFORMATION',
  'NO_APP_KEY',
  'NO_SESSION',
  'UNEXPECTED_ERROR',
  'INVALID_APP_KEY',
  'TOO_MANY_REQUESTS',
  'SERVICE_BUSY',
  'TIMEOUT_ERROR',
  'APP_KEY_CREATION_FAILED',
  'DUPLICATE_APP_NAME',
  'APP_CREATION_FAILED',
  'REQUEST_SIZE_EXCEEDS_LIMIT',
  'ACCESS_DENIED',
  'INVALID_MARKET_GROUP',
  'EXPOSURE_LIMIT_NOT_EXIST',
  'MARKET_GROUP_NOT_BLOCKED',
] as const;

const ACCOUNT = [
  'INVALID_INPUT_DATA',
  'INVALID_SESSION_INFORMATION',
  'UNEXPECTED_ERROR',
  'INVALID_APP_KEY',
  'SERVICE_BUSY',
  'TIMEOUT_ERROR',
  'DUPLICATE_APP_NAME',
  'APP_KEY_CREATION_FAILED',
  'APP_CREATION_FAILED',
  'NO_SESSION',
  'NO_APP_KEY',
  'SUBSCRIPTION_EXPIRED',
  'INVALID_SUBSCRIPTION_TOKEN',
  'TOO_MANY_REQUESTS',
  'INVALID_CLIENT_REF',
  'WALLET_TRANSFER_ERROR',
  'INVALID_VENDOR_CLIENT_ID',
  'USER_NOT_SUBSCRIBED',
  'INVALID_SECRET',
  'INVALID_AUTH_CODE',
  'INVALID_GRANT_TYPE',
] as const;

const HEARTBEAT = [
  'INVALID_INPUT_DATA',
  'INVALID_SESSION_INFORMATION',
  'NO_APP_KEY',
  'NO_SESSION',
  'INVALID_APP_KEY',
  'UNEXPECTED_ERROR',
] as const;

export type ApiErrorCode = (typeof SPORTS)[number] | (typeof ACCOUNT)[number];

/** The number in an exception's message is the code's place in its API's list, counted from 1. */
export const EXCEPTIONS: Readonly<
  Record<Api, { readonly prefix: string; readonly name: string; readonly codes: readonly ApiErrorCode[] }>
> = {
  SportsAPING: { prefix: 'ANGX', name: 'APINGException', codes: SPORTS },
  AccountAPING: { prefix: 'AANGX', name: 'AccountAPINGException', codes: ACCOUNT },
  HeartbeatAPING: { prefix: 'HBT', name: 'APINGException', codes: HEARTBEAT },
};

/** A call was understood and refused. */
export interface ApiException {
  readonly errorCode: ApiErrorCode;
  readonly errorDetails: string;
}

/** A call could not be read, by the name that Betfair gives the fault, with JSON-RPC's code and the status of REST. */
export const CALL_FAULTS = {
  /** The body is no JSON. */
  JSON_DESERIALISATION: { text: 'DSC-0008', rpcCode: -32700, status: 400 },
  /** A parameter has another type, or a word that is none of its list. */
  CLASS_CONVERSION: { text: 'DSC-0009', rpcCode: -32602, status: 400 },
  /** A mandatory parameter is missing. */
  MANDATORY_NOT_DEFINED: { text: 'DSC-0018', rpcCode: -32602, status: 400 },
  NO_SUCH_OPERATION: { text: 'DSC-0021', rpcCode: -32601, status: 404 },
} as const;
export type CallFault = keyof typeof CALL_FAULTS;

/** What went wrong with a call. */
export type CallFailure =
  | ({ readonly kind: 'exception' } & ApiException)
  | { readonly kind: 'fault'; readonly fault: CallFault };
