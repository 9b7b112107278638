/** The log lines of what the connection reports: notices of the gateway, and events of sessions, requests and the stream. */

import type { EdgeEvent } from '../../../exchange-live/adapter/edge-event.ts';
import type { GatewayNotice } from '../../../exchange-live/notice.ts';
import { plural } from '../../../words/numbers.ts';
import { alert, type LogLine, type Message } from './log-line.ts';

export function noticeLine(notice: GatewayNotice): LogLine {
  const { kind, ...fields } = notice;
  return { subject: kind, fields, ...messageOfNotice(notice) };
}

function messageOfNotice(notice: GatewayNotice): Message {
  switch (notice.kind) {
    case 'readFailed':
      return alert('READ_FAILED', `${notice.what} could not be read: ${notice.code} ${notice.details}`, notice.what);
    case 'unreadable':
      return alert('ANSWER_UNREADABLE', `${notice.what}: ${notice.details}`, notice.details);
    case 'notStreamed':
      return alert('NOT_STREAMED', `${notice.what} of ${plural(notice.ids.length, 'id')}: read over REST alone`);
    case 'delayedPrices':
      return alert('PRICES_DELAYED', DELAYED_PRICES);
    case 'streamGap':
      return alert('STREAM_GAP', streamGapText(notice), '');
    case 'foreignOrder':
      return alert('FOREIGN_ORDER', `order ${notice.order} in wallet ${notice.wallet} is not of this run`);
    case 'notFound':
      return alert('MARKETS_NOT_FOUND', `the exchange does not show ${plural(notice.markets.length, 'market')}`);
    case 'pollingStretched':
      return notice.isStretched
        ? alert(
            'POLLS_STRETCHED',
            `prices are read every ${notice.everyMs} ms, urgent ones every ${notice.urgentMs} ms, to keep the request budget`,
          )
        : { level: 'info', text: `prices are read every ${notice.everyMs} ms again` };
    case 'commissionUnproven':
      return alert(
        'COMMISSION_UNPROVEN',
        `the commission found for market ${notice.market} does not fit what it brought ${notice.wallet}`,
      );
  }
}

export const DELAYED_PRICES = 'prices come late on purpose: the application key may record and run on paper only';

export function streamGapText({ market, levels }: Extract<GatewayNotice, { kind: 'streamGap' }>): string {
  return `the stream did not tell ${plural(levels, 'level')} of market ${market} that a reading corrected`;
}

/** Calls are measured, and not logged. */
type LoggedEvent = Exclude<EdgeEvent, { readonly kind: 'call' }>;

export function edgeLine(event: LoggedEvent): LogLine {
  const { kind, ...told } = event;
  const { isRefused: _isRefused, ...fields } = { isRefused: undefined, ...told };
  return { subject: 'connection' in event ? `stream ${kind}` : kind, fields, ...messageOfEvent(event) };
}

function messageOfEvent(event: LoggedEvent): Message {
  switch (event.kind) {
    case 'sessionOpened':
    case 'sessionRefreshed':
      return { level: 'info', text: `session with the exchange until ${new Date(event.expiresAt).toISOString()}` };
    case 'sessionRejected':
      return { level: 'info', text: 'the exchange no longer takes the session; the next one is opened' };
    case 'sessionFailed':
      return alert(
        'SESSION_FAILED',
        event.isFinal === true
          ? `no session: ${event.details}`
          : `no session: ${event.details}; next try in ${event.retryInMs} ms`,
        '',
      );
    case 'retried':
      return { level: 'debug', text: `${event.operation} is tried again in ${event.delayMs} ms: ${event.details}` };
    case 'throttled':
      return alert('THROTTLED', `nothing is sent for ${event.pauseMs} ms`, '');
    case 'overloaded':
      return alert('CALLS_OVERLOADED', `a call of priority ${event.priority} was turned away`, event.priority);
    case 'up':
      return { level: 'info', text: `stream connection ${event.connection} is up` };
    case 'down':
      return alert(
        'STREAM_DOWN',
        `stream connection ${event.connection} is down: ${event.code} ${event.details}`,
        event.code,
      );
    case 'trouble':
      return alert('STREAM_TROUBLE', `stream: ${event.code} ${event.details}`, event.code);
    case 'resync':
      return { level: 'debug', text: `state is read again: ${event.reason}` };
  }
}
