/** The run log and fill listener of one world: keeps the counts, orders, fills and profits that its result is made of. */

import { defined } from '../../core/checks/assert.ts';
import type { Grade, MarketFacts } from '../../core/market.ts';
import type { MarketState } from '../../core/market-state.ts';
import type { Instant, Money } from '../../core/number/units.ts';
import type { RefusalCode } from '../../core/refusal.ts';
import type { EventOf, RunEvent, RunLog, StrategyHalt } from '../../engine/log/run-log.ts';
import type { Transcript } from '../../engine/log/transcript.ts';
import { type BetWorth, noBetWorth } from '../../matching/life/bet-worth.ts';
import type { RecordedDefinition } from '../../recording/tape/definition.ts';
import type { Bound } from '../../result/figures/bounds.ts';
import type { RefusedIntents } from '../../result/figures/refusal-rows.ts';
import type { MarketPrices } from '../../result/market-prices.ts';
import type { FillRow, OrderRow, ProfitMoney } from '../../result/result.ts';
import type { FillListener, ModelFill } from '../../simulator/fill-model/fill-listener.ts';
import type { FillModelExchange } from '../../simulator/fill-model/fill-model-exchange.ts';
import type { OrderTrack } from '../../simulator/fill-model/order-track.ts';
import type { PlayedMarket } from '../../simulator/replay/played-market.ts';
import type { PreOffPrices } from '../../simulator/replay/pre-off-prices.ts';
import type { ReplayMarket } from '../../simulator/replay/replay-market.ts';
import type { SimulatedClock } from '../../time/simulated-clock.ts';
import { FillTable, type PackedFills } from './fill-table.ts';
import { LaterPrices } from './later-prices.ts';
import { OrderTable, type PackedOrders } from './order-table.ts';
import { type KeptPlots, PlotTable } from './plot-table.ts';
import { PriceHistory } from './price-history.ts';
import { RefusalTable } from './refusal-table.ts';
import { addCount, CodeCounts, StrategyTally } from './strategy-tally.ts';

/** What one market brought. It must not refer to the market itself, whose orders would stay in memory. */
export interface CollectedMarket extends CollectedOutcomes {
  readonly index: number;
  readonly facts: MarketFacts;
  readonly grade: Grade;
  /** Recorded updates that were replayed. */
  readonly updates: number;
  readonly status: MarketState['status'];
  readonly settledAt: Instant | undefined;
  /** When its recording ended, where that was before the market did. */
  readonly cutOffAt: Instant | undefined;
  /** How many orders were cancelled by suspensions in play. */
  readonly ordersSuspended: number;
  /** Stake that taking orders did not match because the source had not shown the level for too long. */
  readonly stakeOutOfSight: Money;
  readonly orders: number;
  /** How many strategies watched it; undefined where it ended before it was offered to any. */
  readonly watchers: number | undefined;
  readonly profit: ProfitMoney;
  /** What its bets are worth at its end; without outcomes where nothing was matched. */
  readonly worth: BetWorth;
}

const NO_BETS = noBetWorth(0);

export interface Tally {
  sent: number;
  accepted: number;
  rejected: number;
  matchedFully: number;
  matchedPartly: number;
  cancelled: number;
  unmatched: number;
}

/** Orders and fills as columns by row. */
export interface RowColumns {
  readonly orders: PackedOrders;
  readonly fills: PackedFills;
}

export class RunCollector implements RunLog, FillListener {
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
  readonly rejections = new Map<string, number>();
  readonly markets: CollectedMarket[] = [];
  readonly halts: StrategyHalt[] = [];
  /** The tallies by index of the strategy. */
  readonly strategies: readonly StrategyTally[];
  /** How many strategies watch a market, by its index, until it ends. */
  readonly #watchers = new Map<number, number>();
  readonly #refused = new CodeCounts<RefusalCode>();
  readonly #orders: OrderTable;
  readonly #fills: FillTable;
  readonly #plots: PlotTable;
  readonly #refusals: RefusalTable;
  readonly #history = new PriceHistory();
  #laterPrices: LaterPrices | undefined;

  readonly #isShown: boolean;

  /** `isShown`: prices over time and plots are kept, which a report shows of one world. */
  constructor(parts: { transcript: Transcript; bound: Bound; strategies: readonly string[]; isShown?: boolean }) {
    this.#isShown = parts.isShown ?? true;
    this.transcript = parts.transcript;
    this.strategies = parts.strategies.map(() => new StrategyTally());
    this.#orders = new OrderTable(parts.strategies, parts.bound);
    this.#fills = new FillTable(this.#orders);
    this.#plots = new PlotTable(parts.strategies);
    this.#refusals = new RefusalTable(parts.strategies);
  }

