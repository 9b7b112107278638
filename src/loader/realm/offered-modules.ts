/** What strategies have of Node's modules: what computes at once from what it is given, and tells nothing of the machine. */

import assert from 'node:assert';
import buffer from 'node:buffer';
import crypto, { type BinaryLike, type BinaryToTextEncoding, type HashOptions } from 'node:crypto';
import events from 'node:events';
import path, { type PlatformPath } from 'node:path';
import querystring from 'node:querystring';
import stringDecoder from 'node:string_decoder';
import url from 'node:url';
import util, { type InspectOptions } from 'node:util';
import zlib from 'node:zlib';

/** What a strategy is given of each module, by the module's name. */
export const OFFERED: ReadonlyMap<string, object> = new Map<string, object>([
  ['assert', asserting()],
  ['assert/strict', asserting()],
  ['buffer', only(buffer, ['Buffer', 'atob', 'btoa', 'constants', 'isAscii', 'isUtf8', 'kMaxLength', 'transcode'])],
  [
    'crypto',
    {
      ...only(crypto, ['constants', 'getHashes', 'hkdfSync', 'pbkdf2Sync', 'scryptSync', 'timingSafeEqual']),
      ...digests(),
    },
  ],
  ['events', emitting()],
  ['path', rooted(path)],
  ['path/posix', rooted(path.posix)],
  ['path/win32', rooted(path.win32)],
  ['querystring', { ...querystring }],
  ['stream', {}],
  ['string_decoder', { ...stringDecoder }],
  ['url', only(url, ['URL', 'URLSearchParams', 'domainToASCII', 'domainToUnicode', 'format', 'parse', 'resolve'])],
  ['util', utilities()],
  ['util/types', util.types],
  ['zlib', only(zlib, Object.keys(zlib).filter(isAtOnce))],
]);

function only<T extends object>(module: T, names: readonly (keyof T & string)[]): object {
  return Object.fromEntries(names.filter((name) => name in module).map((name) => [name, module[name]]));
}

/** What zlib does later fails in Node's own code, from which nobody learns whose it was. */
function isAtOnce(name: string): name is keyof typeof zlib & string {
  return name.endsWith('Sync') || name === 'crc32' || name === 'constants' || name === 'codes';
}

/** Without what waits for promises: they are of the strategy's own making, and would be given functions of ours. `ok` is the whole module. */
function asserting(): object {
  const { rejects: _r, doesNotReject: _d, strict: _s, CallTracker: _c, Assert: _a, ...offered } = Object(assert);
  const ok = (isSo: unknown, message?: string): void => assert(isSo, message);
  return Object.assign((isSo: unknown, message?: string) => ok(isSo, message), { ...offered, ok });
}

/** A digest is a stream as well, which strategies have not. */
class Digest {
  readonly #hash: crypto.Hash | crypto.Hmac;

  constructor(hash: crypto.Hash | crypto.Hmac) {
    this.#hash = hash;
  }

  update(data: string | Uint8Array, encoding?: 'utf8'): this {
    this.#hash.update(data as string, encoding as 'utf8');
    return this;
  }

  digest(encoding?: BinaryToTextEncoding): string | Uint8Array {
    return encoding === undefined ? this.#hash.digest() : this.#hash.digest(encoding);
  }
}

function digests(): object {
  return {
    createHash: (algorithm: string, options?: HashOptions) => new Digest(crypto.createHash(algorithm, options)),
    createHmac: (algorithm: string, key: BinaryLike) => new Digest(crypto.createHmac(algorithm, key)),
  };
}

/** Always without options: with them it would wait for the promises of listeners. */
function emitting(): object {
  class Emitter extends events.EventEmitter {
    // biome-ignore lint/complexity/noUselessConstructor: it drops what it is given
    constructor() {
      super();
    }
  }
  return Object.assign(Emitter, {
    EventEmitter: Emitter,
    defaultMaxListeners: events.EventEmitter.defaultMaxListeners,
  });
}

/** Paths from the root, and not from where the process was started. */
function rooted(of: PlatformPath, isInner = false): object {
  const root = of.sep === '/' ? '/' : 'C:\\';
  const resolve = (...parts: string[]): string => of.resolve(root, ...parts);
  const relative = (from: string, to: string): string => of.relative(resolve(from), resolve(to));
  const inner = isInner ? {} : { posix: rooted(of.posix, true), win32: rooted(of.win32, true) };
  const { posix: _p, win32: _w, ...others } = of;
  return { ...others, resolve, relative, ...inner };
}

/** An object's own way of being shown is a function of the strategy's, which would be given ours. */
function utilities(): object {
  const plainly = (options: unknown): InspectOptions => ({ ...Object(options), customInspect: false });
  const format = (...values: readonly unknown[]): string => util.formatWithOptions({ customInspect: false }, ...values);
  return {
    ...only(util, ['isDeepStrictEqual', 'promisify', 'stripVTControlCharacters', 'toUSVString', 'types']),
    ...only(util, ['TextDecoder', 'TextEncoder']),
    inspect: Object.assign((value: unknown, options?: unknown) => util.inspect(value, plainly(options)), {
      custom: util.inspect.custom,
    }),
    format,
  };
}
