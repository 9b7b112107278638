/** Checks an intent against the ladder, the stake step and the known markets, and turns it into core units. */

import { type Intent, NOTE_MAX } from '../../core/intent.ts';
import { type Tick, tickOfDecimal } from '../../core/number/ladder.ts';
import type { Money } from '../../core/number/units.ts';
import { MATCH_BEHAVIORS, type MatchBehavior } from '../../core/order.ts';
import { REFUSALS, type Refusal, type RefusalCode } from '../../core/refusal.ts';
import type { Side } from '../../core/side.ts';
import { stakeOfDecimal } from '../stake-step.ts';

export interface CheckedPlace {
  readonly kind: 'place';
  readonly market: number;
  readonly outcome: number;
  readonly side: Side;
  readonly tick: Tick;
  readonly stake: Money;
  readonly keepWhenInPlay: boolean;
  readonly matchBehavior: MatchBehavior;
  readonly note: string | undefined;
}

export interface CheckedCancel {
  readonly kind: 'cancel';
  readonly order: number;
}

/** Indexes of market and outcome. An outcome is only given with its market; without both all markets are meant. */
export interface CheckedCancelAll {
  readonly kind: 'cancelAll';
  readonly market: number | undefined;
  readonly outcome: number | undefined;
}

export interface CheckedReduce {
  readonly kind: 'reduce';
  readonly order: number;
  readonly stake: Money;
}

export interface CheckedReplace {
  readonly kind: 'replace';
  readonly order: number;
  readonly tick: Tick;
  readonly stake: Money | undefined;
  readonly note: string | undefined;
}

export interface RefusedIntent {
  readonly kind: 'refused';
  readonly refusal: Refusal;
}

export type CheckedIntent =
  | CheckedPlace
  | CheckedCancel
  | CheckedCancelAll
  | CheckedReduce
  | CheckedReplace
  | RefusedIntent;

/**
 * Maps the exchange's ids to indexes: -1 for a market that the strategy does not watch or an outcome that the market
 * does not have.
 */
export interface IntentScope {
  marketIndex(id: string): number;
  outcomeIndex(market: number, id: string): number;
}

/**
 * Never throws, whatever the data holds: plugins may be plain JavaScript. Whether an order id belongs to the strategy
 * is checked later by the ledger. Allocates only its result; refusals are shared objects.
 */
export function checkIntent(intent: Intent, scope: IntentScope): CheckedIntent {
  if (typeof intent !== 'object' || intent === null) return refused('INTENT_INVALID');
  switch (intent.kind) {
    case 'place':
      return checkPlace(intent, scope);
    case 'cancel':
      return isOrderId(intent.order) ? { kind: 'cancel', order: intent.order } : refused('UNKNOWN_ORDER');
    case 'cancelAll':
      return checkCancelAll(intent, scope);
    case 'reduce':
      return checkReduce(intent);
    case 'replace':
      return checkReplace(intent);
  }
  return refused('INTENT_INVALID');
}

function checkPlace(intent: Intent & { kind: 'place' }, scope: IntentScope): CheckedIntent {
  const { side, keepWhenInPlay = false, matchBehavior = 'RetainUnmatched' } = intent;
  if (side !== 'For' && side !== 'Against') return refused('INTENT_INVALID');
  if (typeof keepWhenInPlay !== 'boolean' || !MATCH_BEHAVIORS.includes(matchBehavior)) return refused('INTENT_INVALID');
  const market = scope.marketIndex(intent.market);
  if (market < 0) return refused('UNKNOWN_MARKET');
  const outcome = scope.outcomeIndex(market, intent.outcome);
  if (outcome < 0) return refused('UNKNOWN_OUTCOME');
  const tick = tickOf(intent.price);
  if (tick === undefined) return refused('PRICE_OFF_LADDER');
  const stake = stakeOfDecimal(intent.stake);
  if (stake === undefined) return refused('STAKE_INVALID');
  if (!isNote(intent.note)) return refused('NOTE_INVALID');
  const note = noteOf(intent.note);
  return { kind: 'place', market, outcome, side, tick, stake, keepWhenInPlay, matchBehavior, note };
}

function checkCancelAll(intent: Intent & { kind: 'cancelAll' }, scope: IntentScope): CheckedIntent {
  if (intent.market === undefined) {
    // An outcome id means nothing without its market, and cancelling everything instead would be a guess.
    return intent.outcome === undefined ? CANCEL_EVERYWHERE : refused('UNKNOWN_MARKET');
  }
  const market = scope.marketIndex(intent.market);
  if (market < 0) return refused('UNKNOWN_MARKET');
  if (intent.outcome === undefined) return { kind: 'cancelAll', market, outcome: undefined };
  const outcome = scope.outcomeIndex(market, intent.outcome);
  return outcome < 0 ? refused('UNKNOWN_OUTCOME') : { kind: 'cancelAll', market, outcome };
}

function checkReduce({ order, stake: asked }: Intent & { kind: 'reduce' }): CheckedIntent {
  if (!isOrderId(order)) return refused('UNKNOWN_ORDER');
  const stake = stakeOfDecimal(asked);
  return stake === undefined ? refused('STAKE_INVALID') : { kind: 'reduce', order, stake };
}

function checkReplace(intent: Intent & { kind: 'replace' }): CheckedIntent {
  if (!isOrderId(intent.order)) return refused('UNKNOWN_ORDER');
  const tick = tickOf(intent.price);
  if (tick === undefined) return refused('PRICE_OFF_LADDER');
  const stake = intent.stake === undefined ? undefined : stakeOfDecimal(intent.stake);
  if (intent.stake !== undefined && stake === undefined) return refused('STAKE_INVALID');
  if (!isNote(intent.note)) return refused('NOTE_INVALID');
  return { kind: 'replace', order: intent.order, tick, stake, note: noteOf(intent.note) };
}

function isNote(note: unknown): note is string | undefined {
  return note === undefined || (typeof note === 'string' && note.length <= NOTE_MAX);
}

/** An empty note says nothing. */
function noteOf(note: string | undefined): string | undefined {
  return note === '' ? undefined : note;
}

function isOrderId(order: unknown): boolean {
  return Number.isSafeInteger(order) && Number(order) >= 0;
}

function tickOf(price: unknown): Tick | undefined {
  return typeof price === 'number' ? tickOfDecimal(price) : undefined;
}

const CANCEL_EVERYWHERE: CheckedCancelAll = { kind: 'cancelAll', market: undefined, outcome: undefined };

const refusals = new Map<string, RefusedIntent>();
for (const code of Object.keys(REFUSALS) as RefusalCode[]) {
  refusals.set(code, Object.freeze({ kind: 'refused', refusal: Object.freeze({ code }) }));
}

function refused(code: RefusalCode): RefusedIntent {
  return refusals.get(code) as RefusedIntent;
}
