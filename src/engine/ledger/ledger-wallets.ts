/** The wallets' money as last reported, by the wallet's index; strategies see each through a WalletWindow. */

import { defined } from '../../core/checks/assert.ts';
import { type Money, moneyToDecimal, ZERO } from '../../core/number/units.ts';
import type { WalletView } from '../../strategy/views/views.ts';

class LedgerWallet implements WalletView {
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
  readonly #wallets: LedgerWallet[] = [];

  at(index: number): LedgerWallet {
    return this.#wallets[index] ?? this.#open(index);
  }

  #open(index: number): LedgerWallet {
    while (this.#wallets.length <= index) this.#wallets.push(new LedgerWallet());
    return defined(this.#wallets[index], 'wallets are numbers from 0');
  }
}
