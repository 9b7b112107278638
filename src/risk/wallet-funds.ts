/** What each wallet can still bear, between two reports of its balance. */

import { type Money, money } from '../core/number/units.ts';

/** What risk holds for a wallet at a moment. */
interface WalletExposure {
  /** R: `ExposureBook.requiredOfWallet`. */
  readonly required: Money;
  /** M: `ExposureBook.matchedOfWallet`. */
  readonly matched: Money;
}

/** The wallet's money as the exchange reported it, and what risk held for that wallet at that moment. */
export interface WalletReport extends WalletExposure {
  readonly wallet: number;
  readonly balance: Money;
  readonly balanceAvailable: Money;
  /** Whether a place or a cancel of this wallet is on its way, or an order's fate unknown. */
  readonly inFlight: boolean;
}

interface Funds {
  readonly balance: number;
  /** Overdraft, less what other programs hold unmatched in this wallet. */
  readonly credit: number;
  /** Our M when the balance was reported: so much of it lay in escrow. */
  readonly matched: number;
}

/**
 * The exchange's balanceAvailable = balance + overdraft − (R − M) does not include orders on their way, so it is not used
 * as it is. Used are the balance, which moves with matches and settlements alone, and our own R of the moment.
 * A match since the report moved money that the balance still shows; a settlement since then may have lost what lay in
 * escrow. So of M only what stood at the report and still stands is added back: the answer errs to the safe side.
 */
export class WalletFunds {
  readonly #fundsByWallet = new Map<number, Funds>();

  report({ wallet, balance, balanceAvailable, required, matched, inFlight }: WalletReport): void {
    const credit = balanceAvailable - balance + required - matched;
    // With orders in flight the exchange's R is not ours, and the difference would look like an overdraft.
    const kept = inFlight ? (this.#fundsByWallet.get(wallet)?.credit ?? Math.min(0, credit)) : credit;
    this.#fundsByWallet.set(wallet, { balance, credit: kept, matched });
  }

  /** What is free now, negative when overdrawn; undefined while no balance is known, which limits nothing. */
  available(wallet: number, { required, matched }: WalletExposure): Money | undefined {
    const funds = this.#fundsByWallet.get(wallet);
    if (funds === undefined) return undefined;
    return money(funds.balance + funds.credit + Math.min(funds.matched, matched) - required);
  }
}
