/** The wallets' money as last reported, by the wallet's index; strategies see each as a WalletView. */

import { defined } from '../../core/checks/assert.ts';
import { type Money, moneyToDecimal, ZERO } from '../../core/number/units.ts';
import { closeClass } from '../../strategy/views/closed-class.ts';
import type { WalletView } from '../../strategy/views/views.ts';

class LedgerWallet {
  balanceMoney: Money = ZERO;
  availableMoney: Money = ZERO;
  /** The read-only view that strategies are given. */
  readonly view: WalletView = new WalletWindow(this);
}

/** A wallet that can be read and nothing else. */
class WalletWindow implements WalletView {
  readonly #wallet: LedgerWallet;

  constructor(wallet: LedgerWallet) {
    this.#wallet = wallet;
    Object.freeze(this);
  }

  get balance(): number {
    return moneyToDecimal(this.#wallet.balanceMoney);
  }
  get balanceAvailable(): number {
    return moneyToDecimal(this.#wallet.availableMoney);
  }
}

closeClass(WalletWindow);

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
