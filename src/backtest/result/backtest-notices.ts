/** Finds what a result must say beside its figures: everything that would otherwise leave a reader with a zero that is hard to explain. */

import { type Money, moneyToDecimal } from '../../core/number/units.ts';
import { REFUSALS } from '../../core/refusal.ts';
import { isImported, isImportedBefore, type TapeMarket } from '../../recording/tape/tape-schema.ts';
import type { ByBound } from '../../result/figures/bounds.ts';
import type { Notice } from '../../result/notices.ts';
import type { Profit } from '../../result/result.ts';
import { amount, count, durationText, plural } from '../../words/numbers.ts';
import type { BacktestOptions } from '../options/backtest-options.ts';
import { windowText } from '../options/resolve-window.ts';
import type { CollectedMarket } from '../simulation/backtest-collector.ts';
import type { SourceChoice } from '../simulation/backtest-source.ts';
import { addedTallies, type StrategyCounts } from '../simulation/strategy-tally.ts';
import type { KeptEnd } from './kept-piece.ts';
import { type ReadSignal, signalNotices } from './signal-notices.ts';

export interface NoticeParts {
  /** Names of the strategies, by index. */
  readonly strategies: readonly string[];
  /** The central world of each piece. */
  readonly ends: readonly KeptEnd[];
  /** All worlds of all pieces. */
  readonly everyEnd: readonly KeptEnd[];
  /** Figures of all markets together. */
  readonly total: ByBound<Profit>;
  readonly source: SourceChoice;
  readonly signals: readonly ReadSignal[];
  readonly fills: BacktestOptions['fills'];
  readonly fillRules: BacktestOptions['fillRules'];
  readonly window: BacktestOptions['markets']['window'];
  /** Whether the run ended before its tapes did. */
  readonly interrupted: boolean;
}

export function noticesOf(parts: NoticeParts): readonly Notice[] {
  return [
    ...signalNotices(parts.signals, parts.source),
    ...strangeFilters(parts.source),
    ...strategyNotices(parts),
    ...unwatched(parts),
    ...neverOpened(parts),
    ...unfillable(parts),
    ...notKept(parts),
    ...importedBefore(parts),
    ...outOfSight(parts),
    ...voided(parts),
    ...delayNotices(marketsOf(parts.ends), parts.source.markets),
    ...settlementNotices(marketsOf(parts.ends)),
    ...width(parts),
  ];
}

function strangeFilters({ strange }: SourceChoice): readonly Notice[] {
  return strange.map(({ key, name }) => ({
    code: 'FILTER_MATCHES_NOTHING',
    what: `No market on the tapes matches '${name}' of \`markets.${key}\`.`,
    next: 'Correct it, or name the tape that holds it: `oddsmith tape info TAPE` shows what is in one.',
  }));
}

function unfillable({ ends }: NoticeParts): readonly Notice[] {
  const all = marketsOf(ends);
  const markets = all.filter(({ grade }) => grade === 'C').map(({ facts }) => facts.id);
  if (markets.length === 0) return [];
  const which = markets.length === all.length ? 'All' : `${count(markets.length)} of the`;
  return [
    {
      code: 'MARKETS_CANNOT_FILL',
      what: `${which} ${plural(all.length, 'market')} replayed hold last traded prices only (grade C): orders rest there, and nothing matches.`,
      next: 'Take recordings with ladders for strategies that are to be filled.',
      markets,
    },
  ];
}

/** What each loss of a tape's description is, where its name alone does not say it. */
const LOST: Readonly<Record<string, string>> = {
  levelsOffLadder: 'levels at prices off the ladder',
  tradesOffLadder: 'trades at prices off the ladder',
  lastPricesOffLadder: 'last prices off the ladder',
  impossibleFactors: 'reduction factors by which no price can be reduced',
  risesOffTouch: 'rises of volume at prices that the book excludes',
  risesInImages: 'rises of volume that whole pictures show',
  publishTimesFarFromReceipt: 'times of publication far from the receipt',
  matchedStakeFell: 'falls of matched stake',
};

function notKept({ source }: NoticeParts): readonly Notice[] {
  const counts = new Map<string, number>();
  const markets: string[] = [];
  for (const { market } of source.markets) {
    if (market.losses === undefined) continue;
    markets.push(market.facts.id);
    for (const [name, times] of Object.entries(market.losses)) counts.set(name, (counts.get(name) ?? 0) + times);
  }
  if (markets.length === 0) return [];
  const lost = [...counts].map(([name, times]) => `${count(times)} ${LOST[name] ?? name}`).join(', ');
  return [
    {
      code: 'RECORDING_NOT_KEPT',
      what: `Of ${count(markets.length)} of the ${plural(source.markets.length, 'market')} replayed, the tapes do not hold all that their sources said: ${lost}.`,
      next: '`oddsmith tape info TAPE` counts them for each market. Judge by others where they are many.',
      markets,
    },
  ];
}

