/** The view of a run: its markets as a list, each market when it is opened, and the parts of its recording. */

import type { SourceMarket } from '../../../backtest/simulation/backtest-source.ts';
import type { MarketFacts } from '../../../core/market.ts';
import { type Instant, type Money, moneyToDecimal } from '../../../core/number/units.ts';
import { AGAINST } from '../../../core/side.ts';
import { packageVersion } from '../../../package/running-package.ts';
import type {
  ViewEvent,
  ViewMarket,
  ViewOrder,
  ViewPart,
  ViewPlot,
  ViewUpdate,
  ViewWelcome,
} from '../../../pages/view-data.ts';
import {
  DEFINITION,
  eventsOf,
  LAST_PRICE,
  LEVEL,
  type PendingUpdate,
  recordColumns,
  TRADE,
  type UpdateColumns,
} from '../../../recording/segment/update.ts';
import { CliError } from '../../cli/cli-error.ts';
import { shownBook } from './market/book-picture.ts';
import { emptyBook } from './market/market-book.ts';
import { MarketInstants } from './market/market-instants.ts';
import type { MarketScale } from './market/market-scale.ts';
import { type ScannedMarket, scanMarket } from './market/scan-market.ts';
import { marketRows, tapeNotes, viewableMarkets, whyNot } from './market-rows.ts';
import type { OwnOrder, RunSource } from './run/viewed-run.ts';
import type { Found, ViewSource } from './view-source.ts';

/** Scanned markets that are kept: 10 MB each at most. */
const MARKETS_MAX = 8;

interface RunViewParts {
  readonly source: RunSource;
  /** How a new link is made. */
  readonly newLink: string;
  /** Lets the process do other things; throws when the view ends. */
  readonly pause: () => Promise<void>;
}

export class RunView implements ViewSource {
  readonly #source: RunSource;
  readonly #newLink: string;
  readonly #pause: () => Promise<void>;
  /** The one that was used last stands last. */
  readonly #scanned = new Map<string, Promise<ScannedMarket>>();
  /** One scan at a time: many at once would take as much memory as they like. */
  #lastScan: Promise<void> = Promise.resolve();

  constructor({ source, newLink, pause }: RunViewParts) {
    this.#source = source;
    this.#newLink = newLink;
    this.#pause = pause;
  }

  welcome(): ViewWelcome {
    const run = this.#source.run();
    const opened = this.#source.openTapes();
    try {
      const { kind, name, currency, strategies, notes } = run;
      return {
        ...{ kind, name, version: packageVersion(), currency, strategies },
        notes: [...tapeNotes(opened), ...notes],
        markets: marketRows(run, opened),
        newLink: this.#newLink,
      };
    } finally {
      opened.close();
    }
  }

  market(id: string): Promise<Found<ViewMarket>> {
    return this.#with(id, async (market) => {
      const scanned = await this.#scan(market);
      const { orders, plots } = this.#source.run();
      const { facts, refusal } = market.market;
      const shown = shownMarket({ scanned, facts, refusal, orders: orders.get(id) ?? [], plots: plots.get(id) ?? [] });
      if (shown === undefined) throw otherOutcomes(market.tape.path);
      return found(shown);
    });
  }

  part(id: string, part: number): Promise<Found<ViewPart>> {
    return this.#with(id, async (market) => {
      // A recording that goes on is scanned again when its market is asked for, not for each of its parts.
      const known = this.#scanned.get(id);
      if (known !== undefined) this.#keep(id, known);
      const scanned = await (known ?? this.#scan(market));
      const read = readPart(scanned, market, part);
      return read === undefined ? not(404, { why: 'The market has no such part.' }) : found(read);
    });
  }

  async #with<T>(id: string, work: (market: SourceMarket) => Promise<Found<T>>): Promise<Found<T>> {
    const opened = this.#source.openTapes();
    try {
      const [market] = viewableMarkets(opened.tapes, [id]);
      if (market !== undefined) return await work(market);
      const why = whyNot(this.#source.run(), opened, id);
      return why === undefined ? not(404, { why: 'There is no such market.' }) : not(409, { why });
    } finally {
      opened.close();
    }
  }

  /** Requests for one market wait for one scan. */
  async #scan(market: SourceMarket): Promise<ScannedMarket> {
    const { facts, updates } = market.market;
    const known = this.#scanned.get(facts.id);
    if (known !== undefined && (await known).updates === updates) {
      this.#keep(facts.id, known);
      return known;
    }
    const scan = this.#lastScan.then(() => scanMarket(market, this.#pause));
    // Whoever waits for the scan gets its fault; the next one begins all the same.
    this.#lastScan = scan.then(
      () => undefined,
      () => undefined,
    );
    this.#keep(facts.id, scan);
    try {
      return await scan;
    } catch (error) {
      if (this.#scanned.get(facts.id) === scan) this.#scanned.delete(facts.id);
      throw error;
    }
  }

  #keep(id: string, scan: Promise<ScannedMarket>): void {
    this.#scanned.delete(id);
    this.#scanned.set(id, scan);
    for (const oldest of this.#scanned.keys()) {
      if (this.#scanned.size <= MARKETS_MAX) return;
      this.#scanned.delete(oldest);
    }
  }
}

function found<T>(value: T): Found<T> {
  return { kind: 'found', value };
}

function not<T>(status: 404 | 409, body: Extract<Found<T>, { kind: 'not' }>['body']): Found<T> {
  return { kind: 'not', status, body };
}

function otherOutcomes(path: string): CliError {
  return new CliError({
    code: 'TAPE_CHANGED',
    what: 'The run has an order on an outcome that the market on this tape does not have.',
    where: path,
    next: 'Leave --tape away, or name a tape that the run recorded.',
  });
}

interface ShownParts {
  readonly scanned: ScannedMarket;
  readonly facts: MarketFacts;
  readonly refusal: string | undefined;
  readonly orders: readonly OwnOrder[];
  readonly plots: readonly ViewPlot[];
}

/**
 * A scanned market with the orders and plots that a run has in it, as the page is given it. Undefined where the run has an order on an
 * outcome that the market on the tape does not have.
 */
function shownMarket({ scanned, facts, refusal, orders, plots }: ShownParts): ViewMarket | undefined {
  const { id, startsAt, firstAt, lastAt, winners, parts, states, prices, scale } = scanned;
  const placeById = new Map(facts.outcomes.map((outcome, place) => [outcome.id, place]));
  const shown: ViewOrder[] = [];
  for (const { outcomeId, ...order } of orders) {
    const outcome = placeById.get(outcomeId);
    if (outcome === undefined) return undefined;
    shown.push({ ...order, outcome });
  }
  return {
    ...{ id, event: facts.eventName, name: facts.name, startsAt, firstAt, lastAt },
    outcomes: facts.outcomes.map((outcome) => ({ id: outcome.id, title: titleOf(outcome) })),
    ...{ winners, refusal, ownPrices: scale.own, parts, states, prices, orders: shown, plots },
  };
}

/** Betfair names the outcomes of all handicaps alike: the handicap stands behind the `@` of their id. */
function titleOf({ id, title }: MarketFacts['outcomes'][number]): string {
  const [runner = id, handicap] = id.split('@');
  if (handicap === undefined) return title;
  return `${title === id ? runner : title} ${handicap.startsWith('-') ? '−' : '+'}${handicap.replace('-', '')}`;
}

/**
 * Reads a part of a scanned market from its tapes again: the book before it, and every update in it. Undefined where it has no such part.
 * @throws TapeFailure TAPE_CORRUPT
 */
function readPart(scanned: ScannedMarket, source: SourceMarket, part: number): ViewPart | undefined {
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
