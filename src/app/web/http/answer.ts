/** How the servers of pages answer: headers that keep other pages out, JSON, refusals, and the cookie of a session. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { deflate, gzip } from 'node:zlib';
import type { Page } from '../../../report/html/page.ts';

export const SECURITY = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
} as const;
/** The policy of answers that are no page. */
export const NO_PAGE = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
export const JSON_TYPE = 'application/json';

type Headers = Readonly<Record<string, string>>;

export function send(response: ServerResponse, status: number, body: string | Uint8Array, headers: Headers): void {
  response.writeHead(status, { 'content-security-policy': NO_PAGE, ...SECURITY, ...headers });
  response.end(body);
}

export function sendPage(response: ServerResponse, { html, policy }: Page): void {
  send(response, 200, html, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy });
}

export function sendJson(response: ServerResponse, body: object): void {
  send(response, 200, JSON.stringify(body), { 'content-type': JSON_TYPE });
}

export function refuse(response: ServerResponse, status: number, why: string): void {
  refuseWith(response, status, { why });
}

export interface Refusal {
  /** A sentence that a page shows. */
  readonly why: string;
  readonly code?: string | undefined;
  readonly where?: string | undefined;
  readonly next?: string | undefined;
}

export function refuseWith(response: ServerResponse, status: number, body: Refusal): void {
  // What is left of a body that was too large is not read.
  send(response, status, JSON.stringify(body), {
    'content-type': JSON_TYPE,
    ...(status === 400 && { connection: 'close' }),
  });
}

/** Smaller bodies gain nothing. */
const PACKED_FROM = 2_048;
const PACKED_BY = { gzip: promisify(gzip), deflate: promisify(deflate) } as const;
/** A part of a ladder becomes a sixth of its size already. */
const LEVEL = 3;

/** Packed by another thread, where the body is large and the caller can unpack it. */
export async function sendPackedJson(
  request: IncomingMessage,
  response: ServerResponse,
  body: object,
  more: Headers = {},
): Promise<void> {
  const text = JSON.stringify(body);
  const headers = { ...more, 'content-type': JSON_TYPE, vary: 'accept-encoding' };
  const encoding = text.length < PACKED_FROM ? undefined : acceptedEncoding(request.headers['accept-encoding']);
  if (encoding === undefined) return send(response, 200, text, headers);
  const packed = await PACKED_BY[encoding](text, { level: LEVEL });
  send(response, 200, packed, { ...headers, 'content-encoding': encoding });
}

/** What is refused by `;q=0` is not accepted. */
function acceptedEncoding(header: string | string[] | undefined): keyof typeof PACKED_BY | undefined {
  const accepted = String(header ?? '')
    .toLowerCase()
    .split(',')
    .filter((entry) => !/;\s*q=0(?:\.0*)?\s*$/.test(entry))
    .map((entry) => entry.split(';')[0]?.trim());
  return accepted.includes('gzip') ? 'gzip' : accepted.includes('deflate') ? 'deflate' : undefined;
}

/** More of one name than any browser has were made to be tried. */
const COOKIES_MAX = 8;

/** All of this name: a page on another port of this host may have put one of the same name before ours. */
export function cookiesOf(request: IncomingMessage, name: string): readonly string[] {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => splitOnce(pair.trim(), '='));
  return pairs.flatMap(([key, value]) => (key === name && value !== undefined ? [value] : [])).slice(0, COOKIES_MAX);
}

/** Undefined where it is said twice: whatever stands before us may have looked at the other one. */
export function hostOf({ headersDistinct: { host = [] } }: IncomingMessage): string | undefined {
  return host.length === 1 ? host[0] : undefined;
}

export function splitOnce(text: string, at: string): readonly string[] {
  const index = text.indexOf(at);
  return index < 0 ? [text] : [text.slice(0, index), text.slice(index + 1)];
}

export function one(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.[0];
}
