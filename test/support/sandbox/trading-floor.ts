/** Two apps that trade on one market of the house, and how a test calls the operations of sessions, orders and wallets. */

import { assert } from '../../../src/core/checks/assert.ts';
import type { OrderErrorCode } from '../../../src/core/order.ts';
import type { SandboxContext } from '../../../src/sandbox/context/sandbox-context.ts';
import {
  ORDER_OPERATIONS,
  SESSION_OPERATIONS,
  WALLET_OPERATIONS,
} from '../../../src/sandbox/operations/operation-tables.ts';
import { listMarketOrders } from '../../../src/sandbox/operations/orders/orders-read.ts';
import { listMarketPositions } from '../../../src/sandbox/operations/orders/positions.ts';
import type { Call, Caller, Operate, Problem } from '../../../src/sandbox/operations/shared/operation.ts';
import { numericId } from '../../../src/sandbox/world/ids.ts';
import { ask, askInVain } from './ask.ts';
import { WorldBuilder } from './world-builder.ts';

export const HOLDER_OPERATIONS = {
  ...SESSION_OPERATIONS,
  ...ORDER_OPERATIONS,
  ...WALLET_OPERATIONS,
  listMarketOrders,
  listMarketPositions,
};
export type HolderOperation = keyof typeof HOLDER_OPERATIONS;

type Asked<O extends HolderOperation> = NonNullable<Parameters<typeof ask<O>>[3]>;
export type NewOrderBody = Call<'createOrder'>['body'];

/** An app with a key, two wallets of 1,000 units each, and a key of the first. */
export interface Trader {
  readonly app: number;
  readonly appId: string;
  readonly wallet: number;
  readonly walletId: string;
  readonly second: number;
  readonly secondId: string;
  readonly caller: Caller;
  readonly walletCaller: Caller;
}

export class TradingFloor {
  readonly builder: WorldBuilder;
  readonly house: number;
  readonly a: Trader;
  readonly b: Trader;
  readonly event: number;
  /** Of three outcomes, open, in play only when it is told to be. */
  readonly market: number;
  /** Faults that the next orders meet, as the control surface would ask for them. */
  readonly faults: OrderErrorCode[] = [];
  readonly context: SandboxContext;

  constructor(options: ConstructorParameters<typeof WorldBuilder>[0] = {}) {
    this.builder = new WorldBuilder(options).catalogue();
    this.house = this.builder.app('house', { isHouse: true });
    this.a = this.#trader('appA');
    this.b = this.#trader('appB');
    this.event = this.builder.event({ app: this.house });
    this.market = this.builder.openMarket({ app: this.house, event: this.event, crossMatching: false });
    this.context = { ...this.builder.context, takeOrderFault: () => this.faults.shift() };
  }

  get world() {
    return this.builder.world;
  }

  get marketId(): string {
    return numericId(this.market);
  }

  outcomeId(outcome: number, market = this.market): string {
    const found = this.world.catalogue.markets.get(market)?.outcomes[outcome];
    assert(found !== undefined, 'the market has the outcome');
    return found.id;
  }

  /** For 1 at 1000 on the first outcome from app A's first wallet, but for what the test says. */
  body(order: Partial<NewOrderBody> = {}): NewOrderBody {
    return {
      ...{ walletId: this.a.walletId, marketId: this.marketId, outcomeId: this.outcomeId(0) },
      ...{ side: 'For', price: 1000, stake: 1, keepWhenInPlay: false, matchBehavior: 'RetainUnmatched' },
      ...order,
    };
  }

  /** Rests or matches; the API's id of the order. */
  place(who: Trader, order: Partial<NewOrderBody> = {}): string {
    const [made] = this.ask(who.caller, 'createOrder', {
      body: this.body({ walletId: who.walletId, ...order }),
    }).orders;
    assert(made !== undefined, 'an order was made');
    return made.id;
  }

  ask<O extends HolderOperation>(caller: Caller, name: O, asked?: Asked<O>) {
    return ask(name, operate(name), { context: this.context, caller }, asked);
  }

  askInVain<O extends HolderOperation>(caller: Caller, name: O, asked?: Asked<O>): Problem {
    return askInVain(name, operate(name), { context: this.context, caller }, asked);
  }

  #trader(appId: string): Trader {
    const { builder } = this;
    const app = builder.app(appId);
    const wallet = builder.wallet(app, 1000);
    const second = builder.wallet(app, 1000);
    const idOf = (each: number) => builder.world.registry.wallet(each).id;
    return {
      ...{ app, appId, wallet, walletId: idOf(wallet), second, secondId: idOf(second) },
      caller: builder.caller(app),
      walletCaller: builder.caller(app, wallet),
    };
  }
}

function operate<O extends HolderOperation>(name: O): Operate<O> {
  return HOLDER_OPERATIONS[name] as unknown as Operate<O>;
}
