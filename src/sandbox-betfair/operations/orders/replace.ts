/** replaceOrders: cancels orders and places what was left of each at another price; a failed place undoes no cancellation. */

import type { InstructionError, ReportError } from '../../../betfair/wire/basics/codes.ts';
import type { Params, Result } from '../../../betfair/wire/operations.ts';
import { defined } from '../../../core/checks/assert.ts';
import { type Tick, tickOfDecimal } from '../../../core/number/ladder.ts';
import type { Instant } from '../../../core/number/units.ts';
import { persistenceOf } from '../../documents/order-documents.ts';
import { momentOf } from '../../names/amounts.ts';
import { betIdOf } from '../../names/market-names.ts';
import { sideWord } from '../../names/side-word.ts';
import { referencesIn, referenceText } from '../../state/bet-references.ts';
import { sizesOf } from '../../state/bet-sizes.ts';
import type { Bet } from '../../state/bets.ts';
import type { MarketFacts } from '../../state/market-facts.ts';
import { type Asker, type Operate, type Outcome, result } from '../shared/operation.ts';
import { betIn, overall } from './cancel.ts';
import { afterDelay } from './delay.ts';
import { isDuplicate, openMarket, refusedRequest } from './order-checks.ts';
import { pendingReport, placedIn, reportOf } from './place.ts';
import type { Instruction } from './place-checks.ts';

const INSTRUCTIONS_MAX = 60;

type Report = Result<'replaceOrders'>;
type InstructionReport = NonNullable<Report['instructionReports']>[number];
type ReplaceInstruction = Params<'replaceOrders'>['instructions'][number];

interface Replacing {
  readonly bet: Bet;
  readonly tick: Tick;
  /** What was left of the order before it was cancelled, as a new instruction. */
  readonly instruction: Instruction;
}

export const replaceOrders: Operate<'replaceOrders'> = (call) => {
  const { marketId, instructions, customerRef, marketVersion } = call.params;
  const refusal = refusedRequest(call, call.params, INSTRUCTIONS_MAX);
  if (refusal !== undefined) return refusal;
  const named = { ...(customerRef === undefined ? {} : { customerRef }), marketId };
  const fail = (errorCode: ReportError): Outcome<Report> => result({ ...named, status: 'FAILURE', errorCode });
  if (isDuplicate(call, customerRef)) return fail('DUPLICATE_TRANSACTION');
  if (new Set(instructions.map(({ betId }) => betId)).size < instructions.length) return fail('DUPLICATE_BETIDS');
  const facts = openMarket(call, marketId, marketVersion);
  if (typeof facts === 'string') return fail(facts);
  const { face, world, account } = call;
  const asker = { face, world, account };
  const judged = instructions.map((instruction) => judge(asker, facts, instruction));
  const valid = judged.filter((each) => typeof each !== 'string');
  const { placed, cancelledAt } = replaceAll(asker, valid);
  const isAsync = call.params.async === true;
  const orders = isAsync ? [] : placed.filter((each) => typeof each === 'number');
  return afterDelay(asker, orders, (): Outcome<Report> => {
    const reports = judged.map((each, index): InstructionReport => {
      if (typeof each === 'string') return cancelFailure(instructions[index] as ReplaceInstruction, each);
      return replaced(asker, each, { placed: placed[valid.indexOf(each)] ?? 'ERROR_IN_ORDER', cancelledAt, isAsync });
    });
    return result({ ...named, ...overall(reports), instructionReports: reports });
  });
};

function judge(
  asker: Asker,
  facts: MarketFacts,
  { betId, newPrice }: ReplaceInstruction,
): Replacing | InstructionError {
  const bet = betIn(asker, facts.id, betId);
  if (typeof bet === 'string') return bet;
  const tick = tickOfDecimal(newPrice);
  if (tick === undefined) return 'INVALID_ODDS';
  if (tick === bet.order.tick) return 'INVALID_PRICE_EDIT';
  const { order } = bet;
  const limitOrder = { size: sizesOf(bet).sizeRemaining, price: newPrice, persistenceType: persistenceOf(order) };
  const { selectionId, handicap } = defined(facts.runners[order.outcome], 'a market has its runners');
  const side = sideWord(order.side);
  return { bet, tick, instruction: { selectionId, handicap, limitOrder, orderType: 'LIMIT', side } };
}

function replaceAll(
  { face, world, account }: Asker,
  valid: readonly Replacing[],
): { readonly placed: readonly (number | InstructionError)[]; readonly cancelledAt: Instant } {
  const { context } = face;
  const at = context.now();
  if (valid.length === 0) return { placed: [], cancelledAt: at };
  const { created } = world.exchange.inspect().orders;
  const replacements = valid.map(({ bet: { order }, tick }, item) => ({
    order: order.id,
    tick,
    reference: referenceText(`${created}.${item}`, referencesIn(order.reference)),
  }));
  const command = { kind: 'replace', app: account.app, replacements } as const;
  const { events } = context.apply({ at, kind: 'command', command });
  return { placed: placedIn(events, valid.length), cancelledAt: at };
}

interface Placed {
  readonly placed: number | InstructionError;
  readonly cancelledAt: Instant;
  readonly isAsync: boolean;
}

function replaced(
  asker: Asker,
  { bet, instruction }: Replacing,
  { placed, cancelledAt, isAsync }: Placed,
): InstructionReport {
  const cancelInstructionReport = {
    status: 'SUCCESS',
    instruction: { betId: betIdOf(bet.order.id) },
    sizeCancelled: instruction.limitOrder?.size ?? 0,
    cancelledDate: momentOf(cancelledAt),
  } as const;
  const isPending = isAsync && typeof placed === 'number';
  const placeInstructionReport = isPending ? pendingReport(instruction) : reportOf(asker, placed, instruction);
  if (placeInstructionReport.status === 'SUCCESS')
    return { status: 'SUCCESS', cancelInstructionReport, placeInstructionReport };
  return { status: 'FAILURE', errorCode: 'CANCELLED_NOT_PLACED', cancelInstructionReport, placeInstructionReport };
}

/** Nothing was cancelled, so that nothing was placed either. */
function cancelFailure({ betId }: ReplaceInstruction, errorCode: InstructionError): InstructionReport {
  const cancelInstructionReport = { status: 'FAILURE', errorCode, instruction: { betId }, sizeCancelled: 0 } as const;
  return { status: 'FAILURE', errorCode, cancelInstructionReport };
}
