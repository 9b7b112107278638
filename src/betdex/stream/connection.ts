/**
 * One WebSocket connection from its start to its end: token, handshake, authentication, checks that it is alive, and the reason
 * for its end.
 */

import { defer, Subscription, take } from 'rxjs';
import { type ClientOptions, type RawData, WebSocket } from 'ws';
import { faultText } from '../../codec/fault.ts';
import { assert } from '../../core/checks/assert.ts';
import { type Instant, instant } from '../../core/number/units.ts';
import { openTunnel } from '../../exchange-live/connection/proxy-tunnel.ts';
import {
  type ClientMessage,
  clientMessageToWire,
  type FrameItem,
  type ServerMessage,
  serverFrameFromWire,
} from '../wire/messages/stream-codec.ts';
import type { StreamEndCode, StreamTroubleCode } from './stream-event.ts';
import type { StreamSettings } from './stream-settings.ts';

/** The messages that are passed on once the connection is authenticated. */
export type SubscriberMessage = Exclude<
  ServerMessage,
  { readonly type: 'AuthenticationUpdate' | 'SubscribeNotAuthenticatedUpdate' }
>;

/** Its functions are called in the order in which things happen; after `ended`, or after `drop`, none is called any more. */
export interface ConnectionListener {
  authenticated(connectionId: string): void;
  message(message: SubscriberMessage, receivedAt: Instant): void;
  trouble(code: StreamTroubleCode, details: string): void;
  ended(code: StreamEndCode, details: string): void;
}

type Phase = 'new' | 'token' | 'opening' | 'authenticating' | 'ready' | 'ended';

/** Longer texts of the exchange are cut to this many characters. */
const TEXT_MAX = 500;
const NORMAL_CLOSURE = 1000;

/** One socket. It ends once, for a reason that it reports, and is never used again. */
export class StreamConnection {
  readonly #settings: StreamSettings;
  readonly #listener: ConnectionListener;
  #phase: Phase = 'new';
  #socket: WebSocket | undefined;
  /** Kept in order to remove it from every text of the exchange that is reported. */
  #token = '';
  #waiting = new Subscription();
  #timer = new Subscription();
  /** Number of frames of any kind so far. `#lastFrameAt` is when the last one came, ms on our clock. */
  #frames = 0;
  #lastFrameAt = 0;
  #probes = 0;
  #probe: { readonly payload: string; readonly done: () => void } | undefined;

  constructor(settings: StreamSettings, listener: ConnectionListener) {
    this.#settings = settings;
    this.#listener = listener;
  }

