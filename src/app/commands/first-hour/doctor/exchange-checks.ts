/** Whether the exchange of a configuration can be reached, lets the app in, has our time, and holds our wallets. */

import { existsSync, readFileSync } from 'node:fs';
import { filter } from 'rxjs';
import { Agent, fetch } from 'undici';
import type { Exchange, ExchangeStream } from '../../../../exchange-live/adapter/exchange.ts';
import type { Clock } from '../../../../time/clock.ts';
import { plural } from '../../../../words/numbers.ts';
import { accessError } from '../../../cli/access-error.ts';
import { withPlaces } from '../../../config/yaml/named-paths.ts';
import { checkWallets } from '../../../live/exchange/exchange-access.ts';
import { untilAborted } from '../../../live/link/wait-out.ts';
import { openExchange } from '../../../run/exchange-choice.ts';
import type { RunOptions } from '../../../run/run-options.ts';
import { type Check, failed, failedBy, notKnown, ok, tried, warning } from './check.ts';
import type { ExchangeToAsk, KnownConfig } from './known-config.ts';

const PATIENCE_MS = 10_000;
/** The `Date` of an answer is whole seconds. */
const DATE_MS = 1_000;

interface Asking {
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export function keysCheck({ variables, missing }: KnownConfig): Check {
  if (variables.length === 0) return ok('keys', 'the configuration names no variable of the environment');
  if (missing.length === 0) return ok('keys', `${variables.join(', ')} ${variables.length === 1 ? 'is' : 'are'} set`);
  const exports = missing.map((name) => `export ${name}=…`).join('; ');
  return failed(
    'keys',
    `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not set`,
    `Set before: ${exports}. What stands in a file .env: set -a; . ./.env; set +a`,
  );
}

/** Opens a session, as a run does, and ends there: nothing is placed, cancelled or changed. */
export async function exchangeChecks(
  known: KnownConfig,
  { clock, signal, config, isAtWork }: Asking & { readonly config: string; readonly isAtWork: boolean },
): Promise<readonly Check[]> {
  const { exchange: toAsk, url, isProxied } = known;
  if (url === undefined) return [];
  if (toAsk === undefined && isProxied)
    return [notKnown('exchange', 'not asked without the keys, since it is behind a proxy')];
  if (toAsk === undefined) return await withoutKeys({ url, authority: known.authority }, { clock, signal });
  let exchange: Exchange;
  try {
    exchange = openExchange(toAsk, clock);
  } catch (error) {
    return [failedBy('exchange', error), notKnown('clock', 'the exchange was not asked')];
  }
  const { url: address, owner } = exchange.identity;
  const block = owner.kind === 'account' ? 'exchange.betfair' : 'exchange';
  try {
    const patience = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
    const access = await untilAborted(exchange.checkAccess(), patience);
    if (access === undefined)
      return [
        failed(
          'exchange',
          `${address} did not answer within ${PATIENCE_MS / 1_000} s`,
          `Check ${block}.url and ${block}.proxy, and the firewall of this machine.`,
          4,
        ),
        notKnown('clock', 'the exchange did not answer'),
      ];
    if (access.kind === 'failed')
      return [failedBy('exchange', accessError(access, exchange.identity)), notKnown('clock', 'there is no session')];
    const { run } = known;
    return [
      ok('exchange', `${address} lets the ${owner.kind} ${owner.name} in`),
      skewCheck(access.skewMs, toAsk),
      ...(exchange.stream === undefined
        ? []
        : [await streamCheck(exchange, { stream: exchange.stream, block }, patience)]),
      ...(run === undefined || run.mode === 'paper'
        ? []
        : [
            await walletsCheck(exchange, { run, config }, patience),
            // A daemon that is at work refreshes it, and has orders of its own.
            ...(isAtWork || run.settings.heartbeat === undefined ? [] : await heartbeatChecks(exchange, patience)),
          ]),
    ];
  } finally {
    await exchange.close();
  }
}

/** Connects and lets the token be checked; nothing is subscribed to but what it takes to connect. */
async function streamCheck(
  { events$ }: Exchange,
  { stream, block }: { readonly stream: ExchangeStream; readonly block: string },
  signal: AbortSignal,
): Promise<Check> {
  const { url } = stream;
  const answer = untilAborted(events$.pipe(filter((event) => event.kind === 'up' || event.kind === 'down')), signal);
  stream.look();
  const event = await answer;
  if (event?.kind === 'up') return ok('stream', `${url} takes the token`);
  const why = event?.kind === 'down' ? `${event.code}: ${event.details}` : `no answer within ${PATIENCE_MS / 1_000} s`;
  return failed(
    'stream',
    `${url} is not up: ${why}`,
    `Check ${block}.streamUrl and ${block}.proxy, and the firewall of this machine.`,
    4,
  );
}

function walletsCheck(
  exchange: Exchange,
  { run, config }: { readonly run: RunOptions; readonly config: string },
  signal: AbortSignal,
): Promise<Check> {
  return tried('wallets', async () => {
    const isRead = await withPlaces(config, () => checkWallets(exchange, run, signal));
    const names = run.wallets.map(({ name }) => name).join(', ');
    return isRead
      ? ok('wallets', `the exchange shows this ${exchange.identity.owner.kind} ${names}`)
      : failed('wallets', `${names}: no answer within ${PATIENCE_MS / 1_000} s`, 'Try again.', 4);
  });
}

/** It says before a start what else is at stake where an exchange cancels more than the run's own orders. */
async function heartbeatChecks(exchange: Exchange, signal: AbortSignal): Promise<readonly Check[]> {
  const { checkHeartbeat, identity } = exchange;
  if (checkHeartbeat === undefined) return [];
  const check = 'heartbeat';
  const report = await untilAborted(checkHeartbeat(), signal);
  if (report?.kind !== 'seen')
    return [failed(check, report?.details ?? `no answer within ${PATIENCE_MS / 1_000} s`, 'Try again.', 4)];
  const { kind } = identity.owner;
  const { orders } = report;
  if (orders === 0) return [ok(check, `a lapse would cancel nothing now; the ${kind} has no unmatched orders`)];
  const found = `a lapse would cancel ${plural(orders, 'unmatched order')} of the ${kind}, whoever placed ${orders === 1 ? 'it' : 'them'}`;
  return [warning(check, found, `Let this run be the only one that bets with the ${kind}, or set heartbeat: none.`)];
}

function skewCheck(skewMs: number | undefined, { skewMaxMs }: Pick<ExchangeToAsk, 'skewMaxMs'>): Check {
  if (skewMs === undefined) return notKnown('clock', 'the exchange does not say its time');
  if (skewMs === 0) return ok('clock', 'as far as it can be told, the same as the exchange’s');
  const found = `${Math.abs(skewMs)} ms ${skewMs > 0 ? 'ahead of' : 'behind'} the exchange’s; ${skewMaxMs} ms are allowed`;
  const next = 'Set the clock, and keep it set: timedatectl shows whether it is.';
  if (Math.abs(skewMs) > skewMaxMs) return failed('clock', found, next);
  return Math.abs(skewMs) > skewMaxMs / 2 ? warning('clock', found, next) : ok('clock', found);
}

/** Without keys an answer of any kind shows that somebody is there, and its `Date` what time it is for him. */
async function withoutKeys(
  { url, authority }: { readonly url: string; readonly authority: string | undefined },
  { clock, signal }: Asking,
): Promise<readonly Check[]> {
  if (!URL.canParse(url)) return [notKnown('exchange', 'not asked: its address is a variable that is not set')];
  const noKey = 'whether it lets us in is not known without the keys';
  if (authority !== undefined && !existsSync(authority))
    return [
      failed(
        'exchange',
        `the file of its authority, ${authority}, is not there`,
        'Check exchange.betfair.authority: it is looked up from the directory in which the command runs. A sandbox makes it at its first start.',
      ),
    ];
  const dispatcher = new Agent(authority === undefined ? {} : { connect: { ca: readFileSync(authority, 'utf8') } });
  try {
    const patience = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
    const answer = await fetch(url, { signal: patience, redirect: 'manual', dispatcher });
    await answer.body?.cancel();
    return [notKnown('exchange', `${url} answers; ${noKey}`), dateCheck(answer.headers.get('date'), clock.now())];
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    return [
      failed(
        'exchange',
        `${url} cannot be reached: ${cause}`,
        'Check the url under exchange, and that the exchange is up.',
        4,
      ),
      notKnown('clock', 'the exchange did not answer'),
    ];
  } finally {
    await dispatcher.destroy();
  }
}

function dateCheck(date: string | null, now: number): Check {
  const theirs = Date.parse(date ?? '');
  if (Number.isNaN(theirs)) return notKnown('clock', 'the answer has no date');
  const away = now >= theirs && now <= theirs + DATE_MS ? 0 : now < theirs ? now - theirs : now - theirs - DATE_MS;
  return skewCheck(away, { skewMaxMs: SKEW_MAX_MS });
}

const SKEW_MAX_MS = 5_000;
