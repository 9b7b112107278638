/** Listens to one simulation and keeps what its result is made of: counts, rows, fills, and each market's profit. */

import { present } from '../../../core/checks/assert.ts';
import type { Grade, MarketFacts } from '../../../core/market.ts';
import type { MarketState } from '../../../core/market-state.ts';
import type { Instant, Money } from '../../../core/number/units.ts';
import type { RefusalCode } from '../../../core/refusal.ts';
import type { OwnOrder } from '../../../engine/ledger/own-order.ts';
import type { EventOf, RunEvent, RunLog, StrategyHalt } from '../../../engine/log/run-log.ts';
import type { Transcript } from '../../../engine/log/transcript.ts';
import type { Bound, FillRow, OrderRow, ProfitMoney } from '../../../report/result.ts';
import type { FillListener, ModelFill } from '../../../simulator/fill-model/fill-listener.ts';
import type { FillModelExchange } from '../../../simulator/fill-model/fill-model-exchange.ts';
import type { OrderTrack } from '../../../simulator/fill-model/order-track.ts';
import type { ReplayMarket } from '../../../simulator/replay/replay-market.ts';
import { FillTable } from './fill-table.ts';
import { OrderTable } from './order-table.ts';
import { StrategyTally } from './strategy-tally.ts';

/** One market's outcome in each answer of the simulation; nothing of the market itself, whose orders would live as long. */
export interface CollectedMarket {
  readonly index: number;
  readonly facts: MarketFacts;
  readonly grade: Grade;
  /** Recorded updates that were replayed. */
  readonly updates: number;
  readonly status: MarketState['status'];
  readonly settledAt: Instant | undefined;
  /** Its recording ended then, before it did. */
  readonly cutOffAt: Instant | undefined;
  /** How many orders suspensions in play took from its book. */
  readonly ordersSuspended: number;
  /** What takers did not match because levels were out of the source's sight for too long. */
  readonly stakeOutOfSight: Money;
  readonly orders: number;
  /** How many strategies watched it; undefined where it ended before anybody was told of it. */
  readonly watchers: number | undefined;
  readonly profit: ReadonlyMap<Bound, ProfitMoney>;
}

export interface Tally {
  sent: number;
  accepted: number;
  rejected: number;
  matchedFully: number;
  matchedPartly: number;
  cancelled: number;
  unmatched: number;
}

export class RunCollector implements RunLog {
  readonly transcript: Transcript;
  readonly tally: Tally = {
    sent: 0,
    accepted: 0,
    rejected: 0,
    matchedFully: 0,
    matchedPartly: 0,
    cancelled: 0,
    unmatched: 0,
  };
  readonly refusals = new Map<RefusalCode, number>();
  readonly rejections = new Map<string, number>();
  readonly markets: CollectedMarket[] = [];
  readonly halts: StrategyHalt[] = [];
  /** By index of the strategy. */
  readonly strategies: readonly StrategyTally[];
  /** By index of the market, while it goes on. */
  readonly #watchers = new Map<number, number>();
  readonly #bounds: readonly Bound[];
  readonly #orders: OrderTable;
  readonly #fills: FillTable;

  constructor(parts: { transcript: Transcript; bounds: readonly Bound[]; strategies: readonly string[] }) {
    this.transcript = parts.transcript;
    this.#bounds = parts.bounds;
    this.strategies = parts.strategies.map(() => new StrategyTally());
    this.#orders = new OrderTable(parts.strategies, parts.bounds);
    this.#fills = new FillTable(parts.bounds, this.#orders);
  }

  /** All orders sent, by number; `run` is the number of this simulation in the result. */
  orderRows(run = 1): Iterable<OrderRow> {
    return this.#orders.rows(run);
  }

  /** All fills of all answers, in the order in which they happened. */
  fillRows(run = 1): Iterable<FillRow> {
    return this.#fills.rows(run);
  }

  /** How many orders have answers that are not in order. */
  get outOfOrder(): number {
    return this.#orders.outOfOrder;
  }

  /** How many orders were sent to reduce a position of earlier fills. */
  get exits(): number {
    return this.#orders.exits;
  }

  /** A market was told to the strategies for the first time; these watch it. */
  listed(market: number, watchers: readonly number[]): void {
    this.#watchers.set(market, watchers.length);
    for (const strategy of watchers) this.#strategy(strategy).watched += 1;
  }