function importedBefore({ source }: NoticeParts): readonly Notice[] {
  const markets = source.markets.filter(({ market }) => isImportedBefore(market)).map(({ market }) => market.facts.id);
  if (markets.length === 0) return [];
  return [
    {
      code: 'IMPORTED_BEFORE',
      what: `${count(markets.length)} of the ${plural(source.markets.length, 'market')} replayed were imported by an earlier version: a message of the exchange that spans lines is several updates there, and strategies are asked between them; the models of the in-play delay are not kept.`,
      next: 'Import their recordings again.',
      markets,
    },
  ];
}

/** Without this notice it would seem that no stake was on offer where the recording, which shows the best few levels, did not show it any more. */
function outOfSight({ ends, fillRules }: NoticeParts): readonly Notice[] {
  const touched = ends.flatMap(({ collector }) =>
    collector.markets.filter(({ stakeOutOfSight }) => stakeOutOfSight > 0),
  );
  if (touched.length === 0) return [];
  const stake = touched.reduce((sum, { stakeOutOfSight }) => sum + stakeOutOfSight, 0) as Money;
  const markets = [...new Set(touched.map(({ facts }) => facts.id))];
  return [
    {
      code: 'LEVELS_OUT_OF_SIGHT',
      what: `${amount(moneyToDecimal(stake))} of stake that orders reached for was not matched in ${plural(markets.length, 'market')}: it stood at levels that the recording, which shows the best few of each side, ${unseen(fillRules)}.`,
      next: '`levelsOutOfSight` of `fillRules` decides; docs/how-it-decides.md says how much of such stake is still there after a while.',
      markets,
    },
  ];
}

function unseen({ levelsOutOfSight: rule }: NoticeParts['fillRules']): string {
  return typeof rule === 'string' ? 'did not show then' : `had not shown for more than ${durationText(rule.maxAgeMs)}`;
}

/** A long run has some voided markets; only where all of them are, no figure shows why the profit is zero. */
function voided({ ends }: NoticeParts): readonly Notice[] {
  const traded = marketsOf(ends).filter(({ orders }) => orders > 0);
  if (traded.length === 0 || traded.some(({ status }) => status !== 'Voided')) return [];
  const all =
    traded.length === 1 ? 'The only market with orders was' : `All ${plural(traded.length, 'market')} with orders were`;
  return [
    {
      code: 'MARKETS_VOIDED',
      what: `${all} voided, so that nothing was won or lost.`,
      next: 'Choose other markets to judge the strategy by.',
      markets: traded.map(({ facts }) => facts.id),
    },
  ];
}

/** The interval comes from unknown places in queues. Orders that take from the book stand in no queue. */
function width({ total: { pessimistic, central, optimistic }, fills, fillRules }: NoticeParts): readonly Notice[] {
  if (fills === 'central' || fillRules.refill !== 'never') return [];
  const isWide = pessimistic.stakeMatched !== optimistic.stakeMatched || pessimistic.profitNet !== optimistic.profitNet;
  if (central.stakeMatched === 0 || isWide) return [];
  return [
    {
      code: 'INTERVAL_WITHOUT_WIDTH',
      what: 'All that matched was taken from the book or matched alike in every bound, so that the interval has no width. That does not make the result certain: nobody knows what others would have put in the place of what was taken.',
      next: 'Set `refill` of `fillRules` to `next-change` to see what the result would be if all of it came back.',
    },
  ];
}

/** Each market once, also where each strategy had a run of its own on it. */
function marketsOf(ends: readonly KeptEnd[]): readonly CollectedMarket[] {
  return [...new Map(ends.flatMap(({ collector }) => collector.markets.map((each) => [each.index, each]))).values()];
}

/** A halted strategy gets none: its halt explains it. Of an interrupted run nobody knows what the strategy would still have done. */
function strategyNotices({ strategies, ends, everyEnd, interrupted }: NoticeParts): readonly Notice[] {
  const all = marketsOf(ends);
  const updates = all.reduce((sum, market) => sum + market.updates, 0);
  const tallyOf = (of: readonly KeptEnd[], index: number) =>
    addedTallies(of.flatMap(({ collector }) => collector.strategies[index] ?? []));
  return strategies.flatMap((strategy, index) => {
    const tally = tallyOf(ends, index);
    const { matched, halted } = tallyOf(everyEnd, index);
    const obstacle = halted || interrupted ? undefined : obstacleOf(strategy, { ...tally, matched }, all.length);
    const found =
      obstacle === undefined ? [...oftenRefused(strategy, tally), ...manyOrders(strategy, tally, updates)] : [obstacle];
    return found.map((notice) => ({ ...notice, strategy }));
  });
}

