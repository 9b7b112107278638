/** listMarketProfitAndLoss: what the caller's matched bets win or lose by the runner that wins. */

import type { Result } from '../../../betfair/wire/operations.ts';
import { PROFIT_WEIGHT, WEIGHT_MAX } from '../../../betfair/wire/weights.ts';
import { noBetWorth } from '../../../matching/life/bet-worth.ts';
import { PPM_PER_PERCENT } from '../../documents/market-documents.ts';
import { amountOf, sumOf } from '../../names/amounts.ts';
import { termsOf } from '../../state/accounts.ts';
import { MILLION } from '../../state/betfair-world.ts';
import { factsById } from '../../state/market-facts.ts';
import { exception, type Operate, result } from '../shared/operation.ts';

export const listMarketProfitAndLoss: Operate<'listMarketProfitAndLoss'> = ({ face, world, account, params }) => {
  const { marketIds, netOfCommission = false } = params;
  if (PROFIT_WEIGHT * marketIds.length > WEIGHT_MAX) return exception('TOO_MUCH_DATA', 'ask for fewer markets');
  const markets = [...new Set(marketIds)].flatMap((id): Result<'listMarketProfitAndLoss'>[number][] => {
    const facts = factsById(world, id);
    // A market with a result is over: its bets are cleared.
    if (facts === undefined || facts.status === 'CLOSED') return [];
    const { record, basePpm, view, runners } = facts;
    const rate = (basePpm * (1 - termsOf(face, account.username).discountPpm / MILLION)) / PPM_PER_PERCENT;
    const worth = noBetWorth(runners.length);
    world.exchange.addBetWorth(account.wallet, record.market, worth);
    const profitAndLosses = runners.flatMap(({ selectionId }, outcome) => {
      if (view.removed.includes(outcome)) return [];
      const at = (column: Float64Array) => amountOf(column[outcome] ?? 0, account.penny);
      // Where several runners win, a runner's own bets are told, whatever becomes of the others, and without commission.
      if (record.winners.max > 1) return [{ selectionId, ifWin: at(worth.betsIfWins), ifLose: at(worth.betsIfLoses) }];
      const commission = netOfCommission ? at(worth.commissionIfWins) : 0;
      return [{ selectionId, ifWin: sumOf([at(worth.profitIfWins), -commission]) }];
    });
    return [{ marketId: id, ...(netOfCommission ? { commissionApplied: rate } : {}), profitAndLosses }];
  });
  return result(markets);
};
