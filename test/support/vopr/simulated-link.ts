/** The stream to one process of the bot: orders and markets as they change at the exchange, late, and cut now and then. */

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
import type { Change } from '../../../src/sandbox/world/change.ts';
import type { SimulatedClock } from '../../../src/time/simulated-clock.ts';
import type { BotProcess } from './bot-process.ts';
import type { Weather } from './faulty-wire.ts';
import type { SimulatedExchange } from './simulated-exchange.ts';
import type { Story } from './story.ts';

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
  #isUp = false;
  /** Messages keep their order. */
  #lastAt = 0;

  constructor(parts: LinkParts) {
    this.#parts = parts;
    this.#stop = parts.exchange.world.listen((change, events) => this.#hear(change, events));
    this.#connect('connected');
  }

  subscribe(type: SubscriptionType, ids: readonly string[]): void {
    const { weather, process } = this.#parts;
    for (const id of ids) {
      this.#wanted.add(`${type} ${id}`);
      process.later(weather.delayMs(), () => this.events$.next({ kind: 'confirmed', type, id }));
    }
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

  close(): void {
    this.#stop();
  }

  #connect(reason: 'connected' | 'reconnected'): void {
    const { process, weather } = this.#parts;
    process.later(weather.delayMs(), () => {
      this.#isUp = true;
      this.events$.next({ kind: 'up', connection: 0, connectionId: 'c' });
      this.events$.next({ kind: 'resync', connection: 0, reason });
    });
  }

  #hear(change: Change | undefined, events: readonly ExchangeEvent[]): void {
    if (!this.#isUp || !this.#parts.process.isAlive) return;
    const { wallets } = this.#parts;
    const { world, app } = this.#parts.exchange;
    const fold = summarizeChange(world, change, events);
    for (const step of fold.statuses) {
      const record = world.catalogue.markets.get(step.market);
      if (record !== undefined && this.#wanted.has(`MarketStatusUpdate ${record.id}`))
        this.#send(statusUpdate(world, record, step));
    }
    for (const market of fold.markets) {
      const record = world.catalogue.markets.get(market);
      if (record !== undefined && this.#wanted.has(`MarketUpdate ${record.id}`))
        this.#send(marketUpdate(world, record));
    }
    for (const order of fold.orders) {
      const view = world.exchange.order(order);
      if (view?.app === app && wallets.includes(view.wallet)) this.#send(orderUpdate(world, view));
    }
  }

  #send(message: Message): void {
    const { time, process, weather, story } = this.#parts;
    const text = frame(message).toString();
    this.#lastAt = Math.max(this.#lastAt, time.now() + weather.delayMs());
    process.later(this.#lastAt - time.now(), () => {
      if (!this.#isUp) return;
      story.count('stream message');
      story.tell(() => `<~ ${process.number} ${text.slice(0, 400)}`);
      const read = serverFrameFromWire(text);
      if (read.kind !== 'read') throw new Error('the stream speaks the wire');
      const receivedAt = instant(process.clock.now());
      // Replies to subscriptions are no updates, and none is sent here.
      for (const news of read.value)
        if (news.kind === 'message')
          this.events$.next({ kind: 'message', message: news.message, receivedAt } as StreamEvent);
    });
  }
}