/** A strategy of which more than one intent in so many is refused does not do what its author meant it to. */
const REFUSED_ONE_IN = 10;
/**
 * A strategy that has sent this many orders, and more than one for each update or too many for each that is matched, runs after something.
 */
const ORDERS_LEAST = 1_000;
const ORDERS_PER_MATCHED_MAX = 500;

function oftenRefused(name: string, tally: StrategyCounts): readonly Notice[] {
  const refused = sumOf(tally.refusals);
  const intents = tally.sent + refused;
  if (tally.sent === 0 || refused * REFUSED_ONE_IN <= intents) return [];
  const [code, times] = most(tally.refusals);
  return [
    {
      code: 'STRATEGY_OFTEN_REFUSED',
      what: `Of strategy '${name}' ${count(refused)} of ${count(intents)} intents were refused, ${count(times)} with ${code}.`,
      next: `${code}: ${REFUSALS[code].means}. What was sent is not what the strategy wanted: refusals.csv has each.`,
    },
  ];
}

function manyOrders(name: string, { sent, matched }: StrategyCounts, updates: number): readonly Notice[] {
  if (sent < ORDERS_LEAST || (sent <= updates && sent <= matched * ORDERS_PER_MATCHED_MAX)) return [];
  return [
    {
      code: 'STRATEGY_MANY_ORDERS',
      what: `Strategy '${name}' sent ${count(sent)} orders in ${plural(updates, 'update')}, of which ${count(matched)} were matched.`,
      next: 'See whether it follows its own orders, which stand in the book that it is shown: `outcome.others` is the book of the others.',
    },
  ];
}

function sumOf(times: ReadonlyMap<unknown, number>): number {
  return [...times.values()].reduce((sum, each) => sum + each, 0);
}

/** Only the first obstacle, since the later ones follow from it. */
function obstacleOf(name: string, tally: StrategyCounts, markets: number): Notice | undefined {
  const refused = sumOf(tally.refusals);
  if (tally.watched === 0) {
    return {
      code: 'STRATEGY_WATCHES_NOTHING',
      what: `Strategy '${name}' watches none of the ${plural(markets, 'market')} replayed, so it was never asked.`,
      next: 'Compare its `watches` with the names, types and events that `oddsmith tape info TAPE` shows.',
    };
  }
  if (tally.sent === 0 && refused === 0) {
    return {
      code: 'STRATEGY_WISHED_NOTHING',
      what: `Strategy '${name}' watched ${plural(tally.watched, 'market')} and never returned an intent.`,
      next: 'Compare the conditions under which it acts with the prices, stakes and times of these markets.',
    };
  }
  if (tally.sent === 0) return allRefused(name, tally, refused);
  if (tally.rejected === tally.sent) return allRejected(name, tally);
  if (tally.matched > 0) return undefined;
  const accepted = tally.sent - tally.rejected;
  return {
    code: 'STRATEGY_MATCHED_NOTHING',
    what: `Of strategy '${name}' the exchange had ${plural(accepted, 'order')}, of which none was matched in any bound.`,
    next: 'Compare their prices with the book, and how long they stood: orders.csv has both.',
  };
}

function allRefused(name: string, tally: StrategyCounts, refused: number): Notice {
  const [code, times] = most(tally.refusals);
  return {
    code: 'STRATEGY_ALL_REFUSED',
    what: `Of strategy '${name}' nothing was sent: all ${count(refused)} intents were refused, ${count(times)} with ${code}.`,
    next: `${code}: ${REFUSALS[code].means}.`,
  };
}

function allRejected(name: string, tally: StrategyCounts): Notice {
  const [code, times] = most(tally.rejections);
  return {
    code: 'STRATEGY_ALL_REJECTED',
    what: `Of strategy '${name}' the exchange rejected all ${plural(tally.sent, 'order')}, ${count(times)} with ${code}.`,
    next: `Look up ${code} in the exchange's API: what the orders ask for, or when they arrive, is not allowed.`,
  };
}

/** The most frequent code, with its count; of equally frequent ones the one that came first. */
function most<Code>(times: ReadonlyMap<Code, number>): readonly [Code, number] {
  const [first, ...rest] = times;
  if (first === undefined) throw new Error('something was counted');
  return rest.reduce((best, each) => (each[1] > best[1] ? each : best), first);
}

