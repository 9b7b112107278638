/** Makes the statistics of a run from its result and from the orders and fills that were kept. */

import { eventGroupOf } from '../../core/market.ts';
import { type BootstrapOptions, type Interval, ratioInterval } from '../../research/chance/bootstrap.ts';
import { type Luck, luckOf, type MarketOfRun } from '../../research/chance/luck.ts';
import { positionProfits } from '../../research/chance/position-profits.ts';
import { winnerDraw } from '../../research/chance/winners.ts';
import { type NotKnown, notKnown } from '../../research/figure/not-known.ts';
import { calibrationOf } from '../../research/run/calibration.ts';
import { type Cell, cellTableOf } from '../../research/run/cells.ts';
import { closingValueOf } from '../../research/run/closing-value.ts';
import { costSplitOf } from '../../research/run/cost-split.ts';
import { drawdownOf } from '../../research/run/drawdown.ts';
import { fillBiasOf } from '../../research/run/fill-bias.ts';
import { kellyGrowthOf } from '../../research/run/kelly-growth.ts';
import { priceCalibrationOf } from '../../research/run/price-calibration.ts';
import { INTERVAL } from '../../result/figures/bounds.ts';
import type { BacktestResult } from '../../result/result.ts';
import type {
  CellsBy,
  CellTables,
  JudgedMarkets,
  OfInterval,
  ProfitParts,
  RunStatistics,
} from '../../result/statistics.ts';
import { backtestResult, type ResultFigures, type ResultParts, type UnitResult } from '../result/backtest-result.ts';
import type { Piece } from '../result/kept-piece.ts';
import { preOffBets } from '../result/pre-off-bets.ts';
import type { RowColumns } from '../simulation/backtest-collector.ts';
import { BetSlots } from './bet-slots.ts';
import type { NamedCell } from './cell-book.ts';
import { CentralBets } from './central-bets.ts';
import { CHANCE_BANDS, marketForecasts, modelStatistics } from './forecasts.ts';
import { implausibleNotices } from './implausible.ts';
import { type JudgedMarket, judgedMarket } from './judged-market.ts';
import type { MergedBets } from './merged-bets.ts';

const RESAMPLES = 2_000;
const LEVEL = 0.95;
/** Draws of winners of one market, all cells or the whole run together: so that long runs take no longer than a few seconds. */
const DRAWS_MAX = 20_000_000;
/** The redraws of the winners of the whole run. */
const REDRAWS = 4_999;
/** The redraws for each cell: a cell can stand out among all of them although no p-value is below 2 ÷ (1 + redraws). */
const REDRAWS_OF_CELL = 100;
const REDRAWS_MIN = 499;

interface StatisticsParts extends Pick<ResultParts, 'pieces' | 'signals'> {
  readonly result: ResultFigures;
  readonly markets: readonly JudgedMarket[];
  readonly bets: CentralBets;
}

export function resultWithStatistics(parts: ResultParts): BacktestResult {
  const result = backtestResult(parts);
  const markets = judgedMarkets(result, parts.pieces);
  const bets = new CentralBets(new BetSlots(markets), centralTables(parts.pieces));
  const statistics = runStatistics({ ...parts, result, markets, bets });
  const taken = { backs: bets.taken('For'), lays: bets.taken('Against'), models: statistics.models };
  return { ...result, notices: [...result.notices, ...implausibleNotices(taken)], statistics };
}

function runStatistics({ result, pieces, signals, markets, bets }: StatisticsParts): RunStatistics {
  const options: BootstrapOptions = { seed: result.seed, resamples: RESAMPLES, level: LEVEL };
  const events = eventSums(markets);
  const profits = events.profit.central;
  const positions = judgedPositions(markets, preOffBets(pieces, result.byMarket, ['central']));
  const judging = { seed: result.seed, redraws: redrawsFor(REDRAWS, positions.markets.length) };
  return {
    eventGroups: events.groups,
    unsettled: events.unsettled,
    ...intervalsOf(events, options),
    closingValue: closingValuesOf(bets, options),
    profit: profitPartsOf(positions, bets, result.total.central.profitGross),
    luck: luckOfPositions(positions, judging),
    judged: positions.judged,
    growth: growthOf(result, profits, options),
    drawdown: events.groups === 0 ? notKnown('No event group with bets is settled.') : drawdownOf(profits),
    costs: costSplitOf(bets.decided(), result.total.central.commission),
    fillBias: fillBiasOf({ filled: bets.preOff.bets(), unfilled: bets.unfilled.bets(), ...options }),
    calibration: calibrationOf(marketForecasts(markets), CHANCE_BANDS),
    models: signals.map((signal) => modelStatistics(signal, markets, options)),
    tables: tablesOf(bets.cells.cells(), result.seed),
    pricesTaken: {
      backs: priceCalibrationOf(bets.taken('For'), CHANCE_BANDS),
      lays: priceCalibrationOf(bets.taken('Against'), CHANCE_BANDS),
    },
  };
}

