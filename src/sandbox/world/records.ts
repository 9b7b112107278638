/**
 * The records that the sandbox keeps beside the exchange machine: names, texts, dates and keys, by the machine's
 * numbers or the API's ids.
 */

import type { WalletType } from '../../core/market.ts';
import type { Instant, Money } from '../../core/number/units.ts';
import type { TransactionCode } from '../../core/transaction.ts';
import type { CatalogueChange, MarketChange, ReferencedKind, ShownMarket } from './change.ts';

export interface AppRecord {
  /** The exchange machine's number. */
  readonly app: number;
  /** The API's id. */
  readonly id: string;
  readonly name: string;
  /** An app of the exchange itself (System, crowd, tape, liquidity provider). Its transactions are not kept. */
  readonly isHouse: boolean;
  readonly createdAt: Instant;
}

export interface WalletRecord {
  readonly wallet: number;
  readonly id: string;
  readonly app: number;
  readonly type: WalletType;
  readonly reference?: string;
  readonly description?: string;
  readonly createdAt: Instant;
  /** Newest last; none are kept for the exchange's own apps. */
  readonly transactions: TransactionRecord[];
}

/** Whether it is the app's default rate is known by the machine: `exchange.app(app)?.defaultRate`. */
export interface CommissionRateRecord {
  readonly rate: number;
  readonly id: string;
  readonly app: number;
  readonly ratePpm: number;
  readonly createdAt: Instant;
}

export interface KeyRecord {
  readonly name: string;
  readonly app: number;
  readonly wallet?: number;
  readonly secretHash: string;
  readonly createdAt: Instant;
  active: boolean;
  modifiedAt: Instant;
}

export interface SessionRecord {
  readonly key: KeyRecord;
  readonly accessHash: string;
  readonly refreshHash: string;
  readonly accessExpiresAt: Instant;
  readonly refreshExpiresAt: Instant;
  /** The refresh token was used. The access token still lives until it expires (profile section 1). */
  refreshed: boolean;
}

export interface TransactionRecord {
  readonly transaction: number;
  readonly code: TransactionCode;
  readonly wallet: number;
  readonly currency: number;
  readonly amount: Money;
  readonly market?: number;
  readonly createdAt: Instant;
}

export interface CurrencyRecord {
  readonly currency: number;
  readonly id: string;
}

interface Dates {
  readonly createdAt: Instant;
  readonly modifiedAt: Instant;
}

/** What a change says of the record that it creates. */
type Given<K extends (CatalogueChange | MarketChange)['kind']> = Omit<
  Extract<CatalogueChange | MarketChange, { readonly kind: K }>,
  'kind'
>;

export type CategoryRecord = Given<'createCategory'> & Dates;
export type SubcategoryRecord = Given<'createSubcategory'> & Dates;
export type EventGroupRecord = Given<'createEventGroup'> & Dates;
export type MarketTypeRecord = Given<'createMarketType'> & Dates;
export type ParticipantRecord = Given<'createParticipant'> & { readonly active: boolean };

export interface ReferenceSourceRecord {
  readonly code: string;
  readonly description: string;
}

export interface ReferenceRecord {
  /** The numeric id of the record. */
  readonly id: number;
  readonly source: string;
  readonly reference: string;
  readonly target: ReferencedKind;
  readonly targetId: string;
}

/** An event. Whether it is active is known by the exchange machine. */
export interface EventRecord extends Omit<Given<'createEvent'>, 'expectedStartTime'> {
  readonly event: number;
  readonly id: string;
  readonly createdAt: Instant;
  expectedStartTime: Instant;
  actualStartTime: Instant | undefined;
  actualEndTime: Instant | undefined;
  modifiedAt: Instant;
}

export interface OutcomeRecord {
  /** Digits; unique among the outcomes of all markets. */
  readonly id: string;
  readonly title: string;
  readonly ordering: number;
  readonly participantId?: string;
}

/** A market. Its status, times and flags are known by the exchange machine (`exchange.market`). */
export interface MarketRecord
  extends Omit<
    Given<'createMarket'>,
    'outcomes' | 'crossMatching' | 'turnsInPlay' | 'inPlayDelayMs' | 'delaysTakersOnly' | 'lockAt'
  > {
  readonly market: number;
  readonly id: string;
  readonly outcomes: readonly OutcomeRecord[];
  /** Counts the changes of its prices, orders and status; what was derived from an older version is outdated. */
  version: number;
  /** What the recording shows now, of a market that a tape plays for a face that shows it. */
  shown: ShownMarket | undefined;
}
