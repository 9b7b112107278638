/** What a configuration says of BetDEX, and what its refusals mean for the run and its user. */

import type { RequestEvent } from '../exchange-live/adapter/edge-event.ts';
import type { AccessReport, ExchangeIdentity, WalletReport } from '../exchange-live/adapter/exchange.ts';
import type { CallOutcome } from '../exchange-live/connection/call-outcome.ts';
import type { ClientEvent } from './client/client-event.ts';
import type { AccessOutcome } from './client/rest-client.ts';

/** The exchange's address, and the app that we are. */
export interface BetdexAccess {
  readonly url: string;
  /** Absent if no feed is streamed. */
  readonly streamUrl: string | undefined;
  /** The address of an HTTP proxy, with its password; absent if there is none. */
  readonly proxy: string | undefined;
  readonly appId: string;
  readonly apiKey: string;
}

export function betdexIdentity({ url, appId, apiKey }: BetdexAccess): ExchangeIdentity {
  return { url, owner: { kind: 'app', name: appId }, secrets: [apiKey] };
}

/** Statuses by which the exchange says that the key or the app is wrong, and not the connection. */
const NOT_AUTHORISED: ReadonlySet<number> = new Set([400, 401, 403]);

/** A proxy is shown without its password. */
export function accessReport(
  outcome: AccessOutcome,
  { url, proxy }: Pick<BetdexAccess, 'url' | 'proxy'>,
): AccessReport {
  if (outcome.kind === 'granted') return { kind: 'granted', skewMs: outcome.skewMs };
  const { details, status } = outcome;
  const isRefused = status !== undefined && NOT_AUTHORISED.has(status);
  const unreached =
    proxy === undefined
      ? 'Check exchange.url and that the exchange is up.'
      : 'Check exchange.proxy and exchange.url, and that both are up.';
  return {
    kind: 'failed',
    isRefused,
    details,
    where: proxy === undefined ? url : `${url} through the proxy ${new URL(proxy).host}`,
    next: isRefused ? 'Check exchange.appId and exchange.apiKey.' : unreached,
  };
}

export function walletReport(outcome: CallOutcome<unknown>): WalletReport {
  if (outcome.kind === 'answered') return { kind: 'shown' };
  if (outcome.kind === 'failed') return { kind: 'failed', details: outcome.details };
  const { isOwn, status, title } = outcome;
  return { kind: isOwn && (status === 404 || status === 403) ? 'absent' : 'failed', details: `${status} ${title}` };
}

/** Statuses after which the same key would be refused again. */
const REFUSED: ReadonlySet<number> = new Set([401, 403]);

export function requestEvent(event: ClientEvent): RequestEvent {
  if (event.kind !== 'sessionFailed') return event;
  return { ...event, isRefused: event.status !== undefined && REFUSED.has(event.status) };
}
