/** The client of Betfair before our face: one login, keepAlive, what each failure says, and what is counted. */

import { describe, expect, test } from 'vitest';
import { BetfairClient } from '../../../src/betfair/client/betfair-client.ts';
import type { Credentials } from '../../../src/betfair/client/client-options.ts';
import { loginAdvice, loginProof } from '../../../src/betfair/client/login-statuses.ts';
import type { Operation, Params } from '../../../src/betfair/wire/operations.ts';
import type { Frozen } from '../../../src/codec/notation.ts';
import { Random } from '../../../src/core/number/random.ts';
import type { EdgeEvent } from '../../../src/exchange-live/adapter/edge-event.ts';
import type { CallOutcome } from '../../../src/exchange-live/connection/call-outcome.ts';
import type { WireReply, WireRequest } from '../../../src/exchange-live/connection/transport.ts';
import { allFacts } from '../../../src/sandbox-betfair/state/market-facts.ts';
import { FaceTransport, operationIn, type Struck } from '../../support/betfair/face-transport.ts';
import { FaceStage } from '../../support/sandbox-betfair/face-stage.ts';

const MINUTE_MS = 60_000;
const PLACE: Params<'placeOrders'> = { marketId: '1.200000000', instructions: [] };

interface Opening {
  readonly strike?: (request: WireRequest) => Struck | undefined;
  readonly credentials?: Partial<Credentials>;
}

function opened({ strike = () => undefined, credentials = {} }: Opening = {}) {
  const { face, builder } = new FaceStage();
  const { clock } = builder;
  const events: EdgeEvent[] = [];
  const transport = new FaceTransport({ face, clock, strike });
  const client = new BetfairClient(
    {
      credentials: { appKey: 'an-app-key', username: 'mary', password: 'secret-word', ...credentials },
      ...{ clock, random: Random.fromSeed(1), onEvent: (event: EdgeEvent) => events.push(event) },
    },
    transport,
  );
  const call = <O extends Operation>(operation: O, params: Frozen<Params<O>>) => {
    const outcomes: CallOutcome<unknown>[] = [];
    client.call(operation, params).subscribe((outcome) => outcomes.push(outcome));
    return outcomes;
  };
  const run = (ms: number) => clock.runUntil(clock.now() + ms);
  const market = [...allFacts(builder.world)].find(({ status, isInPlay }) => status === 'OPEN' && !isInPlay);
  const ids = { marketId: market?.id ?? '', selectionId: market?.runners[0]?.selectionId ?? 0 };
  return { client, clock, events, call, run, ...ids, asked: () => transport.sent.map(operationIn) };
}

function error(errorCode: string): WireReply {
  const data = { exceptionname: 'APINGException', APINGException: { errorCode, errorDetails: '', requestUUID: 'u' } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32099, message: 'ANGX-0001', data } });
  return { kind: 'reply', status: 200, body };
}

