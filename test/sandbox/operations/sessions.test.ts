/** Sessions and keys: who gets tokens, how long they are valid, and what ends them. */

import { describe, expect, test } from 'vitest';
import { hashOfSecret } from '../../../src/sandbox/operations/accounts/secret-hash.ts';
import { callerOfToken, TOKENS_KNOWN_MAX } from '../../../src/sandbox/operations/accounts/session-token.ts';
import type { Change } from '../../../src/sandbox/world/change.ts';
import { type Trader, TradingFloor } from '../../support/sandbox/trading-floor.ts';
import { DAY_MS, MINUTE_MS } from '../../support/sandbox/world-builder.ts';

/** Creates keys with secrets through the operations; all changes are recorded. */
class Floor extends TradingFloor {
  readonly changes: Change[] = [];

  constructor() {
    super();
    this.world.listen((change) => change !== undefined && this.changes.push(change));
  }

  appKey(trader: Trader = this.a): string {
    const { apiKeys } = this.ask(trader.caller, 'createAppApiKey', { body: { appId: trader.appId } });
    return apiKeys[0]?.secret ?? '';
  }

  walletKey(trader: Trader = this.a): string {
    const { apiKeys } = this.ask(trader.caller, 'createWalletApiKey', { path: { id: trader.walletId } });
    return apiKeys[0]?.secret ?? '';
  }

  login(apiKey: string, appId = 'appA', walletId?: string) {
    const body = { appId, apiKey, ...(walletId === undefined ? {} : { walletId }) };
    const [session] = this.ask(this.a.caller, 'createSession', { body }).sessions;
    if (session === undefined) throw new Error('no session');
    return session;
  }

  loginInVain(apiKey: string, appId = 'appA', walletId?: string) {
    const body = { appId, apiKey, ...(walletId === undefined ? {} : { walletId }) };
    return this.askInVain(this.a.caller, 'createSession', { body });
  }

  refresh(refreshToken: string) {
    const [session] = this.ask(this.a.caller, 'refreshSession', { body: { refreshToken } }).sessions;
    if (session === undefined) throw new Error('no session');
    return session;
  }
}

describe('a session', () => {
  test('speaks for its app 30 minutes long, its refresh token lives 7 days', () => {
    const floor = new Floor();
    const session = floor.login(floor.appKey());
    expect(session.accessExpiresAt).toBe('2026-03-24T12:30:00.000Z');
    expect(session.refreshExpiresAt).toBe('2026-03-31T12:00:00.000Z');
    const caller = () => callerOfToken(floor.context, session.accessToken);
    floor.builder.pass(30 * MINUTE_MS - 1);
    expect(caller()).toMatchObject({ app: floor.a.app, wallet: undefined });
    floor.builder.pass(1);
    expect(caller()).toBeUndefined();
    expect(callerOfToken(floor.context, session.refreshToken)).toBeUndefined();
  });

  test('of a wallet’s key speaks for that wallet', () => {
    const floor = new Floor();
    const { accessToken } = floor.login(floor.walletKey(), 'appA', floor.a.walletId);
    expect(callerOfToken(floor.context, accessToken)).toMatchObject({ app: floor.a.app, wallet: floor.a.wallet });
  });

  test('is given to nobody who errs in any part, and none is told in which', () => {
    const floor = new Floor();
    const [appKey, walletKey] = [floor.appKey(), floor.walletKey()];
    const problems = [
      floor.loginInVain('guess'),
      floor.loginInVain(appKey, 'appB'),
      floor.loginInVain(appKey, 'nobody'),
      floor.loginInVain(walletKey),
      floor.loginInVain(walletKey, 'appA', floor.a.secondId),
      floor.loginInVain(walletKey, 'appA', floor.b.walletId),
      floor.loginInVain(walletKey, 'appB', floor.a.walletId),
    ];
    for (const each of problems) expect(each).toEqual(problems[0]);
    expect(problems[0]?.status).toBe(401);
    expect(floor.loginInVain(appKey, 'appA', floor.a.walletId).status).toBe(403);
  });

  test('is continued once by each refresh token; its old access token lives on until it expires', () => {
    const floor = new Floor();
    const first = floor.login(floor.appKey());
    floor.builder.pass(20 * MINUTE_MS);
    const second = floor.refresh(first.refreshToken);
    expect(second.accessToken).not.toBe(first.accessToken);
    expect(second.refreshToken).not.toBe(first.refreshToken);
    for (const each of [first, second]) expect(callerOfToken(floor.context, each.accessToken)).toBeDefined();
    for (const refreshToken of [first.refreshToken, second.accessToken, 'guess'])
      expect(floor.askInVain(floor.a.caller, 'refreshSession', { body: { refreshToken } }).status).toBe(401);
    floor.builder.pass(10 * MINUTE_MS);
    expect([first, second].map((each) => callerOfToken(floor.context, each.accessToken)?.app)).toEqual([
      undefined,
      floor.a.app,
    ]);
    const third = floor.refresh(second.refreshToken);
    floor.builder.pass(7 * DAY_MS);
    const body = { refreshToken: third.refreshToken };
    expect(floor.askInVain(floor.a.caller, 'refreshSession', { body }).status).toBe(401);
  });

  test('leaves those that were opened before as they are', () => {
    const floor = new Floor();
    const apiKey = floor.appKey();
    const sessions = Array.from({ length: TOKENS_KNOWN_MAX + 10 }, () => floor.login(apiKey));
    for (const { accessToken } of sessions) expect(callerOfToken(floor.context, accessToken)?.app).toBe(floor.a.app);
    expect(callerOfToken(floor.context, sessions[0]?.accessToken ?? '')?.app).toBe(floor.a.app);
  });

  test('ends with its key, though its token was just looked up', () => {
    const floor = new Floor();
    const [kept, ended] = [floor.appKey(), floor.appKey()];
    const sessions = [floor.login(kept), floor.login(ended)];
    const apps = () => sessions.map(({ accessToken }) => callerOfToken(floor.context, accessToken)?.app);
    expect(apps()).toEqual([floor.a.app, floor.a.app]);
    floor.ask(floor.a.caller, 'deactivateAppApiKey', { body: { appId: 'appA', apiKey: ended } });
    expect(apps()).toEqual([floor.a.app, undefined]);
    expect(floor.loginInVain(ended).status).toBe(401);
    const body = { refreshToken: sessions[1]?.refreshToken ?? '' };
    expect(floor.askInVain(floor.a.caller, 'refreshSession', { body }).status).toBe(401);
  });

  test('and its key leave no secret in the changes', () => {
    const floor = new Floor();
    const secret = floor.appKey();
    const { accessToken, refreshToken } = floor.login(secret);
    const next = floor.refresh(refreshToken);
    const told = JSON.stringify(floor.changes);
    for (const each of [secret, accessToken, refreshToken, next.accessToken, next.refreshToken]) {
      expect(told).not.toContain(each);
      expect(told).toContain(hashOfSecret(each));
    }
  });
});

