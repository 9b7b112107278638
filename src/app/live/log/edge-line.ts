/** What the log says of the edges: the gateway's notices, the REST client's and the stream's own events. */

import type { ClientEvent } from '../../../betdex/client/client-event.ts';
import type { StreamEvent } from '../../../betdex/stream/stream-event.ts';
import type { GatewayNotice } from '../../../exchange-live/notice.ts';
import { plural } from '../../../report/numbers.ts';
import { ALERTS, type AlertCode } from './alert.ts';
import type { LogLine } from './log-line.ts';

export function noticeLine(notice: GatewayNotice): LogLine {
  const { kind, ...fields } = notice;
  return { about: kind, fields, ...saidOfNotice(notice) };
}

function saidOfNotice(notice: GatewayNotice): Said {
  switch (notice.kind) {
    case 'readFailed':
      return alert('READ_FAILED', `${notice.what} could not be read: ${notice.code} ${notice.details}`, notice.what);
    case 'unreadable':
      return alert('ANSWER_UNREADABLE', `${notice.what}: ${notice.details}`, notice.details);
    case 'notStreamed':
      return alert('NOT_STREAMED', `${notice.what} of ${plural(notice.ids.length, 'id')}: read over REST alone`);
    case 'stray':
      return alert('FOREIGN_ORDER', `order ${notice.order} in wallet ${notice.wallet} is not of this run`);
    case 'notFound':
      return alert('MARKETS_NOT_FOUND', `the exchange does not show ${plural(notice.markets.length, 'market')}`);
    case 'pollingStretched':
      return notice.isStretched
        ? alert('POLLS_STRETCHED', `prices are read every ${notice.everyMs} ms, urgent ones every ${notice.urgentMs}`)
        : { level: 'info', words: `prices are read every ${notice.everyMs} ms again` };
    case 'commissionUnproven':
      return alert(
        'COMMISSION_UNPROVEN',
        `the commission found for market ${notice.market} does not fit what it brought ${notice.wallet}`,
      );
  }
}

export function clientLine(event: ClientEvent): LogLine {
  const { kind, ...fields } = event;
  return { about: kind, fields, ...saidOfClient(event) };
}

function saidOfClient(event: ClientEvent): Said {
  switch (event.kind) {
    case 'sessionOpened':
    case 'sessionRefreshed':
      return { level: 'info', words: `session with the exchange until ${new Date(event.expiresAt).toISOString()}` };
    case 'sessionRejected':
      return { level: 'info', words: 'the exchange no longer takes the session; the next one is opened' };
    case 'sessionFailed':
      return alert('SESSION_FAILED', `no session: ${event.details}; next try in ${event.retryInMs} ms`, '');
    case 'retried':
      return { level: 'debug', words: `${event.operation} is tried again in ${event.delayMs} ms: ${event.details}` };
    case 'throttled':
      return alert('THROTTLED', `nothing is sent for ${event.pauseMs} ms`, '');
    case 'overloaded':
      return alert('CALLS_OVERLOADED', `a call of priority ${event.priority} was turned away`, event.priority);
  }
}

/** Undefined for traffic itself. */
export function streamLine(event: StreamEvent): LogLine | undefined {
  const said = saidOfStream(event);
  if (said === undefined || event.kind === 'message') return undefined;
  const { kind, ...fields } = event;
  return { about: `stream ${kind}`, fields, ...said };
}

function saidOfStream(event: StreamEvent): Said | undefined {
  switch (event.kind) {
    case 'up':
      return { level: 'info', words: `stream connection ${event.connection} is up` };
    case 'down':
      return alert(
        'STREAM_DOWN',
        `stream connection ${event.connection} is down: ${event.code} ${event.details}`,
        event.code,
      );
    case 'trouble':
      return alert('STREAM_TROUBLE', `stream: ${event.code} ${event.details}`, event.code);
    case 'resync':
      return { level: 'debug', words: `state is read again: ${event.reason}` };
    case 'refused':
    case 'message':
    case 'confirmed':
    case 'unsubscribed':
      return undefined;
  }
}

type Said = Omit<LogLine, 'about' | 'fields'>;

function alert(code: AlertCode, words: string, throttled?: string): Said {
  const said = { level: ALERTS[code].level, alert: code, words };
  return throttled === undefined ? said : { ...said, throttled: `${code} ${throttled}` };
}
