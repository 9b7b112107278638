/** The account's orders as the stream has told them: each change of one as a document, and those that vanished without a word. */

import { lenientReader } from '../../../codec/codec-read.ts';
import { type Lenient, Unreadable } from '../../../codec/lenient.ts';
import { isObject } from '../../../codec/schema-node.ts';
import type { Instant } from '../../../core/number/units.ts';
import { OrderMarketChange, type OrderRunnerChange, type UnmatchedOrder } from '../../wire/stream/order-change.ts';
import type { WholeChange } from '../connection/stream-event.ts';
import { type OrderDocument, orderDocument } from './order-document.ts';

export type OrderNews =
  | {
      readonly kind: 'order';
      readonly order: OrderDocument;
      /** When it was made, by the exchange's clock, and when it came, by ours. */
      readonly publishedAt: Instant;
      readonly receivedAt: Instant;
    }
  /**
   * These were live when they were last told, and are in an image no more: how each ended is told nowhere on the stream, which tells
   * ends once (profile section 5). They must be read by id.
   */
  | { readonly kind: 'vanished'; readonly marketId: string; readonly betIds: readonly string[] }
  /** An order, or all of a market, could not be read: it must be read by id, or all must be read. */
  | { readonly kind: 'unreadable'; readonly marketId: string | undefined; readonly betId: string | undefined }
  /** All live orders were told anew. What began and ended meanwhile was not. */
  | { readonly kind: 'image' }
  /** The market is over. */
  | { readonly kind: 'closed'; readonly marketId: string };

/** Matched stake by price, of both sides. */
export interface StreamedMatches {
  readonly mb: Map<number, number>;
  readonly ml: Map<number, number>;
}

/** What is known on one runner. */
export interface StreamedBets extends StreamedMatches {
  /** The live ones by bet id; those that ended are forgotten. */
  readonly live: Map<string, OrderDocument>;
  readonly strategies: Map<string, StreamedMatches>;
}

type MarketChange = Lenient<typeof OrderMarketChange>;
type RunnerChange = Lenient<typeof OrderRunnerChange>;
type Told = Pick<WholeChange, 'publishedAt' | 'receivedAt'>;

const readMarket = lenientReader(OrderMarketChange);

export class OrderCache {
  /** Bets by market id, then by selection and handicap. */
  readonly #markets = new Map<string, Map<string, StreamedBets>>();

  /** What is known of a market, by selection id and handicap, as `47999 0`. */
  market(id: string): ReadonlyMap<string, StreamedBets> {
    return this.#markets.get(id) ?? new Map();
  }

  take({ type, changes, publishedAt, receivedAt }: WholeChange): readonly OrderNews[] {
    const told = { publishedAt, receivedAt };
    if (type !== 'image') return changes.flatMap((each) => this.#takeMarket(each, told));
    const before = [...this.#markets].map(([id, runners]) => [id, liveOf(runners)] as const);
    this.#markets.clear();
    const news = changes.flatMap((each) => this.#takeMarket(each, told));
    const named = toldIn(news);
    return [...news, ...before.flatMap(([id, betIds]) => vanished(id, betIds, named)), { kind: 'image' }];
  }

  #takeMarket(given: unknown, told: Told): readonly OrderNews[] {
    const marketId = isObject(given) && typeof given['id'] === 'string' ? given['id'] : undefined;
    const read = readMarket(given);
    if (read.kind === 'faults') return [{ kind: 'unreadable', marketId, betId: undefined }];
    const { id, fullImage, closed, orc = [] } = read.value;
    const before = fullImage === true || closed === true ? liveOf(this.market(id)) : [];
    if (fullImage === true) this.#markets.delete(id);
    const news = orc.flatMap((runner) => this.#takeRunner(read.value, runner, told));
    if (closed === true) this.#markets.delete(id);
    const ended: readonly OrderNews[] = closed === true ? [{ kind: 'closed', marketId: id }] : [];
    return [...news, ...vanished(id, before, toldIn(news)), ...ended];
  }

  #takeRunner(
    { id: marketId }: MarketChange,
    change: RunnerChange | Unreadable<RunnerChange>,
    told: Told,
  ): readonly OrderNews[] {
    if (change instanceof Unreadable) return [{ kind: 'unreadable', marketId, betId: undefined }];
    const { id: selectionId, hc: handicap = 0, fullImage, uo = [], mb, ml, smc = {} } = change;
    const runners = this.#markets.get(marketId) ?? new Map<string, StreamedBets>();
    const key = `${selectionId} ${handicap}`;
    const known = runners.get(key);
    const bets = fullImage === true || known === undefined ? noBets() : known;
    this.#markets.set(marketId, runners.set(key, bets));
    const news = uo.map((order) => takeOrder(bets, order, { marketId, selectionId, handicap, ...told }));
    applyMatches(bets, { mb, ml });
    for (const [strategy, matches] of Object.entries(smc)) {
      const own = bets.strategies.get(strategy) ?? { mb: new Map(), ml: new Map() };
      bets.strategies.set(strategy, own);
      applyMatches(own, matches);
    }
    const before = fullImage === true ? [...(known?.live.keys() ?? [])] : [];
    return [...news, ...vanished(marketId, before, toldIn(news))];
  }
}

function takeOrder(
  { live }: StreamedBets,
  order: Lenient<typeof UnmatchedOrder> | Unreadable<Lenient<typeof UnmatchedOrder>>,
  parts: Told & { readonly marketId: string; readonly selectionId: number; readonly handicap: number },
): OrderNews {
  const { publishedAt, receivedAt, ...place } = parts;
  const { marketId } = place;
  if (order instanceof Unreadable) return { kind: 'unreadable', marketId, betId: order.part.id };
  const document = orderDocument(order, place);
  if (document === undefined) return { kind: 'unreadable', marketId, betId: order.id };
  if (document.status === 'EXECUTABLE') live.set(order.id, document);
  else live.delete(order.id);
  return { kind: 'order', order: document, publishedAt, receivedAt };
}

/** An empty list says that there is none. */
function applyMatches(matches: StreamedMatches, change: { readonly mb?: Rows; readonly ml?: Rows }): void {
  for (const side of ['mb', 'ml'] as const) {
    const rows = change[side];
    if (rows?.length === 0) matches[side].clear();
    for (const [price = 0, size = 0] of rows ?? [])
      if (size === 0) matches[side].delete(price);
      else matches[side].set(price, size);
  }
}

type Rows = readonly (readonly number[])[] | undefined;

function noBets(): StreamedBets {
  return { live: new Map(), mb: new Map(), ml: new Map(), strategies: new Map() };
}

function liveOf(runners: ReadonlyMap<string, StreamedBets>): readonly string[] {
  return [...runners.values()].flatMap(({ live }) => [...live.keys()]);
}

/** The bets that these news are about. */
function toldIn(news: readonly OrderNews[]): ReadonlySet<string> {
  return new Set(
    news.flatMap((each) => {
      if (each.kind === 'order') return [each.order.betId];
      if (each.kind === 'vanished') return each.betIds;
      return each.kind === 'unreadable' && each.betId !== undefined ? [each.betId] : [];
    }),
  );
}

function vanished(marketId: string, before: readonly string[], told: ReadonlySet<string>): readonly OrderNews[] {
  const betIds = before.filter((id) => !told.has(id));
  return betIds.length === 0 ? [] : [{ kind: 'vanished', marketId, betIds }];
}
