/** The bets of accounts: the exchange machine's orders, with what it does not keep of them. */

import type { Instant, Money } from '../../core/number/units.ts';
import type { CancellationReason } from '../../core/order.ts';
import type { ExchangeEvent } from '../../matching/messages/event.ts';
import type { OrderView } from '../../matching/state/views.ts';
import type { Change } from '../../sandbox/world/change.ts';
import type { World } from '../../sandbox/world/world.ts';
import { PENNY } from '../names/amounts.ts';

/** Amounts in 10⁻⁶ of a pound. stake = matched + unmatched + lapsed + cancelled + voided, always. */
export interface Bet extends UnmatchedParts {
  readonly order: OrderView;
  /** A hundredth of the account's currency, in which the bet's amounts are told. */
  readonly penny: number;
  readonly matched: Money;
  /** Stake that was matched and is void. */
  readonly voided: Money;
  /** The mean of what was matched, in 10⁻³; 0 where nothing was. */
  readonly averagePrice: number;
  readonly matchedAt: Instant | undefined;
}

/** What became of the stake that was never matched. */
interface UnmatchedParts {
  readonly cancelled: Money;
  readonly cancelledAt: Instant | undefined;
  readonly lapsed: Money;
  readonly lapsedAt: Instant | undefined;
  readonly lapseReason: LapseReason | undefined;
}

type LapseReason = 'MKT_SUSPENDED' | 'MKT_INVALID' | 'RNR_UNKNOWN';

/** What was matched of an order, as the world's cleared orders have it. */
interface Matched {
  readonly stakeMatched: Money;
  readonly averagePrice?: number;
  readonly lastMatchedAt?: Instant;
}

/** The most orders whose parts are kept; the oldest are forgotten first, and told from their last status. */
const PARTS_MAX = 200_000;

/**
 * Why parts of an order were never matched is kept in memory: after a restart the parts of earlier orders are told from their
 * last status.
 */
export class Bets {
  readonly #world: World;
  readonly #parts = new Map<number, UnmatchedParts>();

  constructor(world: World) {
    this.#world = world;
    world.listen(
      (change, events) => this.#onEvents(change, events),
      (change) => !isOfHouse(world, change),
    );
  }

  /** The bet; undefined where it is unknown, or its market was cleared away. */
  get(id: number): Bet | undefined {
    const order = this.#world.exchange.order(id);
    return order === undefined ? undefined : this.of(order, this.#matchedOf(order));
  }

  /** The bets of a wallet in markets that are there, the newest market first. */
  *ofWallet(wallet: number): IterableIterator<Bet> {
    const { exchange } = this.#world;
    for (const { market } of exchange.positionsOfWallet(wallet)) {
      for (const order of exchange.ordersOfPosition(wallet, market)) yield this.of(order, this.#matchedOf(order));
    }
  }

  of(order: OrderView, { stakeMatched, averagePrice = 0, lastMatchedAt }: Matched): Bet {
    const none = 0 as Money;
    const isVoid = order.status === 'Voided';
    return {
      ...(this.#parts.get(order.id) ?? partsByReason(order)),
      order,
      penny: pennyOfWallet(this.#world, order.wallet),
      matched: isVoid ? none : stakeMatched,
      voided: ((order.voidedMatched ?? 0) + (isVoid ? stakeMatched : 0)) as Money,
      averagePrice,
      matchedAt: lastMatchedAt,
    };
  }

  #matchedOf(order: OrderView): Matched {
    const stakeMatched = (order.stake - order.stakeUnmatched - order.stakeVoided) as Money;
    if (stakeMatched === 0) return { stakeMatched };
    let weight = 0;
    let lastMatchedAt = order.createdAt;
    for (const { stake, price, createdAt } of this.#world.exchange.tradesOfOrder(order.id)) {
      weight += stake * price;
      lastMatchedAt = createdAt;
    }
    return { stakeMatched, averagePrice: weight / stakeMatched, lastMatchedAt };
  }

  #onEvents(change: Change | undefined, events: readonly ExchangeEvent[]): void {
    const isAsked = change?.kind === 'command' && ASKED.has(change.command.kind);
    for (const event of events) {
      if (event.kind !== 'orderChanged' || event.stakeVoided === 0) continue;
      this.#note(event.order, isAsked ? 'UserRequest' : event.reason, event);
    }
  }

  /** Notes what is newly void of an order. The exchange's own orders are no bets. */
  #note(
    order: number,
    reason: CancellationReason | undefined,
    { at, stakeVoided }: { readonly at: Instant; readonly stakeVoided: Money },
  ): void {
    const before = this.#parts.get(order) ?? NO_PARTS;
    const { app, voidedMatched = 0 } = this.#world.exchange.order(order) ?? {};
    const stake = (stakeVoided - voidedMatched - before.cancelled - before.lapsed) as Money;
    if (stake <= 0 || app === undefined || this.#world.registry.app(app).isHouse) return;
    this.#parts.set(order, withPart(before, { stake, reason, at }));
    for (const oldest of this.#parts.keys()) {
      if (this.#parts.size <= PARTS_MAX) return;
      this.#parts.delete(oldest);
    }
  }
}

/** An account that was opened before settlements had steps is in pounds. */
function pennyOfWallet({ exchange }: World, wallet: number): number {
  const step = exchange.moneyStepOf(wallet);
  return step === 1 ? PENNY : step;
}

/** Whether a change is the exchange's own order, which takes nothing away of what others have. */
function isOfHouse({ registry }: World, change: Change | undefined): boolean {
  if (change?.kind !== 'command') return false;
  const { command } = change;
  return (command.kind === 'place' || command.kind === 'cancel') && registry.app(command.app).isHouse;
}

const NO_PARTS: UnmatchedParts = {
  cancelled: 0 as Money,
  cancelledAt: undefined,
  lapsed: 0 as Money,
  lapsedAt: undefined,
  lapseReason: undefined,
};

/** Commands by which a customer gives up stake; all else that ends it is a lapse. */
const ASKED: ReadonlySet<string> = new Set(['cancel', 'reduce', 'replace']);

const LAPSE_REASONS: Readonly<Partial<Record<CancellationReason, LapseReason>>> = {
  MarketSuspended: 'MKT_SUSPENDED',
  MarketLock: 'MKT_INVALID',
  MarketSettled: 'MKT_INVALID',
  MarketVoided: 'MKT_INVALID',
  OutcomeRemoved: 'RNR_UNKNOWN',
};

function withPart(
  before: UnmatchedParts,
  part: { readonly stake: Money; readonly reason: CancellationReason | undefined; readonly at: Instant },
): UnmatchedParts {
  const { stake, reason, at } = part;
  if (reason === 'UserRequest' || reason === 'HeartbeatLapsed')
    return { ...before, cancelled: (before.cancelled + stake) as Money, cancelledAt: at };
  const lapseReason = reason === undefined ? undefined : LAPSE_REASONS[reason];
  return { ...before, lapsed: (before.lapsed + stake) as Money, lapsedAt: at, lapseReason };
}

/** Only its customer can have taken a part away of an order that still rests. */
function partsByReason(order: OrderView): UnmatchedParts {
  const { stakeVoided, voidedMatched = 0, stakeUnmatched, reason, modifiedAt: at } = order;
  const stake = (stakeVoided - voidedMatched) as Money;
  if (stake === 0) return NO_PARTS;
  return withPart(NO_PARTS, { stake, reason: stakeUnmatched > 0 ? 'UserRequest' : reason, at });
}
