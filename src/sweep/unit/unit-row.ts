/** What is kept of one unit, and its form in bytes: counts, and of each market the money that it brought under each bound. */

import type { UnitResult } from '../../backtest/result/backtest-result.ts';
import type { PreOffBets } from '../../backtest/result/pre-off-bets.ts';
import { defined } from '../../core/checks/assert.ts';
import { MARKET_STATUSES, type MarketStatus } from '../../core/market.ts';
import { type Money, money, moneyFromDecimal } from '../../core/number/units.ts';
import { BOUNDS, type Bound } from '../../result/figures/bounds.ts';
import type { OutcomeEnd, OutcomePosition, PreOff } from '../../result/figures/outcome-end.ts';
import type { MarketResult, OrderCounts, Profit, ProfitMoney } from '../../result/result.ts';
import { RowReader, RowWriter } from './row-bytes.ts';

export interface UnitRow {
  /** The counts of the central world, or of the first one where there is no central one. */
  readonly counts: UnitCounts;
  /** Those that were computed. */
  readonly bounds: readonly Bound[];
  readonly markets: readonly UnitMarket[];
}

export interface UnitCounts extends OrderCounts {
  readonly updates: number;
  readonly decisions: number;
  /** How often a strategy was halted. */
  readonly halts: number;
}

export interface UnitMarket {
  readonly id: string;
  readonly status: MarketStatus;
  readonly eventId: string;
  /** ms UTC; undefined where the recording does not show it. */
  readonly startsAt: number | undefined;
  /** ms UTC; undefined where the recording ends before. */
  readonly settledAt: number | undefined;
  readonly winnerCount: number;
  readonly orders: number;
  /** One for each of the row's bounds, in their order. */
  readonly profit: readonly ProfitMoney[];
  /** The same: whether something was matched in play, of which closing prices say nothing. */
  readonly matchedLate: readonly boolean[];
  /** The outcomes in the order of the market; empty where nothing was matched in it. */
  readonly outcomes: readonly UnitOutcome[];
}

/** What statistics ask of an outcome in which money was at stake: how it ended, at which prices, and what it is worth if it wins. */
export interface UnitOutcome extends Omit<OutcomeEnd, 'title' | 'position'> {
  /** One for each of the row's bounds, in their order; undefined for a Removed outcome. */
  readonly positions: readonly (UnitPosition | undefined)[];
}

export interface UnitPosition extends OutcomePosition {
  /** Undefined where a row of version 2 does not tell them from those matched in play. */
  readonly preOff: PreOffPosition | undefined;
}

/** Gross profit of the bets on an outcome that were matched before the off, if it wins and if it does not. */
export interface PreOffPosition {
  readonly ifWins: number;
  readonly ifLoses: number;
}

/** Raised when the bytes change their meaning. It is part of every unit's key, so that older rows are computed anew and never misread. */
export const ROW_VERSION = 3;
/** Read as well: of a position with bets matched in play it does not know the part before the off. */
const VERSION_WITHOUT_PRE_OFF = 2;

/** The results by their code in the bytes. */
const RESULTS: readonly OutcomeEnd['result'][] = [undefined, 'Winner', 'Loser', 'Removed'];

const COUNTS = [
  'updates',
  'decisions',
  'halts',
  'intended',
  'refused',
  'cancellations',
  'cancellationsRepeated',
  'sent',
  'accepted',
  'rejected',
  'unanswered',
  'matchedFully',
  'matchedPartly',
  'cancelled',
  'unmatched',
] as const satisfies readonly string[] as readonly (keyof UnitCounts)[];

/** `bounds`: those that were computed. The same result gives the same bytes on every machine. */
export function unitRowOf(result: UnitResult, bounds: readonly Bound[]): UnitRow {
  const { orders, updates, decisions, halts, byMarket, preOff } = result;
  const ordered = BOUNDS.filter((bound) => bounds.includes(bound));
  return {
    counts: { ...orders, updates, decisions, halts },
    bounds: ordered,
    markets: byMarket.map((market) => marketOf(market, ordered, preOff.get(market.id))),
  };
}

