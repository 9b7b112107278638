/** A sandbox for one test, with every answer validated, and helpers to call it as its apps. */

import { expect } from 'vitest';
import { openSandbox, type Sandbox, type SandboxOptions } from '../../../src/sandbox/sandbox.ts';
import type { Clock } from '../../../src/time/clock.ts';
import { wallClock } from '../../../src/time/wall-clock.ts';

export interface CallAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body where it is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: bodies are looked into field by field, and a wrong guess fails the test
  readonly json: any;
}

/**
 * A clock with real timers that always shows the same instant, so that the digest of an unchanged world stays the same.
 */
export function frozenClock(): Clock {
  const at = wallClock.now();
  return { now: () => at, schedule: wallClock.schedule.bind(wallClock) };
}

export interface Stand {
  readonly sandbox: Sandbox;
  readonly port: number;
  /** The demo app's access token. */
  readonly token: string;
  /** Bugs reported by the sandbox; must stay empty. */
  readonly bugs: readonly unknown[];
  call(method: string, path: string, options?: { body?: unknown; token?: string | undefined }): Promise<CallAnswer>;
  control(method: string, path: string, body?: unknown): Promise<CallAnswer>;
  /** The answer of a control request that must succeed. */
  made(path: string, body?: unknown): Promise<CallAnswer['json']>;
  /** Opens a session; returns its access token. */
  login(appId: string, apiKey: string, walletId?: string): Promise<string>;
  /** Creates another app with a wallet of 1,000 USDC; returns a token of its session. */
  openApp(): Promise<{ readonly appId: string; readonly walletId: string; readonly token: string }>;
  close(): Promise<void>;
}

export async function openStand(options: Partial<SandboxOptions> = {}): Promise<Stand> {
  const bugs: unknown[] = [];
  const sandbox = await openSandbox({
    clock: wallClock,
    version: '0.0.0-test',
    checksAnswers: true,
    onBug: (error) => bugs.push(error),
    ...options,
  });
  const call: Stand['call'] = async (method, path, { body, token } = {}) => {
    const response = await fetch(`${sandbox.url}${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true && text !== '';
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined };
  };
  const control: Stand['control'] = (method, path, body) =>
    call(method, `/control${path}`, { body, token: sandbox.controlKey });
  const made: Stand['made'] = async (path, body = {}) => {
    const answer = await control('POST', path, body);
    expect(answer.status, `${path}: ${answer.text}`).toBe(200);
    return answer.json;
  };
  const login: Stand['login'] = async (appId, apiKey, walletId) => {
    const answer = await call('POST', '/sessions', { body: { appId, apiKey, walletId } });
    expect(answer.status, answer.text).toBe(200);
    return answer.json.sessions[0].accessToken;
  };
  const openApp = async () => {
    const { id: appId } = await made('/apps', { name: 'Another' });
    const balances = [{ currencyId: 'USDC', balance: 1_000 }];
    const { id: walletId } = await made(`/apps/${appId}/wallets`, { balances });
    const { secret } = await made(`/apps/${appId}/keys`);
    return { appId, walletId, token: await login(appId, secret) };
  };
  return {
    sandbox,
    bugs,
    call,
    control,
    made,
    login,
    openApp,
    port: Number(new URL(sandbox.url).port),
    token: await login(sandbox.appId, sandbox.apiKey),
    async close() {
      await sandbox.close();
      expect(bugs).toEqual([]);
    },
  };
}

/** Finds an open market that has not gone in play, and one of its outcomes. */
export async function openMarket(stand: Stand): Promise<{ readonly marketId: string; readonly outcomeId: string }> {
  const path = '/markets?statuses=Open&inPlayStatuses=PrePlay&published=true&size=200';
  const { json } = await stand.call('GET', path, { token: stand.token });
  const market = json.markets.find((each: { readonly suspended: boolean }) => !each.suspended);
  return { marketId: market.id, outcomeId: market.marketOutcomes._ids[0] };
}

export function orderOn(
  stand: Stand,
  market: { readonly marketId: string; readonly outcomeId: string },
  changes: Readonly<Record<string, unknown>> = {},
) {
  return {
    walletId: stand.sandbox.walletId,
    ...market,
    side: 'For',
    price: 1000,
    stake: 1,
    keepWhenInPlay: false,
    ...changes,
  };
}

/** Checks that the answer is a problem of this status that says why and shows no internals. */
export function expectProblem(answer: { readonly status: number; readonly body: string }, status: number): void {
  expect(answer.status, answer.body).toBe(status);
  const problem = JSON.parse(answer.body);
  expect(typeof problem.title).toBe('string');
  expect(problem.title).not.toBe('');
  expect(Array.isArray(problem.details)).toBe(true);
  for (const detail of problem.details) expect(typeof detail).toBe('string');
  expect(answer.body).not.toMatch(/\bat .*\(.*:\d+:\d+\)|node_modules|\.ts:\d/);
}
