/** The calls of a gateway, where each reading is counted on the budget for polling. */

import type { PollBudget } from '../../../exchange-live/polling/poll-budget.ts';
import type { CallInput, LenientCaller } from '../../client/call.ts';
import { priorityOf } from '../../client/operation-facts.ts';
import type { Operation } from '../../wire/endpoints.ts';

/** The given calls; each reading is counted on the budget, page by page. */
export function countedCalls(calls: LenientCaller, budget: PollBudget): LenientCaller {
  return {
    reading: 'lenient',
    call: <O extends Operation>(operation: O, input: CallInput<O>) => {
      if ((input.priority ?? priorityOf(operation)) === 'poll')
        budget.count(operation === 'listPrices' ? 'prices' : 'others');
      return calls.call(operation, input);
    },
  };
}