  logUpdate(at: number, market: MarketState): void {
    this.transcript.logUpdate(at, market);
  }

  logEvent(event: RunEvent): void {
    this.transcript.logEvent(event);
    switch (event.kind) {
      case 'refused':
        return this.#countRefusal(event);
      case 'sent':
        return this.#countSent(event.order);
      case 'rejected':
        return this.#countRejection(event);
      case 'halted':
        this.halts.push(event.halt);
        this.#strategy(event.halt.strategy).halted = true;
        return;
      case 'decided':
      case 'cancelSent':
      case 'unknown':
      case 'reported':
      case 'reappeared':
      case 'settled':
        // The transcript has them; the result takes its orders and profits from the simulator.
        return;
    }
  }

  #countRefusal({ strategy, refusal: { code } }: EventOf<'refused'>): void {
    this.refusals.set(code, (this.refusals.get(code) ?? 0) + 1);
    this.#strategy(strategy).refuse(code);
  }

  #countSent(order: OwnOrder): void {
    this.tally.sent += 1;
    this.#strategy(order.terms.strategy).sent += 1;
    this.#orders.sent(order);
  }

  #countRejection({ at, order, code }: EventOf<'rejected'>): void {
    this.tally.rejected += 1;
    this.rejections.set(code, (this.rejections.get(code) ?? 0) + 1);
    this.#strategy(order.terms.strategy).reject(code);
    this.#orders.rejected(order.id, at, code);
  }

  /** Hears the fills of one answer. */
  listener(bound: Bound): FillListener {
    const answer = this.#bounds.indexOf(bound);
    return { filled: (fill) => this.#filled(answer, fill) };
  }

  /** Takes what a market brought, before the simulator frees it; `exchanges` stand in the order of the bounds. */
  marketEnded(market: ReplayMarket, exchanges: readonly FillModelExchange[]): void {
    const answers = exchanges.map((exchange) => exchange.market(market.exchangeId));
    const profit = new Map<Bound, ProfitMoney>();
    for (const [answer, bound] of this.#bounds.entries()) {
      const account = answers[answer]?.account;
      if (account === undefined) continue;
      const { stakeMatched, commission, worth } = account;
      const profitGross = market.hasEnded ? account.gross : (0 as Money);
      profit.set(bound, {
        stakeMatched,
        profitGross,
        commission,
        ...(worth === undefined ? {} : { markToMarket: worth }),
      });
    }
    for (const track of answers[0]?.tracks ?? []) this.orderEnded(track);
    const { index, status, updatesSeen: updates, endedAt: settledAt, ordersSuspended, stakeOutOfSight } = market;
    const { facts, grade } = market.recorded;
    const watchers = this.#watchers.get(index);
    this.#watchers.delete(index);
    const cutOffAt = market.isCutOff ? market.updatedAt : undefined;
    const orders = answers[0]?.orders ?? 0;
    const row = {
      index,
      facts,
      grade,
      updates,
      status,
      settledAt,
      cutOffAt,
      ordersSuspended,
      stakeOutOfSight,
      orders,
      watchers,
      profit,
    };
    this.markets.push(row);
  }

  #filled(answer: number, fill: ModelFill): void {
    this.transcript.logFill(fill.at, answer, fill.client, fill.price, fill.stake);
    this.#fills.add(answer, fill);
    if (answer === 0) this.#orders.filled(fill.client, fill.price, fill.stake);
  }

  /** Takes the last word of an order: when it ends without a match, or with its market. */
  orderEnded(track: OrderTrack): void {
    this.#orders.ended(track);
    if (isMatched(track)) this.#strategy(track.request.strategy).matched += 1;
    this.tally.accepted += 1;
    if (track.matched === track.request.stake) this.tally.matchedFully += 1;
    else if (track.matched > 0) this.tally.matchedPartly += 1;
    else if (track.unmatched > 0) this.tally.unmatched += 1;
    else this.tally.cancelled += 1;
  }

  #strategy(index: number): StrategyTally {
    return present(this.strategies[index], 'a strategy of the run');
  }
}

/** In any of the answers. */
function isMatched(track: OrderTrack): boolean {
  if (track.matched > 0) return true;
  for (const sibling of track.siblings) if (sibling.matched > 0) return true;
  return false;
}
