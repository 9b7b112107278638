/** Lines over TLS, directly or through an HTTP proxy. */

import { isIP, type Socket } from 'node:net';
import { connect } from 'node:tls';
import { openTunnel } from '../../../exchange-live/connection/proxy-tunnel.ts';
import { LineReader } from '../../wire/stream/line-reader.ts';
import { LINE_END } from '../../wire/stream/messages.ts';
import type { CarrierListener, LineCarrier, OpenCarrier } from './line-carrier.ts';
import type { StreamEndCode } from './stream-event.ts';

export interface TlsAddress {
  readonly host: string;
  readonly port: number;
  /** Certificates of authorities, in PEM, that are trusted instead of those that Node trusts: for a server of our own. */
  readonly authority?: string;
  /** Address of an HTTP proxy, with user and password if it asks for them. */
  readonly proxy?: string;
}

export interface CarrierLimits {
  /** A longer line of the server ends the connection. */
  readonly lineBytesMax: number;
  /** Time for the proxy's answer. */
  readonly connectTimeoutMs: number;
}

export function tlsCarrier(address: TlsAddress, limits: CarrierLimits): OpenCarrier {
  return (listener) => new TlsCarrier(address, limits, listener);
}

class TlsCarrier implements LineCarrier {
  readonly #listener: CarrierListener;
  readonly #limits: CarrierLimits;
  readonly #lines: LineReader;
  #socket: Socket | undefined;
  #isOpen = false;
  #isOver = false;

  constructor(address: TlsAddress, limits: CarrierLimits, listener: CarrierListener) {
    const { host, port, authority, proxy } = address;
    this.#listener = listener;
    this.#limits = limits;
    this.#lines = new LineReader(limits.lineBytesMax);
    if (proxy !== undefined) {
      const tunnel = { proxy, to: new URL(`https://${host}:${port}`), timeoutMs: limits.connectTimeoutMs };
      openTunnel(tunnel, (opened) => {
        if (opened instanceof Error) this.#end('CONNECT_FAILED', opened.message);
        else if (this.#isOver) opened.destroy();
        else this.#take(opened).#onOpen();
      });
      return;
    }
    const trusted = authority === undefined ? {} : { ca: authority };
    // An address of numbers is no name to ask for.
    const named = isIP(host) === 0 ? { servername: host } : {};
    this.#take(connect({ host, port, ...named, ...trusted })).#socket?.once('secureConnect', () => this.#onOpen());
  }

  send(line: string): void {
    if (this.#socket?.writable === true) this.#socket.write(line + LINE_END);
  }

  drop(): void {
    this.#isOver = true;
    this.#socket?.destroy();
  }

  #take(socket: Socket): this {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.#read(chunk));
    socket.on('error', (error) => this.#end(this.#isOpen ? 'CUT' : 'CONNECT_FAILED', textOf(error)));
    socket.on('close', () => this.#end(this.#isOpen ? 'CUT' : 'CONNECT_FAILED', 'the connection was closed'));
    return this;
  }

  #onOpen(): void {
    if (this.#isOver) return;
    this.#isOpen = true;
    this.#listener.opened();
  }

  #read(chunk: Buffer): void {
    if (this.#isOver) return;
    const lines = this.#lines.read(chunk);
    if (lines === undefined) this.#end('OVERSIZED', `a line has more than ${this.#limits.lineBytesMax} bytes`);
    else if (lines.length > 0) this.#listener.lines(lines);
  }

  #end(code: StreamEndCode, details: string): void {
    if (this.#isOver) return;
    this.drop();
    this.#listener.ended(code, details);
  }
}

/** An error about several addresses (Node's AggregateError) has no message of its own, only a code. */
function textOf(error: Error): string {
  return error.message === '' && 'code' in error ? String(error.code) : error.message;
}
