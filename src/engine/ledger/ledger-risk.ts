/** Risk as the run knows and changes it: each change has a verb, and all else is for reading. */

import type { Instant, Money } from '../../core/number/units.ts';
import type { RunState } from '../../core/run/run-state.ts';
import type { TradingState } from '../../core/run/trading-state.ts';
import type { Limits } from '../../risk/limits/limits.ts';
import type { RiskState } from '../../risk/risk-state.ts';
import type { TradingMove } from '../../risk/stops.ts';
import type { WalletReport } from '../../risk/wallet-funds.ts';
import { ADOPTED, type RunNames } from './run-names.ts';
import type { StrategyInstance } from './strategy-in-market.ts';

/** What an earlier process of the run left, and what is halted from the start. */
export interface KnownRisk {
  /** What the journal says; undefined at the first start of the run. */
  readonly restored: RunState | undefined;
  /** Names of strategies that are halted from the start, besides those that the journal names. */
  readonly halted?: readonly string[];
  readonly names: RunNames;
  readonly instances: readonly StrategyInstance[];
}

export class LedgerRisk {
  readonly #state: RiskState;

  constructor(state: RiskState) {
    this.#state = state;
  }

  get trading(): TradingState {
    return this.#state.trading;
  }
  get tradingCause(): string {
    return this.#state.tradingCause;
  }
  /** Whether nothing but cancellations passes. */
  get halted(): boolean {
    return this.#state.halted;
  }
  get stateUnknown(): string | undefined {
    return this.#state.stateUnknown;
  }
  get history(): RiskState['history'] {
    return this.#state.history;
  }
  /** Indexes of strategies. */
  get haltedStrategies(): ReadonlySet<number> {
    return this.#state.haltedStrategies;
  }
  /** Markets on which nothing is placed, by index, with the cause. */
  get marketsOff(): ReadonlyMap<number, string> {
    return this.#state.marketsOff;
  }

  memory(): ReturnType<RiskState['memory']> {
    return this.#state.memory();
  }

  /** When the heartbeat lapses unless it is confirmed again; undefined: not known. */
  get heartbeatUntil(): Instant | undefined {
    return this.#state.heartbeatUntil;
  }

  isHeartbeatActive(now: Instant): boolean {
    return this.#state.isHeartbeatActive(now);
  }

  /** The move that a limit on losses asks for now; undefined where none does. */
  evaluate(): TradingMove | undefined {
    return this.#state.evaluate();
  }

  /** Goes on where an earlier process stopped: results, rates, the trading state, and which strategies are halted. */
  restore({ restored, halted = [], names, instances }: KnownRisk): void {
    const risk = this.#state;
    if (restored !== undefined) risk.restore(restored.riskMemory);
    if (restored !== undefined && restored.trading !== 'running')
      risk.moveTo(restored.trading, restored.tradingCause, 'recovery');
    const before = restored?.haltedStrategies.map(({ strategy }) => strategy) ?? [];
    for (const strategy of [...before, ...halted]) {
      const instance = instances[names.strategies.indexOf(strategy)];
      if (instance === undefined || strategy === ADOPTED) continue;
      instance.halted = true;
      risk.haltedStrategies.add(instance.index);
    }
  }

  setLimits(limits: Limits): void {
    this.#state.setLimits(limits);
  }

  /** Moves between running, reduce-only and halted; says whether the state changed. Live orders stay as they are. */
  moveTrading({ to, cause, by }: TradingMove): boolean {
    return this.#state.moveTo(to, cause, by);
  }

  haltStrategy(strategy: number): void {
    this.#state.haltedStrategies.add(strategy);
  }

  resumeStrategy(strategy: number): void {
    this.#state.haltedStrategies.delete(strategy);
  }

  /** Nothing is placed on the market until it is switched on. */
  switchMarketOff(market: number, cause: string): void {
    this.#state.marketsOff.set(market, cause);
  }

  switchMarketOn(market: number): void {
    this.#state.marketsOff.delete(market);
  }

  /** What the start or the end of the run waits for; while there is such a thing, nothing is placed. */
  setNotReady(cause: string | undefined): void {
    this.#state.notReady = cause;
  }

  /** Why it is not known what we hold; while there is a cause, nothing is placed. */
  setStateUnknown(cause: string | undefined): void {
    this.#state.stateUnknown = cause;
  }

  /** Whether the exchange keeps a heartbeat for us, and until when it does at least (undefined: not known). */
  setHeartbeat(isActive: boolean, until: Instant | undefined): void {
    this.#state.heartbeatActive = isActive;
    this.#state.heartbeatUntil = until;
  }

  /** A feed says how the heartbeat stands. A lapse counts at once; that it is active was confirmed by a reply or not at all. */
  heartbeatReported(isActive: boolean): void {
    this.#state.heartbeatActive &&= isActive;
  }

  orderSent(at: Instant): void {
    this.#state.orderSent(at);
  }

  orderMatched(at: Instant): void {
    this.#state.orderMatched(at);
  }

  /** Books a market's result, net of commission. `isDifference`: it had one before, and `profit` is what changed. */
  resultReported(profit: Money, at: Instant, isDifference: boolean): void {
    this.#state.recordSettled(profit, at, isDifference);
  }

  walletReported(report: WalletReport): void {
    this.#state.funds.report(report);
  }
}
