/** The client of the exchange's stream: wanted subscriptions in, events out, over as many connections as it takes. */

import { type Observable, Subject } from 'rxjs';
import { RequestWindow } from '../../exchange-live/connection/request-window.ts';
import type { SubscriptionType } from '../wire/basics/enums.ts';
import type { StreamEvent } from './stream-event.ts';
import { type LaneContext, StreamLane } from './stream-lane.ts';
import { type StreamClientOptions, type StreamSettings, streamSettings } from './stream-settings.ts';

/**
 * Nothing it tells, throws or shows on inspection holds the access token. Ids that are subscribed to while there is
 * no connection are asked for once there is one.
 */
export class StreamClient {
  /** Hot, in order, and never while being subscribed to; completes on `close`. */
  readonly news$: Observable<StreamEvent>;
  readonly #news = new Subject<StreamEvent>();
  readonly #settings: StreamSettings;
  readonly #context: LaneContext;
  /** A place is empty where the connection is not needed any more. */
  readonly #lanes: (StreamLane | undefined)[] = [];
  readonly #lanesMax: number;
  #phase: 'new' | 'started' | 'closed' = 'new';
  #isRotating = false;
  #queue: StreamEvent[] = [];
  #isTelling = false;

  constructor(options: StreamClientOptions) {
    this.#settings = streamSettings(options);
    const { connectionsMax, requestsMax, requestSpanMs } = this.#settings.limits;
    // One connection stays free for rotations, which need two at a time.
    this.#lanesMax = Math.max(1, connectionsMax - 1);
    this.#context = {
      settings: this.#settings,
      window: new RequestWindow({ max: requestsMax, spanMs: requestSpanMs }),
      emit: (event) => this.#emit(event),
      takeSpare: () => this.#takeSpare(),
      returnSpare: () => {
        this.#isRotating = false;
      },
    };
    this.news$ = this.#news.asObservable();
  }

  /** Connects, and stays connected until `close`. */
  start(): void {
    if (this.#phase !== 'new') return;
    if (this.#lanes[0] === undefined) this.#addLane();
    this.#phase = 'started';
    for (const lane of this.#lanes) lane?.open();
  }

  /** Wants the updates of these ids, or of `*`; ids that are wanted already change nothing. */
  subscribe(type: SubscriptionType, ids: readonly string[]): void {
    if (this.#phase === 'closed') return;
    const refused: string[] = [];
    const idsByLane = new Map<StreamLane, string[]>();
    for (const id of new Set(ids)) {
      if (this.#laneOf(type, id) !== undefined) continue;
      const lane = this.#laneWithRoom(idsByLane);
      if (lane === undefined) refused.push(id);
      else push(idsByLane, lane, id);
    }
    for (const [lane, laneIds] of idsByLane) lane.subscribe(type, laneIds);
    if (refused.length > 0) this.#emit({ kind: 'refused', type, ids: refused });
  }

  /** Updates that are on their way may still come. */
  unsubscribe(type: SubscriptionType, ids: readonly string[]): void {
    if (this.#phase === 'closed') return;
    const idsByLane = new Map<StreamLane, string[]>();
    for (const id of new Set(ids)) {
      const lane = this.#laneOf(type, id);
      if (lane !== undefined) push(idsByLane, lane, id);
    }
    for (const [lane, laneIds] of idsByLane) {
      lane.unsubscribe(type, laneIds);
      this.#closeIfIdle(lane);
    }
  }

  /** For good; quiet also while connecting. */
  close(): void {
    if (this.#phase === 'closed') return;
    this.#phase = 'closed';
    for (const lane of this.#lanes) lane?.close();
    this.#queue = [];
    this.#news.complete();
  }

  #laneOf(type: SubscriptionType, id: string): StreamLane | undefined {
    return this.#lanes.find((lane) => lane?.has(type, id) === true);
  }

  /** The first with room, besides what is to be added; a new one where none has any and the limit allows it. */
  #laneWithRoom(added?: ReadonlyMap<StreamLane, readonly string[]>): StreamLane | undefined {
    const { subscriptionsMax } = this.#settings.limits;
    const lane = this.#lanes.find(
      (each) => each !== undefined && each.size + (added?.get(each)?.length ?? 0) < subscriptionsMax,
    );
    return lane ?? this.#addLane();
  }

  #addLane(): StreamLane | undefined {
    const gap = this.#lanes.indexOf(undefined);
    const index = gap === -1 ? this.#lanes.length : gap;
    if (index >= this.#lanesMax) return undefined;
    const lane = new StreamLane(this.#context, index);
    this.#lanes[index] = lane;
    if (this.#phase === 'started') lane.open();
    return lane;
  }

  /** The first connection stays, so that the next subscription finds one. */
  #closeIfIdle(lane: StreamLane): void {
    const index = this.#lanes.indexOf(lane);
    if (lane.size > 0 || index <= 0) return;
    this.#lanes[index] = undefined;
    lane.close();
  }

  #takeSpare(): boolean {
    if (this.#isRotating || this.#settings.limits.connectionsMax < 2) return false;
    this.#isRotating = true;
    return true;
  }

  /** One event after the other, also where hearing one brings about the next. */
  #emit(event: StreamEvent): void {
    if (this.#phase === 'closed') return;
    this.#queue.push(event);
    if (this.#isTelling) return;
    this.#isTelling = true;
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) this.#news.next(next);
    this.#isTelling = false;
  }
}

function push(idsByLane: Map<StreamLane, string[]>, lane: StreamLane, id: string): void {
  const ids = idsByLane.get(lane);
  if (ids === undefined) idsByLane.set(lane, [id]);
  else ids.push(id);
}
