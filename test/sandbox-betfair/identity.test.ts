/** Sessions: logins, their life, and what a call without one is told. */

import { expect, test } from 'vitest';
import { HOUR_MS } from '../support/sandbox/world-builder.ts';
import { FaceClient, FaceStage } from '../support/sandbox-betfair/face-stage.ts';

const FORM = 'username=mary&password=secret';

test('a login with a certificate, and one without', () => {
  const stage = new FaceStage();
  const bare = stage.ask({ path: '/api/certlogin', body: FORM });
  expect(bare).toEqual({ loginStatus: 'CERT_AUTH_REQUIRED' });
  const shown = stage.ask({ path: '/api/certlogin', body: FORM, hasCertificate: true });
  expect(shown).toEqual({ sessionToken: expect.any(String), loginStatus: 'SUCCESS' });
  const login = stage.ask({ path: '/api/login', body: FORM });
  expect(login).toEqual({ token: expect.any(String), product: 'app', status: 'SUCCESS', error: '' });
  const keyless = stage.ask({ path: '/api/login', body: FORM, application: undefined });
  expect(keyless).toEqual({ token: '', product: '', status: 'FAIL', error: 'INPUT_VALIDATION_ERROR' });
});

test('the first password of a user name is its password', () => {
  const stage = new FaceStage();
  const login = (body: string) => (stage.ask({ path: '/api/login', body }) as { readonly error: string }).error;
  expect(login(FORM)).toBe('');
  expect(login('username=mary&password=other')).toBe('INVALID_USERNAME_OR_PASSWORD');
  expect(login('username=mary')).toBe('INVALID_USERNAME_OR_PASSWORD');
  expect(login('username=joe&password=other')).toBe('');
  expect(login(FORM)).toBe('');
});

test('a session lives for a day after its login or its last keepAlive, or until its logout', () => {
  const stage = new FaceStage();
  const client = stage.login();
  const end = (path: string) => stage.ask({ path, authentication: client.token });
  stage.builder.pass(24 * HOUR_MS - 1);
  expect(end('/api/keepAlive')).toEqual({ token: client.token, product: 'app', status: 'SUCCESS', error: '' });
  stage.builder.pass(24 * HOUR_MS - 1);
  expect(client.call('getAccountFunds', {}).wallet).toBe('UK wallet');
  stage.builder.pass(1);
  expect(client.refused('getAccountFunds', {})).toBe('INVALID_SESSION_INFORMATION');
  expect(end('/api/keepAlive')).toMatchObject({ status: 'FAIL', error: 'NO_SESSION' });
  // Older clients name no application here.
  const other = stage.login();
  const nameless = { path: '/api/keepAlive', authentication: other.token, application: undefined };
  expect(stage.ask(nameless)).toMatchObject({ status: 'SUCCESS', product: '' });
  const again = stage.login();
  expect(stage.ask({ path: '/api/logout', authentication: again.token })).toMatchObject({ status: 'SUCCESS' });
  expect(again.refused('listEvents', { filter: {} })).toBe('INVALID_SESSION_INFORMATION');
  expect(new FaceClient(stage, '').refused('listEvents', { filter: {} })).toBe('NO_SESSION');
});
