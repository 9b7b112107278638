/** What a configuration says of Betfair, and what its refusals mean for the run and its user. */

import { map, mergeMap, type Observable, of } from 'rxjs';
import { Unreadable } from '../codec/lenient.ts';
import type {
  AccessReport,
  ExchangeIdentity,
  HeartbeatReport,
  WalletReport,
} from '../exchange-live/adapter/exchange.ts';
import { type CallOutcome, failureOf } from '../exchange-live/connection/call-outcome.ts';
import type { SessionFailure } from '../exchange-live/connection/session.ts';
import type { BetfairClient } from './client/betfair-client.ts';
import type { Credentials } from './client/client-options.ts';
import { exceptionProof } from './client/code-verdicts.ts';
import { API_URL } from './client/hosts.ts';
import { loginAdvice, loginProof } from './client/login-statuses.ts';
import { currentOrders } from './gateway/orders/current-orders.ts';

export interface BetfairAccess extends Credentials {
  /** Address of a sandbox; absent: Betfair's own. */
  readonly url: string | undefined;
  /** Address of its stream, such as `tls://127.0.0.1:8641`; absent: Betfair's own. */
  readonly streamUrl?: string | undefined;
  /** PEM of the authority by which a sandbox is trusted. */
  readonly authority: string | undefined;
  /** The address of an HTTP proxy, with its password; absent if there is none. */
  readonly proxy: string | undefined;
}

export function betfairIdentity({
  url = API_URL,
  username,
  appKey,
  password,
}: Pick<BetfairAccess, 'url' | 'username' | 'appKey' | 'password'>): ExchangeIdentity {
  return { url, owner: { kind: 'account', name: username }, secrets: [appKey, password] };
}

/** The id of the one wallet that an account has. */
const WALLET_ID = 'main';
/** Books and results are told in pounds, and orders are in the currency of their account (profile section 4). */
const CURRENCY = 'GBP';

/** Logs in, and finds out whether the account is one that can be traded with. */
export function checkAccess(client: BetfairClient, access: BetfairAccess): Observable<AccessReport> {
  return client.access().pipe(
    mergeMap((state): Observable<AccessReport> => {
      if (state.kind === 'failed') return of(notLetIn(state, access));
      return client.call('getAccountDetails', {}).pipe(
        map((outcome): AccessReport => {
          if (outcome.kind !== 'answered') return turnedAway(outcome, access);
          const { currencyCode } = outcome.answer;
          if (currencyCode !== CURRENCY)
            return {
              ...{ kind: 'failed', isRefused: true, where: whereOf(access) },
              details: `the account is in ${currencyCode}, and prices at Betfair are in ${CURRENCY}`,
              next: `Only accounts in ${CURRENCY} are supported.`,
            };
          return { kind: 'granted', skewMs: client.skewMs };
        }),
      );
    }),
  );
}

function notLetIn({ details, status }: SessionFailure, access: BetfairAccess): AccessReport {
  const isBanned = loginProof(details) === 'banned';
  if (status === undefined && !isBanned) return unreached(details, access);
  return { kind: 'failed', isRefused: !isBanned, details, where: whereOf(access), next: loginAdvice(details) };
}

/** The session was opened, and the first call was not answered: a key may be wrong that a login does not look at. */
function turnedAway(outcome: Exclude<CallOutcome<unknown>, { readonly kind: 'answered' }>, access: BetfairAccess) {
  const isRefused = outcome.kind === 'refused' && outcome.isOwn && exceptionProof(outcome.title) === 'refused';
  if (!isRefused) return unreached(failureOf(outcome).details, access);
  const { title: details } = outcome;
  return { kind: 'failed', isRefused, details, where: whereOf(access), next: loginAdvice(details) } as const;
}

function unreached(details: string, access: BetfairAccess): AccessReport {
  const isProxied = access.proxy !== undefined;
  const next = isProxied
    ? 'Check exchange.betfair.proxy, and that it and Betfair are up.'
    : 'Check that Betfair is up, or what exchange.betfair.url names.';
  return { kind: 'failed', isRefused: false, details, where: whereOf(access), next };
}

/** A proxy is shown without its password. */
function whereOf({ url = API_URL, proxy }: BetfairAccess): string {
  return proxy === undefined ? url : `${url} through the proxy ${new URL(proxy).host}`;
}

/** A delayed key shows prices of the past and may place nothing: a live run cannot have one. */
export function checkWallet(client: BetfairClient, id: string): Observable<WalletReport> {
  if (id !== WALLET_ID)
    return of({ kind: 'absent', details: `an account at Betfair has one wallet, whose id is ${WALLET_ID}` });
  return client.call('listMarketCatalogue', { filter: {}, maxResults: 1 }).pipe(
    mergeMap((found): Observable<WalletReport> => {
      if (found.kind !== 'answered') return of({ kind: 'failed', details: failureOf(found).details });
      const [market] = found.answer;
      const marketId = market instanceof Unreadable ? market.part.marketId : market?.marketId;
      if (marketId === undefined) return of({ kind: 'shown' });
      return client.call('listMarketBook', { marketIds: [marketId] }).pipe(
        map((outcome): WalletReport => {
          if (outcome.kind !== 'answered') return { kind: 'failed', details: failureOf(outcome).details };
          const [book] = outcome.answer;
          const isDelayed = book !== undefined && !(book instanceof Unreadable) && book.isMarketDataDelayed === true;
          if (!isDelayed) return { kind: 'shown' };
          return {
            kind: 'absent',
            details: 'the application key is a delayed one: it may record and run on paper only',
          };
        }),
      );
    }),
  );
}

/**
 * A lapse cancels the unmatched limit bets of the account, whoever placed them. The heartbeat itself is not called: each call registers it
 * anew or ends it for all programs of the account, and takes the news of a lapse from the one that waits for them.
 */
export function checkHeartbeat(client: BetfairClient): Observable<HeartbeatReport> {
  return currentOrders(client, { orderProjection: 'EXECUTABLE' }).pipe(
    map((read): HeartbeatReport => {
      if (read.kind === 'failed') return { kind: 'failed', details: read.details };
      const limits = read.rows.filter((order) => {
        const { orderType } = order instanceof Unreadable ? order.part : order;
        return orderType !== 'LIMIT_ON_CLOSE' && orderType !== 'MARKET_ON_CLOSE';
      });
      return { kind: 'seen', orders: limits.length };
    }),
  );
}
