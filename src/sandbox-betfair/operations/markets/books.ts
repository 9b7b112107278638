/** listMarketBook and listRunnerBook: state and prices of markets, with the caller's own orders and matches. */

import type { Params, Result } from '../../../betfair/wire/operations.ts';
import { bookWeight, WEIGHT_MAX } from '../../../betfair/wire/weights.ts';
import { defined } from '../../../core/checks/assert.ts';
import { decimalOfTick } from '../../../core/number/ladder.ts';
import { MONEY_SCALE, PRICE_SCALE } from '../../../core/number/units.ts';
import type { PriceLevel } from '../../../matching/state/visible-prices.ts';
import { PPM_PER_PERCENT, totalMatchedOf } from '../../documents/market-documents.ts';
import { bookOrder, matchesOf } from '../../documents/order-documents.ts';
import { LEAST_SIZE, offered, offersOf, type Rollup, rolledUp, tradedOf } from '../../documents/price-documents.ts';
import { amountOf, momentOf, sizeOf } from '../../names/amounts.ts';
import { termsOf } from '../../state/accounts.ts';
import { factsById, type MarketFacts, outcomeOfSelection, runnerStatusOf } from '../../state/market-facts.ts';
import { type Asker, exception, type Operate, type Operations, result } from '../shared/operation.ts';
import { isVisibleBet, ownBets } from '../shared/own-bets.ts';

type Projections = Omit<Params<'listRunnerBook'>, 'marketId' | 'selectionId' | 'handicap'>;
type MarketBook = Result<'listMarketBook'>[number];
type Runner = NonNullable<MarketBook['runners']>[number];

const listMarketBook: Operate<'listMarketBook'> = (call) => {
  const { marketIds, ...projections } = call.params;
  if (bookWeight(projections.priceProjection) * marketIds.length > WEIGHT_MAX)
    return exception('TOO_MUCH_DATA', 'ask for fewer markets, or less of each');
  const found = [...new Set(marketIds)].flatMap((id) => factsById(call.world, id) ?? []);
  return result(found.map((facts) => bookOf(call, facts, projections)));
};

const listRunnerBook: Operate<'listRunnerBook'> = (call) => {
  const { marketId, selectionId, handicap, ...projections } = call.params;
  const facts = factsById(call.world, marketId);
  if (facts === undefined) return result([]);
  const outcome = outcomeOfSelection(facts, { selectionId, handicap });
  if (outcome === undefined) return result([]);
  const book = bookOf(call, facts, projections);
  return result([{ ...book, runners: (book.runners ?? []).slice(outcome, outcome + 1) }]);
};

function bookOf(asker: Asker, facts: MarketFacts, projections: Projections): MarketBook {
  const { world, face, account } = asker;
  const { record, view, status } = facts;
  const isPassive = termsOf(face, account.username).newFields && view.delaysTakersOnly;
  return {
    marketId: facts.id,
    isMarketDataDelayed: false,
    status,
    betDelay: betDelayOf(facts),
    ...(isPassive ? { betDelayModels: ['PASSIVE'] } : {}),
    bspReconciled: false,
    complete: true,
    inplay: facts.isInPlay,
    numberOfWinners: record.winners.max,
    numberOfRunners: record.outcomes.length,
    numberOfActiveRunners: record.outcomes.length - view.removed.length,
    totalMatched: totalMatchedOf(facts),
    totalAvailable: amountOf(world.exchange.liquidityOf(record.market)),
    crossMatching: view.crossMatching,
    runnersVoidable: false,
    version: facts.version,
    runners: record.outcomes.map((_, outcome) => runnerOf(asker, facts, outcome, projections)),
  };
}

/** In whole seconds; before the off there is none. */
function betDelayOf({ view, isInPlay }: MarketFacts): number {
  return isInPlay ? Math.ceil(view.inPlayDelayMs / 1_000) : 0;
}

