/** One market of the machine: its terms, its status, and the stake that rests in it. */

import type { LiquidityAction, WinnersRange } from '../../core/market.ts';
import { NO_TICK, TICK_COUNT } from '../../core/number/ladder.ts';
import type { Instant } from '../../core/number/units.ts';
import type { SideIndex } from '../../core/side.ts';
import type { Liquidity } from '../book/liquidity.ts';
import { marketStatusCode, NOT_APPLICABLE, PRE_PLAY } from '../messages/codes.ts';
import type { MarketTerms } from '../messages/command.ts';
import { NO_INSTANT } from '../messages/event-codec.ts';
import type { Rules } from '../messages/rules.ts';
import { NONE } from '../records/order-columns.ts';
import { SlotQueue } from '../records/slot-queue.ts';

/** How many positions a market finds without a search; a power of two. */
const RECENT = 64;

/** An event (a match, a race), to which markets belong. */
export interface MarketEvent {
  readonly id: number;
  readonly app: number;
  active: boolean;
  /** Ids of the event's markets that are not forgotten. */
  readonly markets: Set<number>;
}

/** How a market was settled: what is needed to settle it, and to undo that. */
export interface Settlement {
  readonly winners: readonly number[];
  /** How many winners are paid in full value: fewer than there are winners in a dead heat. */
  readonly places: number;
}

/** A commission that was charged, so that a resettlement can give it back. */
export interface Charge {
  readonly position: number;
  /** The account of the commission wallet that received it. */
  readonly account: number;
  readonly amount: number;
}

/** A market's terms and state, in the machine's own numbers: statuses as codes, outcomes as indexes. */
export class Market {
  readonly id: number;
  readonly app: number;
  readonly event: MarketEvent;
  readonly currency: number;
  readonly outcomes: number;
  readonly winnersRange: WinnersRange;
  readonly hasOneWinner: boolean;
  readonly crossMatching: boolean;
  /** Whether cross matching is allowed, and possible with the outcomes that are not removed. */
  crosses: boolean;
  eventStartAction: LiquidityAction;
  readonly marketLockAction: LiquidityAction;
  readonly escrowWallet: number;
  /** The escrow wallet's account in the market's currency; NONE until the first posting opens it. */
  escrowAccount = NONE;
  readonly createdAt: Instant;
  readonly liquidity: Liquidity;
  /** Position slots by wallet id. Only `enter` and `leave` change it. */
  readonly positions = new Map<number, number>();
  /** A small cache of positions, by the low bits of the wallet's id: a market's orders come from few wallets. */
  readonly #recentWallet = new Int32Array(RECENT).fill(NONE);
  readonly #recentPosition = new Int32Array(RECENT).fill(NONE);
  readonly removed: Uint8Array;
  /** Stake matched at each (outcome, resting side, tick), and in sum of each outcome. */
  readonly matchedAt: Float64Array;
  readonly traded: Float64Array;
  /** The tick at which each outcome was matched last; NO_TICK before its first match. */
  readonly lastTick: Int16Array;
  /** Slots of Pending orders, oldest first. */
  readonly pending = new SlotQueue();
  readonly charges: Charge[] = [];
  status = marketStatusCode('Initializing');
  inPlay: number;
  /** How many trades the machine had made when the market last turned in play: those of this market before them are of before. */
  tradesBeforeInPlay = 0;
  published = false;
  suspended = false;
  inPlayDelayMs: number;
  delaysTakersOnly: boolean;
  /** When the market stops taking orders, in ms; NaN for never. */
  lockAt: number;
  /** The latest end of a delay so far: an order's delay never ends before that of an earlier order. */
  lastDue = 0;
  firstOrder = NONE;
  lastOrder = NONE;
  settlement: Settlement | undefined;
  settledAt: Instant | undefined;
  modifiedAt: Instant;
  residual = 0;

  constructor(
    terms: MarketTerms,
    made: { id: number; event: MarketEvent; escrowWallet: number; at: Instant; liquidity: Liquidity; rules: Rules },
  ) {
    this.id = made.id;
    this.app = terms.app;
    this.event = made.event;
    this.currency = terms.currency;
    this.outcomes = terms.outcomes;
    this.winnersRange = { min: terms.winners.min, max: terms.winners.max };
    this.hasOneWinner = terms.winners.min === 1 && terms.winners.max === 1;
    this.crossMatching = terms.crossMatching;
    this.crosses = canCross(this, terms.outcomes, made.rules);
    this.eventStartAction = terms.eventStartAction;
    this.marketLockAction = terms.marketLockAction;
    this.escrowWallet = made.escrowWallet;
    this.createdAt = made.at;
    this.modifiedAt = made.at;
    this.liquidity = made.liquidity;
    this.removed = new Uint8Array(terms.outcomes);
    this.matchedAt = new Float64Array(terms.outcomes * 2 * TICK_COUNT);
    this.traded = new Float64Array(terms.outcomes);
    this.lastTick = new Int16Array(terms.outcomes).fill(NO_TICK);
    this.inPlay = terms.turnsInPlay ? PRE_PLAY : NOT_APPLICABLE;
    this.inPlayDelayMs = terms.inPlayDelayMs;
    this.delaysTakersOnly = terms.delaysTakersOnly === true;
    this.lockAt = terms.lockAt ?? NO_INSTANT;
  }

  /** The position slot of a wallet; NONE where it has none. */
  positionOf(wallet: number): number {
    const at = wallet & (RECENT - 1);
    if (this.#recentWallet[at] === wallet) return this.#recentPosition[at] ?? NONE;
    const position = this.positions.get(wallet);
    if (position === undefined) return NONE;
    this.#recentWallet[at] = wallet;
    this.#recentPosition[at] = position;
    return position;
  }

  enter(wallet: number, position: number): void {
    this.positions.set(wallet, position);
  }

  leave(wallet: number): void {
    this.positions.delete(wallet);
    this.#recentWallet[wallet & (RECENT - 1)] = NONE;
    this.#recentPosition[wallet & (RECENT - 1)] = NONE;
  }

  addMatched(outcome: number, side: SideIndex, tick: number, stake: number): void {
    const level = (outcome * 2 + side) * TICK_COUNT + tick;
    this.matchedAt[level] = (this.matchedAt[level] ?? 0) + stake;
    this.lastTick[outcome] = tick;
    this.addTraded(outcome, stake);
  }

  addTraded(outcome: number, stake: number): void {
    this.traded[outcome] = (this.traded[outcome] ?? 0) + stake;
  }
}

/** Whether a market can cross match; `outcomes` is how many outcomes can still win. */
export function canCross(market: Market, outcomes: number, rules: Rules): boolean {
  if (!market.crossMatching || !market.hasOneWinner) return false;
  return outcomes >= rules.crossOutcomesMin && outcomes <= rules.crossOutcomesMax;
}
