/**
 * The records that the sandbox keeps beside the exchange machine: names, texts, dates and keys, by the machine's
 * numbers or the API's ids.
 */

import type { LiquidityAction, WalletType, WinnersRange } from '../../core/market.ts';
import type { Instant, Money } from '../../core/number/units.ts';
import type { TransactionCode } from '../../core/transaction.ts';
import type { ParticipantType, ReferencedKind } from './change.ts';

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

export interface CatalogueRecord {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Instant;
  readonly modifiedAt: Instant;
}

export type CategoryRecord = CatalogueRecord;
export interface SubcategoryRecord extends CatalogueRecord {
  readonly categoryId: string;
}
export interface EventGroupRecord extends CatalogueRecord {
  readonly subcategoryId: string;
}

export interface ParticipantRecord {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly type: ParticipantType;
  readonly subcategoryId: string;
  readonly active: boolean;
}

export interface MarketTypeRecord {
  readonly id: string;
  readonly outcomes: WinnersRange;
  readonly winners: WinnersRange;
  readonly createdAt: Instant;
  readonly modifiedAt: Instant;
}

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
export interface EventRecord {
  readonly event: number;
  readonly id: string;
  readonly app: number;
  readonly eventGroupId: string;
  readonly name: string;
  readonly code: string;
  readonly participantIds: readonly string[];
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
export interface MarketRecord {
  readonly market: number;
  readonly id: string;
  readonly app: number;
  readonly event: number;
  readonly name: string;
  readonly marketTypeId: string;
  readonly marketValue?: string;
  readonly marketDiscriminator?: string;
  readonly currencyId: string;
  readonly winners: WinnersRange;
  readonly outcomes: readonly OutcomeRecord[];
  readonly marketLockAction: LiquidityAction;
  readonly eventStartAction: LiquidityAction;
  /** Counts the changes of its prices, orders and status; what was derived from an older version is outdated. */
  version: number;
}