function runnerOf(asker: Asker, facts: MarketFacts, outcome: number, projections: Projections): Runner {
  const { record, view, runners } = facts;
  const { selectionId, handicap } = defined(runners[outcome], 'a market has its runners');
  const lastTick = view.lastTicks[outcome];
  const { factorPpm, removedAt } = record.shown?.outcomes[outcome] ?? {};
  const prices = pricesOf(asker, facts, outcome, projections);
  const starting = startingPricesOf(facts, outcome, projections);
  return {
    selectionId,
    handicap,
    status: runnerStatusOf(facts, outcome),
    ...(factorPpm === undefined ? {} : { adjustmentFactor: factorPpm / PPM_PER_PERCENT }),
    ...(removedAt === undefined ? {} : { removalDate: momentOf(removedAt) }),
    ...(lastTick === undefined ? {} : { lastPriceTraded: decimalOfTick(lastTick) }),
    totalMatched: sizeOf(2 * (view.traded[outcome] ?? 0)),
    ...(starting === undefined ? {} : { sp: starting }),
    ...(prices === undefined ? {} : { ex: prices }),
    ...ownOf(asker, facts, outcome, projections),
  };
}

const DEPTH = 3;

/** Lists that were not asked for are there and empty: betfairlightweight cannot do without them. */
function pricesOf(
  { world }: Asker,
  { record, status }: MarketFacts,
  outcome: number,
  { priceProjection }: Projections,
): Runner['ex'] {
  const wanted = new Set<string>(priceProjection?.priceData);
  if (!['EX_BEST_OFFERS', 'EX_ALL_OFFERS', 'EX_TRADED'].some((each) => wanted.has(each))) return undefined;
  const cross = priceProjection?.virtualise === true;
  const all = world.exchange.prices(record.market, { cross, empty: true });
  const levels = all.filter((level) => level.outcome === outcome);
  const overrides = priceProjection?.exBestOffersOverrides;
  const depth = overrides?.bestPricesDepth ?? DEPTH;
  const rollup = rollupOf(overrides);
  const offers = (side: 'BACK' | 'LAY') => {
    const found: readonly PriceLevel[] = status === 'CLOSED' ? [] : offersOf(levels, side);
    if (wanted.has('EX_ALL_OFFERS')) return offered(found);
    return wanted.has('EX_BEST_OFFERS') ? rolledUp(found, rollup).slice(0, depth) : [];
  };
  return {
    availableToBack: offers('BACK'),
    availableToLay: offers('LAY'),
    tradedVolume: wanted.has('EX_TRADED') ? tradedOf(levels) : [],
  };
}

/** The recorded ones. Who bet at the starting price is in no recording, and nobody here does. */
function startingPricesOf({ record }: MarketFacts, outcome: number, { priceProjection }: Projections): Runner['sp'] {
  const wanted = priceProjection?.priceData ?? [];
  if (!wanted.includes('SP_AVAILABLE') && !wanted.includes('SP_TRADED')) return undefined;
  const { near, far, actual } = record.shown?.outcomes[outcome]?.startingPrices ?? {};
  return {
    ...(near === undefined ? {} : { nearPrice: near / PRICE_SCALE }),
    ...(far === undefined ? {} : { farPrice: far / PRICE_SCALE }),
    backStakeTaken: [],
    layLiabilityTaken: [],
    ...(actual === undefined ? {} : { actualSP: actual / PRICE_SCALE }),
  };
}

type Overrides = NonNullable<Projections['priceProjection']>['exBestOffersOverrides'];

/** Without a model, sizes are rolled up to the smallest bet in pounds. */
function rollupOf(overrides: Overrides): Rollup {
  const { rollupModel = 'STAKE', rollupLimit = LEAST_SIZE } = overrides ?? {};
  const model = rollupModel === 'MANAGED_LIABILITY' ? 'STAKE' : rollupModel;
  return { model, limit: rollupLimit * MONEY_SCALE };
}

function ownOf(
  asker: Asker,
  facts: MarketFacts,
  outcome: number,
  { orderProjection, matchProjection, customerStrategyRefs, betIds }: Projections,
): Pick<Runner, 'orders' | 'matches'> {
  if (orderProjection === undefined && matchProjection === undefined) return {};
  const bets = ownBets(asker, { customerStrategyRefs, betIds }).filter(
    ({ order }) => order.market === facts.record.market && order.outcome === outcome,
  );
  const isAsked = (status: string) => (orderProjection ?? 'ALL') === 'ALL' || orderProjection === status;
  return {
    ...(orderProjection === undefined
      ? {}
      : {
          orders: bets
            .filter(isVisibleBet)
            .map(bookOrder)
            .filter(({ status }) => isAsked(status)),
        }),
    ...(matchProjection === undefined ? {} : { matches: matchesOf(asker.world, bets, matchProjection) }),
  };
}

export const BOOKS = { listMarketBook, listRunnerBook } satisfies Partial<Operations>;