type PreOffByBound = ReadonlyMap<Bound, PreOffBets> | undefined;

function marketOf(market: MarketResult, bounds: readonly Bound[], preOff: PreOffByBound): UnitMarket {
  const { id, eventId, status, startsAt, settledAt, winnerCount, orders, outcomes } = market;
  const profit = bounds.map((bound) => moneyOf(defined(market.profit[bound], 'a bound that was computed')));
  const isMatched = profit.some(({ stakeMatched }) => stakeMatched > 0);
  return {
    id,
    eventId,
    status,
    startsAt,
    settledAt,
    winnerCount,
    orders,
    profit,
    matchedLate: bounds.map((bound) => preOff?.get(bound)?.isLate ?? false),
    outcomes: isMatched
      ? outcomes.map((outcome, at) => outcomeOf(outcome, bounds, (bound) => preOffAt(preOff?.get(bound), at)))
      : [],
  };
}

function moneyOf({ stakeMatched, profitGross, commission, markToMarket }: Profit): ProfitMoney {
  return {
    stakeMatched: exact(stakeMatched),
    profitGross: exact(profitGross),
    commission: exact(commission),
    ...(markToMarket === undefined ? {} : { markToMarket: exact(markToMarket) }),
  };
}

function preOffAt(bets: PreOffBets | undefined, outcome: number): PreOffPosition {
  return { ifWins: bets?.ifWins[outcome] ?? 0, ifLoses: bets?.ifLoses[outcome] ?? 0 };
}

function outcomeOf(
  { title: _title, position, ...outcome }: OutcomeEnd,
  bounds: readonly Bound[],
  preOffOf: (bound: Bound) => PreOffPosition,
): UnitOutcome {
  const positions = bounds.map((bound) => {
    const whole = position?.[bound];
    return whole === undefined ? undefined : { ...whole, preOff: preOffOf(bound) };
  });
  return { ...outcome, positions };
}

/** A result's decimals are whole millionths. */
function exact(decimal: number): Money {
  return defined(moneyFromDecimal(decimal), 'a figure of a result is money');
}

/** Little-endian: version, bounds, counts, markets. */
export function packRow({ counts, bounds, markets }: UnitRow): Uint8Array<ArrayBuffer> {
  const writer = new RowWriter();
  writer.byte(ROW_VERSION);
  writer.byte(bounds.reduce((mask, bound) => mask | (1 << BOUNDS.indexOf(bound)), 0));
  for (const name of COUNTS) writer.number(counts[name]);
  writer.number(markets.length);
  for (const market of markets) writeMarket(writer, market);
  return writer.bytes();
}

function writeMarket(writer: RowWriter, market: UnitMarket): void {
  writer.text(market.id);
  writer.text(market.eventId);
  writer.byte(MARKET_STATUSES.indexOf(market.status));
  writer.numbers(market.startsAt, market.settledAt, market.winnerCount, market.orders);
  for (const { stakeMatched, profitGross, commission, markToMarket } of market.profit) {
    writer.numbers(stakeMatched, profitGross, commission, markToMarket);
  }
  for (const isLate of market.matchedLate) writer.byte(Number(isLate));
  writer.number(market.outcomes.length);
  for (const outcome of market.outcomes) writeOutcome(writer, outcome);
}

function writeOutcome(
  writer: RowWriter,
  { id, result, winShare, startingPrice, preOff, positions }: UnitOutcome,
): void {
  writer.text(id);
  writer.byte(RESULTS.indexOf(result));
  writer.numbers(winShare, startingPrice);
  writer.byte(Number(preOff !== undefined));
  if (preOff !== undefined) writer.numbers(preOff.bestFor, preOff.bestAgainst, preOff.lastPrice, preOff.traded);
  for (const position of positions) {
    writer.numbers(position?.profitIfWins, position?.profitIfWinsNet, position?.betsIfWins, position?.betsIfLoses);
    writer.numbers(position?.preOff?.ifWins, position?.preOff?.ifLoses);
  }
}

