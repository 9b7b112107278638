/** Waits until orders have come through the in-play delay: a call that places orders is answered only then. */

import { map, type Observable, timer } from 'rxjs';
import { currentWorld } from '../../../sandbox/operations/shared/current-world.ts';
import type { Asker } from '../shared/operation.ts';

/** What `answer` gives: at once, or when the last of these orders is due. */
export function afterDelay<R>({ face, world }: Asker, orders: readonly number[], answer: () => R): R | Observable<R> {
  const { context } = face;
  const now = context.now();
  const due = orders.reduce((last, id) => Math.max(last, world.exchange.order(id)?.due ?? 0), 0);
  if (due <= now) return answer();
  return timer(due - now, context.clock).pipe(
    map(() => {
      currentWorld(context);
      return answer();
    }),
  );
}
