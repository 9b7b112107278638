/** Values, texts and bytes that a server should survive: what fuzzed requests are spoilt with. */

import type { Random } from '../random.ts';

/** As JSON text, so that what JSON.stringify cannot spell can stand here too. */
export const HOSTILE_JSON: readonly string[] = [
  'null',
  'true',
  '-1',
  '0',
  '-0',
  '1e308',
  '1e400',
  '-1e400',
  '1e-320',
  '0.0001',
  '9007199254740993',
  '123456789012345678901234567890',
  '2.005',
  '"NaN"',
  '"Infinity"',
  '""',
  '"\\u0000"',
  '"\\ud800"',
  '"../../etc/passwd"',
  '"__proto__"',
  '[]',
  '{}',
  '[[[[[[[[[[]]]]]]]]]]',
  '{"__proto__":{"x":1}}',
  '{"constructor":{"prototype":{"x":1}}}',
  '{"toString":1,"hasOwnProperty":2}',
  '"2026-13-45T99:99:99.000Z"',
  '"0000-00-00"',
  '"\u202e\ud83d\ude00"',
];

export const HOSTILE_TEXT: readonly string[] = [
  '',
  ' ',
  '0',
  '-1',
  '007',
  '1e9',
  '99999999999999999999',
  'NaN',
  'null',
  'undefined',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  '%',
  '%zz',
  '%00',
  '%2F',
  '%5C',
  '..%2f..',
  '%c0%ae',
  'a,b,,c',
  ',,,',
  '😀',
  'x'.repeat(300),
  "'; drop table orders;--",
  '<script>',
  '2026-02-30',
  'id,asc,desc',
  'id,sideways',
];

export const HOSTILE_HEADERS: readonly (readonly [string, string])[] = [
  ['content-type', 'text/plain'],
  ['content-type', 'application/xml'],
  ['content-type', 'application/json; charset=utf-7'],
  ['content-type', ''],
  ['authorization', 'Bearer'],
  ['authorization', 'Basic dXNlcjpwYXNz'],
  ['authorization', 'Bearer no-such-token'],
  ['authorization', `Bearer ${'x'.repeat(5000)}`],
  ['accept', 'text/html'],
  ['expect', '200-maybe'],
  ['content-encoding', 'gzip'],
  ['x-http-method-override', 'DELETE'],
  ['if-modified-since', 'yesterday'],
  ['range', 'bytes=0-1'],
  ['transfer-encoding', 'identity'],
];

export const METHODS = ['GET', 'POST', 'DELETE', 'PUT', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE'] as const;

/** Bytes that are hardly HTTP: pure noise, broken request lines, cut bodies, contradicting lengths, floods. */
export function rawBytes(random: Random): Buffer {
  const kind = random.between(0, 9);
  const line = (text: string) => Buffer.from(`${text}\r\nhost: x\r\n\r\n`);
  if (kind === 0) return Buffer.from(Array.from({ length: random.between(1, 400) }, () => random.between(0, 255)));
  if (kind === 1) return line(`GET ${random.pick(HOSTILE_TEXT)} HTTP/1.1`);
  if (kind === 2) return line(`${random.pick(['get', 'FETCH', 'GE T', ''])} /orders HTTP/${random.between(0, 9)}.9`);
  if (kind === 3)
    return Buffer.from('POST /orders HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\n');
  if (kind === 4) return Buffer.from('POST /orders HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n{}');
  if (kind === 5) return Buffer.from(`GET /events HTTP/1.1\r\n${'a: b\r\n'.repeat(random.between(1000, 4000))}\r\n`);
  if (kind === 6)
    return Buffer.from('POST /orders HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nboo\r\n');
  if (kind === 7) return Buffer.from('GET / HTTP/1.1\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n');
  if (kind === 8) return Buffer.concat(Array.from({ length: 20 }, () => line('GET /market-types HTTP/1.1')));
  return Buffer.from('GET /events HTTP/1.1\nhost: x\n\n');
}
