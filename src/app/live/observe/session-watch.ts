/** Finds in the events of sessions whether the exchange cannot be reached, refuses our key, or has another time. */

import type { EdgeEvent } from '../../../exchange-live/adapter/edge-event.ts';

export interface SessionHooks {
  readonly now: () => number;
  readonly skewMaxMs: number;
  /** How long a key must be refused before it counts as refused for good. */
  readonly refusedMs: number;
  /** Called once each time that the clocks drift apart. */
  readonly onSkew: (skewMs: number) => void;
  /** Called once, when the key counts as refused for good. */
  readonly onLost: (details: string) => void;
}

export class SessionWatch {
  readonly #hooks: SessionHooks;
  #awaySince: number | undefined;
  #refusedSince: number | undefined;
  #skewMs: number | undefined;
  #isSkewed = false;
  #isLost = false;

  constructor(hooks: SessionHooks) {
    this.#hooks = hooks;
  }

  /** Since when no session could be opened, ms UTC; undefined while there is one. */
  get awaySince(): number | undefined {
    return this.#awaySince;
  }

  /** How far our clock is ahead of the exchange's at least, at the newest session; negative: behind. */
  get skewMs(): number | undefined {
    return this.#skewMs;
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  onEvent(event: EdgeEvent): void {
    if (event.kind === 'sessionFailed') this.#failed(event);
    else if (event.kind === 'sessionOpened' || event.kind === 'sessionRefreshed') this.#open(event.skewMs);
  }

  #open(skewMs: number | undefined): void {
    this.#awaySince = undefined;
    this.#refusedSince = undefined;
    this.#skewMs = skewMs;
    const isSkewed = skewMs !== undefined && Math.abs(skewMs) > this.#hooks.skewMaxMs;
    if (isSkewed && !this.#isSkewed) this.#hooks.onSkew(skewMs);
    this.#isSkewed = isSkewed;
  }

  /** An exchange that does not answer may be back at any time; one that refuses the key again and again, or says that it is for good, will not. */
  #failed({ details, isRefused, isFinal }: Extract<EdgeEvent, { readonly kind: 'sessionFailed' }>): void {
    const { now, refusedMs, onLost } = this.#hooks;
    this.#awaySince ??= now();
    if (!isRefused) {
      this.#refusedSince = undefined;
      return;
    }
    this.#refusedSince ??= now();
    const isLasting = isFinal === true || now() - this.#refusedSince >= refusedMs;
    if (this.#isLost || !isLasting) return;
    this.#isLost = true;
    onLost(details);
  }
}
