/** Refused intents one by one: the first of each code and of each market, alike ones as one row, with how many there were. */

import type { Intent } from '../../core/intent.ts';
import type { Refusal, RefusalCode } from '../../core/refusal.ts';
import type { Side } from '../../core/side.ts';

/** What was asked for, as far as the intent said it in the right form; of intents that asked for the same the first. */
export interface RefusalRow {
  /** When the first one alike was decided, ms UTC. */
  readonly at: number;
  /** When the last one alike was decided, ms UTC. */
  readonly lastAt: number;
  /** How many there were. */
  readonly times: number;
  /** Name of the strategy. */
  readonly strategy: string;
  /** Id of the market. */
  readonly marketId: string;
  /** Why it was refused. */
  readonly code: RefusalCode;
  /** Absent where what the strategy gave is no intent, and where it is not known. */
  readonly kind?: Intent['kind'] | undefined;
  /** Id of the outcome; absent where none was named. */
  readonly outcomeId?: string | undefined;
  /** Absent where the market has no such outcome. */
  readonly outcomeTitle?: string | undefined;
  /** The side of an order. */
  readonly side?: Side | undefined;
  /** Limit price that was asked for, decimal odds. */
  readonly price?: number | undefined;
  /** Backer’s stake that was asked for, decimal currency. */
  readonly stake?: number | undefined;
  /** Number of the order that was to be cancelled, reduced or replaced. */
  readonly order?: number | undefined;
  /** What the strategy wrote on it. */
  readonly note?: string | undefined;
  /** The limit: a decimal of money, a count or ms, depending on the code. */
  readonly limit?: number | undefined;
  /** The limited figure before the intent. */
  readonly value?: number | undefined;
  /** The limited figure with the intent. */
  readonly wouldBe?: number | undefined;
}

/** Refused intents of a run one by one: the first of each code and of each market. */
export interface RefusedIntents {
  /** The refusals in the order of time. */
  readonly rows: readonly RefusalRow[];
  /** How many intents were refused in each market, by its id; they add up to `orders.refused`. */
  readonly byMarket: Readonly<Record<string, number>>;
}

/** This many rows are kept of each code and of each market, the first ones. */
export const REFUSALS_OF_CODE = 25;
const REFUSALS_OF_MARKET = 50;
/** And so many in all, beyond which only those of `REFUSALS_OF_CODE` are. */
const REFUSALS_MAX = 20_000;

/** An intent that was refused; strategies and markets by whatever names them. */
export interface RefusedOnce<Name> {
  readonly at: number;
  readonly strategy: Name;
  readonly market: Name;
  readonly refusal: Refusal;
  /** The intent as the strategy gave it, with anything in its fields; undefined where it is not known. */
  readonly intent: Intent | undefined;
}

export interface KeptRefusal<Name> {
  readonly first: RefusedOnce<Name>;
  lastAt: number;
  times: number;
}

interface OfMarket<Name> {
  times: number;
  readonly kept: KeptRefusal<Name>[];
}

/** A strategy may be refused at each update: nothing is made for an intent that is like one before. */
export class FirstRefusals<Name extends string | number> {
  readonly #ofMarket = new Map<Name, OfMarket<Name>>();
  readonly #rowsOfCode = new Map<RefusalCode, number>();
  readonly #kept: KeptRefusal<Name>[] = [];

  /** `times`: how many refusals this one stands for. */
  add(refused: RefusedOnce<Name>, times = 1): void {
    const own = this.#in(refused.market);
    own.times += times;
    for (const kept of own.kept) {
      if (!isAlike(kept.first, refused)) continue;
      kept.times += times;
      kept.lastAt = refused.at;
      return;
    }
    const { code } = refused.refusal;
    const ofCode = this.#rowsOfCode.get(code) ?? 0;
    const isFull = own.kept.length >= REFUSALS_OF_MARKET || this.#kept.length >= REFUSALS_MAX;
    if (isFull && ofCode >= REFUSALS_OF_CODE) return;
    this.#rowsOfCode.set(code, ofCode + 1);
    const kept = { first: refused, lastAt: refused.at, times };
    own.kept.push(kept);
    this.#kept.push(kept);
  }

  get kept(): readonly KeptRefusal<Name>[] {
    return this.#kept;
  }

  byMarket(idOf: (market: Name) => string): RefusedIntents['byMarket'] {
    return Object.fromEntries([...this.#ofMarket].map(([market, { times }]) => [idOf(market), times]));
  }

  #in(market: Name): OfMarket<Name> {
    const known = this.#ofMarket.get(market);
    if (known !== undefined) return known;
    const made = { times: 0, kept: [] };
    this.#ofMarket.set(market, made);
    return made;
  }
}

/** Whether two refusals of one market are alike. Notes may differ, and so may the limited figures. */
function isAlike<Name>(a: RefusedOnce<Name>, b: RefusedOnce<Name>): boolean {
  if (a.refusal.code !== b.refusal.code || a.strategy !== b.strategy) return false;
  const [one, other] = [fieldsOf(a.intent), fieldsOf(b.intent)];
  return (
    one.kind === other.kind &&
    one.outcome === other.outcome &&
    one.side === other.side &&
    Object.is(one.price, other.price) &&
    Object.is(one.stake, other.stake) &&
    Object.is(one.order, other.order)
  );
}

interface IntentFields {
  readonly kind?: unknown;
  readonly outcome?: unknown;
  readonly side?: unknown;
  readonly price?: unknown;
  readonly stake?: unknown;
  readonly order?: unknown;
  readonly note?: unknown;
}

const NO_FIELDS: IntentFields = {};

function fieldsOf(intent: Intent | undefined): IntentFields {
  return intent ?? NO_FIELDS;
}

const LARGEST = 1e9;
const KINDS = ['place', 'cancel', 'cancelAll', 'reduce', 'replace'] as const;

/** What an intent asked for; a field that holds anything else than it should is left out. */
export function askedFor(
  intent: Intent | undefined,
): Pick<RefusalRow, 'kind' | 'outcomeId' | 'side' | 'price' | 'stake' | 'order' | 'note'> {
  const { kind, outcome, side, price, stake, order, note } = fieldsOf(intent);
  const number = (value: unknown): number | undefined =>
    typeof value === 'number' && Math.abs(value) < LARGEST ? value : undefined;
  const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
  return {
    kind: KINDS.find((each) => each === kind),
    outcomeId: text(outcome),
    side: side === 'For' || side === 'Against' ? side : undefined,
    price: number(price),
    stake: number(stake),
    order: number(order),
    note: text(note),
  };
}

/** Those of several parts of a run, whose markets or strategies differ, as if they were one. */
export function joinedRefusals(parts: readonly RefusedIntents[]): RefusedIntents {
  const byMarket: Record<string, number> = {};
  for (const part of parts)
    for (const [market, times] of Object.entries(part.byMarket)) byMarket[market] = (byMarket[market] ?? 0) + times;
  const rows = parts.flatMap((part) => part.rows).toSorted((a, b) => a.at - b.at);
  const [ofCode, ofMarket] = [new Map<string, number>(), new Map<string, number>()];
  const next = (counts: Map<string, number>, key: string): number => {
    const before = counts.get(key) ?? 0;
    counts.set(key, before + 1);
    return before;
  };
  const isKept = ({ code, marketId }: RefusalRow, at: number): boolean => {
    const [before, here] = [next(ofCode, code), next(ofMarket, marketId)];
    return before < REFUSALS_OF_CODE || (here < REFUSALS_OF_MARKET && at < REFUSALS_MAX);
  };
  return { rows: rows.filter(isKept), byMarket };
}