describe('the session', () => {
  test('is one login for all calls, kept alive every 20 minutes', () => {
    const { call, run, asked } = opened();
    const outcomes = [1, 2, 3].map(() => call('getAccountFunds', {}));
    run(100);
    expect(asked()).toEqual(['/api/login', ...Array(3).fill('getAccountFunds')]);
    for (const outcome of outcomes) expect(outcome).toMatchObject([{ kind: 'answered' }]);
    run(20 * MINUTE_MS);
    expect(asked().slice(4)).toEqual(['/api/keepAlive']);
  });

  test('is opened by the certificate where there is one', () => {
    const { call, run, asked } = opened({ credentials: { certificate: { certificate: 'a', key: 'b' } } });
    const outcome = call('getAccountDetails', {});
    run(100);
    expect(asked()).toEqual(['/api/certlogin', 'getAccountDetails']);
    expect(outcome).toMatchObject([{ kind: 'answered', answer: { currencyCode: 'GBP' } }]);
  });

  test('is opened again only where the exchange says that it is over, and the call is sent once more', () => {
    let isOver = true;
    const strike = (request: WireRequest) => {
      if (operationIn(request) !== 'getAccountFunds' || !isOver) return undefined;
      isOver = false;
      return { isCarriedOut: false, reply: error('INVALID_SESSION_INFORMATION') };
    };
    const { call, run, asked, events } = opened({ strike });
    const outcome = call('getAccountFunds', {});
    run(200);
    expect(outcome).toMatchObject([{ kind: 'answered' }]);
    expect(asked()).toEqual(['/api/login', 'getAccountFunds', '/api/keepAlive', 'getAccountFunds']);
    expect(events.map(({ kind }) => kind)).toContain('sessionRejected');
  });

  test.each([
    [
      'TEMPORARY_BAN_TOO_MANY_REQUESTS',
      20 * MINUTE_MS,
      { isRefused: false, details: 'TEMPORARY_BAN_TOO_MANY_REQUESTS' },
    ],
    [
      'INVALID_USERNAME_OR_PASSWORD',
      24 * 60 * MINUTE_MS,
      { isRefused: true, isFinal: true, details: expect.stringContaining('Check exchange.betfair.username') },
    ],
  ])('%s is not tried again before its time', (loginStatus, waitMs, told) => {
    const body = JSON.stringify({ token: '', product: '', status: 'FAIL', error: loginStatus });
    const strike = ({ path }: WireRequest) =>
      path === '/api/login' ? { isCarriedOut: false, reply: { kind: 'reply', status: 200, body } as const } : undefined;
    const { call, run, asked, events } = opened({ strike });
    const first = call('getAccountFunds', {});
    run(1_000);
    expect(first).toMatchObject([{ kind: 'failed', code: 'NO_SESSION', mayHaveActed: false }]);
    expect(events).toMatchObject([{ kind: 'sessionFailed', retryInMs: waitMs, ...told }, { kind: 'call' }]);
    call('getAccountFunds', {});
    run(waitMs - 2_000);
    expect(asked()).toEqual(['/api/login']);
    run(2_000);
    call('getAccountFunds', {});
    run(100);
    expect(asked()).toEqual(['/api/login', '/api/login']);
  });
});

describe('a login that is refused says what to do', () => {
  test.each([
    ['INVALID_USERNAME_OR_PASSWORD', /username and exchange.betfair.password/],
    ['CERT_AUTH_REQUIRED', /exchange.betfair.certificate/],
    ['INVALID_APP_KEY', /exchange.betfair.appKey/],
    ['STRONG_AUTH_CODE_REQUIRED', /log in with a certificate/],
    ['ITALIAN_CONTRACT_ACCEPTANCE_REQUIRED', /Log in on the site once/],
    ['SPAIN_MIGRATION_REQUIRED', /Log in on the site once/],
    ['ACCOUNT_NOW_LOCKED', /locked, suspended or closed/],
    ['SUSPENDED', /locked, suspended or closed/],
    ['SELF_EXCLUDED', /excluded from betting/],
    ['BETTING_RESTRICTED_LOCATION', /from here/],
    ['A_STATUS_OF_TOMORROW', /log in on the site once/],
  ])('%s is final', (status, advice) => {
    expect(loginProof(status)).toBe('final');
    expect(loginAdvice(status)).toMatch(advice);
  });

  test('a ban and a lost connection are none of the key', () => {
    expect(loginProof('TEMPORARY_BAN_TOO_MANY_REQUESTS')).toBe('banned');
    expect(loginAdvice('TEMPORARY_BAN_TOO_MANY_REQUESTS')).toMatch(/20 minutes/);
    expect(loginProof('INVALID_CONNECTIVITY_TO_REGULATOR_IT')).toBe('passing');
  });
});

