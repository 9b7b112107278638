/** Decides what a reply means for its call: the result, an exception of Betfair's own, or no answer of it at all. */

import { lenientReader } from '../../codec/codec-read.ts';
import { faultsText, type WireResult } from '../../codec/fault.ts';
import { isObject } from '../../codec/schema-node.ts';
import type { Effect, Verdict } from '../../exchange-live/connection/call-run.ts';
import { isPassing } from '../../exchange-live/connection/retry.ts';
import type { WireReply } from '../../exchange-live/connection/transport.ts';
import { OPERATIONS, type Operation } from '../wire/operations.ts';
import { exceptionProof } from './code-verdicts.ts';

/** Never throws, whatever was received. */
export function verdictOn(operation: Operation, effect: Effect, reply: WireReply): Verdict {
  const mayHaveActed = effect !== 'reads';
  const mayRepeat = effect !== 'once';
  switch (reply.kind) {
    case 'unsent':
      return {
        outcome: { kind: 'failed', code: 'NOT_SENT', details: reply.details, mayHaveActed: false },
        mayRepeat,
      };
    case 'lost':
      return { outcome: { kind: 'failed', code: 'CONNECTION_LOST', details: reply.details, mayHaveActed }, mayRepeat };
    case 'garbled':
      return badAnswer(effect, reply.details);
    case 'reply':
      return answered(operation, effect, reply);
  }
}

/** Betfair answers its own exceptions with status 200: any other status is of somebody before it, and proves nothing. */
function answered(operation: Operation, effect: Effect, { status, body }: WireReply & { kind: 'reply' }): Verdict {
  if (status >= 300) {
    const outcome = { status, title: `status ${status}`, details: [], isOwn: false, mayHaveActed: effect !== 'reads' };
    return { outcome: { kind: 'refused', ...outcome }, mayRepeat: effect !== 'once' && isPassing(status) };
  }
  const value = jsonOf(body);
  if (!isObject(value)) return badAnswer(effect, 'the answer is no JSON object');
  if (isObject(value['error'])) return exception(effect, value['error']);
  const read = readerOf(operation)(value['result']);
  if (read.kind === 'faults') return badAnswer(effect, faultsText(read.faults));
  return { outcome: { kind: 'answered', answer: read.value }, mayRepeat: false };
}

const readers = new Map<Operation, (value: unknown) => WireResult<unknown>>();

function readerOf(operation: Operation): (value: unknown) => WireResult<unknown> {
  const known = readers.get(operation) ?? lenientReader(OPERATIONS[operation].result);
  readers.set(operation, known);
  return known;
}

function badAnswer(effect: Effect, details: string): Verdict {
  return {
    outcome: { kind: 'failed', code: 'BAD_ANSWER', details, mayHaveActed: effect !== 'reads' },
    mayRepeat: false,
  };
}

/** Of JSON-RPC itself: the call could not be read, so nothing was done. */
const UNREAD_CALLS: ReadonlySet<unknown> = new Set([-32_700, -32_600, -32_601, -32_602]);
/** The status of Betfair's own refusals: those of REST have it, and JSON-RPC has none. */
const OWN_STATUS = 400;

function exception(effect: Effect, error: Readonly<Record<string, unknown>>): Verdict {
  const { code, details } = exceptionOf(error);
  const proof = code === undefined ? (UNREAD_CALLS.has(error['code']) ? 'refused' : 'unknown') : exceptionProof(code);
  const isDone = proof === 'unknown' || proof === 'passing';
  const outcome = {
    kind: 'refused',
    status: OWN_STATUS,
    title: code ?? String(error['message']),
    details,
    isOwn: true,
    mayHaveActed: isDone && effect !== 'reads',
  } as const;
  return {
    outcome,
    mayRepeat: proof === 'passing' && effect !== 'once',
    isUnauthorised: proof === 'session',
  };
}

/** `{code, message, data: {exceptionname, [exceptionname]: {errorCode, errorDetails, requestUUID}}}`. */
function exceptionOf({ data }: Readonly<Record<string, unknown>>): {
  readonly code: string | undefined;
  readonly details: readonly string[];
} {
  const name = isObject(data) ? data['exceptionname'] : undefined;
  const exception = isObject(data) && typeof name === 'string' ? data[name] : undefined;
  if (!isObject(exception) || typeof exception['errorCode'] !== 'string') return { code: undefined, details: [] };
  const { errorCode, errorDetails, requestUUID } = exception;
  const texts = [errorDetails, requestUUID].filter((each) => typeof each === 'string' && each !== '');
  return { code: errorCode, details: texts as string[] };
}

/** The parsed value, or undefined where the text is not JSON: JSON itself cannot spell undefined. */
export function jsonOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