/** Undefined for bytes of another version. */
export function unpackRow(bytes: Uint8Array): UnitRow | undefined {
  const reader = new RowReader(bytes);
  const version = reader.byte();
  if (version !== ROW_VERSION && version !== VERSION_WITHOUT_PRE_OFF) return undefined;
  const mask = reader.byte();
  const bounds = BOUNDS.filter((_, index) => (mask & (1 << index)) !== 0);
  const counts = Object.fromEntries(COUNTS.map((name) => [name, reader.count()])) as unknown as UnitCounts;
  const markets = Array.from({ length: reader.count() }, () => readMarket(reader, bounds, version));
  return { counts, bounds, markets };
}

function readMarket(reader: RowReader, bounds: readonly Bound[], version: number): UnitMarket {
  const [id, eventId] = [reader.text(), reader.text()];
  const status = defined(MARKET_STATUSES[reader.byte()], 'a status of markets');
  const [startsAt, settledAt] = [reader.number(), reader.number()];
  const [winnerCount, orders] = [reader.count(), reader.count()];
  const profit = bounds.map((): ProfitMoney => {
    const [stakeMatched, profitGross, commission] = [reader.money(), reader.money(), reader.money()];
    const worth = reader.number();
    const figures = { stakeMatched, profitGross, commission };
    return worth === undefined ? figures : { ...figures, markToMarket: money(worth) };
  });
  const matchedLate = bounds.map(() => reader.byte() === 1);
  const outcomes = Array.from({ length: reader.count() }, () =>
    readOutcome(reader, (at) => readPosition(reader, { version, isLate: matchedLate[at] === true }), bounds),
  );
  return { id, eventId, status, startsAt, settledAt, winnerCount, orders, profit, matchedLate, outcomes };
}

function readOutcome(
  reader: RowReader,
  positionAt: (bound: number) => UnitPosition | undefined,
  bounds: readonly Bound[],
): UnitOutcome {
  const id = reader.text();
  const result = RESULTS[reader.byte()];
  const [winShare, startingPrice] = [reader.number(), reader.number()];
  const isShown = reader.byte() === 1;
  const preOff = isShown ? readPreOff(reader) : undefined;
  const positions = bounds.map((_, at) => positionAt(at));
  return present({ id, result, winShare, startingPrice, preOff, positions });
}

function readPreOff(reader: RowReader): PreOff {
  const [bestFor, bestAgainst, lastPrice, traded] = [
    reader.number(),
    reader.number(),
    reader.number(),
    reader.number(),
  ];
  return present({ bestFor, bestAgainst, lastPrice, traded });
}

function readPosition(
  reader: RowReader,
  { version, isLate }: { readonly version: number; readonly isLate: boolean },
): UnitPosition | undefined {
  const [profitIfWins, profitIfWinsNet] = [reader.number(), reader.number()];
  const [betsIfWins, betsIfLoses] = [reader.number(), reader.number()];
  // Where nothing was matched in play, all bets were matched before the off.
  const [ifWins, ifLoses] =
    version === ROW_VERSION
      ? [reader.number(), reader.number()]
      : isLate
        ? [undefined, undefined]
        : [betsIfWins, betsIfLoses];
  if (profitIfWins === undefined || profitIfWinsNet === undefined) return undefined;
  if (betsIfWins === undefined || betsIfLoses === undefined) return undefined;
  const preOff = ifWins === undefined || ifLoses === undefined ? undefined : { ifWins, ifLoses };
  return { profitIfWins, profitIfWinsNet, betsIfWins, betsIfLoses, preOff };
}

type Present<T> = { readonly [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key] } & {
  readonly [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>;
};

/** Without the keys whose values are not known. */
function present<T extends object>(values: T): Present<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Present<T>;
}
