/** Catalogues, books and streamed markets of the real exchange through the gateway: each value is kept, or is named here with the reason. */

import { expect, test } from 'vitest';
import { BetfairClient } from '../../../src/betfair/client/betfair-client.ts';
import { marketFeed } from '../../../src/betfair/gateway/market-feed.ts';
import { bookOfDefinition, definitionOf } from '../../../src/betfair/gateway/markets/market-documents.ts';
import { selectionOf } from '../../../src/betfair/wire/basics/runners.ts';
import { MarketFold } from '../../../src/betfair/wire/fold/market-fold.ts';
import { MarketDefinition } from '../../../src/betfair/wire/stream/market-change.ts';
import { lenientReader } from '../../../src/codec/codec-read.ts';
import type { MarketState } from '../../../src/core/market-state.ts';
import { decimalOfTick, NO_TICK, TICK_COUNT, tick, tickOfDecimal } from '../../../src/core/number/ladder.ts';
import { Random } from '../../../src/core/number/random.ts';
import { instant, moneyToDecimal } from '../../../src/core/number/units.ts';
import { AGAINST, FOR, type SideIndex } from '../../../src/core/side.ts';
import type { GatewayNotice } from '../../../src/exchange-live/notice.ts';
import { TIMEOUTS } from '../../../src/exchange-live/settings.ts';
import { SimulatedClock } from '../../../src/time/simulated-clock.ts';
import { answering, captured, type Json } from '../../support/betfair/captured.ts';
import { expectKept } from '../../support/betfair/kept-figures.ts';
import { describeWithRecordings } from '../../support/shared.ts';

const POLL = { kind: 'poll', everyMs: 200 } as const;

/** The markets that a program is told which follows these, before an exchange that answers nothing else. */
function followed(catalogue: readonly Json[], books: readonly Json[]) {
  const clock = new SimulatedClock(Date.UTC(2016, 6, 30));
  const text = (result: unknown) => JSON.stringify({ jsonrpc: '2.0', result, id: 1 });
  const transport = answering(clock, { listMarketCatalogue: text(catalogue), listMarketBook: text(books) });
  const credentials = { appKey: 'an-app-key', username: 'mary', password: 'secret-word' };
  const budget = { perSecond: 2_000, burst: 2_000 };
  const calls = new BetfairClient({ credentials, clock, random: Random.fromSeed(1), budget }, transport);
  const feeds = { markets: POLL, prices: POLL };
  const watch = { marketIds: catalogue.map(({ marketId }) => marketId) };
  const settings = { currency: 'GBP', watch, feeds, timeouts: TIMEOUTS };
  const feed = marketFeed({ clock, calls, settings, skewMs: () => 0 });
  const markets = new Map<string, MarketState>();
  const notices: GatewayNotice[] = [];
  feed.notices$.subscribe((notice) => notices.push(notice));
  feed.updates$.subscribe((message) => {
    if (message.kind === 'market') markets.set(message.market.facts.id, message.market);
  });
  clock.runUntil(clock.now() + 2_000);
  return { markets, notices };
}

function marketIn(markets: ReadonlyMap<string, MarketState>, id: string): MarketState {
  const market = markets.get(id);
  if (market === undefined) throw new Error(`${id} was not told`);
  return market;
}

function levelsOf(market: MarketState, outcome: number, side: SideIndex) {
  const levels: Json[] = [];
  for (let at = market.bestTick(outcome, side); at !== NO_TICK; at = market.nextTick(outcome, side, at))
    levels.push({ price: decimalOfTick(tick(at)), size: moneyToDecimal(market.amountAt(outcome, side, at)) });
  return levels;
}

/** Betfair counts both halves of a match. */
function tradedOf(market: MarketState, outcome: number) {
  return Array.from({ length: TICK_COUNT }, (_, at) => ({ at, stake: market.tradedAt(outcome, at) }))
    .filter(({ stake }) => stake > 0)
    .map(({ at, stake }) => ({ price: decimalOfTick(tick(at)), size: (2 * stake) / 1e6 }));
}

