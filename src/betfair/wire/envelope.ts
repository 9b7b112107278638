/** The envelope around a call and its answer: JSON-RPC, alone or in a batch, and its twin in REST. */

import { isAbsent, isObject } from '../../codec/schema-node.ts';
import { CALL_FAULTS, type CallFailure, EXCEPTIONS } from './exceptions.ts';
import { type Api, OPERATIONS, type Operation } from './operations.ts';

/** The code of all exceptions in JSON-RPC. */
const EXCEPTION_CODE = -32_099;

/** One call of a JSON-RPC body. The answer has the call's own id, whatever that is; without one it has none. */
export interface RpcCall {
  readonly id: unknown;
  readonly operation: Operation | undefined;
  readonly params: unknown;
}

/** The address of each API below its host; operations follow. */
export const API_PATHS: Readonly<Record<Api, { readonly rpc: string; readonly rest: string }>> = {
  SportsAPING: { rpc: '/exchange/betting/json-rpc/v1', rest: '/exchange/betting/rest/v1.0' },
  AccountAPING: { rpc: '/exchange/account/json-rpc/v1', rest: '/exchange/account/rest/v1.0' },
  HeartbeatAPING: { rpc: '/exchange/heartbeat/json-rpc/v1', rest: '/exchange/heartbeat/rest/v1.0' },
};

/** The operation with this name; undefined where the API has none. */
export function operationOf(api: Api, name: string): Operation | undefined {
  return isOperation(name) && OPERATIONS[name].api === api ? name : undefined;
}

function isOperation(name: string): name is Operation {
  return Object.hasOwn(OPERATIONS, name);
}

/**
 * The call that a JSON value is. Some clients put the method into the address as well, as `pathMethod`; what stands in the
 * body decides where both are there.
 */
export function rpcCallOf(api: Api, value: unknown, pathMethod?: string): RpcCall {
  const { id, method = pathMethod, params } = isObject(value) ? value : { id: undefined, params: undefined };
  const name = typeof method === 'string' ? nameIn(api, method) : undefined;
  const operation = name === undefined ? undefined : operationOf(api, name);
  return { id, operation, params: isAbsent(params) ? {} : params };
}

function nameIn(api: Api, method: string): string | undefined {
  const [prefix, version, name, ...others] = method.split('/');
  return prefix === api && version === 'v1.0' && others.length === 0 ? name : undefined;
}

export function rpcResult({ id }: RpcCall, result: unknown): unknown {
  return { jsonrpc: '2.0', result, ...(id === undefined ? {} : { id }) };
}

export function rpcFailure(api: Api, { id }: Pick<RpcCall, 'id'>, failure: CallFailure, requestUUID: string): unknown {
  const error =
    failure.kind === 'fault'
      ? { code: CALL_FAULTS[failure.fault].rpcCode, message: CALL_FAULTS[failure.fault].text }
      : { code: EXCEPTION_CODE, message: exceptionText(api, failure), data: detail(api, failure, requestUUID) };
  return { jsonrpc: '2.0', error, ...(id === undefined ? {} : { id }) };
}

/** The answer of the REST twin to a call that failed. */
export function restFailure(
  api: Api,
  failure: CallFailure,
  requestUUID: string,
): { readonly status: number; readonly body: unknown } {
  if (failure.kind === 'fault') {
    const { text, status } = CALL_FAULTS[failure.fault];
    return { status, body: { detail: {}, faultcode: 'Client', faultstring: text } };
  }
  const body = {
    detail: detail(api, failure, requestUUID),
    faultcode: 'Client',
    faultstring: exceptionText(api, failure),
  };
  return { status: 400, body };
}

type Exception = Extract<CallFailure, { kind: 'exception' }>;

function detail(api: Api, { errorCode, errorDetails }: Exception, requestUUID: string): Record<string, unknown> {
  const { name } = EXCEPTIONS[api];
  return { [name]: { requestUUID, errorCode, errorDetails }, exceptionname: name };
}

function exceptionText(api: Api, { errorCode }: Exception): string {
  const { prefix, codes } = EXCEPTIONS[api];
  return `${prefix}-${String(codes.indexOf(errorCode) + 1).padStart(4, '0')}`;
}
