/** The markets of a subscription as the stream has told them, and what each change says of them. */

import { lenientReader } from '../../../codec/codec-read.ts';
import type { Lenient } from '../../../codec/lenient.ts';
import { isObject } from '../../../codec/schema-node.ts';
import type { Instant } from '../../../core/number/units.ts';
import { faultOfChange, MarketFold, type RunnerRows, runnersOf } from '../../wire/fold/market-fold.ts';
import { MarketDefinition } from '../../wire/stream/market-change.ts';
import type { WholeChange } from '../connection/stream-event.ts';

export type StreamedDefinition = Lenient<typeof MarketDefinition>;

/** What one message says of one market. */
export interface ToldMarket {
  readonly kind: 'market';
  readonly id: string;
  /** The market after it. */
  readonly market: MarketFold;
  /** Whether the market is told whole: a level that it does not hold is empty. */
  readonly isImage: boolean;
  /** Where the message has one: it is always whole. */
  readonly definition: StreamedDefinition | undefined;
  /** The rows that it has, by runner. */
  readonly runners: readonly RunnerRows[];
  /** When it was made, by the exchange's clock, and when it came, by ours. */
  readonly publishedAt: Instant;
  readonly receivedAt: Instant;
}

export type MarketNews =
  | ToldMarket
  /** Nothing more is said about these: they are in a new image no more. */
  | { readonly kind: 'gone'; readonly ids: readonly string[] }
  /** What is known of this market is not believed until it is told whole. */
  | { readonly kind: 'unreadable'; readonly id: string | undefined; readonly details: string };

const readDefinition = lenientReader(MarketDefinition);

export class MarketCache {
  readonly #markets = new Map<string, MarketFold>();
  /** Those that are not believed: of each that is said once. */
  readonly #doubted = new Set<string>();

  /** A market as it stands; undefined where it is not subscribed to, is over, or cannot be believed. */
  market(id: string): MarketFold | undefined {
    return this.#markets.get(id);
  }

  /** Takes a change of markets. Markets that are over are forgotten after it. */
  take(change: WholeChange): readonly MarketNews[] {
    const before = change.type === 'image' ? [...this.#markets.keys()] : [];
    if (change.type === 'image') {
      this.#markets.clear();
      this.#doubted.clear();
    }
    const news = change.changes.flatMap((each) => this.#takeMarket(each, change) ?? []);
    const gone = before.filter((id) => !this.#markets.has(id));
    for (const [id, { isClosed }] of this.#markets) if (isClosed) this.#markets.delete(id);
    return gone.length === 0 ? news : [...news, { kind: 'gone', ids: gone }];
  }

  #takeMarket(change: unknown, { publishedAt, receivedAt, type }: WholeChange): MarketNews | undefined {
    const fault = faultOfChange(change);
    const given = isObject(change) ? change : {};
    const id = typeof given['id'] === 'string' ? given['id'] : undefined;
    if (fault !== undefined || id === undefined) return this.#unreadable(id, fault ?? 'a market without an id');
    const { img, marketDefinition } = given;
    const known = this.#markets.get(id);
    if (img === true && type === 'image' && versionOf(known?.definition) > versionOf(marketDefinition))
      return undefined;
    const definition = isObject(marketDefinition) ? readDefinition(marketDefinition) : undefined;
    if (definition?.kind === 'faults') return this.#unreadable(id, `its definition: ${definition.faults[0].path}`);
    // A market that is over may be defined once more.
    const isOver = definition?.value.status === 'CLOSED';
    if (known === undefined && img !== true && !isOver) return this.#unreadable(id, 'it begins without an image');
    this.#doubted.delete(id);
    const market = img === true || known === undefined ? new MarketFold(id) : known;
    if (img === true && known !== undefined) market.definition = known.definition;
    market.apply(given);
    this.#markets.set(id, market);
    const told = { isImage: img === true, definition: definition?.value, runners: runnersOf(given) };
    return { kind: 'market', id, market, ...told, publishedAt, receivedAt };
  }

  #unreadable(id: string | undefined, details: string): MarketNews | undefined {
    if (id !== undefined) {
      if (this.#doubted.has(id)) return undefined;
      this.#doubted.add(id);
      this.#markets.delete(id);
    }
    return { kind: 'unreadable', id, details };
  }
}

/** After a move to another event an image may hold a market twice (profile section 7): the newer one counts. */
function versionOf(definition: unknown): number {
  return isObject(definition) && typeof definition['version'] === 'number' ? definition['version'] : 0;
}
