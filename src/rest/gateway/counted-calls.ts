/** The calls of a gateway, each reading of which is counted on its budget for polling. */

import type { Operation } from '../../wire/endpoints.ts';
import type { CallInput } from '../call.ts';
import { priorityOf } from '../operation-facts.ts';
import type { Caller } from '../pages.ts';
import type { PollBudget } from './poll-budget.ts';

export function countedCalls(calls: Caller, budget: PollBudget): Caller {
  return {
    call: <O extends Operation>(operation: O, input: CallInput<O>) => {
      if ((input.priority ?? priorityOf(operation)) === 'poll')
        budget.count(operation === 'listPrices' ? 'prices' : 'others');
      return calls.call(operation, input);
    },
  };
}