  /** Begins to keep the prices some seconds after each fill. Call it before the first update. */
  watchPrices(clock: SimulatedClock, marketOf: (index: number) => ReplayMarket | undefined): void {
    const keep = (row: number, delay: 0 | 1, tick: number) => this.#fills.addLater(row, delay, tick);
    this.#laterPrices = new LaterPrices({ clock, marketOf, keep });
  }

  /** The simulation is over: what it kept its markets in must not stay in memory with the result. */
  close(): void {
    this.#laterPrices = undefined;
  }

  /** All orders sent, by number; `run` is the number of this simulation in the result. */
  orderRows(run = 1): Iterable<OrderRow> {
    return this.#orders.rows(run);
  }

  /** All fills, in the order in which they happened. */
  fillRows(run = 1): Iterable<FillRow> {
    return this.#fills.rows(run);
  }

  /** All orders and fills as plain data for another thread. */
  packedRows(): RowColumns {
    return { orders: this.#orders.packed(), fills: this.#fills.packed() };
  }

  /** All orders and fills as the columns in which they are kept: nothing is copied. */
  heldRows(): RowColumns {
    return { orders: this.#orders.held(), fills: this.#fills.held() };
  }

  /** What strategies plotted. To be read when all markets have ended. */
  get plots(): KeptPlots {
    const idByIndex = new Map(this.markets.map(({ index, facts }) => [index, facts.id]));
    return this.#plots.kept((market) => idByIndex.get(market) ?? String(market));
  }

  /** Refused intents one by one. To be read when all markets have ended. */
  get refused(): RefusedIntents {
    const factsByIndex = new Map(this.markets.map(({ index, facts }) => [index, facts]));
    return this.#refusals.kept({
      factsOf: (market) => factsByIndex.get(market),
      orderOf: (order, strategy) => this.#orders.ownPlaceOf(order, strategy),
    });
  }

  /** Prices over time of the markets with orders that have ended. */
  get prices(): readonly MarketPrices[] {
    return this.#history.kept;
  }

  /** How often intents were refused, by code. */
  get refusals(): ReadonlyMap<RefusalCode, number> {
    return this.#refused.times;
  }

  /** A market was offered to the strategies; `watchers` are the indexes of those that watch it. */
  listed(market: number, watchers: readonly number[]): void {
    this.#watchers.set(market, watchers.length);
    for (const strategy of watchers) this.#strategy(strategy).watched += 1;
  }

  logUpdate(at: number, market: MarketState): void {
    this.transcript.logUpdate(at, market);
    if (this.#isShown) this.#history.updated(at, market);
  }

  logEvent(event: RunEvent): void {
    this.transcript.logEvent(event);
    switch (event.kind) {
      case 'refused':
        return this.#countRefusal(event);
      case 'sent':
        return this.#countSent(event);
      case 'rejected':
        return this.#countRejection(event);
      case 'halted':
        this.halts.push(event.halt);
        this.#strategy(event.halt.strategy).halted = true;
        return;
      case 'plotted':
        if (this.#isShown) this.#plots.add(event);
        return;
      case 'decided':
      case 'cancelSent':
      case 'reduceSent':
      case 'unknown':
      case 'reported':
      case 'reappeared':
      case 'settled':
        // The transcript has them; the result takes its orders and profits from the simulator.
        return;
    }
  }

  #countRefusal(event: EventOf<'refused'>): void {
    const { code } = event.refusal;
    this.#refused.add(code);
    this.#strategy(event.strategy).refused.add(code);
    this.#refusals.add(event);
  }

  #countSent({ at, order, market }: EventOf<'sent'>): void {
    this.tally.sent += 1;
    this.#strategy(order.terms.strategy).sent += 1;
    this.#orders.sent(order, market);
    if (this.#isShown) this.#history.sent(at, order.terms.outcome, market);
  }

  #countRejection({ at, order, code }: EventOf<'rejected'>): void {
    this.tally.rejected += 1;
    addCount(this.rejections, code, 1);
    this.#strategy(order.terms.strategy).reject(code);
    this.#orders.rejected(order.id, at, code);
  }

  /** Keeps a fill. */
  filled(fill: ModelFill): void {
    this.transcript.logFill(fill.at, fill.clientOrderId, fill.price, fill.stake);
    const row = this.#fills.add(fill);
    this.#laterPrices?.filled(row, fill);
  }

