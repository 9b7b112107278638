/** One connection of the stream: it sends encoded frames, and closes when it is idle, too old or too slow. */

import { Subscription } from 'rxjs';
import type { WebSocket } from 'ws';
import { type Instant, instant } from '../../core/number/units.ts';
import type { Clock } from '../../time/clock.ts';
import type { Caller } from '../operations/shared/operation.ts';
import type { StreamLimits } from './stream-limits.ts';

/** Close codes of RFC 6455. */
export const GOING_AWAY = 1001;
export const POLICY = 1008;

export class Peer {
  readonly id: string;
  readonly since: Instant;
  /** Undefined until the connection has authenticated. */
  caller: Caller | undefined;
  readonly #socket: WebSocket;
  readonly #clock: Clock;
  readonly #limits: StreamLimits;
  readonly #leaving: (text: Buffer, caller: Caller | undefined) => Buffer;
  readonly #onEnd: (peer: Peer) => void;
  #watch = new Subscription();
  #activeAt: number;
  #requests = 0;
  #hasEnded = false;

  constructor(parts: {
    readonly id: string;
    readonly socket: WebSocket;
    readonly clock: Clock;
    readonly limits: StreamLimits;
    /** The frame as it leaves: faults may change it. */
    readonly leaving?: (text: Buffer, caller: Caller | undefined) => Buffer;
    /** Called once, when the connection has ended and sends nothing more. */
    readonly onEnd: (peer: Peer) => void;
  }) {
    this.id = parts.id;
    this.#socket = parts.socket;
    this.#clock = parts.clock;
    this.#limits = parts.limits;
    this.#leaving = parts.leaving ?? ((text) => text);
    this.#onEnd = parts.onEnd;
    this.since = instant(Math.floor(parts.clock.now()));
    this.#activeAt = this.since;
    this.#checkAge();
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Bytes that are not yet handed to the network. */
  get backlog(): number {
    return this.#socket.bufferedAmount;
  }

  /** A new id for a request of this connection, used in problems. */
  nextRequestId(): string {
    this.#requests += 1;
    return `${this.id}-${this.#requests}`;
  }

  /** Notes that a frame of any kind arrived. */
  noteActivity(): void {
    this.#activeAt = this.#clock.now();
  }

  /** Sends an encoded text; `then` is called once the network has it. Cuts a connection whose backlog is too large. */
  send(text: Buffer, then?: () => void): void {
    if (this.#hasEnded) return;
    this.#activeAt = this.#clock.now();
    this.#socket.send(this.#leaving(text, this.caller), { binary: false }, then);
    // A close frame would wait behind the data that the client does not read.
    if (this.#socket.bufferedAmount > this.#limits.backlogBytesMax) this.cut();
  }

  /** Closes the connection with a close frame. */
  close(code: number, reason: string): void {
    if (this.#hasEnded) return;
    this.#end();
    this.#socket.close(code, reason);
  }

  /** Cuts the connection without a close frame. */
  cut(): void {
    if (this.#hasEnded) return;
    this.#end();
    this.#socket.terminate();
  }

  /** Notes that the socket is closed. */
  onSocketClosed(): void {
    if (!this.#hasEnded) this.#end();
  }

  #end(): void {
    this.#hasEnded = true;
    this.#watch.unsubscribe();
    this.#onEnd(this);
  }

  /**
   * Closes the connection when it is idle or too old. There is one timer at a time, which looks at the last activity
   * when it fires.
   */
  #checkAge(): void {
    if (this.#hasEnded) return;
    const now = this.#clock.now();
    const idleAt = this.#activeAt + this.#limits.idleMs;
    const oldAt = this.since + this.#limits.ageMs;
    if (now >= oldAt) return this.close(GOING_AWAY, 'the connection is too old');
    if (now >= idleAt) return this.close(GOING_AWAY, 'the connection is idle');
    this.#watch = this.#clock.schedule(() => this.#checkAge(), Math.min(idleAt, oldAt) - now);
  }
}
