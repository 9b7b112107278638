/** Turns one place instruction into a request to the exchange machine, or says why it cannot be placed. */

import type { Static } from '@sinclair/typebox';
import type { InstructionError } from '../../../betfair/wire/basics/codes.ts';
import type { PlaceInstruction } from '../../../betfair/wire/documents/orders.ts';
import { type Tick, tickOfDecimal } from '../../../core/number/ladder.ts';
import type { PlaceRequest } from '../../../matching/messages/command.ts';
import { referenceText } from '../../state/bet-references.ts';
import { type MarketFacts, outcomeOfSelection } from '../../state/market-facts.ts';
import type { Asker } from '../shared/operation.ts';
import { ownBets } from '../shared/own-bets.ts';
import { isReference, isTooGood, isTooSmall, stakeOfSize, type TickAndStake } from './order-checks.ts';

export type Instruction = Static<typeof PlaceInstruction>;
type LimitOrder = NonNullable<Instruction['limitOrder']>;

export interface Placing extends Asker {
  readonly facts: MarketFacts;
  readonly customerStrategyRef: string | undefined;
  /** The market's base rate less the account's discount, as the exchange machine's number. */
  readonly commissionRate: number;
}

const STRATEGY_REF_MAX = 15;

/** The request of an instruction; `unique` is a text that no earlier order's reference begins with. */
export function requestOf(placing: Placing, instruction: Instruction, unique: string): PlaceRequest | InstructionError {
  const { facts, account, customerStrategyRef: strategy } = placing;
  const { side, limitOrder, customerOrderRef: order } = instruction;
  // Orders at the starting price are not taken: no market here has one.
  if (instruction.orderType !== 'LIMIT' || limitOrder === undefined) return 'INVALID_ORDER_TYPE';
  if (order !== undefined && !isReference(order)) return 'INVALID_CUSTOMER_ORDER_REF';
  if (strategy !== undefined && !isReference(strategy, STRATEGY_REF_MAX)) return 'INVALID_CUSTOMER_STRATEGY_REF';
  const outcome = outcomeOfSelection(facts, instruction);
  if (outcome === undefined) return 'INVALID_RUNNER';
  if (facts.view.removed.includes(outcome)) return 'RUNNER_REMOVED';
  const terms = termsOf(placing, { side, outcome, limitOrder });
  if (typeof terms === 'string') return terms;
  return {
    wallet: account.wallet,
    market: facts.record.market,
    side: side === 'BACK' ? 'For' : 'Against',
    outcome,
    ...terms,
    commissionRate: placing.commissionRate,
    reference: referenceText(unique, { order, strategy }),
  };
}

type Terms = Pick<PlaceRequest, 'tick' | 'stake' | 'keepWhenInPlay' | 'matchBehavior' | 'minFill'>;

function termsOf(
  placing: Placing,
  wanted: { readonly side: 'BACK' | 'LAY'; readonly outcome: number; readonly limitOrder: LimitOrder },
): Terms | InstructionError {
  const { side, outcome, limitOrder } = wanted;
  const { account } = placing;
  const tick = tickOfDecimal(limitOrder.price);
  if (tick === undefined) return 'INVALID_ODDS';
  const stake = limitOrder.betTargetType === undefined ? stakeOfSize(limitOrder.size, account.penny) : undefined;
  if (stake === undefined) return 'INVALID_BET_SIZE';
  if (isTooSmall(account, stake, tick) && !restsAt(placing, { side, outcome, tick })) return 'INVALID_BET_SIZE';
  if (isTooGood(account, side, { stake, tick })) return 'INVALID_PROFIT_RATIO';
  return limitOrder.timeInForce === undefined
    ? restingTerms(placing.facts, limitOrder, { tick, stake })
    : killTerms(placing, limitOrder, { tick, stake });
}

/** Without a persistence, an order lapses when the market turns in play. A least fill is ignored without FILL_OR_KILL. */
function restingTerms(
  { persists }: MarketFacts,
  { persistenceType = 'LAPSE' }: LimitOrder,
  { tick, stake }: TickAndStake,
): Terms | InstructionError {
  if (persistenceType === 'MARKET_ON_CLOSE') return 'INVALID_PERSISTENCE_TYPE';
  if (persistenceType === 'PERSIST' && !persists) return 'INVALID_PERSISTENCE_TYPE';
  return { tick, stake, keepWhenInPlay: persistenceType === 'PERSIST', matchBehavior: 'RetainUnmatched' };
}

/** Without a least fill, all of it must match at once. Its persistence says nothing: it is never left unmatched. */
function killTerms(
  { account }: Placing,
  { minFillSize }: LimitOrder,
  { tick, stake }: TickAndStake,
): Terms | InstructionError {
  const minFill = minFillSize === undefined ? stake : stakeOfSize(minFillSize, account.penny);
  if (minFill === undefined || minFill > stake) return 'INVALID_MIN_FILL_SIZE';
  if (minFillSize !== undefined && isTooSmall(account, minFill, tick)) return 'INVALID_MIN_FILL_SIZE';
  return { tick, stake, keepWhenInPlay: false, matchBehavior: 'CancelUnmatched', minFill };
}

/** Whether a bet of the caller rests at the price already: then a further one may be smaller than the smallest. */
function restsAt(
  { facts, ...asker }: Placing,
  { side, outcome, tick }: { readonly side: 'BACK' | 'LAY'; readonly outcome: number; readonly tick: Tick },
): boolean {
  return ownBets(asker, {}).some(
    ({ order }) =>
      order.market === facts.record.market &&
      order.outcome === outcome &&
      order.tick === tick &&
      order.stakeUnmatched > 0 &&
      (order.side === 'For') === (side === 'BACK'),
  );
}

/** Whether a back and a lay of one request overlap on a runner, so that they would match each other. */
export function overlapping(requests: readonly PlaceRequest[]): ReadonlySet<PlaceRequest> {
  const found = new Set<PlaceRequest>();
  for (const back of requests.filter(({ side }) => side === 'For')) {
    for (const lay of requests.filter(({ side }) => side === 'Against')) {
      if (lay.outcome === back.outcome && lay.tick >= back.tick) found.add(back).add(lay);
    }
  }
  return found;
}
