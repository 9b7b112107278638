/** The input of `decide`: reads the engine's state and gives no access to it. One object is used for all calls. */

import type { DecideInput, Why } from '../../strategy/contract.ts';
import type { ParamsSpec, ParamValues } from '../../strategy/params.ts';
import { closeClass } from '../../strategy/views/closed-class.ts';
import type { MarketView, OrderView, PositionView, WalletView } from '../../strategy/views/views.ts';

/** Each getter reads one field: nothing is copied for a call. */
export class DecideWindow implements DecideInput {
  readonly #from: DecideInput;

  constructor(from: DecideInput) {
    this.#from = from;
    Object.freeze(this);
  }

  get why(): Why {
    return this.#from.why;
  }
  get market(): MarketView {
    return this.#from.market;
  }
  get markets(): DecideInput['markets'] {
    return this.#from.markets;
  }
  get orders(): readonly OrderView[] {
    return this.#from.orders;
  }
  get position(): PositionView {
    return this.#from.position;
  }
  get linked(): DecideInput['linked'] {
    return this.#from.linked;
  }
  get wallet(): WalletView {
    return this.#from.wallet;
  }
  get params(): ParamValues<ParamsSpec> {
    return this.#from.params;
  }
  get state(): unknown {
    return this.#from.state;
  }
  get now(): number {
    return this.#from.now;
  }
  /** Bound, because strategies take their input apart. */
  get signal(): DecideInput['signal'] {
    return this.#from.signal;
  }
  /** Bound as well. */
  get plot(): DecideInput['plot'] {
    return this.#from.plot;
  }
}

closeClass(DecideWindow);
