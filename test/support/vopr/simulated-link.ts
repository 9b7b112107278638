/**
 * The stream to one process of the bot: orders, markets and prices as they change at the exchange; late, lost, doubled, out of
 * order, cut, silent, unreadable, or on a fresh connection that goes back in time.
 */

import { Subject } from 'rxjs';
import type { StreamLink } from '../../../src/betdex/gateway/base/gateway-context.ts';
import type { StreamEvent } from '../../../src/betdex/stream/stream-event.ts';
import type { SubscriptionType } from '../../../src/betdex/wire/basics/enums.ts';
import { serverFrameFromWire } from '../../../src/betdex/wire/messages/stream-codec.ts';
import { instant } from '../../../src/core/number/units.ts';
import type { ExchangeEvent } from '../../../src/matching/messages/event.ts';
import { summarizeChange } from '../../../src/sandbox/stream/change-summary.ts';
import { frame } from '../../../src/sandbox/stream/frame.ts';
import { marketUpdate, statusUpdate } from '../../../src/sandbox/stream/market-messages.ts';
import { orderUpdate } from '../../../src/sandbox/stream/order-messages.ts';
import { PriceBooks } from '../../../src/sandbox/stream/price-books.ts';
import type { Change } from '../../../src/sandbox/world/change.ts';
import type { SimulatedClock } from '../../../src/time/simulated-clock.ts';
import type { BotProcess } from './bot-process.ts';
import type { Weather } from './faulty-wire.ts';
import type { SimulatedExchange } from './simulated-exchange.ts';
import type { Story } from './story.ts';
import type { StreamSpell } from './stream-weather.ts';

export interface LinkParts {
  readonly time: SimulatedClock;
  readonly process: BotProcess;
  readonly exchange: SimulatedExchange;
  readonly weather: Weather;
  readonly story: Story;
  readonly wallets: readonly number[];
}

type Message = Parameters<typeof frame>[0];

export class SimulatedLink implements StreamLink {
  readonly events$ = new Subject<StreamEvent>();
  readonly #parts: LinkParts;
  readonly #wanted = new Set<string>();
  readonly #stop: () => void;
  readonly #books: PriceBooks;
  #isUp = false;
  /** Messages keep their order, unless a fault changes it. */
  #lastAt = 0;
  /** A connection that is to take over: until then what comes on it is held, and may be older than what came meanwhile. */
  #held: StreamEvent[] | undefined;

  constructor(parts: LinkParts) {
    this.#parts = parts;
    this.#books = new PriceBooks(parts.exchange.world);
    this.#stop = parts.exchange.world.listen((change, events) => this.#hear(change, events));
    this.#connect('connected');
  }

  subscribe(type: SubscriptionType, ids: readonly string[]): void {
    const { weather, process } = this.#parts;
    for (const id of ids) {
      this.#wanted.add(`${type} ${id}`);
      process.later(weather.delayMs(), () => this.events$.next({ kind: 'confirmed', type, id }));
    }
    if (this.#isUp && type === 'MarketPriceUpdate') this.#snapshots(ids);
  }

  unsubscribe(type: SubscriptionType, ids: readonly string[]): void {
    for (const id of ids) this.#wanted.delete(`${type} ${id}`);
  }

  /** The connection ends: what is under way is lost, and what happens until it is up again. */
  cut(downMs: number): void {
    if (!this.#isUp) return;
    const { story, process } = this.#parts;
    this.#isUp = false;
    story.count('stream cut');
    story.tell(() => `## the stream is cut for ${downMs} ms`);
    process.later(5, () =>
      this.events$.next({ kind: 'down', connection: 0, code: 'CUT', details: 'cut', retryMs: downMs }),
    );
    process.later(downMs, () => this.#connect('reconnected'));
  }

  befall({ kind, forMs }: StreamSpell): void {
    const { story, weather, time } = this.#parts;
    story.count(`stream ${kind}`);
    story.tell(() => `## the stream is ${kind} for ${forMs} ms`);
    const until = time.now() + forMs;
    if (kind === 'rotated') return this.#rotate(forMs);
    if (kind === 'silent') weather.stream.silentUntil = until;
    else weather.stream.slowUntil = until;
  }

  close(): void {
    this.#stop();
  }

  #connect(reason: 'connected' | 'reconnected'): void {
    const { process, weather } = this.#parts;
    process.later(weather.delayMs(), () => {
      this.#isUp = true;
      this.events$.next({ kind: 'up', connection: 0, connectionId: 'c' });
      this.events$.next({ kind: 'resync', connection: 0, reason });
      this.#snapshots(this.#idsOf('MarketPriceUpdate'));
    });
  }

  /** A fresh connection takes over: what came on it is given out at once, after all that the old one brought meanwhile. */
  #rotate(forMs: number): void {
    if (!this.#isUp || this.#held !== undefined) return;
    this.#held = [];
    this.#snapshots(this.#idsOf('MarketPriceUpdate'));
    this.#parts.process.later(forMs, () => {
      const held = this.#held ?? [];
      this.#held = undefined;
      for (const event of held) this.events$.next(event);
      this.events$.next({ kind: 'resync', connection: 0, reason: 'rotated' });
    });
  }

