/** The orders of a sandbox’s users, and what they hold in each market: those of its own crowd are left out. */

import { decimalOfTick } from '../../../../core/number/ladder.ts';
import { moneyToDecimal } from '../../../../core/number/units.ts';
import { isLive } from '../../../../core/order.ts';
import type { OrderView, PositionView } from '../../../../matching/state/views.ts';
import type { OrderRow } from '../../../../pages/panels.ts';
import type { WalletRecord } from '../../../../sandbox/world/records.ts';
import { marketLabel } from '../../../../words/market-label.ts';
import { orderWords } from '../shown/shown-rows.ts';
import { appIdOf } from './commands/sandbox-command.ts';
import type { NamedWorld } from './commands/shown-sandbox.ts';

/** They are read again after so long: a market of the crowd has thousands of orders, and one of a user among them. */
const READ_EVERY_MS = 1_000;

export interface UserMarket {
  readonly orders: readonly OrderView[];
  readonly positions: readonly PositionView[];
}

const NO_ORDERS: UserMarket = { orders: [], positions: [] };

export class UserOrders {
  readonly #sandbox: NamedWorld;
  #readAt = Number.NEGATIVE_INFINITY;
  #byMarket: ReadonlyMap<number, UserMarket> = new Map();

  constructor(sandbox: NamedWorld) {
    this.#sandbox = sandbox;
  }

  in(market: number, now: number): UserMarket {
    return this.#read(now).get(market) ?? NO_ORDERS;
  }

  all(now: number): readonly OrderView[] {
    return [...this.#read(now).values()].flatMap(({ orders }) => orders);
  }

  row(order: OrderView): OrderRow {
    const { context, control, words } = this.#sandbox;
    const { catalogue, registry, exchange } = context.world;
    const app = exchange.wallet(order.wallet)?.app;
    const record = catalogue.markets.get(order.market);
    const market = record && words.named(record, context.world);
    const event = market === undefined ? undefined : catalogue.events.get(market.event);
    const matched = order.stake - order.stakeUnmatched - order.stakeVoided;
    const live = isLive(order.status);
    return {
      number: order.id,
      exchangeId: words.orderId(order.id),
      market: market === undefined ? String(order.market) : control.names.marketId(market),
      place: marketLabel({ eventName: event?.name ?? '', name: market?.name ?? '' }),
      outcome: market?.outcomes[order.outcome]?.title ?? '',
      side: order.side,
      price: decimalOfTick(order.tick),
      stake: moneyToDecimal(order.stake),
      matched: matched / 1e6,
      unmatched: live ? moneyToDecimal(order.stakeUnmatched) : 0,
      averagePrice: undefined,
      state: orderWords(order.status),
      tone: live ? 'good' : 'plain',
      owner: app === undefined ? '' : appIdOf(this.#sandbox, app),
      wallet: words.walletName(registry.wallet(order.wallet)),
      placedAt: order.createdAt,
      note: words.noteOf(order.reference),
      profit: undefined,
    };
  }

  /** What a wallet is called: an account has one, and is known by its own name. */
  walletName(wallet: WalletRecord): string {
    return this.#sandbox.words.walletName(wallet) || appIdOf(this.#sandbox, wallet.app);
  }

  #read(now: number): ReadonlyMap<number, UserMarket> {
    if (now - this.#readAt < READ_EVERY_MS) return this.#byMarket;
    this.#readAt = now;
    const { exchange, registry } = this.#sandbox.context.world;
    const users = [...registry.wallets.values()].filter(
      ({ wallet, type }) => type === 'User' && registry.keepsHistory(wallet),
    );
    const wallets = new Set(users.map(({ wallet }) => wallet));
    const byMarket = new Map<number, UserMarket>();
    for (const market of exchange.marketIds()) {
      const positions = [...wallets].flatMap((wallet) => exchange.position(wallet, market) ?? []);
      if (positions.length === 0) continue;
      const orders = [...exchange.ordersOfMarket(market)].filter(({ wallet }) => wallets.has(wallet));
      byMarket.set(market, { orders, positions });
    }
    this.#byMarket = byMarket;
    return byMarket;
  }
}
