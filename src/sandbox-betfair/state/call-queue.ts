/** How many calls of the heavy kinds wait for their answer: an account has at most three of each at a time (profile section 3). */

import { isAbsent, isObject } from '../../codec/schema-node.ts';

const WAITING_MAX = 3;

export interface QueuedCall {
  readonly operation: string;
  readonly params: unknown;
}

export class CallQueue {
  readonly #waiting = new Map<string, number>();

  /** Takes a place for a call; undefined where all are taken. What comes back gives the place free again. */
  enter(app: number | undefined, call: QueuedCall): (() => void) | undefined {
    const kind = heavyKind(call);
    if (kind === undefined || app === undefined) return () => undefined;
    const key = `${app} ${kind}`;
    const waiting = this.#waiting.get(key) ?? 0;
    if (waiting >= WAITING_MAX) return undefined;
    this.#waiting.set(key, waiting + 1);
    return () => {
      const left = (this.#waiting.get(key) ?? 1) - 1;
      if (left === 0) this.#waiting.delete(key);
      else this.#waiting.set(key, left);
    };
  }
}

/** Cleared orders count apart from those that read live ones. */
function heavyKind({ operation, params }: QueuedCall): 'live' | 'cleared' | undefined {
  switch (operation) {
    case 'listClearedOrders':
      return 'cleared';
    case 'listCurrentOrders':
    case 'listMarketProfitAndLoss':
      return 'live';
    case 'listMarketBook':
      return isObject(params) && !(isAbsent(params['orderProjection']) && isAbsent(params['matchProjection']))
        ? 'live'
        : undefined;
    default:
      return undefined;
  }
}
