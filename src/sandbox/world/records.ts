/** What the sandbox knows besides the machine: names, texts, dates and keys, by the machine's integers or the API's ids. */

import type { LiquidityAction, WalletType, WinnersRange } from '../../core/market.ts';
import type { Instant, Money } from '../../core/number/units.ts';
import type { TransactionCode } from '../../core/transaction.ts';
import type { ParticipantType, ReferencedKind } from './change.ts';

export interface AppRecord {
  /** The machine's. */
  readonly app: number;
  /** The API's. */
  readonly id: string;
  readonly name: string;
  /** Of the exchange itself: crowds, tapes, makers. Its history is not kept once its markets are over. */
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
  /** Newest last; none are kept of a house app's wallets. */
  readonly transactions: TransactionRecord[];
}

/** Which is its app's default the machine says: `exchange.app(app)?.defaultRate`. */
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
  /** Its refresh token was used. The access token lives until it expires (profile section 1). */
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

export interface Named {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Instant;
  readonly modifiedAt: Instant;
}

export type CategoryRecord = Named;
export interface SubcategoryRecord extends Named {
  readonly categoryId: string;
}
export interface EventGroupRecord extends Named {
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
  /** The integer id of the record. */
  readonly id: number;
  readonly source: string;
  readonly reference: string;
  readonly target: ReferencedKind;
  readonly targetId: string;
}

/** Whether it is active is the machine's to say. */
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
  /** Of digits, unlike any other outcome's of any market. */
  readonly id: string;
  readonly title: string;
  readonly ordering: number;
  readonly participantId?: string;
}

/** Status, times and flags are the machine's to say (`exchange.market`). */
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
  /** Counts up with every change of its prices, orders or status: what was made of an older one may be thrown away. */
  version: number;
}
