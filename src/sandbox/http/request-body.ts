/** Reads a request's body up to its limit. Whatever arrives becomes a value; what is wrong is answered by the route. */

import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest, HookHandlerDoneFunction } from 'fastify';

/** Profile section 3. */
export const BODY_BYTES_MAX = 1_048_576;

export type RequestBody =
  | { readonly kind: 'json'; readonly value: unknown }
  /** No bytes at all, though a length or a type was named. */
  | { readonly kind: 'empty' }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'tooLarge' }
  | { readonly kind: 'notJson' };

type Done = (error: Error | null, body: RequestBody) => void;

/**
 * One reader for every content type in place of the framework's: those close the connection on a fault, and a client
 * that is still sending would then lose the answer. Here the rest is left to Node, which discards what nobody reads.
 */
export function addBodyReader(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addHook('onRequest', nameType);
  app.addContentTypeParser('*', (request: FastifyRequest, payload: IncomingMessage, done: Done) => {
    const { 'content-type': type = '', 'content-length': length, 'transfer-encoding': coding } = request.headers;
    // A request that names neither a length nor a coding has no body, whatever type it names (RFC 9112, 6.3).
    if (length === '0' || (length === undefined && coding === undefined)) done(null, { kind: 'empty' });
    else if (!isJson(type)) done(null, { kind: 'notJson' });
    else if (Number(length) > BODY_BYTES_MAX) done(null, { kind: 'tooLarge' });
    else readJson(payload, (body) => done(null, body));
  });
}

/**
 * The framework answers by itself what it cannot read as a type, an empty one too, and does not know in which shape: it
 * is shown a plain one in place of whatever is not JSON.
 */
function nameType({ raw }: FastifyRequest, _: unknown, done: HookHandlerDoneFunction): void {
  const type = raw.headers['content-type'];
  if (type !== undefined && !isJson(type)) raw.headers['content-type'] = 'application/octet-stream';
  done();
}

/** JSON is UTF-8 (RFC 8259); another charset is another type. */
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
    // A fault of the connection after this is nobody's news.
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
