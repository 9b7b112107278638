/** What risk remembers besides exposure: whether trading is allowed, the heartbeat, results, rates and the wallets' funds. */

import { type Instant, instant, type Money } from '../core/number/units.ts';
import { MINUTE_MS, RiskHistory, type RiskMemory } from '../core/run/risk-memory.ts';
import { TRADING_STATES, type TradingState } from '../core/run/trading-state.ts';
import type { Limits } from './limits/limits.ts';
import { type ActiveRule, activeRules, type RiskFacts } from './rule.ts';
import { RULES } from './rules.ts';
import { STOPS, type Stop, type TradingMove } from './stops.ts';
import { WalletFunds } from './wallet-funds.ts';

/** One per run, beside one `ExposureBook`. Each change has a verb; all else is for reading. */
export class RiskState implements RiskFacts {
  readonly funds = new WalletFunds();
  readonly #haltedStrategies = new Set<number>();
  readonly #marketsOff = new Map<number, string>();
  readonly #walletsStale = new Set<number>();
  readonly #statusStale = new Set<number>();
  #statusBudgetMs = Number.POSITIVE_INFINITY;
  #notReady: string | undefined;
  #stateUnknown: string | undefined;
  #heartbeatActive = false;
  /** When the heartbeat lapses unless confirmed again: the instant of SENDING it plus the timeout. Undefined: not known. */
  #heartbeatUntil: Instant | undefined;
  #limits: Limits;
  #rules: readonly ActiveRule[];
  #history = new RiskHistory();
  #trading: TradingState = 'running';
  #tradingCause = '';

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#rules = activeRules(RULES, limits);
  }

  get limits(): Limits {
    return this.#limits;
  }

  /** The rules that these limits ask for: each order is judged by all of them. */
  get rules(): readonly ActiveRule[] {
    return this.#rules;
  }

  /**
   * Limits may change at any moment: what was counted stays counted, whether or not a limit asked for it. Tighter than
   * what is held already, they refuse more risk and cancel nothing. Ask `evaluate` after it.
   */
  setLimits(limits: Limits): void {
    this.#limits = limits;
    this.#rules = activeRules(RULES, limits);
  }

  get trading(): TradingState {
    return this.#trading;
  }

  /** Why it is in this state; empty in a run that was never stopped. */
  get tradingCause(): string {
    return this.#tradingCause;
  }

  /** The kill switch: while set, only cancellations pass. */
  get halted(): boolean {
    return this.#trading === 'halted';
  }

  /**
   * Moves between running, reduce-only and halted; live orders stay as they are. Returns whether the state changed;
   * moving to where it is keeps the first cause. `by`: a limit's name, `command`, `file`, `signal`, `recovery`.
   */
  moveTrading({ to, cause, by }: TradingMove): boolean {
    if (to === this.#trading) return false;
    this.#trading = to;
    this.#tradingCause = cause;
    this.#history.moved(to, by);
    return true;
  }

  /** Indexes of strategies. */
  get haltedStrategies(): ReadonlySet<number> {
    return this.#haltedStrategies;
  }

  haltStrategy(strategy: number): void {
    this.#haltedStrategies.add(strategy);
  }

  resumeStrategy(strategy: number): void {
    this.#haltedStrategies.delete(strategy);
  }

  /** Markets, by index, on which nothing is placed, with the cause: MARKET_RISK_OFF. */
  get marketsOff(): ReadonlyMap<number, string> {
    return this.#marketsOff;
  }

  /** Nothing is placed on the market until it is switched on. A market that is dropped is switched on again. */
  switchMarketOff(market: number, cause: string): void {
    this.#marketsOff.set(market, cause);
  }

  switchMarketOn(market: number): void {
    this.#marketsOff.delete(market);
  }

  /** Markets, by index, whose status was older than allowed in the run that is replayed: FEED_STALE. */
  get statusStale(): ReadonlySet<number> {
    return this.#statusStale;
  }

  setStatusStale(market: number, isStale: boolean): void {
    if (isStale) this.#statusStale.add(market);
    else this.#statusStale.delete(market);
  }

  /** How old the status of a market may be, ms: FEED_STALE. */
  get statusBudgetMs(): number {
    return this.#statusBudgetMs;
  }

  setStatusBudget(ms: number): void {
    this.#statusBudgetMs = ms;
  }

  /** Wallets, by index, that could not be read for longer than allowed: STATE_UNKNOWN. */
  get walletsStale(): ReadonlySet<number> {
    return this.#walletsStale;
  }

  setWalletStale(wallet: number, isStale: boolean): void {
    if (isStale) this.#walletsStale.add(wallet);
    else this.#walletsStale.delete(wallet);
  }

  /** What the start or the end of the run waits for; while there is such a thing, nothing is placed: NOT_READY. */
  get notReady(): string | undefined {
    return this.#notReady;
  }

  setNotReady(cause: string | undefined): void {
    this.#notReady = cause;
  }

  /** Why it is not known what we hold: a feed of orders or wallets is late, or could not be compared: STATE_UNKNOWN. */
  get stateUnknown(): string | undefined {
    return this.#stateUnknown;
  }

  setStateUnknown(cause: string | undefined): void {
    this.#stateUnknown = cause;
  }

  /**
   * The move that a stop asks for now, undefined where none does or trading is stopped as much already. To be asked
   * after each settled result, after `restore` and after `setLimits`: a stop that was reached is made whenever the
   * process died.
   */
  evaluate(): TradingMove | undefined {
    const stops: readonly Stop[] = STOPS;
    for (const stop of stops) {
      const limit = this.#limits[stop.limit];
      const asked = limit === undefined ? undefined : stop.move(limit, this.#history);
      if (asked !== undefined && severityOf(this.#trading) < severityOf(asked.to)) return asked;
    }
    return undefined;
  }

  /**
   * Books the result of a settled market, net of commission, at `now`. `isDifference`: the market had a result in this
   * wallet before, and `profit` is what changed.
   */
  recordSettled(profit: Money, now: Instant, isDifference = false): void {
    this.#history.settled({ at: now, profit, isDifference });
  }

  /** Results, orders and rates as the limits see them. `judge` counts each order that it approves, the ledger those that matched or were adopted. */
  get history(): RiskHistory {
    return this.#history;
  }

  /** The end of the time in which only reducing orders are placed after a losing run; undefined if nothing is cooling down. */
  coolingUntil(now: Instant): Instant | undefined {
    const { cooldown } = this.#limits;
    const { losingRun, lastLossAt } = this.#history;
    if (cooldown === undefined || lastLossAt === undefined || losingRun < cooldown.losses) return undefined;
    const until = lastLossAt + cooldown.minutes * MINUTE_MS;
    return now < until ? instant(until) : undefined;
  }

  /** Limits go on as if the run had never stopped. The trading state is another record: `moveTrading` restores it. */
  restore(memory: RiskMemory): void {
    this.#history = new RiskHistory(memory);
  }

  isHeartbeatActive(now: Instant): boolean {
    return this.#heartbeatActive && (this.#heartbeatUntil === undefined || now < this.#heartbeatUntil);
  }

  /** Whether the exchange keeps a heartbeat for us, and until when it does at least (undefined: not known). */
  setHeartbeat(isActive: boolean, until: Instant | undefined): void {
    this.#heartbeatActive = isActive;
    this.#heartbeatUntil = until;
  }

  /** A feed says how the heartbeat stands. A lapse counts at once; that it is active was confirmed by a reply or not at all. */
  heartbeatReported(isActive: boolean): void {
    this.#heartbeatActive &&= isActive;
  }
}

/** The states are listed from the one that allows most to the one that allows least. */
function severityOf(state: TradingState): number {
  return TRADING_STATES.indexOf(state);
}
