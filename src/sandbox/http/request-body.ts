/**
 * Reads the body of a request up to its limit. Whatever arrives becomes a value; the route answers what is wrong with
 * it.
 */

import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest, HookHandlerDoneFunction } from 'fastify';

/** The longest body in bytes (profile section 3). */
export const BODY_BYTES_MAX = 1_048_576;

export type RequestBody =
  | { readonly kind: 'json'; readonly value: unknown }
  /** No bytes, although a length or a content type was given. */
  | { readonly kind: 'empty' }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'tooLarge' }
  | { readonly kind: 'notJson' };

type Done = (error: Error | null, body: RequestBody) => void;

/**
 * Replaces Fastify's body readers by one for all content types. Fastify's close the connection on a fault, and a client
 * that is still sending would lose the answer. Here unread bytes are left to Node, which discards them.
 */
export function addBodyReader(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addHook('onRequest', nameType);
  app.addContentTypeParser('*', (request: FastifyRequest, payload: IncomingMessage, done: Done) => {
    const { 'content-type': type = '', 'content-length': length, 'transfer-encoding': coding } = request.headers;
    // A request without length and transfer coding has no body, whatever type it names (RFC 9112, 6.3).
    if (length === '0' || (length === undefined && coding === undefined)) done(null, { kind: 'empty' });
    else if (!isJson(type)) done(null, { kind: 'notJson' });
    else if (Number(length) > BODY_BYTES_MAX) done(null, { kind: 'tooLarge' });
    else readJson(payload, (body) => done(null, body));
  });
}

/**
 * Fastify itself answers content types that it cannot parse, an empty one too, in a shape of its own. So any type that
 * is not JSON is replaced by a plain one.
 */
function nameType({ raw }: FastifyRequest, _: unknown, done: HookHandlerDoneFunction): void {
  const type = raw.headers['content-type'];
  if (type !== undefined && !isJson(type)) raw.headers['content-type'] = 'application/octet-stream';
  done();
}

/** JSON is UTF-8 (RFC 8259), so another charset is another type. */
function isJson(type: string): boolean {
  return type === 'application/json' || /^application\/json\s*(;\s*charset="?utf-?8"?\s*)?;?\s*$/i.test(type);
}

function readJson(payload: IncomingMessage, then: (body: RequestBody) => void): void {
  const chunks: Buffer[] = [];
  let length = 0;
  const finish = (body: RequestBody) => {
    payload.off('data', take);
    payload.off('end', end);
    payload.off('error', cut);
    then(body);
  };
  const take = (chunk: Buffer) => {
    length += chunk.length;
    if (length <= BODY_BYTES_MAX) {
      chunks.push(chunk);
      return;
    }
    finish({ kind: 'tooLarge' });
    // Later errors of the connection no longer matter.
    payload.on('error', () => undefined);
    payload.resume();
  };
  const end = () => finish(parsed(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, length)));
  const cut = () => finish({ kind: 'malformed' });
  payload.on('data', take);
  payload.on('end', end);
  payload.on('error', cut);
}

function parsed(bytes: Buffer | undefined): RequestBody {
  if (bytes === undefined || bytes.length === 0) return { kind: 'empty' };
  if (!isUtf8(bytes)) return { kind: 'malformed' };
  try {
    return { kind: 'json', value: JSON.parse(bytes.toString('utf8')) };
  } catch {
    return { kind: 'malformed' };
  }
}
