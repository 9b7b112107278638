/** One recorded market as the bot sees it in one world: the recorded book with its own orders laid over it. */

import {
  type InPlayStatus,
  type MarketFacts,
  type MarketStatus,
  type OutcomeStatus,
  type StartingPriceKind,
  type WinnersRange,
  winnersOfCount,
} from '../../core/market.ts';
import { type MarketState, NO_OWN_STAKE, type OwnStake } from '../../core/market-state.ts';
import type { MinimumStake } from '../../core/minimum-stake.ts';
import { priceOfTick, tick } from '../../core/number/ladder.ts';
import { type Instant, type Money, PRICE_SCALE, type Price, price } from '../../core/number/units.ts';
import type { SideIndex } from '../../core/side.ts';
import type { MarketMessage } from '../../exchange/gateway.ts';
import type { FillModelExchange } from '../fill-model/fill-model-exchange.ts';
import type { FillModelMarket, MarketChanged } from '../fill-model/fill-model-market.ts';
import type { OrderMarket } from '../fill-model/request-pool.ts';
import type { OverlayLiquidity } from '../overlay/overlay-liquidity.ts';
import type { MarketWindow } from './market-window.ts';
import type { PlayedMarket } from './played-market.ts';

/** Reads the played market, and the exchange and the overlay of its world; nothing is copied. */
export class ReplayMarket implements MarketState, OrderMarket {
  readonly index: number;
  /** The exchange's id of the market, the same in every world. */
  readonly exchangeId: number;
  readonly played: PlayedMarket;
  readonly minimumStake: MinimumStake | undefined;
  readonly canReduce: boolean;
  readonly outcomesMax: number;
  /** How many orders suspensions in play took from the book. */
  ordersSuspended = 0;
  /** When strategies are asked; absent: from its first update to its end. */
  window: MarketWindow | undefined;
  /** Whether the market is not reported to the bot: its window has not opened, or never did. */
  isHidden = false;
  /** The message that reports new prices, made once because it is sent again and again. */
  readonly pricesMessage: MarketMessage;
  readonly #exchange: FillModelExchange;
  readonly #own: FillModelMarket;
  readonly #overlay: OverlayLiquidity;

  constructor(played: PlayedMarket, exchangeId: number, exchange: FillModelExchange) {
    this.index = played.index;
    this.exchangeId = exchangeId;
    this.played = played;
    this.minimumStake = played.minimumStake;
    this.canReduce = played.canReduce;
    this.outcomesMax = played.outcomesMax;
    this.#exchange = exchange;
    this.#own = exchange.market(exchangeId);
    this.#overlay = this.#own.model;
    this.pricesMessage = { kind: 'market', market: this, cause: 'prices' };
  }

  get facts(): MarketFacts {
    return this.played.facts;
  }
  get commissionPpm(): number {
    return this.played.commissionPpm;
  }
  get updatedAt(): Instant {
    return this.played.updatedAt;
  }
  get isCutOff(): boolean {
    return this.played.isCutOff;
  }
  get freshAt(): Instant | undefined {
    return this.played.recorded.freshAt;
  }
  get statusFreshAt(): Instant | undefined {
    return this.played.recorded.statusFreshAt;
  }
  get status(): MarketStatus {
    return this.#state().status;
  }
  /**
   * The status of the definition in force. The exchange's own status differs: it treats every market as one that may
   * turn in play.
   */
  get inPlayStatus(): InPlayStatus {
    return this.played.definition?.inPlayStatus ?? 'NotApplicable';
  }
  get published(): boolean {
    return this.#state().published;
  }
  get suspended(): boolean {
    return this.#state().suspended;
  }
  get inPlayDelayMs(): number {
    return this.#state().inPlayDelayMs;
  }
  get lockAt(): Instant | undefined {
    return this.#state().lockAt;
  }
  get winners(): WinnersRange {
    return winnersOfCount(this.played.definition?.winnerCount ?? 1, this.facts.outcomes.length);
  }
  get crossMatching(): boolean {
    return this.played.definition?.crossMatching === true;
  }

  /** Whether orders can match, as opposed to a paused market. */
  get isMatching(): boolean {
    return this.status === 'Open' && !this.suspended;
  }

  /** Stake that takers did not match because levels had been out of sight for too long. */
  get stakeOutOfSight(): Money {
    return this.#overlay.stakeOutOfSight;
  }

  outcomeStatus(outcome: number): OutcomeStatus {
    const { removed, definition } = this.played;
    return removed.has(outcome) ? 'Removed' : (definition?.outcomes[outcome]?.status ?? 'Hidden');
  }
  bestTick(outcome: number, side: SideIndex): number {
    return this.#overlay.bestTick(outcome, side);
  }
  nextTick(outcome: number, side: SideIndex, from: number): number {
    return this.#overlay.nextTick(outcome, side, from);
  }
  amountAt(outcome: number, side: SideIndex, tick: number): Money {
    return this.#overlay.amountAt(outcome, side, tick);
  }
  ownAt(outcome: number, side: SideIndex, tick: number): readonly OwnStake[] {
    const slots = this.#overlay.ordersAt(outcome, side, tick);
    if (slots.length === 0) return NO_OWN_STAKE;
    return slots.map((slot) => {
      const { request, unmatched } = this.#exchange.trackOfSlot(slot);
      return { strategy: request.strategy, stake: unmatched };
    });
  }
  traded(outcome: number): Money {
    return this.played.book.traded(outcome);
  }
  tradedAt(outcome: number, tick: number): Money {
    return this.played.book.tradedAt(outcome, tick);
  }
  /** The reconciled one is in the definition, from the one that brings it on. */
  startingPrice(outcome: number, which: StartingPriceKind): Price | undefined {
    const { definition, book } = this.played;
    const thousandths =
      which === 'actual'
        ? Math.round((definition?.outcomes[outcome]?.startingPrice ?? 0) * PRICE_SCALE)
        : book.projectedStart(outcome, which);
    return thousandths > PRICE_SCALE ? price(thousandths) : undefined;
  }
  lastPrice(outcome: number): Price | undefined {
    const last = this.played.book.lastTick(outcome);
    return last < 0 ? undefined : priceOfTick(tick(last));
  }

  /** Values the positions at the prices shown until now. */
  value(): void {
    this.#own.account.markToMarket(this);
  }

  #state(): MarketChanged {
    return this.#own.state;
  }
}
