/** Holds back calls of which an account may have few at a time (profile section 3). */

import { defer, finalize, mergeMap, Observable } from 'rxjs';
import type { Frozen } from '../../codec/notation.ts';
import type { Operation, Params } from '../wire/operations.ts';

/** Of one more, the exchange answers TOO_MANY_REQUESTS. */
const AT_ONCE = 3;

export class ConcurrentCalls {
  readonly #waiting: (() => void)[] = [];
  #underWay = 0;

  /** `call$`, subscribed to when there is room for it. */
  limited<O extends Operation, T>(operation: O, params: Frozen<Params<O>>, call$: Observable<T>): Observable<T> {
    return isLimited(operation, params) ? defer(() => this.#enter().pipe(mergeMap(() => this.#held(call$)))) : call$;
  }

  #held<T>(call$: Observable<T>): Observable<T> {
    return call$.pipe(finalize(() => this.#leave()));
  }

  #enter(): Observable<void> {
    return new Observable((subscriber) => {
      const enter = () => {
        this.#underWay += 1;
        subscriber.next();
        subscriber.complete();
      };
      if (this.#underWay < AT_ONCE) return enter();
      this.#waiting.push(enter);
      return () => {
        const at = this.#waiting.indexOf(enter);
        if (at >= 0) this.#waiting.splice(at, 1);
      };
    });
  }

  #leave(): void {
    this.#underWay -= 1;
    this.#waiting.shift()?.();
  }
}

function isLimited<O extends Operation>(operation: O, params: Frozen<Params<O>>): boolean {
  if (operation === 'listCurrentOrders' || operation === 'listMarketProfitAndLoss') return true;
  return operation === 'listMarketBook' && ('orderProjection' in params || 'matchProjection' in params);
}
