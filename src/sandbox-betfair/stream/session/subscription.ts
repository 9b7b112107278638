/** A subscription: its image or what it missed, then changes, conflated where it asked for it, and heartbeats in silence. */

import { Subscription as Timer } from 'rxjs';
import { MarketChangeMessage } from '../../../betfair/wire/stream/market-change.ts';
import { OrderChangeMessage } from '../../../betfair/wire/stream/order-change.ts';
import { SUBSCRIPTION_BOUNDS } from '../../../betfair/wire/stream/requests.ts';
import { writer } from '../../../codec/codec-write.ts';
import type { Written } from '../../../codec/notation.ts';
import type { Clock } from '../../../time/clock.ts';
import type { Clocks } from './clocks.ts';
import type { Feed } from './feed.ts';
import { segmentsOf } from './segments.ts';

/** What carries lines to a client. */
export interface Line {
  /** Whether so much waits for the network that nothing more is sent now. */
  readonly isBehind: boolean;
  /** Whether a fault lets nothing be sent now; nobody says when that is over. */
  readonly isSilent: boolean;
  send(text: string): void;
  close(): void;
}

/** The present turn of the stream and its time. */
export interface Moment {
  readonly turn: number;
  readonly now: number;
}

export interface SubscriptionParts {
  readonly feed: Feed;
  readonly line: Line;
  readonly clock: Clock;
  readonly clocks: Clocks;
  readonly moment: () => Moment;
  /** Undefined where the request had none. */
  readonly id: number | undefined;
  /** What a client must ask for again to be given what it missed. */
  readonly criteria: unknown;
  readonly heartbeatMs: number | undefined;
  readonly conflateMs: number | undefined;
  /** Undefined where the client takes no segments. */
  readonly segmentBytes: number | undefined;
  /** What was missed before this subscription: the turn that the client has seen last; undefined for an image. */
  readonly since: number | undefined;
}

/** How often a silent line is looked at. */
const SILENT_LOOK_MS = 100;

type Envelope = Omit<Written<typeof MarketChangeMessage>, 'mc'>;

const writeMarkets = writer(MarketChangeMessage);
const writeOrders = writer(OrderChangeMessage);

export class Subscription {
  readonly feed: Feed;
  readonly #parts: SubscriptionParts;
  readonly #heartbeatMs: number;
  readonly #conflateMs: number;
  #timer = new Timer();
  /** When anything was sent last, and when changes were: silence is counted from the one, conflation from the other. */
  #sentAt: number;
  #changedAt: number;
  /** The clock up to which the client was told all. */
  #clk = '';
  /** What is to be sent first; undefined once it was sent. */
  #opening: 'SUB_IMAGE' | 'RESUB_DELTA' | undefined;
  #isOver = false;

  constructor(parts: SubscriptionParts) {
    this.#parts = parts;
    this.feed = parts.feed;
    this.#heartbeatMs = bounded(parts.heartbeatMs, SUBSCRIPTION_BOUNDS.heartbeatMs);
    this.#conflateMs = bounded(parts.conflateMs, SUBSCRIPTION_BOUNDS.conflateMs);
    this.#opening = parts.since === undefined ? 'SUB_IMAGE' : 'RESUB_DELTA';
    this.#sentAt = parts.clock.now();
    this.#changedAt = this.#sentAt;
  }

  /** Whether there is something to tell. */
  get isWaiting(): boolean {
    return this.#opening !== undefined || this.feed.hasChanges;
  }