function judgedMarkets({ byMarket }: ResultFigures, pieces: readonly Piece[]): readonly JudgedMarket[] {
  const groups = new Map<string, string>();
  for (const { ends } of pieces)
    for (const [, { collector }] of ends)
      for (const { facts } of collector.markets) groups.set(facts.id, eventGroupOf(facts));
  return byMarket.map((market) => judgedMarket(market, groups.get(market.id) ?? market.eventId));
}

/** The central world of each piece. */
function centralTables(pieces: readonly Piece[]): readonly RowColumns[] {
  return pieces.flatMap(({ ends }) =>
    ends.flatMap(([bound, { collector }]) => (bound === 'central' ? [collector.heldRows()] : [])),
  );
}

function intervalsOf(
  { profit, stake }: EventSums,
  options: BootstrapOptions,
): Pick<RunStatistics, 'profitPerEvent' | 'yieldPercent'> {
  const of = (make: (bound: keyof OfInterval<unknown>) => Interval | NotKnown) => ({
    pessimistic: make('pessimistic'),
    central: make('central'),
    optimistic: make('optimistic'),
  });
  return {
    profitPerEvent: of((bound) =>
      ratioInterval({ above: profit[bound], below: profit[bound].map(() => 1), ...options }),
    ),
    yieldPercent: of((bound) =>
      ratioInterval({ above: profit[bound].map((each) => each * 100), below: stake[bound], ...options }),
    ),
  };
}

function closingValuesOf(bets: CentralBets, options: BootstrapOptions): RunStatistics['closingValue'] {
  const of = (merged: MergedBets, none: string) => {
    const all = merged.bets();
    return all.length === 0 ? notKnown(none) : closingValueOf(all, options);
  };
  const later = 'Of no bet is the traded price so long after its match known.';
  return {
    startingPrice: of(bets.startingPrice, 'No bet before the off is on an outcome with a starting price.'),
    preOff: of(bets.preOff, 'No bet was matched before an off whose prices the recording shows.'),
    after10s: of(bets.after10s, later),
    after60s: of(bets.after60s, later),
  };
}

function growthOf(
  { wallets }: ResultFigures,
  profits: Float64Array,
  options: BootstrapOptions,
): RunStatistics['growth'] {
  const bank = wallets.reduce((sum, { balanceStart = Number.NaN }) => sum + balanceStart, 0);
  if (Number.isNaN(bank)) return notKnown('A wallet is unlimited: growth needs a balance to begin with (`wallets`).');
  return kellyGrowthOf({ profits, bank, ...options });
}

/** The redraws that are wanted, or fewer where there are many markets. */
function redrawsFor(wanted: number, markets: number): number {
  const most = Math.floor(DRAWS_MAX / Math.max(1, markets));
  return Math.max(REDRAWS_MIN, Math.min(wanted, most));
}

/** One family: that many tables are looked at makes no cell stand out. */
function tablesOf(cells: readonly NamedCell[], seed: number): CellTables | NotKnown {
  const redraws = redrawsFor(
    REDRAWS_OF_CELL * cells.length,
    cells.reduce((sum, { markets }) => sum + markets.length, 0),
  );
  const named = cells.map((cell) => ({ ...cell, cell: `${cell.by} ${cell.cell}` }));
  const table = cellTableOf({ cells: named, seed, redraws });
  if (table.kind === 'notKnown') return table;
  const rows = table.cells.map((cell, at) => ({ by: cells[at]!.by, row: cellRow(cell, cells[at]!) }));
  const { says, doesNotSay, judged } = table;
  const byOf = (by: CellsBy['by']) => ({ by, cells: rows.filter((each) => each.by === by).map(({ row }) => row) });
  return {
    kind: 'cellTables',
    says,
    doesNotSay,
    judged,
    tables: [byOf('price'), byOf('timeToOff'), byOf('marketType'), byOf('side')],
  };
}

const NOT_JUDGED = 'No bet before the off in a market that closing prices can judge.';

