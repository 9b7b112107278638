/** What a run was configured with, and how its wallets ended. */

export interface WalletResult {
  readonly name: string;
  readonly currency: string;
  /** Absent: unlimited. */
  readonly balanceStart?: number;
  readonly balanceEnd?: number;
}

/** A fact of the configuration worth showing beside the result, such as { name: 'latency', value: '80 ms + 40 ms' }. */
export interface Setting {
  readonly name: string;
  readonly value: string;
}
