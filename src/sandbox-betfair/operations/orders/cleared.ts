/** listClearedOrders: bets that are settled, voided, lapsed or cancelled, one by one or summed up by a group. */

import type { Params } from '../../../betfair/wire/operations.ts';
import { type Cleared, clearedBet, clearedGroup } from '../../documents/cleared-documents.ts';
import { betIdOf } from '../../names/market-names.ts';
import { referencesIn } from '../../state/bet-references.ts';
import { factsOf } from '../../state/market-facts.ts';
import { type Asker, exception, type Operate, result } from '../shared/operation.ts';
import { within } from '../shared/time-range.ts';
import { pageOf } from './current.ts';

const IDS_MAX = 1_000;

type Query = Params<'listClearedOrders'>;

export const listClearedOrders: Operate<'listClearedOrders'> = (call) => {
  const { params } = call;
  const { betIds = [], marketIds = [], betStatus, groupBy = 'BET' } = params;
  if (betIds.length > IDS_MAX || marketIds.length > IDS_MAX)
    return exception('REQUEST_SIZE_EXCEEDS_LIMIT', `a request names at most ${IDS_MAX} ids`);
  // Only what was settled is summed up: all else is told bet by bet, whatever is asked.
  const group = betStatus === 'SETTLED' ? groupBy : 'BET';
  const cleared = clearedOf(call, params);
  if (group === 'BET') {
    const page = pageOf(cleared, params);
    return result({
      clearedOrders: page.items.map((each) => clearedBet(each, params)),
      moreAvailable: page.moreAvailable,
    });
  }
  const page = pageOf(groupsOf(cleared, group), params);
  const clearedOrders = page.items.map((each) => clearedGroup(each, { ...params, groupBy: group }));
  return result({ clearedOrders, moreAvailable: page.moreAvailable });
};

/** The bets that a query finds, the latest first. */
function clearedOf(asker: Asker, query: Query): readonly Cleared[] {
  const { betIds = [], betStatus } = query;
  const isAsked = questionOf(query);
  const ids = new Set(betIds);
  const cleared = allCleared(asker).flatMap((each): Cleared | readonly [] => {
    const at = timeOf(each, betStatus);
    return at === undefined ? [] : { ...each, at };
  });
  return cleared
    .filter((each) => (ids.size === 0 || ids.has(betIdOf(each.bet.order.id))) && isAsked(each))
    .sort((left, right) => right.at - left.at || right.bet.order.id - left.bet.order.id);
}

/** All bets of the account that have ended, also in markets that were cleared away. */
function allCleared({ face, world, account }: Asker): readonly Omit<Cleared, 'at'>[] {
  const ended = (world.cleared?.ofWallet(account.wallet) ?? []).flatMap((cleared) => {
    const facts = factsOf(world.catalogue, cleared);
    return cleared.orders.map((each) => {
      const { profit, isReduced } = each;
      return { bet: face.bets.of(each.order, each), facts, profit, isReduced, commission: cleared.commission };
    });
  });
  return ended.filter(({ bet }) => bet.order.status !== 'Failed');
}

/** When a part of a bet was cleared in this way; undefined where none was. */
function timeOf({ bet, facts }: Omit<Cleared, 'at'>, betStatus: Query['betStatus']): number | undefined {
  const isOver = facts.status === 'CLOSED';
  switch (betStatus) {
    case 'SETTLED':
      return bet.matched > 0 && isOver ? (facts.view.settledAt ?? bet.order.modifiedAt) : undefined;
    case 'VOIDED':
      return bet.voided > 0 ? bet.order.modifiedAt : undefined;
    case 'LAPSED':
      return bet.lapsed > 0 ? bet.lapsedAt : undefined;
    case 'CANCELLED':
      return bet.cancelled > 0 ? bet.cancelledAt : undefined;
  }
}

function questionOf(query: Query): (cleared: Cleared) => boolean {
  const { eventTypeIds, eventIds, marketIds, runnerIds = [], side, settledDateRange } = query;
  const { customerOrderRefs, customerStrategyRefs } = query;
  const inRange = within(settledDateRange ?? {});
  const isIn = (wanted: readonly string[] | undefined, value: string) =>
    wanted === undefined || wanted.length === 0 || wanted.includes(value);
  return ({ bet, facts, at }) => {
    const runner = facts.runners[bet.order.outcome];
    const isRunner = (wanted: (typeof runnerIds)[number]) =>
      wanted.marketId === facts.id && wanted.selectionId === runner?.selectionId;
    const references = referencesIn(bet.order.reference);
    return (
      inRange(at) &&
      isIn(customerOrderRefs, references.order ?? '') &&
      isIn(customerStrategyRefs, references.strategy ?? '') &&
      isIn(eventTypeIds, facts.eventType.id) &&
      isIn(eventIds, facts.eventId) &&
      isIn(marketIds, facts.id) &&
      (runnerIds.length === 0 || runnerIds.some(isRunner)) &&
      (side === undefined || (side === 'BACK') === (bet.order.side === 'For'))
    );
  };
}

/** The bets by the group that is asked for, in the order in which the groups were met. */
function groupsOf(
  cleared: readonly Cleared[],
  groupBy: NonNullable<Query['groupBy']>,
): readonly (readonly Cleared[])[] {
  const groups = new Map<string, Cleared[]>();
  for (const each of cleared) {
    const key = keyOf(each, groupBy);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [each]);
    else group.push(each);
  }
  return [...groups.values()];
}

function keyOf({ bet: { order }, facts: market }: Cleared, groupBy: NonNullable<Query['groupBy']>): string {
  switch (groupBy) {
    case 'EVENT_TYPE':
      return market.eventType.id;
    case 'EVENT':
      return market.eventId;
    case 'MARKET':
      return market.id;
    case 'RUNNER':
      return `${market.id} ${order.outcome}`;
    case 'SIDE':
      return `${market.id} ${order.outcome} ${order.side}`;
    case 'STRATEGY':
      return referencesIn(order.reference).strategy ?? '';
    case 'BET':
      return String(order.id);
  }
}
