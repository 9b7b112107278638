/** One socket of the stream: it sends what was written once for many, and ends when it is idle, old or too slow. */

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
  /** Undefined until it has authenticated. */
  caller: Caller | undefined;
  readonly #socket: WebSocket;
  readonly #clock: Clock;
  readonly #limits: StreamLimits;
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
    /** Called once, when nothing is sent any more. */
    readonly onEnd: (peer: Peer) => void;
  }) {
    this.id = parts.id;
    this.#socket = parts.socket;
    this.#clock = parts.clock;
    this.#limits = parts.limits;
    this.#onEnd = parts.onEnd;
    this.since = instant(Math.floor(parts.clock.now()));
    this.#activeAt = this.since;
    this.#look();
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Bytes that the network has not taken yet. */
  get backlog(): number {
    return this.#socket.bufferedAmount;
  }

  /** Names a request of this connection, in a problem. */
  nextRequestId(): string {
    this.#requests += 1;
    return `${this.id}-${this.#requests}`;
  }

  /** A frame came, of whatever kind. */
  heard(): void {
    this.#activeAt = this.#clock.now();
  }

  /** Sends a text that was encoded before; `then` is called when the network has it. */
  send(text: Buffer, then?: () => void): void {
    if (this.#hasEnded) return;
    this.#activeAt = this.#clock.now();
    this.#socket.send(text, { binary: false }, then);
    // A goodbye would wait behind what the peer does not read.
    if (this.#socket.bufferedAmount > this.#limits.backlogBytesMax) this.cut();
  }

  /** Says goodbye. */
  close(code: number, reason: string): void {
    if (this.#hasEnded) return;
    this.#end();
    this.#socket.close(code, reason);
  }

  /** Drops the line. */
  cut(): void {
    if (this.#hasEnded) return;
    this.#end();
    this.#socket.terminate();
  }

  /** The socket is closed. */
  ended(): void {
    if (!this.#hasEnded) this.#end();
  }

  #end(): void {
    this.#hasEnded = true;
    this.#watch.unsubscribe();
    this.#onEnd(this);
  }

  /** One timer at a time: what is sent or heard meanwhile only moves the next look. */
  #look(): void {
    if (this.#hasEnded) return;
    const now = this.#clock.now();
    const idleAt = this.#activeAt + this.#limits.idleMs;
    const oldAt = this.since + this.#limits.ageMs;
    if (now >= oldAt) return this.close(GOING_AWAY, 'the connection is too old');
    if (now >= idleAt) return this.close(GOING_AWAY, 'the connection is idle');
    this.#watch = this.#clock.schedule(() => this.#look(), Math.min(idleAt, oldAt) - now);
  }
}