describe('a call that fails', () => {
  test.each([
    ['getAccountFunds', 'TIMEOUT_ERROR', 4, false],
    ['getAccountFunds', 'TOO_MUCH_DATA', 1, false],
    ['placeOrders', 'TIMEOUT_ERROR', 1, true],
    ['placeOrders', 'A_CODE_OF_TOMORROW', 1, true],
    ['placeOrders', 'ACCESS_DENIED', 1, false],
    ['cancelOrders', 'SERVICE_BUSY', 4, true],
  ] as const)('%s, %s: sent %i times, may have acted: %s', (operation, code, times, mayHaveActed) => {
    const strike = (request: WireRequest) =>
      operationIn(request) === operation ? { isCarriedOut: false, reply: error(code) } : undefined;
    const { call, run, asked } = opened({ strike });
    const outcome = call(operation, operation === 'placeOrders' ? PLACE : {});
    run(MINUTE_MS);
    expect(outcome).toMatchObject([{ kind: 'refused', isOwn: true, title: code, mayHaveActed }]);
    expect(asked().filter((each) => each === operation)).toHaveLength(times);
  });

  test('in silence, once it was sent, may have placed orders and is not sent again', () => {
    const strike = (request: WireRequest): Struck | undefined =>
      operationIn(request) === 'placeOrders' ? { isCarriedOut: true, reply: 'silence' } : undefined;
    const { call, run, asked } = opened({ strike });
    const outcome = call('placeOrders', PLACE);
    run(MINUTE_MS);
    expect(outcome).toMatchObject([{ kind: 'failed', code: 'TIMEOUT', mayHaveActed: true }]);
    expect(asked()).toEqual(['/api/login', 'placeOrders']);
  });

  test('by a page of a proxy proves nothing', () => {
    const page = { kind: 'reply', status: 403, body: '<html>' } as const;
    const strike = (request: WireRequest): Struck | undefined =>
      operationIn(request) === 'placeOrders' ? { isCarriedOut: true, reply: page } : undefined;
    const { call, run } = opened({ strike });
    const outcome = call('placeOrders', PLACE);
    run(MINUTE_MS);
    expect(outcome).toMatchObject([{ kind: 'refused', status: 403, isOwn: false, mayHaveActed: true }]);
  });

  test('never shows the password, the key or the token', () => {
    const details = 'secret-word an-app-key';
    const strike = (request: WireRequest): Struck | undefined =>
      operationIn(request) === 'getAccountFunds'
        ? { isCarriedOut: false, reply: { kind: 'lost', details } }
        : undefined;
    const { call, run, events } = opened({ strike });
    const outcome = call('getAccountFunds', {});
    run(MINUTE_MS);
    expect(outcome).toMatchObject([{ code: 'CONNECTION_LOST', details: '[secret] [secret]' }]);
    expect(JSON.stringify(events)).not.toMatch(/secret-word|an-app-key/);
  });
});

test('of the calls that an account may have three of, a fourth waits', () => {
  const { call, run, asked } = opened();
  const outcomes = [1, 2, 3, 4].map(() => call('listCurrentOrders', {}));
  run(18);
  expect(asked()).toHaveLength(4);
  run(100);
  expect(asked()).toHaveLength(5);
  for (const outcome of outcomes) expect(outcome).toMatchObject([{ kind: 'answered' }]);
});

test('placed bets and failed instructions are transactions of their hour', () => {
  const { client, call, run, marketId, selectionId } = opened();
  const instruction = { orderType: 'LIMIT', selectionId: 1, side: 'BACK', limitOrder: { price: 2, size: 5 } } as const;
  call('placeOrders', { marketId, instructions: [instruction] });
  run(100);
  expect(client.transactions.thisHour).toBe(1);
  call('cancelOrders', { marketId, instructions: [{ betId: '300000999999' }] });
  run(100);
  expect(client.transactions.thisHour).toBe(2);
  expect([client.transactions.placed, client.transactions.failed]).toEqual([0, 2]);
  const limitOrder = { price: 2, size: 5, persistenceType: 'LAPSE' } as const;
  const placed = call('placeOrders', { marketId, instructions: [{ ...instruction, selectionId, limitOrder }] });
  run(100);
  expect(placed).toMatchObject([{ answer: { status: 'SUCCESS' } }]);
  expect([client.transactions.placed, client.transactions.failed]).toEqual([1, 2]);
  expect(client.transactions.thisHour).toBe(3);
  run(60 * MINUTE_MS);
  expect(client.transactions.thisHour).toBe(0);
});

test('the heaviest request of data is known by what it asks of each market', () => {
  const { client, call, marketId } = opened();
  expect(client.heaviest).toBe(0);
  call('listMarketBook', { marketIds: [marketId, marketId], priceProjection: { priceData: ['EX_ALL_OFFERS'] } });
  expect(client.heaviest).toBe(34);
  call('listMarketCatalogue', { filter: {}, maxResults: 200, marketProjection: ['MARKET_DESCRIPTION', 'EVENT'] });
  call('listMarketBook', { marketIds: [marketId] });
  expect(client.heaviest).toBe(200);
});

test('the clocks are compared by the date of each answer', () => {
  const { client, call, run } = opened();
  call('getAccountFunds', {});
  run(100);
  expect(client.skewMs).toBe(0);
});
