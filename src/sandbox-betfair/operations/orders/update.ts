/** updateOrders: changes whether orders stay when their market turns in play. */

import type { InstructionError } from '../../../betfair/wire/basics/codes.ts';
import type { Params, Result } from '../../../betfair/wire/operations.ts';
import { persistenceOf } from '../../documents/order-documents.ts';
import type { MarketFacts } from '../../state/market-facts.ts';
import { type Asker, type Operate, result } from '../shared/operation.ts';
import { betIn, overall } from './cancel.ts';
import { isDuplicate, openMarket, refusedRequest } from './order-checks.ts';

const INSTRUCTIONS_MAX = 60;

type Report = Result<'updateOrders'>;
type InstructionReport = NonNullable<Report['instructionReports']>[number];
type UpdateInstruction = Params<'updateOrders'>['instructions'][number];

export const updateOrders: Operate<'updateOrders'> = (call) => {
  const { marketId, instructions, customerRef } = call.params;
  const refusal = refusedRequest(call, call.params, INSTRUCTIONS_MAX);
  if (refusal !== undefined) return refusal;
  const named = { ...(customerRef === undefined ? {} : { customerRef }), marketId };
  if (isDuplicate(call, customerRef))
    return result({ ...named, status: 'FAILURE', errorCode: 'DUPLICATE_TRANSACTION' });
  const facts = openMarket(call, marketId);
  if (typeof facts === 'string') return result({ ...named, status: 'FAILURE', errorCode: facts });
  const reports = instructions.map((instruction): InstructionReport => {
    const errorCode = update(call, facts, instruction);
    return errorCode === undefined ? { status: 'SUCCESS', instruction } : { status: 'FAILURE', errorCode, instruction };
  });
  return result({ ...named, ...overall(reports), instructionReports: reports });
};

function update(
  asker: Asker,
  facts: MarketFacts,
  { betId, newPersistenceType: wanted }: UpdateInstruction,
): InstructionError | undefined {
  const bet = betIn(asker, facts.id, betId);
  if (typeof bet === 'string') return bet;
  if (wanted === 'MARKET_ON_CLOSE' || (wanted === 'PERSIST' && !facts.persists)) return 'INVALID_PERSISTENCE_TYPE';
  if (persistenceOf(bet.order) === wanted) return 'NO_ACTION_REQUIRED';
  const { context } = asker.face;
  const { app } = asker.account;
  const keepWhenInPlay = wanted === 'PERSIST';
  const command = { kind: 'setKeep', app, order: bet.order.id, keepWhenInPlay } as const;
  context.apply({ at: context.now(), kind: 'command', command });
  return undefined;
}
