/** The wallets' money as last told, by the port's index; strategies see each as a WalletView. */

import { present } from '../core/assert.ts';
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
  readonly #wallets: LedgerWallet[] = [];

  at(index: number): LedgerWallet {
    return this.#wallets[index] ?? this.#open(index);
  }

  #open(index: number): LedgerWallet {
    while (this.#wallets.length <= index) this.#wallets.push(new LedgerWallet());
    return present(this.#wallets[index], 'wallets are numbers from 0');
  }
}
