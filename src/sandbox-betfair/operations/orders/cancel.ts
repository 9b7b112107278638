/** cancelOrders: cancels orders or a part of each, those of a market, or all of the account. */

import type { InstructionError, ReportError } from '../../../betfair/wire/basics/codes.ts';
import type { Params, Result } from '../../../betfair/wire/operations.ts';
import { momentOf, sumOf } from '../../names/amounts.ts';
import { betIdOf } from '../../names/market-names.ts';
import { sizesOf } from '../../state/bet-sizes.ts';
import type { Bet } from '../../state/bets.ts';
import { factsById } from '../../state/market-facts.ts';
import { type Asker, type Operate, result } from '../shared/operation.ts';
import { ownBet, ownBets } from '../shared/own-bets.ts';
import { isDuplicate, refusedRequest, stakeOfSize } from './order-checks.ts';

const INSTRUCTIONS_MAX = 60;

type Report = Result<'cancelOrders'>;
type InstructionReport = NonNullable<Report['instructionReports']>[number];
type Instruction = NonNullable<Params<'cancelOrders'>['instructions']>[number];

export const cancelOrders: Operate<'cancelOrders'> = (call) => {
  const { marketId, instructions = [], customerRef } = call.params;
  // Without instructions it is one: to cancel all.
  const counted = { ...call.params, instructions: instructions.length === 0 ? [{}] : instructions };
  const refusal = refusedRequest(call, counted, INSTRUCTIONS_MAX);
  if (refusal !== undefined) return refusal;
  const error = requestError(call, call.params);
  const named = {
    ...(customerRef === undefined ? {} : { customerRef }),
    ...(marketId === undefined ? {} : { marketId }),
  };
  if (error !== undefined) return result({ ...named, status: 'FAILURE', errorCode: error });
  // Without instructions all orders of the market are cancelled, and without a market all orders.
  const reports =
    instructions.length === 0
      ? liveBets(call, marketId).map((bet) => cancelled(call, bet, { betId: betIdOf(bet.order.id) }))
      : instructions.map((instruction) => cancelOne(call, marketId, instruction));
  return result({ ...named, ...overall(reports), instructionReports: reports });
};

function requestError(asker: Asker, { marketId, instructions, customerRef }: Params<'cancelOrders'>) {
  if (isDuplicate(asker, customerRef)) return 'DUPLICATE_TRANSACTION';
  if (marketId === undefined) return (instructions ?? []).length > 0 ? 'INVALID_MARKET_ID' : undefined;
  return factsById(asker.world, marketId) === undefined ? 'INVALID_MARKET_ID' : undefined;
}

/** What a report says as a whole, from its parts. */
export function overall(reports: readonly { readonly status: string }[]): {
  readonly status: 'SUCCESS' | 'PROCESSED_WITH_ERRORS' | 'FAILURE';
  readonly errorCode?: ReportError;
} {
  const failures = reports.filter(({ status }) => status !== 'SUCCESS').length;
  if (failures === 0) return { status: 'SUCCESS' };
  if (failures === reports.length) return { status: 'FAILURE', errorCode: 'BET_ACTION_ERROR' };
  return { status: 'PROCESSED_WITH_ERRORS', errorCode: 'PROCESSED_WITH_ERRORS' };
}

function liveBets(asker: Asker, marketId: string | undefined): readonly Bet[] {
  const market = marketId === undefined ? undefined : factsById(asker.world, marketId)?.record.market;
  return ownBets(asker, {}).filter(
    ({ order }) => order.stakeUnmatched > 0 && (market === undefined || order.market === market),
  );
}

function cancelOne(asker: Asker, marketId: string | undefined, instruction: Instruction): InstructionReport {
  const bet = betIn(asker, marketId, instruction.betId);
  return typeof bet === 'string' ? failure(instruction, bet) : cancelled(asker, bet, instruction);
}

/** The caller's live bet in a market, or why it cannot be changed. */
export function betIn(asker: Asker, marketId: string | undefined, betId: string): Bet | InstructionError {
  const bet = ownBet(asker, betId);
  const market = marketId === undefined ? undefined : factsById(asker.world, marketId)?.record.market;
  if (bet === undefined || bet.order.market !== market) return 'INVALID_BET_ID';
  return bet.order.stakeUnmatched > 0 ? bet : 'BET_TAKEN_OR_LAPSED';
}

/** Cancels a bet or a part of it. A reduction by what is left or more is a cancellation. */
function cancelled(asker: Asker, bet: Bet, instruction: Instruction): InstructionReport {
  const { context, bets } = asker.face;
  const { app } = asker.account;
  const order = bet.order.id;
  const { sizeReduction } = instruction;
  const stake = sizeReduction === undefined ? bet.order.stakeUnmatched : stakeOfSize(sizeReduction, bet.penny);
  if (stake === undefined) return failure(instruction, 'INVALID_BET_SIZE');
  const isWhole = stake >= bet.order.stakeUnmatched;
  const at = context.now();
  const command = isWhole
    ? ({ kind: 'cancel', app, orders: [order] } as const)
    : ({ kind: 'reduce', app, order, stake } as const);
  context.apply({ at, kind: 'command', command });
  const sizeCancelled = sumOf([sizesOf(bets.get(order) ?? bet).sizeCancelled, -sizesOf(bet).sizeCancelled]);
  if (sizeCancelled === 0) return failure(instruction, 'BET_TAKEN_OR_LAPSED');
  return { status: 'SUCCESS', instruction, sizeCancelled, cancelledDate: momentOf(at) };
}

function failure(instruction: Instruction, errorCode: InstructionError): InstructionReport {
  return { status: 'FAILURE', errorCode, instruction, sizeCancelled: 0 };
}
