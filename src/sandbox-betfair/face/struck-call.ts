/** What a call is answered under a fault that names an answer of its own, and when it is carried out all the same. */

import {
  INSTRUCTION_ERRORS,
  type InstructionError,
  REPORT_ERRORS,
  type ReportError,
} from '../../betfair/wire/basics/codes.ts';
import { type ApiErrorCode, EXCEPTIONS } from '../../betfair/wire/exceptions.ts';
import { OPERATIONS, type Operation } from '../../betfair/wire/operations.ts';
import { isObject } from '../../codec/schema-node.ts';
import { defined } from '../../core/checks/assert.ts';
import type { OwnAnswer } from '../../sandbox/context/injected-faults.ts';
import { exception, type Outcome, result } from '../operations/shared/operation.ts';
import type { FaceState } from '../state/face-state.ts';

interface StruckCall {
  readonly operation: Operation;
  readonly params: unknown;
  /** Carries the call out; nobody hears of its outcome. */
  readonly act: () => void;
}

export function struckOutcome(
  { context, late }: FaceState,
  own: OwnAnswer,
  { operation, params, act }: StruckCall,
): Outcome<unknown> {
  const { actsAfterMs } = own;
  if (actsAfterMs === 0) act();
  else if (actsAfterMs !== undefined) late.add(context.clock.schedule(act, actsAfterMs));
  if (own.kind === 'report') return result(reportOf(operation, params, own));
  const code = codeOf(operation, own.code);
  return exception(defined(code, 'a fault has a code of its operation'), 'an injected fault, or a full queue');
}

/** The exception of an operation's API that has this code. */
export function codeOf(operation: Operation, code: string): ApiErrorCode | undefined {
  return EXCEPTIONS[OPERATIONS[operation].api].codes.find((each) => each === code);
}

/** The operations that answer with a report. */
export const REPORTED: readonly string[] = ['placeOrders', 'cancelOrders', 'replaceOrders', 'updateOrders'];

export function reportErrorOf(code: string): ReportError | undefined {
  return REPORT_ERRORS.find((each) => each === code);
}

export function instructionErrorOf(code: string): InstructionError | undefined {
  return INSTRUCTION_ERRORS.find((each) => each === code);
}

/** A report that says the same of the whole and of each item. Some codes are of the whole alone, some of items alone. */
function reportOf(operation: Operation, params: unknown, own: Extract<OwnAnswer, { kind: 'report' }>) {
  const { customerRef, marketId, instructions } = isObject(params) ? params : {};
  const { reportStatus: status, code } = own;
  const whole = code === undefined ? {} : { errorCode: reportErrorOf(code) ?? 'BET_ACTION_ERROR' };
  const part = code === undefined ? {} : { errorCode: instructionErrorOf(code) ?? 'ERROR_IN_ORDER' };
  const items: readonly unknown[] = Array.isArray(instructions) ? instructions : [];
  const named = {
    ...(customerRef === undefined ? {} : { customerRef }),
    ...(marketId === undefined ? {} : { marketId }),
  };
  const instructionReports = items.map((instruction) => itemOf(operation, instruction, { status, ...part }));
  return { ...named, status, ...whole, instructionReports };
}

function itemOf(operation: Operation, instruction: unknown, item: object): object {
  if (operation === 'cancelOrders') return { ...item, instruction, sizeCancelled: 0 };
  if (operation !== 'replaceOrders') return { ...item, instruction };
  const betId = isObject(instruction) ? instruction['betId'] : undefined;
  return { ...item, cancelInstructionReport: { ...item, instruction: { betId }, sizeCancelled: 0 } };
}
