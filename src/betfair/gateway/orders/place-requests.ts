/** Splits a batch of new orders into requests that Betfair takes, and writes their instructions. */

import type { Frozen } from '../../../codec/notation.ts';
import { leastFillOf, type MinimumStake } from '../../../core/minimum-stake.ts';
import { decimalOfTick } from '../../../core/number/ladder.ts';
import { moneyToDecimal } from '../../../core/number/units.ts';
import { opposite } from '../../../core/side.ts';
import type { OrderRequest } from '../../../exchange/gateway.ts';
import type { NamedTerms } from '../../../exchange-live/orders/placements.ts';
import { selectionOf } from '../../wire/basics/runners.ts';
import type { Params } from '../../wire/operations.ts';

export type Instruction = Frozen<Params<'placeOrders'>['instructions'][number]>;

/** An order on its way: what is asked for, under which reference, and as it is written. */
export interface SentOrder {
  readonly request: OrderRequest;
  readonly terms: NamedTerms;
  readonly instruction: Instruction;
}

const INSTRUCTIONS_MAX = 200;

/** A market's requests, to be sent one after the other. */
export interface MarketRequests {
  readonly marketId: string;
  readonly requests: readonly (readonly SentOrder[])[];
}

/** A request is of one market, and holds no back and lay that could match each other (INVALID_BACK_LAY_COMBINATION). */
export function marketRequests(orders: readonly SentOrder[]): readonly MarketRequests[] {
  const byMarket = new Map<string, SentOrder[][]>();
  for (const order of orders) {
    const requests = byMarket.get(order.terms.marketId) ?? [];
    byMarket.set(order.terms.marketId, requests);
    const last = requests.at(-1);
    const isRoom = last !== undefined && last.length < INSTRUCTIONS_MAX && !last.some((each) => overlap(each, order));
    if (isRoom) last.push(order);
    else requests.push([order]);
  }
  return [...byMarket].map(([marketId, requests]) => ({ marketId, requests }));
}

function overlap({ terms: one }: SentOrder, { terms: other }: SentOrder): boolean {
  if (one.outcomeId !== other.outcomeId || one.side !== opposite(other.side)) return false;
  const [back, lay] = one.side === 'For' ? [one, other] : [other, one];
  return lay.tick >= back.tick;
}

/** Undefined for an outcome that is no runner. */
export function instructionOf(
  { keepWhenInPlay, matchBehavior, side, tick, stake }: OrderRequest,
  {
    outcomeId,
    reference,
    minimumStake,
  }: { readonly outcomeId: string; readonly reference: string; readonly minimumStake: MinimumStake },
): Instruction | undefined {
  const selection = selectionOf(outcomeId);
  if (selection === undefined) return undefined;
  const kept =
    matchBehavior === 'CancelUnmatched'
      ? ({ timeInForce: 'FILL_OR_KILL', minFillSize: moneyToDecimal(leastFillOf(minimumStake, stake)) } as const)
      : { persistenceType: keepWhenInPlay ? ('PERSIST' as const) : ('LAPSE' as const) };
  return {
    ...selection,
    orderType: 'LIMIT',
    side: side === 'For' ? 'BACK' : 'LAY',
    limitOrder: { size: moneyToDecimal(stake), price: decimalOfTick(tick), ...kept },
    customerOrderRef: reference,
  };
}
