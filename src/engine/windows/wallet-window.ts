/** A wallet as strategies see it: reads the ledger's wallet and gives no access to it. */

import { closeClass } from '../../strategy/views/closed-class.ts';
import type { WalletView } from '../../strategy/views/views.ts';

export class WalletWindow implements WalletView {
  readonly #wallet: WalletView;

  constructor(wallet: WalletView) {
    this.#wallet = wallet;
    Object.freeze(this);
  }

  get balance(): number {
    return this.#wallet.balance;
  }
  get balanceAvailable(): number {
    return this.#wallet.balanceAvailable;
  }
}

closeClass(WalletWindow);
