/** What risk remembers besides exposure: halts, heartbeat, rate, the day's result and the wallets' funds. */

import type { Instant, Money } from '../core/units.ts';
import { DailyResult } from './daily-result.ts';
import type { Limits } from './limits.ts';
import { RateWindow } from './rate.ts';
import { WalletFunds } from './wallet-funds.ts';

/** One per run, beside one `ExposureBook`. The plain fields are set by whoever learns of the fact. */
export class RiskState {
  /** The kill switch: while set, only cancellations pass. */
  halted = false;
  readonly haltedStrategies = new Set<number>();
  /** Whether the exchange's last word was that the heartbeat is active. Set false when its state is not known. */
  heartbeatActive = false;
  /** When it lapses unless confirmed again: the instant of SENDING it plus the timeout. Undefined: not known. */
  heartbeatUntil: Instant | undefined;
  readonly rate: RateWindow | undefined;
  readonly daily = new DailyResult();
  readonly funds = new WalletFunds();

  constructor(limits: Limits) {
    this.rate = limits.ordersPerSecond === undefined ? undefined : new RateWindow(limits.ordersPerSecond);
  }

  /** Books the result of a settled market, net of commission, on the UTC day of `now`. */
  recordSettled(profit: Money, now: Instant): void {
    this.daily.record(profit, now);
  }

  isHeartbeatActive(now: Instant): boolean {
    return this.heartbeatActive && (this.heartbeatUntil === undefined || now < this.heartbeatUntil);
  }
}
