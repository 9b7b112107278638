/** The network, by way of an undici pool: HTTP/1.1 with kept connections and one request at a time on each. */

import type { IncomingHttpHeaders } from 'node:http';
import { type Dispatcher, Pool } from 'undici';
import type { Clock } from '../../time/clock.ts';
import type { Sending, Transport, WireReply, WireRequest } from './transport.ts';

export interface PoolSettings {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly clock: Clock;
  readonly connections: number;
  readonly connectTimeoutMs: number;
  /** How long an idle connection is kept where the server does not say. */
  readonly keepAliveMs: number;
  /** Bytes of the largest answer that is read. */
  readonly answerMax: number;
}

/** Bytes of a refusal that are kept; the rest is not read. */
export const REFUSAL_MAX = 64 * 1024;

/** Deadlines are the caller's, on its clock: undici's own coarse timers are off. */
export class PoolTransport implements Transport {
  readonly #pool: Pool;
  readonly #settings: PoolSettings;

  constructor(settings: PoolSettings) {
    this.#settings = settings;
    this.#pool = new Pool(settings.origin, {
      connections: settings.connections,
      pipelining: 1,
      allowH2: false,
      connect: { timeout: settings.connectTimeoutMs },
      keepAliveTimeout: settings.keepAliveMs,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** By `dispatch`: unlike `request`, it tells whether the first byte was written, and it makes no stream of an answer. */
  send(request: WireRequest, onReply: (reply: WireReply) => void): Sending {
    const exchange = new HttpExchange(onReply, this.#settings);
    this.#pool.dispatch(request, exchange);
    exchange.isDispatched = true;
    return exchange;
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }
}

/** One request and what comes of it. Undici calls `onRequestStart` just before it writes the first byte. */
class HttpExchange implements Sending, Dispatcher.DispatchHandler {
  isDispatched = false;
  #onReply: ((reply: WireReply) => void) | undefined;
  readonly #settings: PoolSettings;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  readonly #chunks: Buffer[] = [];
  #size = 0;

  constructor(onReply: (reply: WireReply) => void, settings: PoolSettings) {
    this.#onReply = onReply;
    this.#settings = settings;
  }

  get hasBegun(): boolean {
    return this.#controller !== undefined;
  }

  cancel(): void {
    this.#onReply = undefined;
    this.#controller?.abort(new Error('the call was given up'));
  }

  /** Throwing ends the request and leaves its connection unharmed; starting a second time could place a second order. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#onReply === undefined || this.#controller !== undefined) throw new Error('a request is sent once');
    this.#controller = controller;
  }

  /** Comes again after an informational answer. */
  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.#status = status;
    this.#headers = headers;
    const coding = single(headers['content-encoding']);
    if (coding !== undefined && coding !== 'identity') this.#break(`the answer is compressed (${coding})`);
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    const { answerMax } = this.#settings;
    if (this.#status >= 300) {
      if (this.#size > REFUSAL_MAX) this.#cut();
    } else if (this.#size > answerMax) this.#break(`the answer is longer than ${answerMax} bytes`);
  }

  onResponseEnd(): void {
    const retryAfter = single(this.#headers['retry-after']);
    const date = single(this.#headers.date);
    this.#deliver({
      kind: 'reply',
      status: this.#status,
      body: this.#body(),
      contentType: single(this.#headers['content-type']) ?? '',
      ...(retryAfter === undefined ? {} : { retryAfter }),
      ...(date === undefined ? {} : { date }),
    });
  }

  onResponseError(_: Dispatcher.DispatchController | undefined, error: Error): void {
    const details = faultText(error);
    if (!this.hasBegun) this.#deliver({ kind: 'unsent', details });
    else this.#deliver({ kind: isGarbled(error) ? 'garbled' : 'lost', details });
  }

  #body(): string {
    const [first] = this.#chunks;
    const whole = this.#chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.#chunks);
    return this.#status >= 300 ? whole.toString('utf8', 0, REFUSAL_MAX) : whole.toString('utf8');
  }

  /** A refusal is told by its status: the beginning of its body will do. */
  #cut(): void {
    this.onResponseEnd();
    this.#controller?.abort(new Error('the rest of a refusal is not read'));
  }

  #break(details: string): void {
    this.#deliver({ kind: 'garbled', details });
    this.#controller?.abort(new Error(details));
  }

  /** A request that undici turns down by itself fails before `dispatch` returns: that is told later. */
  #deliver(reply: WireReply): void {
    const onReply = this.#onReply;
    if (onReply === undefined) return;
    if (!this.isDispatched) {
      this.#settings.clock.schedule(() => this.#deliver(reply));
      return;
    }
    this.#onReply = undefined;
    onReply(reply);
  }
}

/** Undici gives a list where a header came twice, whatever its types say. */
function single(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'object' ? value[0] : value;
}

/** Headers beyond all measure, and the parser's complaints; at no byte it complains that there are no more: a lost end. */
function isGarbled(error: Error): boolean {
  if (error.name === 'HTTPParserError') return !('data' in error && error.data === '');
  return codeOf(error) === 'UND_ERR_HEADERS_OVERFLOW';
}

/** Code and message alone: an error of the network may drag sockets along. */
function faultText(error: Error): string {
  const code = codeOf(error);
  return code === undefined || error.message.includes(code) ? error.message : `${error.message} (${code})`;
}

function codeOf(error: Error): string | undefined {
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
