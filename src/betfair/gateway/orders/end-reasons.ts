/** Why orders ended, where their documents do not say: from their market's state, our own requests, and the heartbeat. */

import { map, type Observable, of } from 'rxjs';
import { Unreadable } from '../../../codec/lenient.ts';
import type { CancellationReason } from '../../../core/order.ts';
import { outcomeIdOf } from '../../wire/basics/runners.ts';
import type { GatewayContext } from '../base/gateway-context.ts';
import { partsOf } from '../base/paged-lists.ts';
import type { BookDocument } from '../markets/market-documents.ts';

/** A book without prices weighs 2, and 200 is the most of one call. */
const BOOKS_A_CALL = 100;

export class EndReasons {
  readonly #context: GatewayContext;
  /** Whether a heartbeat that we armed may have lapsed before now. */
  readonly #mayHaveLapsed: () => boolean;
  readonly #books = new Map<string, BookDocument>();
  readonly #asked = new Set<number>();

  constructor(context: GatewayContext, mayHaveLapsed: () => boolean) {
    this.#context = context;
    this.#mayHaveLapsed = mayHaveLapsed;
  }

  /** We ask for these to be cancelled. */
  ask(orders: readonly number[]): void {
    for (const order of orders) this.#asked.add(order);
  }

  cancelledBy(order: number): CancellationReason {
    return !this.#asked.has(order) && this.#mayHaveLapsed() ? 'HeartbeatLapsed' : 'UserRequest';
  }

  /** Reads the markets in which orders ended: their feed may be behind. */
  read(marketIds: readonly string[]): Observable<unknown> {
    const [some] = partsOf(marketIds, BOOKS_A_CALL);
    if (some === undefined) return of(undefined);
    return this.#context.calls.call('listMarketBook', { marketIds: some }).pipe(
      map((outcome) => {
        if (outcome.kind !== 'answered') return;
        for (const book of outcome.answer) if (!(book instanceof Unreadable)) this.#books.set(book.marketId, book);
      }),
    );
  }

  reasonIn({
    marketId,
    outcomeId,
  }: {
    readonly marketId: string;
    readonly outcomeId: string;
  }): CancellationReason | undefined {
    const book = this.#books.get(marketId);
    if (book === undefined) return undefined;
    const runners = book.runners.flatMap((each) => (each instanceof Unreadable ? [] : [each]));
    const isRemoved = (status: string | undefined) => status?.startsWith('REMOVED') === true;
    if (book.status === 'CLOSED')
      return runners.every(({ status }) => isRemoved(status)) ? 'MarketVoided' : 'MarketSettled';
    if (isRemoved(runners.find((each) => outcomeIdOf(each) === outcomeId)?.status)) return 'OutcomeRemoved';
    if (book.inplay === true) return 'MarketInPlay';
    return book.status === 'SUSPENDED' ? 'MarketSuspended' : undefined;
  }

  drop(marketId: string, orders: readonly number[]): void {
    this.#books.delete(marketId);
    for (const order of orders) this.#asked.delete(order);
  }
}
