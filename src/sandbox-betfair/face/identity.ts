/** The identity service: logins with and without a certificate, keepAlive and logout. */

import type { CertLogin, IdentityAnswer } from '../../betfair/wire/documents/account.ts';
import type { Written } from '../../codec/notation.ts';
import { accountOf } from '../state/accounts.ts';
import type { FaceState } from '../state/face-state.ts';
import type { FaceRequest } from './face-request.ts';

/** `error` is the status that a fault gives instead of the true one. */
type Identity = (
  face: FaceState,
  request: FaceRequest,
  error: string | undefined,
) => Written<typeof CertLogin> | Written<typeof IdentityAnswer>;

/** The services by their path. */
export const IDENTITY: Readonly<Record<string, Identity>> = {
  '/api/certlogin': certLogin,
  '/api/login': login,
  '/api/keepAlive': keepAlive,
  '/api/logout': logout,
};

/** What faults call a service by. */
export function identityName(path: string): string {
  return path.slice('/api/'.length);
}

/** The exchange machine's number of the account that a request to the identity service is of. */
export function accountOfRequest({ context, sessions }: FaceState, request: FaceRequest): number | undefined {
  const username = new URLSearchParams(request.body).get('username') ?? '';
  return (
    sessions.accountOf(request.authentication, context.now())?.app ?? context.world.registry.keys.get(username)?.app
  );
}

/** Any certificate is accepted: it is asked for, so that a client's own files are tried. */
function certLogin(face: FaceState, request: FaceRequest, error?: string): Written<typeof CertLogin> {
  if (error !== undefined) return { loginStatus: error };
  if (!request.hasCertificate) return { loginStatus: 'CERT_AUTH_REQUIRED' };
  const token = opened(face, request);
  if (token === undefined) return { loginStatus: 'INVALID_USERNAME_OR_PASSWORD' };
  return { sessionToken: token, loginStatus: 'SUCCESS' };
}

function login(face: FaceState, request: FaceRequest, error?: string): Written<typeof IdentityAnswer> {
  const product = request.application ?? '';
  if (error !== undefined) return { token: '', product, status: 'FAIL', error };
  if (product === '') return { token: '', product, status: 'FAIL', error: 'INPUT_VALIDATION_ERROR' };
  const token = opened(face, request);
  if (token === undefined) return { token: '', product, status: 'FAIL', error: 'INVALID_USERNAME_OR_PASSWORD' };
  return { token, product, status: 'SUCCESS', error: '' };
}

function opened(face: FaceState, { body }: FaceRequest): string | undefined {
  const form = new URLSearchParams(body);
  const { context, sessions } = face;
  const account = accountOf(face, form.get('username') ?? '', form.get('password') ?? '');
  if (account === undefined) return undefined;
  const token = context.secret();
  sessions.open(token, account, context.now());
  return token;
}

function keepAlive(
  { context, sessions }: FaceState,
  request: FaceRequest,
  error?: string,
): Written<typeof IdentityAnswer> {
  return ended(request, error ?? sessions.keepAlive(request.authentication, context.now()));
}

function logout(
  { context, sessions }: FaceState,
  request: FaceRequest,
  error?: string,
): Written<typeof IdentityAnswer> {
  return ended(request, error ?? sessions.end(request.authentication, context.now()));
}

function ended({ application: product = '', authentication: token = '' }: FaceRequest, isDone: boolean | string) {
  // Older clients name no application here, and it is not needed: the session has it.
  return isDone === true
    ? { token, product, status: 'SUCCESS', error: '' }
    : { token, product, status: 'FAIL', error: isDone === false ? 'NO_SESSION' : isDone };
}