/** Without this notice it would seem that strategies did not want to trade there. */
function neverOpened({ ends, window }: NoticeParts): readonly Notice[] {
  if (window === undefined) return [];
  const all = marketsOf(ends);
  const markets = all.filter(({ watchers }) => watchers === undefined).map(({ facts }) => facts.id);
  if (markets.length === 0) return [];
  return [
    {
      code: 'WINDOW_NEVER_OPENED',
      what: `Strategies were never asked in ${count(markets.length)} of the ${plural(all.length, 'market')} replayed: the window (${windowText(window)}) did not open there before it ended, or before the market or its recording did.`,
      next: 'A window counts from the scheduled start and the switch to in play, which these markets do not have, or had earlier: `oddsmith tape export TAPE --market ID` shows them.',
      markets,
    },
  ];
}

/** Only a run without halts is judged, since a halted strategy watches nothing any more. */
function unwatched({ strategies, ends }: NoticeParts): readonly Notice[] {
  if (ends.some(({ collector }) => collector.halts.length > 0)) return [];
  const watched = new Set<number>();
  const listed = new Map<number, string>();
  for (const { collector } of ends) {
    for (const { index, watchers, facts } of collector.markets) {
      if (watchers !== undefined) listed.set(index, facts.id);
      if (watchers !== undefined && watchers > 0) watched.add(index);
    }
  }
  const markets = [...listed].filter(([index]) => !watched.has(index)).map(([, id]) => id);
  // Where no market is watched, each strategy has a notice of its own.
  if (markets.length === 0 || watched.size === 0) return [];
  const doesNotWatch = strategies.length === 1 ? `Strategy '${strategies[0]}' does not watch` : 'No strategy watches';
  return [
    {
      code: 'MARKETS_UNWATCHED',
      what: `${doesNotWatch} ${count(markets.length)} of the ${plural(listed.size, 'market')} replayed.`,
      next: 'Leave them out by `markets` in the configuration, or look at `watches` of the strategy if they were meant.',
      markets,
    },
  ];
}

/** What a result must say of how its markets were played and settled, where their recordings leave a doubt. */
function settlementNotices(all: readonly CollectedMarket[]): readonly Notice[] {
  const settled = all.filter(
    ({ status, orders, winnerCount }) => status === 'Settled' && orders > 0 && winnerCount > 0,
  );
  return [...withoutWinner(settled), ...placesShared(settled)];
}

/**
 * The notices about recordings of an exchange whose delay has models. The definitions of some do not say which model,
 * and tapes of earlier versions dropped it.
 */
function delayNotices(
  all: readonly CollectedMarket[],
  tapes: readonly { readonly market: TapeMarket }[],
): readonly Notice[] {
  const imported = new Set(tapes.filter(({ market }) => isImported(market)).map(({ market }) => market.facts.id));
  const open = all.filter((market) => market.isDelayModelOpen && market.orders > 0 && imported.has(market.facts.id));
  if (open.length === 0) return [];
  return [
    {
      code: 'DELAY_MODEL_UNKNOWN',
      what: `In ${plural(open.length, 'market')} with orders that turned in play the recording does not say for which orders the delay was (\`betDelayModels\`): all of them waited. Where it was for takers alone, orders that would rest came to the book earlier than here.`,
      next: 'Record the whole market definition, and import it again. Judge what rests in play by markets that say it.',
      markets: open.map(({ facts }) => facts.id),
    },
  ];
}

function winnersOf({ outcomes }: CollectedMarket): number {
  return outcomes.filter(({ result }) => result === 'Winner').length;
}

function withoutWinner(settled: readonly CollectedMarket[]): readonly Notice[] {
  const markets = settled.filter((market) => winnersOf(market) === 0).map(({ facts }) => facts.id);
  if (markets.length === 0) return [];
  return [
    {
      code: 'MARKETS_WITHOUT_WINNER',
      what: `${plural(markets.length, 'market')} with orders ended with losers alone, although as many as ${markets.length === 1 ? 'it has' : 'they have'} places should win: all outcomes were taken for losers.`,
      next: 'Look at the end of the recording: the winner may have been removed, or the result may have come after it. Leave the market out where you do not believe it.',
      markets,
    },
  ];
}

/** A market with one place is left out: all its winners share that place. */
function placesShared(settled: readonly CollectedMarket[]): readonly Notice[] {
  const shared = settled.filter((market) => market.winnerCount > 1 && winnersOf(market) > market.winnerCount);
  if (shared.length === 0) return [];
  return [
    {
      code: 'PLACES_SHARED',
      what: `In ${count(shared.length)} of the markets with orders more outcomes won than there are places. Which of them tied is not in a recording: each was paid the mean of all possible ties (\`winShare\`), so that a single bet may have won more, or lost.`,
      next: 'Judge single bets in such a market by the account of the exchange.',
      markets: shared.map(({ facts }) => facts.id),
    },
  ];
}