  /** Sends what there is to send now, if the client reads fast enough and its time of conflation is over. */
  flush(): void {
    if (this.#isOver) return;
    const { clock, line } = this.#parts;
    this.#timer.unsubscribe();
    const now = clock.now();
    if (!line.isBehind && !line.isSilent) {
      if (this.#opening !== undefined) this.#open(this.#opening);
      else if (this.feed.hasChanges && now >= this.#changedAt + this.#conflateMs)
        this.#tell(undefined, this.feed.changes());
      if (now >= this.#sentAt + this.#heartbeatMs) this.#beat();
    }
    this.#wait();
  }

  end(): void {
    this.#isOver = true;
    this.#timer.unsubscribe();
    this.#parts.line.close();
    this.feed.close();
  }

  #open(type: 'SUB_IMAGE' | 'RESUB_DELTA'): void {
    this.#opening = undefined;
    const { since } = this.#parts;
    const missed = since === undefined ? undefined : this.feed.since(since);
    this.#tell(missed === undefined ? 'SUB_IMAGE' : type, missed ?? this.feed.image());
  }

  /** Nothing is sent for changes that the subscription does not see. */
  #tell(type: 'SUB_IMAGE' | 'RESUB_DELTA' | undefined, changes: readonly string[]): void {
    const { line, segmentBytes, clocks, clock, criteria, moment } = this.#parts;
    const { turn, now } = moment();
    this.#clk = clocks.clk(turn, now);
    if (type === undefined && changes.length === 0) return;
    this.#sentAt = clock.now();
    this.#changedAt = this.#sentAt;
    const bounds = { conflateMs: this.#conflateMs, heartbeatMs: this.#heartbeatMs };
    const opening = type === undefined ? {} : { ct: type, ...bounds };
    const initialClk = type === undefined ? {} : { initialClk: clocks.initial(criteria) };
    for (const segment of segmentsOf(changes, segmentBytes)) {
      const isEnd = segment.type === undefined || segment.type === 'SEG_END';
      const clks = isEnd ? { ...initialClk, clk: this.#clk } : {};
      const segmentType = segment.type === undefined ? {} : { segmentType: segment.type };
      line.send(this.#message({ ...opening, ...clks, ...segmentType }, segment.changes));
    }
  }

  /** Its clock is the present one where nothing waits to be told: then the client knows that nothing happened. */
  #beat(): void {
    const { clocks, clock, line, moment } = this.#parts;
    const { turn, now } = moment();
    if (!this.feed.hasChanges) this.#clk = clocks.clk(turn, now);
    this.#sentAt = clock.now();
    line.send(this.#message({ ct: 'HEARTBEAT', clk: this.#clk }, []));
  }

  /** The changes are JSON already. */
  #message(fields: Omit<Envelope, 'op' | 'id' | 'pt'>, changes: readonly string[]): string {
    const { id, feed, moment } = this.#parts;
    const named = id === undefined ? fields : { id, ...fields };
    const pt = Math.floor(moment().now);
    const envelope =
      feed.op === 'mcm' ? writeMarkets({ op: 'mcm', ...named, pt }) : writeOrders({ op: 'ocm', ...named, pt });
    const text = JSON.stringify(envelope);
    return changes.length === 0 ? text : `${text.slice(0, -1)},"${feed.list}":[${changes.join(',')}]}`;
  }

  /** There is one timer: for the next heartbeat, or for the end of conflation where changes wait for it. */
  #wait(): void {
    const { clock, line } = this.#parts;
    const beatAt = this.#sentAt + this.#heartbeatMs;
    if (line.isSilent) {
      this.#timer = clock.schedule(() => this.flush(), SILENT_LOOK_MS);
      return;
    }
    const dueAt = this.feed.hasChanges ? Math.min(beatAt, this.#changedAt + this.#conflateMs) : beatAt;
    // A client that is behind is told more when it has read on.
    if (!line.isBehind) this.#timer = clock.schedule(() => this.flush(), Math.max(1, dueAt - clock.now()));
  }
}

/** A given value within its bounds, to the nearest of which it is corrected. */
export function bounded(
  given: number | undefined,
  { min, max, absent }: { readonly min: number; readonly max: number; readonly absent: number },
): number {
  return given === undefined ? absent : Math.min(max, Math.max(min, given));
}