const RUNNER_WORDS = { Active: 'ACTIVE', Removed: 'REMOVED', Winner: 'WINNER', Loser: 'LOSER', Hidden: 'HIDDEN' };

function statusWord({ suspended, status }: MarketState): string {
  return suspended ? 'SUSPENDED' : status === 'Open' ? 'OPEN' : status;
}

const MARKET_NOT_READ = {
  bspReconciled: 'the starting price itself is read',
  complete: 'a later runner shows itself',
  lastMatchTime: 'the last price is read',
  totalMatched: 'it is the sum over the runners',
  totalAvailable: 'it is the sum over the levels',
  numberOfRunners: 'the runners are counted',
  numberOfActiveRunners: 'the runners are counted',
  runnersVoidable: 'a void is told when it happens',
  version: 'orders are not tied to a version',
};

describeWithRecordings('markets of the real exchange', () => {
  test('list_market_book', () => {
    const [book] = captured('list_market_book').result;
    const runners = book.runners.map(({ selectionId, handicap }: Json, index: number) => ({
      ...{ selectionId, handicap, runnerName: `runner ${index}`, sortPriority: index + 1 },
    }));
    const description = { bettingType: 'ODDS', marketType: 'WIN', turnInPlayEnabled: true };
    const { markets, notices } = followed(
      [{ marketId: book.marketId, marketName: 'made', description, runners }],
      [book],
    );
    const market = marketIn(markets, book.marketId);
    const again = {
      marketId: market.facts.id,
      status: statusWord(market),
      inplay: market.inPlayStatus === 'InPlay',
      betDelay: market.inPlayDelayMs / 1_000,
      crossMatching: market.crossMatching,
      numberOfWinners: market.winners.max,
      runners: market.facts.outcomes.map(({ id }, outcome) => {
        const last = market.lastPrice(outcome);
        const sp = market.startingPrice(outcome, 'actual');
        const told = book.runners[outcome].sp?.actualSP;
        // It has more decimals than any price of ours.
        if (typeof told === 'number') expect(sp).toBe(Math.round(told * 1_000));
        const back = levelsOf(market, outcome, AGAINST);
        const lay = levelsOf(market, outcome, FOR);
        return {
          ...selectionOf(id),
          status: RUNNER_WORDS[market.outcomeStatus(outcome) as keyof typeof RUNNER_WORDS],
          ...(last === undefined ? {} : { lastPriceTraded: last / 1_000 }),
          ...(book.runners[outcome].totalMatched === undefined
            ? {}
            : { totalMatched: (2 * market.traded(outcome)) / 1e6 }),
          ex: { availableToBack: back, availableToLay: lay, tradedVolume: tradedOf(market, outcome) },
        };
      }),
    };
    expectKept(onLadder(book), again, {
      ...MARKET_NOT_READ,
      isMarketDataDelayed: 'it is looked at when a run with real money starts',
      betDelayModels: 'the exchange itself delays what is placed',
      keyLineDescription: 'it is of handicap markets, which are not followed',
      'runners.*.adjustmentFactor': 'the exchange itself lowers what was matched',
      'runners.*.removalDate': 'the status says it',
      'runners.*.sp.actualSP': 'kept in thousandths, as above',
      'runners.*.sp.backStakeTaken': 'bets at the starting price are not placed',
      'runners.*.sp.layLiabilityTaken': 'bets at the starting price are not placed',
      'runners.*.orders': 'orders come from listCurrentOrders and the stream',
      'runners.*.matches': 'orders come from listCurrentOrders and the stream',
    });
    expect(notices).toEqual([]);
  });

  test.each(['list_market_catalogue', 'list_market_catalogue_no_ero'])('%s', (name) => {
    const catalogue: readonly Json[] = captured(name).result;
    const books = catalogue.map(({ marketId, runners }) => ({
      ...{ marketId, isMarketDataDelayed: false, status: 'OPEN', inplay: false, betDelay: 0, numberOfWinners: 1 },
      runners: runners.map(({ selectionId, handicap }: Json) => ({ selectionId, handicap, status: 'ACTIVE' })),
    }));
    const { markets, notices } = followed(catalogue, books);
    const again = catalogue.map(({ marketId, description }) => {
      const { facts, inPlayStatus } = marketIn(markets, marketId);
      const startsAt = new Date(facts.expectedStartTime ?? 0).toISOString();
      return {
        ...{ marketId: facts.id, marketName: facts.name, marketStartTime: startsAt },
        description: {
          ...{ marketType: facts.marketTypeId, turnInPlayEnabled: inPlayStatus === 'PrePlay' },
          // Any other is not followed, and said to be left out.
          bettingType: 'ODDS',
          ...(description.priceLadderDescription === undefined ? {} : { priceLadderDescription: { type: 'CLASSIC' } }),
        },
        event: { id: facts.eventId, name: facts.eventName, countryCode: facts.countryCode, venue: facts.venue },
        runners: facts.outcomes.map(({ id, title, ordering }) => ({
          ...{ ...selectionOf(id), runnerName: title, sortPriority: ordering },
        })),
      };
    });
    const rest = 'it is no figure of a bet: the words of the exchange are read there';
    expectKept(catalogue, again, {
      '*.totalMatched': 'the book says it',
      '*.competition': rest,
      '*.eventType': 'markets are chosen by it, and it is not shown',
      '*.event.timezone': 'times are in UTC',
      '*.event.openDate': 'the market says when it starts',
      '*.runners.*.metadata': rest,
      ...Object.fromEntries(
        [...new Set(catalogue.flatMap(({ description }) => Object.keys(description)))]
          .filter((key) => !['marketType', 'turnInPlayEnabled', 'bettingType', 'priceLadderDescription'].includes(key))
          .map((key) => [`*.description.${key}`, NOT_DESCRIBED[key] ?? '']),
      ),
    });
    expect(Object.keys(NOT_DESCRIBED).filter((key) => NOT_DESCRIBED[key] === '')).toEqual([]);
    expect(notices).toEqual([]);
  });

  test.each([
    ['streaming_mcm_SUB_IMAGE', 1],
    ['streaming_mcm_RESUB_DELTA', 2],
    ['streaming_mcm_UPDATE_md', 1],
    ['streaming_mcm_UPDATE_tv', 0],
    ['streaming_mcm_update', 0],
  ])('%s', (name, defined) => {
    const { mc } = captured(name);
    let definitions = 0;
    expect(mc.length).toBeGreaterThan(0);
    for (const change of mc) {
      const fold = new MarketFold(change.id);
      fold.apply(change);
      const { img: _, ...image } = fold.image() as Json;
      const { img: _img, con: _con, rc = [], ...told } = change;
      expectKept({ ...told, rc: rc.map(withoutEmpty) }, image, {});
      if (change.marketDefinition === undefined) continue;
      expectDefinitionKept(change.marketDefinition);
      definitions += 1;
    }
    expect(definitions).toBe(defined);
  });

  test('streaming_market_definition', () => {
    expectDefinitionKept(captured('streaming_market_definition'));
  });
});

