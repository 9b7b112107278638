/** The kinds of faults of Betfair's face, and which of its operations each can be for. */

import { Type } from '@sinclair/typebox';
import { REPORT_ERRORS } from '../../betfair/wire/basics/codes.ts';
import { OPERATIONS, type Operation } from '../../betfair/wire/operations.ts';
import { integer, maybe, text, words } from '../../codec/notation.ts';
import type { FaultAction } from '../../sandbox/context/injected-faults.ts';
import { type ControlProblem, refused } from '../../sandbox/control/control-endpoint.ts';
import { faultTerms } from '../../sandbox/control/face-control.ts';
import { NAVIGATION_MENU } from '../face/betfair-face.ts';
import { IDENTITY, identityName } from '../face/identity.ts';
import { codeOf, instructionErrorOf, REPORTED, reportErrorOf } from '../face/struck-call.ts';
import { streamErrorOf } from '../stream/exchange-stream.ts';
import { STREAM_OPERATIONS } from '../stream/session/stream-connection.ts';

const CALLS = Object.keys(OPERATIONS);
const SERVICES = Object.keys(IDENTITY).map(identityName);
const LOGINS = ['certlogin', 'login'];
/** The messages of the stream. Only faults that name them strike them. */
export const MESSAGES: readonly string[] = ['mcm', 'ocm'];
const REQUESTS: readonly string[] = STREAM_OPERATIONS;
const CLOCKED = ['marketResubscription', 'orderResubscription'];
const ACTS_AFTER_MAX_MS = 60_000;

/** What a login may say is its reader's choice: its statuses are many, and grow. */
const LOGIN_STATUS = /^[A-Z][A-Z_]{1,60}$/;

export const BETFAIR_FAULTS = faultTerms({
  operations: [...CALLS, ...SERVICES, NAVIGATION_MENU, ...REQUESTS, ...MESSAGES],
  kinds: ['error', 'report', 'silence'],
  summary:
    'error answers with a code: an exception of the API, a login’s status, or a failure of the stream that closes it; report answers orders with TIMEOUT, or FAILURE and a code; silence sends nothing over the stream. The stream’s requests and messages (mcm, ocm) are struck by faults that name them.',
  fields: {
    code: maybe(Type.String({ description: 'Of error and report, such as SERVICE_BUSY or ERROR_IN_MATCHER.' })),
    reportStatus: maybe(words('FaultReportStatus', ['TIMEOUT', 'FAILURE'])),
    actsAfterMs: maybe(
      Type.Integer({
        minimum: 0,
        maximum: ACTS_AFTER_MAX_MS,
        description: 'Of error and report: when the request is carried out all the same; without it never.',
      }),
    ),
  },
  shown: { code: maybe(text), reportStatus: maybe(text), actsAfterMs: maybe(integer) },
  actionOf: ({ kind, code, reportStatus = code === undefined ? 'TIMEOUT' : 'FAILURE', actsAfterMs }) => {
    if (kind === 'silence') return { kind };
    if (kind === 'report') return { kind, code, reportStatus, actsAfterMs };
    return code === undefined ? refused(400, 'code: an error needs it') : { kind: 'error', code, actsAfterMs };
  },
  operationsOf,
  refusalOf,
  fieldsOf: (action) => {
    if (action.kind !== 'error' && action.kind !== 'report') return {};
    const { code, actsAfterMs } = action;
    return {
      ...(code === undefined ? {} : { code }),
      ...(action.kind === 'report' ? { reportStatus: action.reportStatus } : {}),
      ...(actsAfterMs === undefined ? {} : { actsAfterMs }),
    };
  },
});

/** An error is for what knows its code: calls of the APIs, else requests of the stream, else logins. */
function operationsOf(action: FaultAction): readonly string[] | undefined {
  if (action.kind === 'silence') return MESSAGES;
  if (action.kind === 'report') return REPORTED;
  if (action.kind !== 'error') return undefined;
  const { code } = action;
  if (code === 'INVALID_CLOCK') return CLOCKED;
  if (code === 'MAX_CONNECTION_LIMIT_EXCEEDED') return ['authentication'];
  const known = [CALLS, REQUESTS].map((names) => names.filter((name) => knows(name, code)));
  return known.find((names) => names.length > 0) ?? LOGINS;
}

function knows(operation: string, code: string): boolean {
  if (isCall(operation)) return codeOf(operation, code) !== undefined;
  if (REQUESTS.includes(operation)) return streamErrorOf(code) !== undefined;
  return SERVICES.includes(operation) && LOGIN_STATUS.test(code);
}

function isCall(name: string): name is Operation {
  return Object.hasOwn(OPERATIONS, name);
}

/** Why a fault cannot be for one of its operations. */
function refusalOf(action: FaultAction, operations: readonly string[] = []): ControlProblem | undefined {
  if (action.kind === 'report' && action.code !== undefined && !isReportCode(action.code))
    return refused(400, `code: no report has ${action.code}; others are ${REPORT_ERRORS.slice(0, 3).join(', ')}, …`);
  const other = operations.find((each) => !canStrike(action, each));
  if (other === undefined) return undefined;
  const { kind } = action;
  return refused(
    400,
    `operations: ${kind === 'error' ? `${kind} ${action.code}` : kind} is nothing that ${other} can have`,
  );
}

function isReportCode(code: string): boolean {
  return reportErrorOf(code) !== undefined || instructionErrorOf(code) !== undefined;
}

function canStrike(action: FaultAction, operation: string): boolean {
  const isMessage = MESSAGES.includes(operation);
  const isRequest = REQUESTS.includes(operation);
  switch (action.kind) {
    case 'silence':
      return isMessage;
    case 'report':
      return REPORTED.includes(operation);
    case 'error':
      return knows(operation, action.code) && (action.actsAfterMs === undefined || isCall(operation));
    case 'latency':
    case 'status':
      return !isRequest;
    case 'dropAfter':
      return !isRequest && !isMessage;
    default:
      return true;
  }
}
