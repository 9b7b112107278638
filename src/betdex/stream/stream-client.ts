/**
 * The client of the exchange's stream: it keeps the wanted subscriptions on as many connections as they need, and emits events.
 */

import { type Observable, Subject } from 'rxjs';
import { RequestWindow } from '../../exchange-live/connection/request-window.ts';
import type { SubscriptionType } from '../wire/basics/enums.ts';
import { LastingConnection, type LastingConnectionContext } from './lasting-connection.ts';
import type { StreamEvent } from './stream-event.ts';
import { type StreamClientOptions, type StreamSettings, streamSettings } from './stream-settings.ts';

/**
 * Keeps the wanted subscriptions on as many connections as they need, and reports what comes as events. No event, error or inspection of the client shows the access token. Ids that are subscribed to while there is no connection
 * are requested once there is one.
 *
 * @example
 * import { map } from 'rxjs';
 *
 * const stream = new StreamClient({
 *   url: 'ws://127.0.0.1:8640/',
 *   clock: wallClock,
 *   random: Random.fromSeed(2),
 *   token: () =>
 *     client.accessToken().pipe(
 *       map((outcome) => {
 *         if (outcome.kind === 'failed') throw new Error(`${outcome.code}: ${outcome.details}`);
 *         return outcome.token.reveal();
 *       }),
 *     ),
 * });
 * stream.events$.subscribe((event) => {
 *   if (event.kind === 'message') console.log(event.message.type, event.receivedAt);
 * });
 * stream.subscribe('MarketPriceUpdate', ['*']);
 * stream.start();
 */
export class StreamClient {
  /** All events in order. Hot; it never emits during subscription, and completes on `close`. */
  readonly events$: Observable<StreamEvent>;
  readonly #events = new Subject<StreamEvent>();
  readonly #settings: StreamSettings;
  readonly #context: LastingConnectionContext;
  /** An entry is undefined if its connection is not needed any more. */
  readonly #connections: (LastingConnection | undefined)[] = [];
  readonly #connectionsMax: number;
  #phase: 'new' | 'started' | 'closed' = 'new';
  #isRotating = false;
  #queue: StreamEvent[] = [];
  #isEmitting = false;

  /**
   * Connects to nothing before `start`.
   * @throws TypeError where `url` is not a URL, AssertionFailure for other options that cannot be
   */
  constructor(options: StreamClientOptions) {
    this.#settings = streamSettings(options);
    const { connectionsMax, requestsMax, requestSpanMs } = this.#settings.limits;
    // One connection stays free for rotations, which need two at a time.
    this.#connectionsMax = Math.max(1, connectionsMax - 1);
    this.#context = {
      settings: this.#settings,
      window: new RequestWindow({ max: requestsMax, spanMs: requestSpanMs }),
      emit: (event) => this.#emit(event),
      takeSpare: () => this.#takeSpare(),
      returnSpare: () => {
        this.#isRotating = false;
      },
    };
    this.events$ = this.#events.asObservable();
  }

  /** Connects, and stays connected until `close`. */
  start(): void {
    if (this.#phase !== 'new') return;
    if (this.#connections[0] === undefined) this.#addConnection();
    this.#phase = 'started';
    for (const connection of this.#connections) connection?.open();
  }

  /** Subscribes to the updates of these ids, or of `*`. Ids that are already subscribed to are ignored. */
  subscribe(type: SubscriptionType, ids: readonly string[]): void {
    if (this.#phase === 'closed') return;
    const refused: string[] = [];
    const idsByConnection = new Map<LastingConnection, string[]>();
    for (const id of new Set(ids)) {
      if (this.#connectionOf(type, id) !== undefined) continue;
      const connection = this.#connectionWithRoom(idsByConnection);
      if (connection === undefined) refused.push(id);
      else push(idsByConnection, connection, id);
    }
    for (const [connection, connectionIds] of idsByConnection) connection.subscribe(type, connectionIds);
    if (refused.length > 0) this.#emit({ kind: 'refused', type, ids: refused });
  }

  /** Ends subscriptions. Updates that are already on their way may still come. */
  unsubscribe(type: SubscriptionType, ids: readonly string[]): void {
    if (this.#phase === 'closed') return;
    const idsByConnection = new Map<LastingConnection, string[]>();
    for (const id of new Set(ids)) {
      const connection = this.#connectionOf(type, id);
      if (connection !== undefined) push(idsByConnection, connection, id);
    }
    for (const [connection, connectionIds] of idsByConnection) {
      connection.unsubscribe(type, connectionIds);
      this.#closeIfIdle(connection);
    }
  }

  /** Closes the client for good, without further events, also while it is connecting. */
  close(): void {
    if (this.#phase === 'closed') return;
    this.#phase = 'closed';
    for (const connection of this.#connections) connection?.close();
    this.#queue = [];
    this.#events.complete();
  }

  #connectionOf(type: SubscriptionType, id: string): LastingConnection | undefined {
    return this.#connections.find((connection) => connection?.has(type, id) === true);
  }

  /** The first connection that has room besides the ids in `added`; a new one if none has room and the limit allows it. */
  #connectionWithRoom(added?: ReadonlyMap<LastingConnection, readonly string[]>): LastingConnection | undefined {
    const { subscriptionsMax } = this.#settings.limits;
    const connection = this.#connections.find(
      (each) => each !== undefined && each.size + (added?.get(each)?.length ?? 0) < subscriptionsMax,
    );
    return connection ?? this.#addConnection();
  }

  #addConnection(): LastingConnection | undefined {
    const gap = this.#connections.indexOf(undefined);
    const index = gap === -1 ? this.#connections.length : gap;
    if (index >= this.#connectionsMax) return undefined;
    const connection = new LastingConnection(this.#context, index);
    this.#connections[index] = connection;
    if (this.#phase === 'started') connection.open();
    return connection;
  }

  /** Closes a connection without subscriptions. The first connection stays open for the next subscription. */
  #closeIfIdle(connection: LastingConnection): void {
    const index = this.#connections.indexOf(connection);
    if (connection.size > 0 || index <= 0) return;
    this.#connections[index] = undefined;
    connection.close();
  }

  #takeSpare(): boolean {
    if (this.#isRotating || this.#settings.limits.connectionsMax < 2) return false;
    this.#isRotating = true;
    return true;
  }

  /** Emits one event after the other, also if a listener causes the next event while it handles one. */
  #emit(event: StreamEvent): void {
    if (this.#phase === 'closed') return;
    this.#queue.push(event);
    if (this.#isEmitting) return;
    this.#isEmitting = true;
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) this.#events.next(next);
    this.#isEmitting = false;
  }
}

function push(idsByConnection: Map<LastingConnection, string[]>, connection: LastingConnection, id: string): void {
  const ids = idsByConnection.get(connection);
  if (ids === undefined) idsByConnection.set(connection, [id]);
  else ids.push(id);
}