/** A row without size says that the level is empty. */
function withoutEmpty(runner: Json): Json {
  const rows = Object.entries(runner).map(([key, value]) => [
    key,
    Array.isArray(value) ? value.filter((row) => row.at(-1) !== 0) : value,
  ]);
  return Object.fromEntries(rows);
}

/** Without what was matched at prices that a non-runner has lowered: no tick is there for them, and their stake is in totalMatched. */
function onLadder(book: Json): Json {
  const lowered = new Set<number>();
  const runners = book.runners.map((runner: Json) => {
    const tradedVolume = runner.ex.tradedVolume.filter(({ price }: Json) => {
      if (tickOfDecimal(price) !== undefined) return true;
      lowered.add(price);
      return false;
    });
    // A size that is rounded to nothing is nobody's offer.
    const availableToBack = runner.ex.availableToBack.filter(({ size }: Json) => size > 0);
    return { ...runner, ex: { ...runner.ex, availableToBack, tradedVolume } };
  });
  expect(lowered.size).toBe(23);
  return { ...book, runners };
}

/** What a catalogue's description says beside what is read. */
const NOT_DESCRIBED: Readonly<Record<string, string>> = {
  ...{ persistenceEnabled: 'an order that may not be kept is refused', bspMarket: 'starting prices show themselves' },
  ...{ marketTime: 'marketStartTime is the same', suspendTime: 'the status says it', settleTime: 'the status says it' },
  ...{ regulator: 'no figure', wallet: 'an account has one', rules: 'for people', rulesHasDate: 'for people' },
  ...{
    marketBaseRate: 'the commission that was paid is read',
    discountAllowed: 'the commission that was paid is read',
  },
  ...{ lineRangeInfo: 'markets of lines are not followed', clarifications: 'for people' },
  ...{ eachWayDivisor: 'each-way markets are not followed', raceType: 'for people' },
};

