/** The calls of a gateway, where each reading is counted on the budget for polling. */

import type { Frozen } from '../../../codec/notation.ts';
import type { PollBudget } from '../../../exchange-live/polling/poll-budget.ts';
import { type BetfairCaller, type CallOptions, priorityOf } from '../../client/call.ts';
import type { Operation, Params } from '../../wire/operations.ts';

export function countedCalls(calls: BetfairCaller, budget: PollBudget): BetfairCaller {
  return {
    call: <O extends Operation>(operation: O, params: Frozen<Params<O>>, options?: CallOptions) => {
      if ((options?.priority ?? priorityOf(operation)) === 'poll')
        budget.count(operation === 'listMarketBook' ? 'prices' : 'others');
      return calls.call(operation, params, options);
    },
  };
}
