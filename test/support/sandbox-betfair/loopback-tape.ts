/** A made recording that a sandbox on loopback plays while a test looks at its book. */

import { startTape } from '../../../src/sandbox/traffic/tape.ts';
import { rc, withTape } from '../imported-stream.ts';
import type { LoopbackClient, LoopbackExchange } from './loopback-exchange.ts';

const PATIENCE_MS = 10_000;
const RUNNERS = [11, 12].map((id) => ({ id, status: 'ACTIVE', sortPriority: id - 10, name: `Runner ${id}` }));
export const DEFINITION = {
  ...{ status: 'OPEN', bettingType: 'ODDS', inPlay: false, turnInPlayEnabled: true, persistenceEnabled: true },
  ...{ betDelay: 0, numberOfWinners: 1, marketBaseRate: 5, marketType: 'WIN', runners: RUNNERS },
};

type Book = NonNullable<Awaited<ReturnType<LoopbackClient['book']>>>;

/** Asks again until there is an answer: the exchange does what is due at its next timer. */
export async function eventually<T>(ask: () => Promise<T | undefined>): Promise<T> {
  const until = performance.now() + PATIENCE_MS;
  while (performance.now() < until) {
    const found = await ask();
    if (found !== undefined) return found;
  }
  throw new Error(`no such answer in ${PATIENCE_MS} ms`);
}

/** What is offered to a layer of the first runner, at the best price. */
export function offered({ runners }: Book): number | undefined {
  return runners?.[0]?.ex?.availableToLay?.[0]?.size;
}

/** Between two changes nothing that matters happens for so long, so that a look in between is late for neither. */
export const STEP_MS = 4_000;
const QUIET = [1.2, 1.21, 1.22].map((ltp) => rc({ id: 11, ltp }));

/** Plays a recording of a market that begins with 20 offered at 4.5. */
export async function played(
  { exchange, client }: { readonly exchange: LoopbackExchange; readonly client: LoopbackClient },
  changes: readonly object[],
  use: (bookWhere: (holds: (book: Book) => boolean) => Promise<Book>, marketId: string) => Promise<void>,
): Promise<void> {
  const first = { marketDefinition: DEFINITION, ...rc({ id: 11, atl: [[4.5, 20]] }) };
  // The end of the tape voids what has no result: it is not played here.
  const slow = [first, ...changes].flatMap((change) => [change, ...QUIET]);
  await withTape(slow, async (tape) => {
    const { sandbox, bugs } = exchange;
    const { markets } = sandbox.context.world.catalogue;
    const marketsBefore = markets.size;
    const onBug = (error: unknown) => bugs.push(error);
    const [traffic] = sandbox.startTraffic((context) => ({
      paced: [startTape(context, { tape, speed: 1, showsRecorded: true, onBug })],
      others: [],
    })).paced;
    const marketId = tape.markets[0]?.facts.id ?? '';
    /** The book as soon as it is so. */
    const bookWhere = (holds: (book: Book) => boolean): Promise<Book> =>
      eventually(async () => {
        const book = await client.book(marketId);
        return book !== undefined && holds(book) ? book : undefined;
      });
    // A recording that was played before has left a market of this id, which is found until this one has its own.
    await bookWhere(() => markets.size > marketsBefore);
    await use(bookWhere, marketId);
    traffic?.stop();
  });
}
