/** The wallets' money as last told, by the port's index; strategies see each as a WalletView. */

import { type Money, moneyToDecimal, ZERO } from '../core/units.ts';
import type { WalletView } from '../strategy/views.ts';

export class LedgerWallet implements WalletView {
  balanceMoney: Money = ZERO;
  availableMoney: Money = ZERO;

  get balance(): number {
    return moneyToDecimal(this.balanceMoney);
  }
  get balanceAvailable(): number {
    return moneyToDecimal(this.availableMoney);
  }
}

export class LedgerWallets {
  readonly #wallets = new Map<number, LedgerWallet>();

  at(index: number): LedgerWallet {
    const wallet = this.#wallets.get(index) ?? new LedgerWallet();
    this.#wallets.set(index, wallet);
    return wallet;
  }
}
