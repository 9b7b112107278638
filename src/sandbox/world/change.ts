/** All changes of the sandbox's world: a closed list of plain JSON, so that a log of changes is the whole state. */

import type { LiquidityAction, MarketFacts, StartingPriceKind, WinnersRange } from '../../core/market.ts';
import type { Instant } from '../../core/number/units.ts';
import type { Command } from '../../matching/messages/command.ts';
import type { SourceFacts } from '../../recording/tape/tape-schema.ts';

/**
 * A command to the exchange machine, without time, since the change has one. What also needs a record beside the
 * machine has a change of its own.
 */
export type MachineCommand = Command extends infer C ? (C extends NamelessCommand ? Omit<C, 'at'> : never) : never;
type NamelessCommand = Exclude<Command, { readonly kind: (typeof NAMED_KINDS)[number] }>;
export const NAMED_KINDS = [
  'advance',
  'createApp',
  'createWallet',
  'createCommissionRate',
  'createEvent',
  'createMarket',
] as const satisfies readonly Command['kind'][];

/**
 * A change; `at` is never earlier than that of the change before. Apps, wallets, rates, events and markets are named by
 * the exchange machine's numbers, which count up; categories, groups and the like by API ids, which the creator
 * chooses. Changes contain no secrets: keys and tokens appear only as hashes.
 */
export type Change = { readonly at: Instant } & (RegistryChange | CatalogueChange | MarketChange);

export type RegistryChange =
  | { readonly kind: 'createApp'; readonly id: string; readonly name: string; readonly isHouse?: true }
  | {
      readonly kind: 'createWallet';
      readonly app: number;
      readonly reference?: string;
      readonly description?: string;
      /** The smallest amount that settlements pay it, in 10⁻⁶. */
      readonly moneyStep?: number;
    }
  /** A rate that replaces the app's default rate where `isDefault` is set. */
  | {
      readonly kind: 'createCommissionRate';
      readonly app: number;
      readonly ratePpm: number;
      readonly isDefault: boolean;
    }
  /** A key of an app, or of one of its wallets. */
  | {
      readonly kind: 'createKey';
      readonly app: number;
      readonly wallet?: number;
      readonly name: string;
      readonly secretHash: string;
    }
  | { readonly kind: 'deactivateKey'; readonly name: string }
  | {
      readonly kind: 'openSession';
      readonly key: string;
      readonly accessHash: string;
      readonly refreshHash: string;
      readonly accessExpiresAt: Instant;
      readonly refreshExpiresAt: Instant;
      /** Hash of the refresh token that was used, where the session continues another. */
      readonly replaces?: string;
    };

export type CatalogueChange =
  | { readonly kind: 'createCurrency'; readonly id: string }
  | { readonly kind: 'createCategory'; readonly id: string; readonly name: string }
  | { readonly kind: 'createSubcategory'; readonly id: string; readonly name: string; readonly categoryId: string }
  | { readonly kind: 'createEventGroup'; readonly id: string; readonly name: string; readonly subcategoryId: string }
  | {
      readonly kind: 'createParticipant';
      readonly id: string;
      readonly code: string;
      readonly name: string;
      readonly type: ParticipantType;
      readonly subcategoryId: string;
    }
  | {
      readonly kind: 'createMarketType';
      readonly id: string;
      readonly outcomes: WinnersRange;
      readonly winners: WinnersRange;
    }
  | { readonly kind: 'createReferenceSource'; readonly code: string; readonly description: string }
  | {
      readonly kind: 'addReference';
      readonly source: string;
      readonly reference: string;
      readonly target: ReferencedKind;
      /** The API id of the record that is named. */
      readonly id: string;
    }
  /** Text that a driver of traffic (a crowd, a tape) keeps over a restart; an undefined value removes it. */
  | { readonly kind: 'setNote'; readonly key: string; readonly value?: string };

export type MarketChange =
  | {
      readonly kind: 'createEvent';
      readonly app: number;
      readonly eventGroupId: string;
      readonly name: string;
      readonly code: string;
      readonly expectedStartTime: Instant;
      readonly participantIds: readonly string[];
    }
  | {
      readonly kind: 'setEventTimes';
      readonly event: number;
      readonly expectedStartTime?: Instant;
      readonly actualStartTime?: Instant;
      readonly actualEndTime?: Instant;
    }
  | {
      readonly kind: 'createMarket';
      readonly app: number;
      readonly event: number;
      readonly name: string;
      readonly marketTypeId: string;
      readonly marketValue?: string;
      readonly marketDiscriminator?: string;
      readonly currencyId: string;
      readonly winners: WinnersRange;
      readonly outcomes: readonly { readonly title: string; readonly participantId?: string }[];
      readonly crossMatching: boolean;
      readonly turnsInPlay: boolean;
      readonly inPlayDelayMs: number;
      readonly delaysTakersOnly?: boolean;
      readonly lockAt: Instant;
      readonly eventStartAction: LiquidityAction;
      readonly marketLockAction: LiquidityAction;
      readonly recorded?: RecordedFacts;
    }
  /** What a recording shows of a market now, beside its prices and its life. Replaces what it showed before. */
  | { readonly kind: 'showMarket'; readonly market: number; readonly shown: ShownMarket }
  /** Everything that needs no record beside the machine: orders, money, heartbeats, moves of markets. */
  | { readonly kind: 'command'; readonly command: MachineCommand };

/**
 * How a recording names a market, and what it says of it that no record of this exchange has a place for. Outcomes stand
 * in the order of the market's; their ids are `<selection>` or `<selection>@<handicap>`, and `ordering` is the recorded
 * one. Times are the recorded ones.
 */
export interface RecordedFacts extends SourceFacts {
  readonly facts: MarketFacts;
  readonly bettingType: string;
}

/** What a recording shows that may change while it is played. */
export interface ShownMarket {
  /** The scheduled start, in the time of this exchange; absent where the recording has none. An event may have several. */
  readonly startsAt?: Instant;
  /** The market's base rate of commission. */
  readonly commissionPpm: number;
  /** In the order of the market's outcomes. */
  readonly outcomes: readonly ShownOutcome[];
}

export interface ShownOutcome {
  /** By how much prices fall when the outcome is removed. */
  readonly factorPpm?: number;
  /** When it was removed, in the time of this exchange. */
  readonly removedAt?: Instant;
  /** In 10⁻³, not on the ladder. */
  readonly startingPrices?: Readonly<Partial<Record<StartingPriceKind, number>>>;
}

const PARTICIPANT_TYPES = ['Individual', 'Team'] as const;
export type ParticipantType = (typeof PARTICIPANT_TYPES)[number];

export const REFERENCED_KINDS = ['subcategory', 'eventGroup', 'event', 'market', 'participant'] as const;
export type ReferencedKind = (typeof REFERENCED_KINDS)[number];

/** Why a change was refused; a refused change has no effect. */
export type ChangeRefusal =
  | { readonly code: 'UNKNOWN_ID'; readonly what: string }
  | { readonly code: 'ID_TAKEN'; readonly what: string }
  | { readonly code: 'INVALID'; readonly what: string }
  /** The exchange machine's own code, see matching/messages/event.ts. */
  | { readonly code: 'MACHINE'; readonly what: string };
