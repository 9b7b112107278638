/** One exchange of a ground-truth run that holds the bot's orders, and how much of each was matched there. */

import { assert, defined } from '../../../src/core/checks/assert.ts';
import { type Instant, instant, type Money, money } from '../../../src/core/number/units.ts';
import { sideOf } from '../../../src/core/side.ts';
import type { Exchange } from '../../../src/matching/exchange.ts';
import type { Command } from '../../../src/matching/messages/command.ts';
import type { ExchangeEvent } from '../../../src/matching/messages/event.ts';
import type { CrowdTrader } from '../../../src/simulator/crowd/crowd.ts';
import { openTrader } from '../../../tools/crowd/crowd-trader.ts';
import type { PlannedOrder } from './bot.ts';

const UNLIMITED = money(8_000_000_000_000_000 / 4);

const NOTHING: readonly ExchangeEvent[] = [];

/** Orders are named by the number of the bot's plan, which is the same in every exchange. */
export class BotExchange {
  readonly exchange: Exchange;
  readonly #trader: CrowdTrader;
  readonly #planByOrder = new Map<number, number>();
  readonly #orderByPlan = new Map<number, number>();
  readonly #matched = new Map<number, number>();

  constructor(exchange: Exchange, trader: CrowdTrader) {
    this.exchange = exchange;
    this.#trader = openTrader(exchange, {
      market: trader.market,
      outcomes: trader.outcomes,
      overdraft: UNLIMITED,
      at: instant(0),
    });
    exchange.events.clear();
  }

  place(at: Instant, plan: number, order: PlannedOrder): void {
    const { app, wallet, market } = this.#trader;
    this.run(
      {
        at,
        kind: 'place',
        app,
        requests: [
          {
            wallet,
            market,
            side: sideOf(order.side),
            outcome: order.outcome,
            tick: order.tick,
            stake: order.stake,
            keepWhenInPlay: true,
            matchBehavior: 'RetainUnmatched',
          },
        ],
      },
      plan,
    );
  }

  cancel(at: Instant, plan: number): void {
    const order = defined(this.#orderByPlan.get(plan), 'only placed orders are cancelled');
    this.run({ at, kind: 'cancel', app: this.#trader.app, orders: [order] });
  }

  /** Applies a command, notes what it did to the bot's orders, and returns its events. */
  run(command: Command, plan?: number): readonly ExchangeEvent[] {
    this.exchange.apply(command);
    return this.collect(plan);
  }

  /** Notes what happened to the bot's orders since the last call, and returns the events. */
  collect(plan?: number): readonly ExchangeEvent[] {
    const { events } = this.exchange;
    if (events.length === 0) return NOTHING;
    const read: ExchangeEvent[] = [];
    for (let index = 0; index < events.length; index += 1) read.push(events.read(index));
    events.clear();
    for (const event of read) this.#note(event, plan);
    return read;
  }

  matched(plan: number): Money {
    return (this.#matched.get(plan) ?? 0) as Money;
  }

  #note(event: ExchangeEvent, plan: number | undefined): void {
    assert(event.kind !== 'refused', 'no command of a ground-truth run is refused');
    if (event.kind === 'orderRefused') assert(plan === undefined, 'the bot has the funds for its orders');
    if (event.kind === 'orderAccepted' && event.app === this.#trader.app && plan !== undefined) {
      this.#planByOrder.set(event.order, plan);
      this.#orderByPlan.set(plan, event.order);
    }
    if (event.kind !== 'orderMatched') return;
    const own = this.#planByOrder.get(event.order);
    if (own !== undefined) this.#matched.set(own, this.matched(own) + event.stake);
  }
}
