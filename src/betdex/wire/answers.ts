/** Answer envelopes: `_meta` in one of its forms beside named arrays, and the sets of arrays that several answers share. */

import { type TObject, type TProperties, Type } from '@sinclair/typebox';
import { document, list, maybe, text } from '../../codec/notation.ts';
import type { PrimaryDocument } from './basics/enums.ts';
import { KeysetMeta, PagedMeta, PlainMeta } from './basics/meta.ts';
import {
  Category,
  CategorySummary,
  EventGroupDated,
  EventGroupSummary,
  SubcategoryDated,
  SubcategorySummary,
} from './shapes/catalogue.ts';
import { Event, EventParticipant, EventSummary, ParticipantSummary } from './shapes/events.ts';
import { Market, MarketOutcome, MarketSummary, MarketTypeSummary } from './shapes/markets.ts';
import { Order, OrderSummary } from './shapes/orders.ts';
import { ExternalReference } from './shapes/references.ts';
import { Trade, TradeSummary } from './shapes/trades.ts';
import { MarketPosition } from './shapes/wallets.ts';

export type MetaKind = 'plain' | 'paged' | 'keyset' | 'optional';

export interface Answer<S extends TObject = TObject> {
  readonly meta: MetaKind;
  /** The value of `_primary_document`. */
  readonly primary: PrimaryDocument;
  readonly schema: S;
}

const closed = { additionalProperties: false };

export function plain<P extends TProperties>(primary: PrimaryDocument, properties: P) {
  return { meta: 'plain', primary, schema: Type.Object({ _meta: PlainMeta, ...properties }, closed) } as const;
}

export function paged<P extends TProperties>(primary: PrimaryDocument, properties: P) {
  return { meta: 'paged', primary, schema: Type.Object({ _meta: PagedMeta, ...properties }, closed) } as const;
}

/** A keyset answer. The arrays stand in `documents`; `primary` names the first of them, which paging clients read. */
export function keyset<P extends TProperties>(primary: PrimaryDocument, properties: P) {
  const documents = Type.Object(properties, closed);
  return { meta: 'keyset', primary, schema: Type.Object({ _meta: KeysetMeta, documents }, closed) } as const;
}

export function withoutMeta<P extends TProperties>(primary: PrimaryDocument, properties: P) {
  const schema = Type.Object({ _meta: maybe(PlainMeta), ...properties }, closed);
  return { meta: 'optional', primary, schema } as const;
}

/** The body of every answer that is not a success (profile section 1). */
export const Problem = document('Problem', { title: text, details: list(text) });

/** The arrays above an event (categories, subcategories, event groups), as summaries. */
export const TREE = {
  events: list(EventSummary),
  eventGroups: list(EventGroupSummary),
  subcategories: list(SubcategorySummary),
  categories: list(CategorySummary),
};

export const BESIDE_ORDERS = { markets: list(MarketSummary), trades: list(TradeSummary), ...TREE };
export const ORDERS = { orders: list(Order), ...BESIDE_ORDERS };

export const BESIDE_TRADES = { orders: list(OrderSummary), markets: list(MarketSummary), ...TREE };
export const TRADES = { trades: list(Trade), ...BESIDE_TRADES };

export const POSITIONS = { positions: list(MarketPosition), markets: list(MarketSummary) };

export const MARKETS = {
  markets: list(Market),
  marketTypes: list(MarketTypeSummary),
  marketOutcomes: list(MarketOutcome),
  ...TREE,
  externalReferences: list(ExternalReference),
  participants: list(ParticipantSummary),
};

/** The arrays of an answer about events. Unlike elsewhere, the documents above the events carry dates here. */
export const EVENTS = {
  events: list(Event),
  eventGroups: list(EventGroupDated),
  subcategories: list(SubcategoryDated),
  categories: list(Category),
  participants: list(EventParticipant),
  externalReferences: list(ExternalReference),
};
