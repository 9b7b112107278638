/** The network, through an undici pool: HTTP/1.1 with kept connections and one request at a time on each. */

import type { IncomingHttpHeaders } from 'node:http';
import { type Dispatcher, Pool } from 'undici';
import type { Clock } from '../../time/clock.ts';
import { openTunnel, type TunnelTls } from './proxy-tunnel.ts';
import type { Sending, Transport, WireReply, WireRequest } from './transport.ts';

export interface PoolSettings {
  /** Scheme, host and port, such as `https://host:443`. */
  readonly origin: string;
  /** Address of the HTTP proxy through which connections are made, if any. */
  readonly proxy?: string;
  /** A certificate of our own with its key, and an authority that is trusted beside the known ones; PEM. */
  readonly tls?: TunnelTls;
  readonly clock: Clock;
  readonly connections: number;
  readonly connectTimeoutMs: number;
  /** How long an idle connection is kept if the server does not say, ms. */
  readonly keepAliveMs: number;
  /** Bytes of the largest answer that is accepted. */
  readonly answerMax: number;
}

/** Bytes of a refusal that are read; the rest is ignored. */
export const REFUSAL_MAX = 64 * 1024;

/** Sends requests over the network. Deadlines are the caller's, on its own clock: undici's coarse timers are switched off. */
export class PoolTransport implements Transport {
  readonly #pool: Pool;
  readonly #settings: PoolSettings;

  constructor(settings: PoolSettings) {
    this.#settings = settings;
    this.#pool = new Pool(settings.origin, {
      connections: settings.connections,
      pipelining: 1,
      allowH2: false,
      connect: connector(settings),
      keepAliveTimeout: settings.keepAliveMs,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /**
   * Uses undici's `dispatch`: unlike `request`, it shows whether the first byte was written, and it makes no stream of the
   * answer.
   */
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

/** How undici makes a connection. */
function connector({
  origin,
  proxy,
  tls,
  connectTimeoutMs: timeoutMs,
}: PoolSettings): NonNullable<Pool.Options['connect']> {
  if (proxy === undefined) return { timeout: timeoutMs, ...tls };
  return (_, callback) =>
    openTunnel({ proxy, to: new URL(origin), timeoutMs, ...(tls && { tls }) }, (opened) =>
      opened instanceof Error ? callback(opened, null) : callback(null, opened),
    );
}

/** One request and its reply. Undici calls `onRequestStart` just before it writes the first byte. */
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

  /**
   * An exception ends the request and leaves its connection unharmed. Starting a request a second time could place a second
   * order.
   */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#onReply === undefined || this.#controller !== undefined) throw new Error('a request is sent once');
    this.#controller = controller;
  }

  /** Called again after an informational answer (status 1xx). */
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

  /** Ends the reading of a refusal early: its status and the beginning of its body are enough. */
  #cut(): void {
    this.onResponseEnd();
    this.#controller?.abort(new Error('the rest of a refusal is not read'));
  }

  #break(details: string): void {
    this.#deliver({ kind: 'garbled', details });
    this.#controller?.abort(new Error(details));
  }

  /**
   * Passes on the reply. A request that undici refuses by itself fails before `dispatch` returns: that reply is delivered
   * later.
   */
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

/** The value of a header. Undici gives a list if a header came twice, although its types say otherwise. */
function single(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'object' ? value[0] : value;
}

/**
 * Whether the answer was not valid HTTP: headers that are too large, or an error of the parser. If the parser only complains
 * that no more bytes came, the connection was lost.
 */
function isGarbled(error: Error): boolean {
  if (error.name === 'HTTPParserError') return !('data' in error && error.data === '');
  return codeOf(error) === 'UND_ERR_HEADERS_OVERFLOW';
}

/** Only code and message: the object of a network error may hold sockets. */
function faultText(error: Error): string {
  const code = codeOf(error);
  return code === undefined || error.message.includes(code) ? error.message : `${error.message} (${code})`;
}

function codeOf(error: Error): string | undefined {
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