const readDefinition = lenientReader(MarketDefinition);

/** A definition becomes the condition that a book has; its facts are the catalogue's. */
function expectDefinitionKept(document: Json): void {
  const read = readDefinition(document);
  if (read.kind === 'faults') throw new Error(JSON.stringify(read.faults));
  const book = bookOfDefinition('1.1', read.value);
  const known = { winnerIds: [], settledAt: undefined };
  const made = definitionOf({ catalogue: undefined, book, currency: 'GBP', known, now: instant(0) });
  if (made === undefined) throw new Error('its runners cannot be read');
  const { condition, facts, winners } = made;
  const words = condition.outcomes ?? [];
  const again = {
    status: condition.suspended ? 'SUSPENDED' : 'OPEN',
    inPlay: condition.inPlayStatus === 'InPlay',
    betDelay: condition.inPlayDelayMs / 1_000,
    crossMatching: condition.crossMatching,
    numberOfWinners: winners.max,
    runners: facts.outcomes.map(({ id }, index) => ({
      id: selectionOf(id)?.selectionId,
      status: RUNNER_WORDS[words[index] as keyof typeof RUNNER_WORDS],
    })),
  };
  const catalogue = 'the catalogue says it';
  const told = new Set(Object.keys(document));
  const rest = {
    ...Object.fromEntries(['eventId', 'eventTypeId', 'marketType', 'bettingType'].map((key) => [key, catalogue])),
    ...Object.fromEntries(['marketTime', 'venue', 'countryCode', 'turnInPlayEnabled'].map((key) => [key, catalogue])),
    ...Object.fromEntries(['timezone', 'openDate', 'suspendTime', 'regulators'].map((key) => [key, 'no figure'])),
    ...{ ...MARKET_NOT_READ, ...NOT_DESCRIBED, keyLineDefinition: 'handicap markets are not followed' },
  };
  const notRead = Object.fromEntries(Object.entries(rest).filter(([key]) => told.has(key)));
  const hasStartingPrices = document.runners.some(({ bsp }: Json) => bsp !== undefined);
  const isReduced = document.runners.some(({ adjustmentFactor }: Json) => adjustmentFactor !== undefined);
  expectKept(document, again, {
    ...notRead,
    'runners.*.sortPriority': catalogue,
    ...(hasStartingPrices ? { 'runners.*.bsp': 'it becomes a price, as the suite of gateways shows' } : {}),
    ...(isReduced ? { 'runners.*.adjustmentFactor': 'the exchange itself lowers what was matched' } : {}),
  });
}