function cellRow({ luck, ...cell }: Cell, { cell: name, markets }: NamedCell): CellsBy['cells'][number] {
  const isJudged = markets.length > 0;
  const isKnown = luck.kind === 'luck';
  return {
    ...cell,
    cell: name,
    expected: isKnown ? luck.expected : undefined,
    luck: isKnown ? luck.luck : undefined,
    pValue: isKnown ? luck.pValue : undefined,
    reason: isKnown ? undefined : isJudged ? luck.reason : NOT_JUDGED,
  };
}

/** What each event group brought under each bound of the interval, in the order in which they were settled. */
interface EventSums {
  readonly groups: number;
  /** Markets with matched bets that are not settled. */
  readonly unsettled: number;
  /** Net profit and stake matched, by event group. */
  readonly profit: OfInterval<Float64Array>;
  readonly stake: OfInterval<Float64Array>;
}

/** Event groups in which something was matched under any bound. */
function eventSums(markets: readonly JudgedMarket[]): EventSums {
  const matched = markets.filter(({ result: { profit } }) => INTERVAL.some((bound) => profit[bound].stakeMatched > 0));
  const settled = matched.filter(({ result }) => result.settledAt !== undefined);
  const byGroup = [...Map.groupBy(settled, ({ group }) => group).values()];
  const endOf = (group: readonly JudgedMarket[]) => Math.max(...group.map(({ result }) => result.settledAt ?? 0));
  const ordered = byGroup.sort((a, b) => endOf(a) - endOf(b));
  const column = (bound: (typeof INTERVAL)[number], figure: 'profitNet' | 'stakeMatched') =>
    Float64Array.from(ordered, (group) => group.reduce((sum, { result }) => sum + result.profit[bound][figure], 0));
  const columns = (figure: 'profitNet' | 'stakeMatched') => ({
    pessimistic: column('pessimistic', figure),
    central: column('central', figure),
    optimistic: column('optimistic', figure),
  });
  return {
    groups: ordered.length,
    unsettled: matched.length - settled.length,
    profit: columns('profitNet'),
    stake: columns('stakeMatched'),
  };
}

/** What closing prices can judge of a run: its bets before the off as if held to settlement. */
interface JudgedPositions {
  readonly judged: JudgedMarkets;
  readonly markets: readonly MarketOfRun[];
  /** Whether the bets of a market before the off are judged, by its index. */
  readonly isJudged: readonly boolean[];
}

/** Positions before the off in all markets that closing prices can judge, and why others cannot be. */
function judgedPositions(markets: readonly JudgedMarket[], preOff: UnitResult['preOff']): JudgedPositions {
  const positions: MarketOfRun[] = [];
  const leftOut = new Map<string, number>();
  const isJudged = markets.map(({ result, settled }) => {
    const bets = preOff.get(result.id)?.get('central');
    if (bets === undefined) return false;
    if (settled.kind === 'settled' && bets.isEarly) {
      const { closing, winners, share } = settled;
      positions.push({ closing, winners, profit: positionProfits({ winners: winners.length, share, ...bets }) });
      return true;
    }
    const reason = settled.kind === 'notKnown' ? settled.reason : 'Nothing was matched before the off.';
    leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1);
    return false;
  });
  const reasons = [...leftOut].map(([reason, count]) => ({ reason, markets: count }));
  return { judged: { markets: positions.length, leftOut: reasons }, markets: positions, isJudged };
}

function luckOfPositions(
  { markets, judged }: JudgedPositions,
  { seed, redraws }: { readonly seed: number; readonly redraws: number },
): Luck | NotKnown {
  if (markets.length > 0) return luckOf({ markets, seed, redraws });
  const [first, ...others] = judged.leftOut;
  if (first === undefined) return notKnown('No bet was matched before the off: there is no verdict.');
  const why =
    others.length === 0 ? first.reason : 'No market with bets before the off has a result and closing prices.';
  return notKnown(`${why.slice(0, -1)}: there is no verdict.`);
}

/** `gross`: of all settled markets. */
function profitPartsOf(
  { markets, isJudged }: JudgedPositions,
  { paidEarly, paidLate }: CentralBets,
  gross: number,
): ProfitParts {
  let closing = 0;
  let settled = 0;
  for (const market of markets) {
    closing += winnerDraw(market.closing).expectation(market.profit);
    for (const winner of market.winners) settled += market.profit[winner]!;
  }
  const others = paidEarly.reduce((sum, paid, market) => (isJudged[market] ? sum : sum + paid), 0);
  const inPlay = paidLate.reduce((sum, paid) => sum + paid, 0);
  return { gross, closing, luck: settled - closing, inPlay, others };
}
