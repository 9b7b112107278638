/** The caller's own bets, by what a request names. */

import { orderOfBet } from '../../names/market-names.ts';
import { referencesIn } from '../../state/bet-references.ts';
import type { Bet } from '../../state/bets.ts';
import type { Asker } from './operation.ts';

interface Named {
  readonly betIds?: readonly string[] | undefined;
  readonly customerOrderRefs?: readonly string[] | undefined;
  readonly customerStrategyRefs?: readonly string[] | undefined;
}

/** The caller's bet with an id; undefined where there is none, or it is another account's. */
export function ownBet({ face, account }: Asker, betId: string): Bet | undefined {
  const order = orderOfBet(betId);
  const bet = order === undefined ? undefined : face.bets.get(order);
  return bet?.order.wallet === account.wallet && isPlaced(bet) ? bet : undefined;
}

/** The bets that fit every list which is not empty, the oldest first. */
export function ownBets(asker: Asker, { betIds, customerOrderRefs, customerStrategyRefs }: Named): readonly Bet[] {
  const bets =
    betIds === undefined || betIds.length === 0
      ? [...asker.face.bets.ofWallet(asker.account.wallet)].filter(isPlaced)
      : [...new Set(betIds)].flatMap((id) => ownBet(asker, id) ?? []);
  return bets.filter(({ order }) => {
    const references = referencesIn(order.reference);
    return isIn(customerOrderRefs, references.order) && isIn(customerStrategyRefs, references.strategy);
  });
}

function isIn(wanted: readonly string[] | undefined, value: string | undefined): boolean {
  return wanted === undefined || wanted.length === 0 || (value !== undefined && wanted.includes(value));
}

/** An order that waits for the end of its delay is not visible yet, and one that the delay ended badly never is. */
function isPlaced({ order }: Bet): boolean {
  return order.status !== 'Pending' && order.status !== 'Failed';
}

/** Whether it is a current order: live, or matched in a market that has no result yet. */
export function isVisibleBet({ order }: Bet): boolean {
  return order.status === 'Unmatched' || order.status === 'PartiallyMatched' || order.status === 'Matched';
}
