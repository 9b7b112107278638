/** Another market of the event as a strategy sees it: reads how it stands there and gives no access to it. */

import type { LinkedMarket } from '../../strategy/contract.ts';
import { closeClass } from '../../strategy/views/closed-class.ts';
import type { MarketView, OrderView, PositionView } from '../../strategy/views/views.ts';

export class LinkedWindow implements LinkedMarket {
  readonly #from: LinkedMarket;

  constructor(from: LinkedMarket) {
    this.#from = from;
    Object.freeze(this);
  }

  get market(): MarketView {
    return this.#from.market;
  }
  get orders(): readonly OrderView[] {
    return this.#from.orders;
  }
  get position(): PositionView {
    return this.#from.position;
  }
  get state(): unknown {
    return this.#from.state;
  }
}

closeClass(LinkedWindow);
