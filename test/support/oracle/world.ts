/** Everything the oracle knows, as plain mutable objects in arrays. */

import type { TransactionCode } from '../../../src/core/transaction.ts';
import type { MarketTerms } from '../../../src/matching/messages/command.ts';
import type { ExchangeEvent } from '../../../src/matching/messages/event.ts';
import { asInstant } from './amounts.ts';

export interface OracleRules {
  readonly crossMatching: 'rounded' | 'exact';
  /** Whether a removal follows Betfair's recordings: kept orders are reduced, prices rounded to hundredths. */
  readonly betfairRemovals: boolean;
  /** Whether an app whose heartbeat lapsed places nothing until it has deleted it. */
  readonly lapseBlocks: boolean;
}

export interface World {
  readonly rules: OracleRules;
  now: number;
  readonly apps: OracleApp[];
  readonly rates: OracleRate[];
  readonly wallets: OracleWallet[];
  readonly events: OracleFixture[];
  readonly markets: OracleMarket[];
  readonly orders: OracleOrder[];
  tradeCount: number;
  restCount: number;
  /** Markets whose orders the current command has changed so far. */
  readonly changed: Set<OracleMarket>;
  /** What the current command has done so far. */
  log: ExchangeEvent[];
}

export interface OracleApp {
  readonly id: number;
  /** App 0 has no Commission wallet: its commission goes to the System wallet. */
  readonly commissionWallet: number;
  defaultRate: number | undefined;
  heartbeat: { timeoutMs: number; lastSeenAt: number; active: boolean } | undefined;
}

export interface OracleRate {
  readonly app: number;
  readonly ppm: bigint;
}

export interface OracleWallet {
  readonly id: number;
  readonly app: number;
  readonly type: Extract<ExchangeEvent, { kind: 'walletCreated' }>['type'];
  readonly moneyStep: bigint | undefined;
  readonly accounts: OracleAccount[];
  /** The escrow wallet of a forgotten market. */
  forgotten: boolean;
}

export interface OracleAccount {
  readonly currency: number;
  balance: bigint;
  overdraft: bigint;
}

export interface OracleFixture {
  readonly app: number;
  active: boolean;
}

type Change = Extract<ExchangeEvent, { kind: 'marketChanged' }>;

export interface OracleMarket {
  readonly id: number;
  readonly terms: MarketTerms;
  readonly escrow: number;
  status: Change['status'];
  inPlayStatus: Change['inPlayStatus'];
  published: boolean;
  suspended: boolean;
  startAction: MarketTerms['eventStartAction'];
  delayMs: number;
  delaysTakersOnly: boolean;
  /** The number of the first trade that any market may have had in play. */
  firstTradeInPlay: number;
  lockAt: number | undefined;
  lastDue: number;
  readonly removed: boolean[];
  /** By outcome: the tick at which it was matched last. */
  readonly lastTicks: (number | undefined)[];
  readonly orders: OracleOrder[];
  settlement: Settlement | undefined;
  /** By which it was settled last. */
  verdict: Verdict | undefined;
  forgotten: boolean;
  /** Remembered required funds by wallet; thrown away whenever anything in the market changes. */
  readonly memo: Map<number, Required>;
}

export interface Required {
  readonly r: bigint;
  readonly m: bigint;
}

/** Which outcomes won, and how many places are shared among them. */
export interface Verdict {
  readonly winners: readonly number[];
  readonly places: number;
}

export interface Settlement {
  readonly paid: readonly Paid[];
  readonly residual: bigint;
  /** The transaction code with which the payouts were posted. */
  readonly code: TransactionCode;
}

/** What settling or voiding gave one wallet. */
export interface Paid {
  readonly wallet: number;
  readonly payout: bigint;
  readonly commissions: readonly { readonly rate: number; readonly amount: bigint }[];
}

export interface OracleOrder {
  readonly id: number;
  readonly app: number;
  readonly wallet: number;
  readonly market: OracleMarket;
  readonly isFor: boolean;
  readonly outcome: number;
  limit: bigint;
  readonly stake: bigint;
  keepWhenInPlay: boolean;
  readonly minFill: bigint | undefined;
  readonly rate: number | undefined;
  readonly reference: string | undefined;
  readonly due: number | undefined;
  cancelUnmatched: boolean;
  unmatched: bigint;
  voided: bigint;
  status: Extract<ExchangeEvent, { kind: 'orderChanged' }>['status'];
  /** Place in the queue; undefined while the order does not rest. */
  restedAs: number | undefined;
  readonly trades: OracleTrade[];
}

export interface OracleTrade {
  readonly id: number;
  readonly order: OracleOrder;
  readonly part: 'maker' | 'taker' | 'cross maker' | 'cross taker';
  readonly at: number;
  stake: bigint;
  price: bigint;
  /** Gain if the order's outcome wins, and if it loses. */
  win: bigint;
  lose: bigint;
  /** Voided with its removed outcome. */
  annulled: boolean;
}

export const SYSTEM = 0;

export function newWorld(rules: OracleRules): World {
  return {
    rules,
    now: 0,
    apps: [{ id: 0, commissionWallet: SYSTEM, defaultRate: undefined, heartbeat: undefined }],
    rates: [],
    wallets: [{ id: SYSTEM, app: 0, type: 'System', moneyStep: undefined, accounts: [], forgotten: false }],
    events: [],
    markets: [],
    orders: [],
    tradeCount: 0,
    restCount: 0,
    changed: new Set(),
    log: [],
  };
}

/** A wallet that is known and not forgotten. */
export function walletOf(world: World, id: number): OracleWallet | undefined {
  const wallet = world.wallets[id];
  return wallet?.forgotten ? undefined : wallet;
}

type WithoutTime<E> = E extends unknown ? Omit<E, 'at'> : never;

export function emit(world: World, event: WithoutTime<ExchangeEvent>): void {
  world.log.push({ at: asInstant(world.now), ...event } as ExchangeEvent);
}

export function activeOutcomes(market: OracleMarket): number[] {
  return market.removed.flatMap((removed, outcome) => (removed ? [] : [outcome]));
}

/** Forgets what was computed about a market's funds. */
export function disturb(world: World, market: OracleMarket): void {
  market.memo.clear();
  world.changed.add(market);
}
