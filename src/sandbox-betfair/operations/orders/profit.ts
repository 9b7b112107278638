/** listMarketProfitAndLoss: what the caller's matched bets win or lose by the runner that wins. */

import type { Result } from '../../../betfair/wire/operations.ts';
import { PPM_PER_PERCENT } from '../../documents/market-documents.ts';
import { amountOf } from '../../names/amounts.ts';
import { factsById } from '../../state/market-facts.ts';
import { exception, type Operate, result } from '../shared/operation.ts';
import { PROFIT_WEIGHT, WEIGHT_MAX } from '../shared/weights.ts';

export const listMarketProfitAndLoss: Operate<'listMarketProfitAndLoss'> = ({ world, account, params }) => {
  const { marketIds, netOfCommission = false } = params;
  if (PROFIT_WEIGHT * marketIds.length > WEIGHT_MAX) return exception('TOO_MUCH_DATA', 'ask for fewer markets');
  const markets = [...new Set(marketIds)].flatMap((id): Result<'listMarketProfitAndLoss'>[number][] => {
    const facts = factsById(world, id);
    // A market with a result is over: its bets are cleared.
    if (facts === undefined || facts.status === 'CLOSED') return [];
    const { record, basePpm, view, runners } = facts;
    const rate = basePpm / PPM_PER_PERCENT;
    const exposures = world.exchange.position(account.wallet, record.market)?.exposures;
    const net = (profit: number) => (netOfCommission && profit > 0 ? profit * (1 - rate / 100) : profit);
    const profitAndLosses = runners.flatMap(({ selectionId }, outcome) => {
      if (view.removed.includes(outcome)) return [];
      const ifWin = amountOf(net(exposures?.[outcome] ?? 0));
      return [{ selectionId, ifWin }];
    });
    return [{ marketId: id, ...(netOfCommission ? { commissionApplied: rate } : {}), profitAndLosses }];
  });
  return result(markets);
};