  /** Keeps what a market brought. To be called before the simulator frees it. */
  marketEnded(market: ReplayMarket, exchange: FillModelExchange): void {
    const { account, tracks, orders } = exchange.market(market.exchangeId);
    const { stakeMatched, commission, worth: markToMarket } = account;
    const { hasEnded, endedAt: settledAt, updatesSeen: updates, recorded } = market.played;
    const profitGross = hasEnded ? account.gross : (0 as Money);
    const worth = stakeMatched > 0 ? exchange.betWorth(market.exchangeId, market.outcomesMax) : NO_BETS;
    for (const track of tracks) this.orderEnded(track);
    const { index, status, ordersSuspended, stakeOutOfSight } = market;
    const { facts, grade } = recorded;
    this.#history.marketEnded(index);
    const watchers = this.#watchers.get(index);
    this.#watchers.delete(index);
    const cutOffAt = market.isCutOff ? market.updatedAt : undefined;
    this.markets.push({
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
      // A market that pays nothing would have paid nothing: what closing its positions brought is no measure of a strategy.
      profit: {
        ...{ stakeMatched, profitGross, commission },
        ...(markToMarket === undefined || status === 'Voided' ? {} : { markToMarket }),
      },
      worth,
      ...collectedOutcomes(market.played),
    });
  }

  /** Keeps what became of an order. Called when it ended without a match, or with its market. */
  orderEnded(track: OrderTrack): void {
    this.#orders.ended(track);
    if (track.matched > 0) this.#strategy(track.request.strategy).matched += 1;
    this.tally.accepted += 1;
    if (track.matched === track.request.stake) this.tally.matchedFully += 1;
    else if (track.matched > 0) this.tally.matchedPartly += 1;
    else if (track.unmatched > 0) this.tally.unmatched += 1;
    else this.tally.cancelled += 1;
  }

  #strategy(index: number): StrategyTally {
    return defined(this.strategies[index], 'a strategy of the run');
  }
}

interface CollectedOutcome {
  readonly id: string;
  readonly title: string;
  readonly result: 'Winner' | 'Loser' | 'Removed' | undefined;
  /** The part of a bet that was paid as won; undefined where bets on it were void. */
  readonly winShare: number | undefined;
  readonly startingPrice: number | undefined;
}

/** What is kept of a market's outcomes at its end. Plain data, which may be sent between threads. */
interface CollectedOutcomes {
  readonly startsAt: Instant | undefined;
  readonly inPlayAt: Instant | undefined;
  /** Whether orders waited in play, and its recording does not say which of them should. */
  readonly isDelayModelOpen: boolean;
  /** How many winners the market pays; 0 where its definition leaves that open. */
  readonly winnerCount: number;
  readonly outcomes: readonly CollectedOutcome[];
  /** Undefined where the recording does not show the close: it ends before, or begins in play. */
  readonly preOff: PreOffPrices | undefined;
}

/** The outcomes as they were replayed until now: a result or a name that the recording gives later is not there. */
function collectedOutcomes(market: PlayedMarket): CollectedOutcomes {
  const { facts, definition, ending, removed, inPlayAt } = market;
  const shareOfWinner = ending?.status === 'Settled' ? winnersShare(ending) : undefined;
  // While a market may still turn in play, or trade again, it is not known which prices were the last.
  const isClosed = inPlayAt !== undefined || market.hasEnded;
  return {
    startsAt: facts.expectedStartTime,
    inPlayAt,
    isDelayModelOpen: inPlayAt !== undefined && inPlayAt >= MODELS_SINCE && hasOpenDelay(definition),
    winnerCount: (ending ?? definition)?.winnerCount ?? 1,
    outcomes: facts.outcomes.map(({ id, title }, outcome) => {
      const { startingPrice } = definition?.outcomes[outcome] ?? {};
      const named = { id, title, startingPrice };
      if (removed.has(outcome)) return { ...named, result: 'Removed', winShare: undefined };
      if (shareOfWinner === undefined) return { ...named, result: undefined, winShare: undefined };
      const isWinner = ending?.outcomes[outcome]?.status === 'Winner';
      return { ...named, result: isWinner ? 'Winner' : 'Loser', winShare: isWinner ? shareOfWinner : 0 };
    }),
    preOff: isClosed ? market.preOff : undefined,
  };
}

/** Betfair has had models of its delay since then, and its recordings say which. */
const MODELS_SINCE = Date.UTC(2025, 8, 4);

function hasOpenDelay(definition: RecordedDefinition | undefined): boolean {
  return definition !== undefined && definition.inPlayDelayMs > 0 && definition.inPlayDelayModels === undefined;
}

/** 1, or in a dead heat of k winners for w places w ÷ k. */
function winnersShare({ outcomes, winnerCount }: RecordedDefinition): number {
  const winners = outcomes.filter(({ status }) => status === 'Winner').length;
  return winnerCount > 0 && winners > winnerCount ? winnerCount / winners : 1;
}
