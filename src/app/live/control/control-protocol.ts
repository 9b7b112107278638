/** The protocol of the control socket: one JSON object a line, each with the version of this protocol. */

import { type Static, Type } from '@sinclair/typebox';
import { Ajv } from 'ajv';
import { OWN_SCHEMAS } from '../../../core/own-schemas.ts';
import type { BotStatus } from '../../../engine/live/bot-status.ts';
import type { ExchangeFigures } from '../../../exchange-live/adapter/exchange.ts';
import type { Bar } from '../../../pages/panels.ts';
import type { RunMode } from '../../run/run-options.ts';
import type { ProcessMark } from './process-mark.ts';

export const CONTROL_VERSION = 1;
/** The socket's name in the state directory. */
export const CONTROL_SOCKET = 'control.sock';
/** The file beside the socket that names the process that listens on it. */
export const PROCESS_FILE = 'process.json';
/** Longer requests are refused. */
export const LINE_MAX = 65_536;

const closed = { additionalProperties: false };
const v = Type.Literal(CONTROL_VERSION);
const reason = Type.Optional(Type.String({ maxLength: 500 }));

export const RequestSchema = Type.Union([
  Type.Object({ v, command: Type.Literal('status') }, closed),
  Type.Object({ v, command: Type.Literal('halt'), reason }, closed),
  Type.Object({ v, command: Type.Literal('reduceOnly'), reason }, closed),
  Type.Object({ v, command: Type.Literal('resume') }, closed),
  Type.Object({ v, command: Type.Literal('cancelAll'), reason }, closed),
  /** A new link that opens the dashboard once. */
  Type.Object({ v, command: Type.Literal('dashboardLink') }, closed),
  Type.Object(
    {
      v,
      command: Type.Literal('stop'),
      /** Absent: as configured. */
      orders: Type.Optional(Type.Literal('keep')),
      /** The process exits at once: nothing is cancelled, and nothing is waited for. */
      now: Type.Optional(Type.Boolean()),
    },
    closed,
  ),
]);

export type ControlRequest = Static<typeof RequestSchema>;

/** `heard`: the request was received, and another reply follows when it is done. `status`: as of now. `waiting`: in its place, before the run has begun. */
export type ControlReply =
  | { readonly v: typeof CONTROL_VERSION; readonly kind: 'heard' }
  | { readonly v: typeof CONTROL_VERSION; readonly kind: 'status'; readonly status: DaemonStatus }
  | { readonly v: typeof CONTROL_VERSION; readonly kind: 'waiting'; readonly waiting: DaemonWaiting }
  | { readonly v: typeof CONTROL_VERSION; readonly kind: 'link'; readonly url: string }
  | EndedReply
  | { readonly v: typeof CONTROL_VERSION; readonly kind: 'refused'; readonly code: string; readonly what: string };

/** The run has ended. Its process says a last word, and is gone then; a daemon of an earlier version does not say which it is. */
export interface EndedReply {
  readonly v: typeof CONTROL_VERSION;
  readonly kind: 'ended';
  readonly end: DaemonEnd;
  readonly process?: ProcessMark;
}

/** The process around the bot. Times are ms UTC. */
export interface DaemonStatus {
  readonly daemon: {
    readonly pid: number;
    readonly version: string;
    readonly mode: RunMode;
    readonly dir: string;
    readonly config: string;
    /** Whether the halt file exists; while it does, `resume` is refused. */
    readonly haltFile: boolean;
    /** Since when no session with the exchange could be opened, ms UTC; undefined while there is one. */
    readonly awaySince: number | undefined;
    /** How far our clock is at least ahead of the exchange's, ms; negative: behind. */
    readonly skewMs: number | undefined;
    /** What the exchange counts, or limits, of what we ask of it; absent where it does neither, and of a daemon of an older version. */
    readonly exchange?: ExchangeFigures | undefined;
    readonly rssBytes: number;
    /** The address of the dashboard; undefined without one. A link opens it once: `oddsmith dashboard link`. */
    readonly dashboard: string | undefined;
  };
  readonly bot: BotStatus;
  /** The limit that is nearest to being reached; absent where none is set, and of a daemon of an older version. */
  readonly limit?: Bar;
  /** How many alerts it told since its start; a daemon of an older version does not say it. */
  readonly alerts?: number;
}

/** A daemon that has not begun, since the exchange has not let it in yet. Times are ms UTC. */
export interface DaemonWaiting {
  readonly pid: number;
  readonly run: string;
  readonly mode: RunMode;
  readonly dir: string;
  readonly since: number;
  /** What keeps the exchange away; undefined until it was found to be away. */
  readonly cause: string | undefined;
}

export interface DaemonEnd {
  readonly exitCode: number;
  readonly cause: string;
  readonly liveOrders: number;
}

const accepts = new Ajv(OWN_SCHEMAS).compile<ControlRequest>(RequestSchema);

/** The request in a line, or why the line is none. */
export function readRequest(line: string): ControlRequest | { readonly fault: string } {
  let said: unknown;
  try {
    said = JSON.parse(line);
  } catch {
    return { fault: 'a request is one JSON object on one line' };
  }
  if (accepts(said)) return said;
  const version: unknown = Object(said).v;
  return version === CONTROL_VERSION
    ? { fault: 'this daemon knows no such command' }
    : { fault: `this daemon speaks version ${CONTROL_VERSION}, the request is of version ${String(version)}` };
}

/** The daemon's reply in a line; undefined if the line is none. Unknown fields are those of a newer daemon. */
export function readReply(line: string): ControlReply | undefined {
  let said: unknown;
  try {
    said = JSON.parse(line);
  } catch {
    return undefined;
  }
  const reply = Object(said);
  const isReply =
    reply.v === CONTROL_VERSION && ['heard', 'status', 'waiting', 'link', 'ended', 'refused'].includes(reply.kind);
  return isReply ? (reply as ControlReply) : undefined;
}
