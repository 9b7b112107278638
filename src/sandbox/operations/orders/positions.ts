/** Operations that list positions of the caller's wallets, market by market. */

import { referTo } from '../../../betdex/wire/shapes/references.ts';
import type { MarketPosition } from '../../../betdex/wire/shapes/wallets.ts';
import type { Written } from '../../../codec/notation.ts';
import type { MarketStatus } from '../../../core/market.ts';
import { moneyToDecimal, ZERO } from '../../../core/number/units.ts';
import type { PositionView } from '../../../matching/state/views.ts';
import { marketFacts, marketRecord } from '../../documents/markets/market-facts.ts';
import { marketSummary } from '../../documents/markets/market-summary.ts';
import { countOfId } from '../../world/ids.ts';
import type { World } from '../../world/world.ts';
import { unknownMarkets, visibleMarket } from '../catalogue/visible-market.ts';
import { pagedAnswer } from '../shared/answers.ts';
import type { Operate } from '../shared/operation.ts';
import type { PageQuery, Sortable } from '../shared/paging.ts';
import { isProblem, ownWallet, userWalletsNamed } from '../shared/scope.ts';
import { anyOf } from '../shared/selection.ts';

/** Statuses of markets in which a position can no longer change; a voided market counts as settled. */
const SETTLED: readonly MarketStatus[] = ['Settled', 'Voided', 'Closed'];

export const listAllPositions: Operate<'listAllPositions'> = ({ world, caller, path, query }) => {
  const record = ownWallet(world, caller, path.id);
  if (isProblem(record)) return record;
  const isSettled = ({ market }: PositionView) =>
    SETTLED.includes(marketFacts(world, marketRecord(world, market)).status);
  const asked = [...world.exchange.positionsOfWallet(record.wallet)].filter(
    (position) => isSettled(position) === (query.filter === 'Settled'),
  );
  return pageOfPositions(world, asked, query);
};

export const listWalletPositions: Operate<'listWalletPositions'> = ({ world, caller, path, query }) => {
  const record = ownWallet(world, caller, path.id);
  if (isProblem(record)) return record;
  const isMarket = anyOf(query.marketIds?.map(countOfId));
  const asked = [...world.exchange.positionsOfWallet(record.wallet)].filter(({ market }) => isMarket(market));
  return pageOfPositions(world, asked, query);
};

export const listMarketPositions: Operate<'listMarketPositions'> = ({ world, caller, path, query }) => {
  const record = visibleMarket(world, caller, path.id);
  if (record === undefined) return unknownMarkets(path.id);
  const asked = userWalletsNamed(world, caller, query.walletIds)
    .map((wallet) => world.exchange.position(wallet, record.market))
    .filter((position) => position !== undefined);
  return pageOfPositions(world, asked, query);
};

/** Positions have no id: they are sorted by market, then by wallet. */
const WALLETS_MAX = 2 ** 20;
const SORTABLE: Sortable<PositionView> = {
  id: ({ market, wallet }) => market * WALLETS_MAX + wallet,
  createdAt: ({ createdAt }) => createdAt,
};

function pageOfPositions(world: World, rows: readonly PositionView[], query: PageQuery) {
  return pagedAnswer({
    primary: 'marketPositions',
    rows,
    query,
    sortable: SORTABLE,
    documents(positions) {
      const markets = [...new Set(positions.map(({ market }) => market))];
      return {
        positions: positions.map((position) => positionDocument(world, position)),
        markets: markets.map((market) => marketSummary(world, market)),
      };
    },
  });
}

/**
 * The profit or loss of a wallet in a market, as a document. `exposures` maps outcome ids to the matched profit or loss if that outcome
 * alone wins (profile section 2).
 */
function positionDocument(world: World, position: PositionView): Written<typeof MarketPosition> {
  const { id, outcomes } = marketRecord(world, position.market);
  const exposures: Record<string, number> = {};
  for (const [index, outcome] of outcomes.entries())
    exposures[outcome.id] = moneyToDecimal(position.exposures[index] ?? ZERO);
  return { market: referTo('markets', [id]), walletId: world.registry.wallet(position.wallet).id, exposures };
}