  /** `refused` is passed to the token source: the last token was refused, so a fresh one is needed. */
  open(refused: boolean): void {
    assert(this.#phase === 'new', 'a connection is opened once');
    this.#phase = 'token';
    this.#deadline(this.#settings.limits.connectTimeoutMs, 'TOKEN_UNAVAILABLE', 'none came in time');
    const { token } = this.#settings;
    this.#waiting = defer(() => token(refused))
      .pipe(take(1))
      .subscribe({
        next: (value) => this.#connect(value),
        error: (error: unknown) => this.#end('TOKEN_UNAVAILABLE', textOf(error)),
        complete: () => {
          if (this.#phase === 'token') this.#end('TOKEN_UNAVAILABLE', 'the source ended without one');
        },
      });
  }

  /** Sends a message on an authenticated connection; does nothing on one that has ended. */
  send(message: ClientMessage): void {
    if (this.#phase === 'ended') return;
    assert(this.#phase === 'ready', 'nothing is sent before authentication');
    this.#write(message);
  }

  /**
   * Sends a ping and calls `done` when the exchange has answered it: everything that the exchange sent before has then been
   * received.
   */
  probe(done: () => void): void {
    if (this.#phase !== 'ready') return;
    this.#probes += 1;
    const payload = `probe ${this.#probes}`;
    this.#probe = { payload, done };
    this.#socket?.ping(payload);
  }

  /** Ends the connection without reporting it. */
  drop(): void {
    this.#finish();
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.close(NORMAL_CLOSURE);
    else this.#socket?.terminate();
  }

  #connect(token: string): void {
    if (this.#phase !== 'token') return;
    this.#token = token;
    this.#phase = 'opening';
    const { url, proxy, limits } = this.#settings;
    const { connectTimeoutMs: timeoutMs } = limits;
    this.#deadline(timeoutMs, 'CONNECT_TIMEOUT', `after ${timeoutMs} ms`);
    if (proxy === undefined) return this.#shakeHands({});
    openTunnel({ proxy, to: new URL(url), timeoutMs }, (opened) => {
      if (opened instanceof Error) this.#end('CONNECT_FAILED', opened.message);
      else if (this.#isEnded()) opened.destroy();
      else this.#shakeHands({ createConnection: () => opened });
    });
  }

  #shakeHands(way: ClientOptions): void {
    const { url, limits } = this.#settings;
    // The types of ws lack closeTimeout, without which a peer that closes properly may keep the socket open for 30 s.
    const options: ClientOptions & { readonly closeTimeout: number } = {
      perMessageDeflate: false,
      maxPayload: limits.frameBytesMax,
      closeTimeout: limits.closeTimeoutMs,
      ...way,
    };
    const socket = new WebSocket(url, options);
    this.#socket = socket;
    socket.on('open', () => this.#authenticate());
    socket.on('message', (data, isBinary) => this.#onFrame(data, isBinary));
    socket.on('ping', () => this.#onAnyFrame());
    socket.on('pong', (data) => this.#onPong(data.toString()));
    // This listener is never removed: a socket that is dropped while it connects still emits an error (ws, abortHandshake).
    socket.on('error', (error) => this.#onError(error));
    socket.on('close', (code, reason) => this.#onClose(code, reason.toString()));
  }

  #authenticate(): void {
    if (this.#phase !== 'opening') return;
    this.#phase = 'authenticating';
    const { authenticationTimeoutMs } = this.#settings.limits;
    this.#deadline(authenticationTimeoutMs, 'NOT_AUTHENTICATED', `no reply within ${authenticationTimeoutMs} ms`);
    this.#write({ action: 'authenticate', accessToken: this.#token });
  }

  #write(message: ClientMessage): void {
    const { backlogBytesMax } = this.#settings.limits;
    const backlog = this.#socket?.bufferedAmount ?? 0;
    if (backlog > backlogBytesMax) this.#end('SEND_BACKLOG', `${backlog} bytes wait`);
    else this.#socket?.send(JSON.stringify(clientMessageToWire(message)));
  }

  #onFrame(data: RawData, isBinary: boolean): void {
    if (this.#phase === 'ended') return;
    this.#onAnyFrame();
    const receivedAt = instant(this.#settings.clock.now());
    if (isBinary) return this.#trouble('BAD_FRAME', 'a binary frame');
    const frame = serverFrameFromWire(data.toString());
    if (frame.kind === 'faults') return this.#trouble('BAD_FRAME', frame.faults.map(faultText).join('; '));
    for (const item of frame.value) this.#onItem(item, receivedAt);
  }

  #onItem(item: FrameItem, receivedAt: Instant): void {
    // The listener may have dropped the connection because of an earlier message of this frame.
    if (this.#isEnded()) return;
    if (item.kind === 'faulty') return this.#trouble('BAD_FRAME', item.faults.map(faultText).join('; '));
    if (item.kind === 'unknown') return this.#trouble('UNKNOWN_TYPE', item.type);
    if (item.kind === 'problem') {
      const { message, requestId } = item.problem;
      return this.#trouble('PROBLEM', `${message} (request ${requestId})`);
    }
    const { message } = item;
    if (message.type === 'AuthenticationUpdate') return this.#onAuthenticated(message.connectionId);
    if (message.type === 'SubscribeNotAuthenticatedUpdate')
      return this.#end('NOT_AUTHENTICATED', 'a subscription was refused for want of authentication');
    this.#listener.message(message, receivedAt);
  }

  #onAuthenticated(connectionId: string): void {
    if (this.#phase !== 'authenticating') return;
    this.#phase = 'ready';
    this.#watch();
    this.#listener.authenticated(connectionId);
  }

  /** One timer at a time, which is set again only when it fires: so frames cost no scheduling. */
  #watch(): void {
    const { clock, limits } = this.#settings;
    const quietMs = clock.now() - this.#lastFrameAt;
    this.#after(limits.pingAfterMs - quietMs, () => {
      if (clock.now() - this.#lastFrameAt < limits.pingAfterMs) this.#watch();
      else this.#ping();
    });
  }

  #ping(): void {
    const { pongTimeoutMs } = this.#settings.limits;
    const before = this.#frames;
    this.#socket?.ping();
    this.#after(pongTimeoutMs, () => {
      if (this.#frames > before) this.#watch();
      else this.#end('NO_PONG', `within ${pongTimeoutMs} ms`);
    });
  }

  #onAnyFrame(): void {
    this.#frames += 1;
    this.#lastFrameAt = this.#settings.clock.now();
  }

  #onPong(payload: string): void {
    if (this.#phase === 'ended') return;
    this.#onAnyFrame();
    if (this.#probe?.payload !== payload) return;
    const { done } = this.#probe;
    this.#probe = undefined;
    done();
  }

  #onError(error: Error): void {
    const code = 'code' in error ? String(error.code) : '';
    if (code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH')
      return this.#end('OVERSIZED_FRAME', `more than ${this.#settings.limits.frameBytesMax} bytes`);
    if (this.#phase === 'opening') return this.#end('CONNECT_FAILED', textOf(error));
    this.#end(code.startsWith('WS_ERR') ? 'PROTOCOL_ERROR' : 'CUT', textOf(error));
  }

  #onClose(code: number, reason: string): void {
    // Code 1006 means that no close frame came.
    if (code === 1006) this.#end('CUT', 'no close frame');
    else this.#end('CLOSED', `code ${code}${reason === '' ? '' : `, ${reason}`}`);
  }

  #trouble(code: StreamTroubleCode, details: string): void {
    this.#listener.trouble(code, this.#safe(details));
  }

  #end(code: StreamEndCode, details: string): void {
    if (this.#phase === 'ended') return;
    this.#finish();
    this.#socket?.terminate();
    this.#listener.ended(code, this.#safe(details));
  }

  #finish(): void {
    this.#phase = 'ended';
    this.#waiting.unsubscribe();
    this.#timer.unsubscribe();
    this.#probe = undefined;
  }

  #isEnded(): boolean {
    return this.#phase === 'ended';
  }

  #deadline(ms: number, code: StreamEndCode, details: string): void {
    this.#after(ms, () => this.#end(code, details));
  }

  #after(ms: number, work: () => void): void {
    this.#timer.unsubscribe();
    this.#timer = this.#settings.clock.schedule(work, Math.max(0, ms));
  }

  /** A text that may be reported: without the token, and cut to TEXT_MAX. */
  #safe(text: string): string {
    const clean = this.#token === '' ? text : text.replaceAll(this.#token, '[access token]');
    return clean.length > TEXT_MAX ? `${clean.slice(0, TEXT_MAX)}…` : clean;
  }
}

/** An error about several addresses (Node's AggregateError) has no message of its own, only a code. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message === '' && 'code' in error ? String(error.code) : error.message;
}