describe('a key', () => {
  test('is told with its secret once; deactivated, with the secret that was given', () => {
    const floor = new Floor();
    const [made] = floor.ask(floor.a.caller, 'createAppApiKey', { body: { appId: 'appA' } }).apiKeys;
    expect(made).toMatchObject({ appId: 'appA', active: true, createdAt: '2026-03-24T12:00:00.000Z' });
    floor.builder.pass(1_000);
    const apiKey = made?.secret ?? '';
    for (const _ of [1, 2]) {
      const { apiKeys } = floor.ask(floor.a.caller, 'deactivateAppApiKey', { body: { appId: 'appA', apiKey } });
      expect(apiKeys).toEqual([{ ...made, active: false, modifiedAt: '2026-03-24T12:00:01.000Z' }]);
      floor.builder.pass(1_000);
    }
    expect(new Set([floor.appKey(), floor.appKey(), apiKey]).size).toBe(3);
  });

  test('of a wallet names it, and its app can end it', () => {
    const floor = new Floor();
    const { apiKeys } = floor.ask(floor.a.caller, 'createWalletApiKey', { path: { id: floor.a.secondId } });
    expect(apiKeys[0]).toMatchObject({ walletId: floor.a.secondId, appId: 'appA', active: true });
    const apiKey = apiKeys[0]?.secret ?? '';
    const { accessToken } = floor.login(apiKey, 'appA', floor.a.secondId);
    floor.ask(floor.a.caller, 'deactivateAppApiKey', { body: { appId: 'appA', apiKey } });
    expect(callerOfToken(floor.context, accessToken)).toBeUndefined();
  });

  test('is made and ended by its own app alone', () => {
    const floor = new Floor();
    const apiKey = floor.appKey();
    const { b } = floor;
    expect(floor.askInVain(b.caller, 'createAppApiKey', { body: { appId: 'appA' } }).status).toBe(404);
    expect(floor.askInVain(b.caller, 'createWalletApiKey', { path: { id: floor.a.walletId } }).status).toBe(404);
    for (const appId of ['appA', 'appB'])
      expect(floor.askInVain(b.caller, 'deactivateAppApiKey', { body: { appId, apiKey } }).status).toBe(404);
    expect(floor.login(apiKey).accessToken).not.toBe('');
  });

  test('opens User wallets only', () => {
    const floor = new Floor();
    expect(floor.askInVain(floor.a.caller, 'createWalletApiKey', { path: { id: 'appA-Commission-1' } }).status).toBe(
      403,
    );
  });
});
