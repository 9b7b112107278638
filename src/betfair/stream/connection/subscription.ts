/** What is subscribed to of one feed, through all connections: its criteria, its clocks, and the change that is arriving. */

import type { Instant } from '../../../core/number/units.ts';
import type { MarketSubscription, OrderSubscription } from '../../wire/stream/requests.ts';
import type { ChangeEnvelope } from './change-envelope.ts';
import { type ChangeLine, Segments } from './segments.ts';
import type { StreamFeed, WholeChange } from './stream-event.ts';

type Own = 'op' | 'id' | 'initialClk' | 'clk' | 'segmentationEnabled' | 'heartbeatMs';
/** What a feed is to tell: which markets and which of their fields, or which orders. */
export type MarketCriteria = Omit<MarketSubscription, Own>;
export type OrderCriteria = Omit<OrderSubscription, Own>;

/** What a message did: `whole` and `beat` show that the exchange told all until `publishedAt`. */
export type Received =
  /** `isAsked`: it is the image that other criteria brought, on a connection that told what it stood at before. */
  | { readonly kind: 'whole'; readonly change: WholeChange; readonly isAsked: boolean }
  | { readonly kind: 'beat'; readonly publishedAt: Instant; readonly isLate: boolean }
  | { readonly kind: 'held' }
  /** It belongs to a subscription that was replaced, or never made. */
  | { readonly kind: 'foreign' }
  | { readonly kind: 'fault'; readonly code: 'BAD_SEGMENTS' | 'OVERSIZED'; readonly details: string };

const TYPES: Readonly<Record<string, WholeChange['type']>> = { SUB_IMAGE: 'image', RESUB_DELTA: 'missed' };

export class Subscription {
  readonly feed: StreamFeed;
  readonly #segments: Segments;
  #criteria: MarketCriteria | OrderCriteria;
  #initialClk: string | undefined;
  #clk: string | undefined;
  /** The id of the request that is in force; undefined while there is none. */
  #id: number | undefined;
  #heartbeatMs: number;
  #conflateMs = 0;
  /** Whether this connection has told what the feed stands at. */
  #isTold = false;
  #isRefused = false;
  /** Whether other criteria were asked for on this connection, and their image has not come. */
  #isAsked = false;
  /** When the exchange promised to have said something, and when it was last heard, ms on our clock. */
  #heardAt = 0;

  constructor(parts: {
    readonly feed: StreamFeed;
    readonly criteria: MarketCriteria | OrderCriteria;
    readonly heartbeatMs: number;
    readonly changeBytesMax: number;
  }) {
    this.feed = parts.feed;
    this.#criteria = parts.criteria;
    this.#heartbeatMs = parts.heartbeatMs;
    this.#segments = new Segments(parts.changeBytesMax);
  }

  get id(): number | undefined {
    return this.#id;
  }

  get isTold(): boolean {
    return this.#isTold;
  }

  /** Whether the exchange took everything but this subscription: nothing is expected of it. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** Something is said so often at least, ms. */
  get heartbeatMs(): number {
    return this.#heartbeatMs;
  }

  /** For so long the exchange joins changes, as it says itself: of some keys it decides that alone. */
  get conflateMs(): number {
    return this.#conflateMs;
  }

  /** Asks for something else from the next request on: the clocks are of the old criteria. */
  change(criteria: MarketCriteria | OrderCriteria): void {
    this.#criteria = criteria;
    this.#isAsked ||= this.#isTold;
    this.forgetClocks();
  }

  forgetClocks(): void {
    this.#initialClk = undefined;
    this.#clk = undefined;
  }

  /** The request that subscribes, which is in force from now on. */
  request(id: number, now: number): MarketSubscription | OrderSubscription {
    this.#segments.clear();
    this.#id = id;
    this.#isTold = false;
    this.#isRefused = false;
    this.#heardAt = now;
    const [initialClk, clk] = [this.#initialClk, this.#clk];
    const clocks = initialClk === undefined || clk === undefined ? {} : { initialClk, clk };
    const own = { id, segmentationEnabled: true, heartbeatMs: this.#heartbeatMs, ...clocks };
    if (this.feed === 'markets') return { op: 'marketSubscription', ...own, ...this.#criteria };
    return { op: 'orderSubscription', ...own, ...this.#criteria };
  }

  /** The exchange does not take it, and the connection stays. */
  refuse(): void {
    this.#isRefused = true;
  }

  /** The connection has ended. */
  end(): void {
    this.#id = undefined;
    this.#isTold = false;
    this.#isAsked = false;
    this.#segments.clear();
  }

  /** Something must be heard until this moment, ms on our clock. */
  dueAt(answerTimeoutMs: number): number {
    if (this.#id === undefined || this.#isRefused) return Number.POSITIVE_INFINITY;
    return this.#heardAt + (this.#isTold ? 2 * this.#heartbeatMs : answerTimeoutMs);
  }

  /** Something of the subscription was heard. */
  hear(now: number): void {
    this.#heardAt = now;
  }

  receive(next: ChangeLine, receivedAt: Instant): Received {
    const { envelope } = next;
    if (envelope.id !== this.#id) return { kind: 'foreign' };
    this.hear(receivedAt);
    this.#heartbeatMs = envelope.heartbeatMs ?? this.#heartbeatMs;
    this.#conflateMs = envelope.conflateMs ?? this.#conflateMs;
    if (envelope.ct === 'HEARTBEAT' || envelope.pt === undefined) return this.#beat(envelope, receivedAt);
    const whole = this.#segments.add(next);
    if (whole === undefined) return { kind: 'held' };
    if (whole === 'out of order')
      return { kind: 'fault', code: 'BAD_SEGMENTS', details: `${envelope.segmentType ?? 'a whole change'} came` };
    if (whole === 'too large') return { kind: 'fault', code: 'OVERSIZED', details: 'the segments of a change' };
    return this.#whole(whole, receivedAt);
  }

  /** The clock of a heartbeat says nothing about a change that is arriving. */
  #beat({ initialClk, clk, pt, status }: ChangeEnvelope, receivedAt: Instant): Received {
    if (this.#segments.isOpen || !this.#isTold) return { kind: 'held' };
    this.#tick(initialClk, clk);
    return { kind: 'beat', publishedAt: (pt ?? receivedAt) as Instant, isLate: status !== undefined };
  }

  #whole(lines: readonly ChangeLine[], receivedAt: Instant): Received {
    const envelopes = lines.map(({ envelope }) => envelope);
    for (const { initialClk, clk } of envelopes) this.#tick(initialClk, clk);
    const { ct = '' } = envelopes[0] as ChangeEnvelope;
    const last = envelopes.at(-1) as ChangeEnvelope;
    this.#isTold = true;
    const isAsked = this.#isAsked;
    this.#isAsked = false;
    const change: WholeChange = {
      feed: this.feed,
      type: TYPES[ct] ?? 'update',
      publishedAt: last.pt as Instant,
      receivedAt,
      clk: last.clk,
      changes: envelopes.flatMap(({ changes }) => changes),
      isLate: envelopes.some(({ status }) => status !== undefined),
      lines: lines.map(({ line }) => line),
    };
    return { kind: 'whole', change, isAsked };
  }

  #tick(initialClk: string | undefined, clk: string | undefined): void {
    this.#initialClk = initialClk ?? this.#initialClk;
    this.#clk = clk ?? this.#clk;
  }
}