  #idsOf(type: SubscriptionType): readonly string[] {
    return [...this.#wanted].filter((key) => key.startsWith(`${type} `)).map((key) => key.slice(type.length + 1));
  }

  #snapshots(ids: readonly string[]): void {
    for (const record of this.#parts.exchange.world.catalogue.markets.values())
      if (ids.includes(record.id)) this.#send(this.#books.snapshot(record.market).toString());
  }

  #hear(change: Change | undefined, events: readonly ExchangeEvent[]): void {
    if (!this.#isUp || !this.#parts.process.isAlive) return;
    const { wallets } = this.#parts;
    const { world, app } = this.#parts.exchange;
    const fold = summarizeChange(world, change, events);
    for (const step of fold.statuses) {
      const record = world.catalogue.markets.get(step.market);
      if (record !== undefined && this.#wanted.has(`MarketStatusUpdate ${record.id}`))
        this.#send(textOf(statusUpdate(world, record, step)));
    }
    for (const market of fold.markets) {
      const record = world.catalogue.markets.get(market);
      if (record !== undefined && this.#wanted.has(`MarketUpdate ${record.id}`))
        this.#send(textOf(marketUpdate(world, record)));
    }
    for (const market of fold.books) this.#sendPrices(market);
    for (const order of fold.orders) {
      const view = world.exchange.order(order);
      if (view?.app === app && wallets.includes(view.wallet)) this.#send(textOf(orderUpdate(world, view)));
    }
  }

  #sendPrices(market: number): void {
    const record = this.#parts.exchange.world.catalogue.markets.get(market);
    if (record === undefined || !this.#wanted.has(`MarketPriceUpdate ${record.id}`)) return;
    const increment = this.#books.increment(market);
    if (increment !== undefined) this.#send(increment.toString());
  }

  #send(text: string): void {
    const { time, weather, story } = this.#parts;
    const { stream } = weather;
    const now = time.now();
    const fault = stream.draw();
    const lateMs = stream.lateMs(fault, now);
    if (fault !== undefined) story.count(`stream message ${fault}`);
    if (fault === 'lost' || now < stream.silentUntil) return;
    const dueAt = Math.max(this.#lastAt, now + weather.delayMs() + lateMs);
    // What is late alone lets those behind it pass.
    if (fault !== 'late' && fault !== 'overtaken') this.#lastAt = dueAt;
    const told = spoilt(text, fault);
    this.#deliver(told, dueAt);
    if (fault === 'doubled') this.#deliver(told, dueAt + weather.delayMs());
  }

  #deliver(text: string, at: number): void {
    const { time, process, story } = this.#parts;
    process.later(at - time.now(), () => {
      if (!this.#isUp) return;
      story.count('stream message');
      story.tell(() => `<~ ${process.number} ${text.slice(0, 400)}`);
      const read = serverFrameFromWire(text);
      if (read.kind !== 'read') return this.events$.next({ kind: 'resync', connection: 0, reason: 'lost' });
      const receivedAt = instant(process.clock.now());
      // Replies to subscriptions are no updates, and none is sent here.
      for (const news of read.value) {
        if (news.kind === 'faulty') {
          this.events$.next({ kind: 'resync', connection: 0, reason: 'lost' });
          continue;
        }
        if (news.kind !== 'message') throw new Error('the stream speaks the wire');
        const event = { kind: 'message', message: news.message, receivedAt } as StreamEvent;
        this.#held?.push(event);
        this.events$.next(event);
      }
    });
  }
}

function textOf(message: Message): string {
  return frame(message).toString();
}

function spoilt(text: string, fault: string | undefined): string {
  if (fault === 'garbled') return text.slice(1);
  if (fault !== 'bare') return text;
  return text.replace(/"prices":\[[^\]]*\]/, '"x":0').replace('"Incremental"', '"Snapshot"');
}
