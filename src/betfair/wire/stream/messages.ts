/** What the server sends over the stream besides changes: the connection, the status of each request, and the envelope of changes. */

import { Type } from '@sinclair/typebox';
import { document, flag, integer, maybe, text, type Written, words } from '../../../codec/notation.ts';
import { SEGMENTS } from '../mcm/staged-message.ts';

export const STREAM_ERRORS = [
  'NO_APP_KEY',
  'INVALID_APP_KEY',
  'NO_SESSION',
  'INVALID_SESSION_INFORMATION',
  'NOT_AUTHORIZED',
  'INVALID_INPUT',
  'INVALID_CLOCK',
  'UNEXPECTED_ERROR',
  'TIMEOUT',
  'SUBSCRIPTION_LIMIT_EXCEEDED',
  'INVALID_REQUEST',
  'CONNECTION_FAILED',
  'MAX_CONNECTION_LIMIT_EXCEEDED',
  'TOO_MANY_REQUESTS',
] as const;
export type StreamErrorCode = (typeof STREAM_ERRORS)[number];

/** The only error after which the connection stays (profile section 7). */
export const KEEPS_CONNECTION: StreamErrorCode = 'SUBSCRIPTION_LIMIT_EXCEEDED';

/** The first line of the server. */
export const ConnectionMessage = document('ConnectionMessage', {
  op: Type.Literal('connection'),
  connectionId: text,
});

/** The answer to one request. `connectionsAvailable` is in answers to authentications alone. */
export const StatusMessage = document('StatusMessage', {
  op: Type.Literal('status'),
  id: maybe(integer),
  statusCode: words('StatusCode', ['SUCCESS', 'FAILURE']),
  errorCode: maybe(words('StreamErrorCode', STREAM_ERRORS)),
  errorMessage: maybe(text),
  connectionId: maybe(text),
  connectionClosed: flag,
  connectionsAvailable: maybe(integer),
});

const ChangeTypeWord = words('ChangeType', ['SUB_IMAGE', 'RESUB_DELTA', 'HEARTBEAT']);

/** What messages of market and order changes have in common. `ct` is absent in an update, `status` while the data is up to date. */
export const CHANGE_ENVELOPE = {
  id: maybe(integer),
  ct: maybe(ChangeTypeWord),
  initialClk: maybe(text),
  clk: maybe(text),
  conflateMs: maybe(integer),
  heartbeatMs: maybe(integer),
  /** Absent where a message has nothing but a status. */
  pt: maybe(integer),
  segmentType: maybe(words('SegmentType', SEGMENTS)),
  status: maybe(integer),
};

export type StreamStatus = Written<typeof StatusMessage>;

/** How lines end (profile section 7). */
export const LINE_END = '\r\n';
