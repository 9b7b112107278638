/** Reads a part of a scanned market from its tapes again: the book before it, and every update in it. */

import type { SourceMarket } from '../../../../backtest/simulation/backtest-source.ts';
import { type Instant, type Money, moneyToDecimal } from '../../../../core/number/units.ts';
import { AGAINST } from '../../../../core/side.ts';
import type { ViewEvent, ViewPart, ViewUpdate } from '../../../../pages/view-data.ts';
import {
  DEFINITION,
  eventsOf,
  LAST_PRICE,
  LEVEL,
  type PendingUpdate,
  recordColumns,
  TRADE,
  type UpdateColumns,
} from '../../../../recording/segment/update.ts';
import { shownBook } from './book-picture.ts';
import { emptyBook } from './market-book.ts';
import { MarketInstants } from './market-instants.ts';
import type { MarketScale } from './market-scale.ts';
import type { ScannedMarket } from './scan-market.ts';

/** Undefined where it has no such part. @throws TapeFailure TAPE_CORRUPT */
export function readPart(scanned: ScannedMarket, source: SourceMarket, part: number): ViewPart | undefined {
  const { parts, pictures, outcomes, scale, id, lastAt } = scanned;
  const startAt = parts[part];
  if (startAt === undefined) return undefined;
  const book = emptyBook(outcomes, scale);
  const before = pictures.before(part);
  before.picture.into(book);
  const range = { from: parts[before.part] ?? startAt, to: parts[part + 1] ?? lastAt + 1 };
  const updates = updatesIn(scanned, source, range);
  const instants = new MarketInstants({
    ...{ outcomes, scale, id, path: source.tape.path },
    next: () => updates.next().value,
  });
  let at = instants.next();
  for (; at !== undefined && at < startAt; at = instants.next()) recordColumns(instants.events, book);
  const shown = shownBook(book, scale);
  const read: ViewUpdate[] = [];
  for (; at !== undefined; at = instants.next()) read.push({ at, events: viewEvents(instants.events, scale) });
  return { part, book: shown, updates: read };
}

/** Over all tapes that held the market when it was scanned. */
function* updatesIn(
  { joins, lastAt }: ScannedMarket,
  { tape, market, later = [] }: SourceMarket,
  { from, to }: { readonly from: number; readonly to: number },
): Generator<PendingUpdate, undefined, undefined> {
  for (const [place, on] of [{ tape, market }, ...later].entries()) {
    // A tape that the run began after the scan continues it, and begins with a picture of its own.
    if (place > joins.size || on.market.firstAt > lastAt) return;
    const cursor = on.tape.cursor({ markets: [on.market.index], from: from as Instant, to: to as Instant });
    for (let update = cursor.nextPending(); update !== undefined; update = cursor.nextPending())
      yield (update.sequence === 0 ? joins.get(place) : undefined) ?? update;
  }
}

function viewEvents(columns: UpdateColumns, scale: MarketScale): readonly ViewEvent[] {
  const events: ViewEvent[] = [];
  for (const { kind, outcome, side, tick, amount } of eventsOf(columns)) {
    if (kind === DEFINITION) continue;
    const price = scale.decimalAt(tick);
    const stake = moneyToDecimal(amount as Money);
    if (kind === LEVEL) events.push([side === AGAINST ? 'against' : 'for', outcome, price, stake]);
    else if (kind === TRADE) events.push(['trade', outcome, price, stake]);
    else if (kind === LAST_PRICE) events.push(['last', outcome, price, 0]);
  }
  return events;
}
