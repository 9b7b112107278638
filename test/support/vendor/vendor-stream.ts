/** A stranger's stream client: a plain socket, every frame checked strictly by hand-written shapes. */

import WebSocket from 'ws';
import { namedShape, STREAM_SHAPES, strictFaults } from '../wire-strict.ts';
import type { Json } from './vendor-client.ts';

export class VendorStream {
  /** Every message so far, in order; arrays are taken apart. */
  readonly messages: Json[] = [];
  readonly faults: string[] = [];
  readonly #socket: WebSocket;
  readonly #waiting = new Set<() => void>();

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data) => this.#take(String(data)));
    socket.on('error', (error) => this.faults.push(String(error)));
  }

  static open(url: string): Promise<VendorStream> {
    const socket = new WebSocket(url, { origin: 'https://client.example' });
    const stream = new VendorStream(socket);
    return new Promise((resolve, reject) => {
      socket.once('open', () => resolve(stream));
      socket.once('error', reject);
    });
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  send(message: Json): void {
    this.#socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  async authenticate(accessToken: string): Promise<void> {
    this.send({ action: 'authenticate', accessToken });
    await this.until((message) => message.type === 'AuthenticationUpdate');
  }

  /** Waits for the confirmation of each id. */
  async subscribe(subscriptionType: string, subscriptionIds: readonly string[], action = 'subscribe'): Promise<void> {
    const type = action === 'subscribe' ? 'SubscribeUpdate' : 'UnsubscribeUpdate';
    const from = this.messages.length;
    this.send({ action, subscriptionType, subscriptionIds });
    for (const id of subscriptionIds) {
      await this.until(
        (message) =>
          message.type === type && message.subscriptionType === subscriptionType && message.subscriptionId === id,
        from,
      );
    }
  }

  /** The first message from an index on that fits; an error once the time is up. */
  async until(fits: (message: Json) => boolean, from = 0, timeoutMs = 10_000): Promise<Json> {
    const end = Date.now() + timeoutMs;
    let next = from;
    while (true) {
      for (; next < this.messages.length; next += 1) if (fits(this.messages[next])) return this.messages[next];
      if (Date.now() >= end) throw new Error(`nothing came that fits; last: ${JSON.stringify(this.messages.at(-1))}`);
      await this.#news(end - Date.now());
    }
  }

  async silence(ms: number): Promise<number> {
    const before = this.messages.length;
    await new Promise((resolve) => setTimeout(resolve, ms));
    return this.messages.length - before;
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#socket.readyState === WebSocket.CLOSED) return resolve();
      this.#socket.once('close', () => resolve());
      this.#socket.close();
    });
  }

  #news(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.#waiting.add(done);
    });
  }

  #take(text: string): void {
    if (text === '') this.faults.push('an empty frame');
    const frame: Json = JSON.parse(text);
    for (const message of Array.isArray(frame) ? frame : [frame]) this.#check(message, Array.isArray(frame));
    for (const wake of [...this.#waiting]) wake();
  }

  #check(message: Json, inArray: boolean): void {
    const known = STREAM_SHAPES.find((name) => name === message.type);
    if (known === undefined && message.type !== undefined) this.faults.push(`unknown type ${message.type}`);
    if (known === 'AuthenticationUpdate' && inArray) this.faults.push('AuthenticationUpdate in an array');
    this.faults.push(...strictFaults(namedShape(known ?? 'StreamProblem'), message, known ?? 'problem'));
    this.messages.push(message);
  }
}
