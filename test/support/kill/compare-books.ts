/** Whether a run's journal and the exchange's own books say the same of every order, position and amount. */

import { priceOfTick, tick } from '../../../src/core/number/ladder.ts';
import type { ReportedOrder, SentOrder } from '../../../src/core/run/kept-order.ts';
import type { RunState } from '../../../src/core/run/run-state.ts';
import type { ExchangeOrder, ExchangeSide } from './exchange/exchange-books.ts';
import type { FoldedBooks, FoldedOrder } from './run-fold.ts';

export interface BookParts {
  readonly fold: FoldedBooks;
  readonly exchange: ExchangeSide;
  /** Those of the wallet that the daemon's own rebuilding makes of the same journal. */
  readonly rebuilt: RunState['orders'];
  /** In the wallet before the run, 10⁻⁶. */
  readonly balanceBefore: number;
  /** Orders that others placed under the run's name, by the exchange's id. */
  readonly impostors: ReadonlySet<string>;
}

/** Each difference in words; empty where all books agree. */
export function compareBooks(parts: BookParts): readonly string[] {
  const paired = pairOrders(parts);
  return [
    ...parts.exchange.troubles.map((trouble) => `sandbox: ${trouble}`),
    ...paired.differences,
    ...[...parts.fold.orders.values()].flatMap((order) => fateDifferences(order, paired.byClient, parts)),
    ...liveDifferences(parts),
    ...positionDifferences(parts, paired.byClient),
    ...rebuiltDifferences(parts),
    ...moneyDifferences(parts),
  ];
}

interface Paired {
  readonly byClient: ReadonlyMap<number, ExchangeOrder>;
  readonly differences: readonly string[];
}

/** Each order at the exchange with the record of its sending. */
function pairOrders({ fold, exchange, impostors }: BookParts): Paired {
  const byClient = new Map<number, ExchangeOrder>();
  const differences: string[] = [];
  const adopted = new Map<string, FoldedOrder>();
  for (const order of fold.orders.values()) if (order.foreign !== undefined) adopted.set(String(order.foreign), order);
  for (const order of exchange.orders.values()) {
    const isOurs = order.reference?.startsWith(`${fold.run}-`) === true;
    const taken = adopted.get(order.id);
    // An order that was placed under the run's name, but not by the run, may be adopted or left alone.
    if (impostors.has(order.id) && taken === undefined) continue;
    // Of another's, which ended before anybody saw it: at Betfair a heartbeat that lapses takes it, too.
    if (!isOurs && taken === undefined && order.matched === 0 && order.stakeUnmatched === 0) continue;
    const own = taken ?? (isOurs ? fold.orders.get(clientOf(order)) : undefined);
    const name = `order ${order.id} (${order.reference ?? 'no reference'}, ${order.status})`;
    if (own === undefined) {
      differences.push(`${name} is at the exchange and was never ${isOurs ? 'sent' : 'adopted'}`);
      continue;
    }
    const { client } = own.terms;
    if (byClient.has(client)) differences.push(`client ${client} is at the exchange twice: ${name}`);
    byClient.set(client, order);
    differences.push(...termDifferences(name, own, { order, fold }));
  }
  return { byClient, differences };
}

interface Pairing {
  readonly order: ExchangeOrder;
  readonly fold: FoldedBooks;
}

function clientOf({ reference = '' }: ExchangeOrder): number {
  return Number(reference.slice(reference.lastIndexOf('-') + 1));
}

function termDifferences(name: string, own: FoldedOrder, { order, fold }: Pairing): readonly string[] {
  const { terms, foreign } = own;
  const pairs: [string, unknown, unknown][] = [
    ['market', terms.market, order.market],
    ['outcome', terms.outcome, order.outcome],
    ['side', terms.side, order.side],
    ['price', priceOfTick(tick(terms.tick)), order.price],
    ['stake', terms.stake, order.stake],
  ];
  // Of an adopted order these two are not known.
  if (foreign === undefined) {
    pairs.push(['keepWhenInPlay', terms.keepWhenInPlay, order.keepWhenInPlay]);
    if (order.matchBehavior !== undefined && !mayBeCancelUnmatched(own, fold))
      pairs.push(['matchBehavior', terms.matchBehavior, order.matchBehavior]);
  }
  return pairs
    .filter(([, ours, theirs]) => ours !== theirs)
    .map(([what, ours, theirs]) => `${name}: its ${what} was journalled as ${ours} and is ${theirs}`);
}

/** Pending orders wait for seconds; a lapse may be received later, after a start of the daemon. */
const LAPSE_HEARD_MS = 60_000;

/** A cancellation of a Pending order, or a lapse of the heartbeat, makes it CancelUnmatched (profile section 6). */
function mayBeCancelUnmatched({ isCancelSent, at }: FoldedOrder, { lapses }: FoldedBooks): boolean {
  return isCancelSent || lapses.some((lapse) => lapse >= at && lapse <= at + LAPSE_HEARD_MS);
}

function fateDifferences(
  order: FoldedOrder,
  byClient: ReadonlyMap<number, ExchangeOrder>,
  { exchange, fold }: BookParts,
): readonly string[] {
  const { terms, report, rejected } = order;
  const name = `client ${terms.client} (sent in record ${order.sequence})`;
  const booked = byClient.get(terms.client);
  if (booked === undefined) {
    if (report !== undefined) return [`${name}: reported as ${report.status}, and the exchange has no such order`];
    return rejected === undefined ? [`${name}: its fate is unknown, and the exchange has no such order`] : [];
  }
  if (report === undefined)
    return [`${name}: the exchange has it as ${booked.status}, the journal says ${rejected ?? 'nothing'}`];
  // What was matched in a void market is void.
  const isVoid = booked.status === 'Voided' || report.status === 'Voided';
  const isDone = fold.done.has(terms.market) || exchange.over.has(terms.market);
  if (isVoid && isDone) return [];
  const isAsMuch = Math.abs(report.winningsMatched - booked.winnings) <= (exchange.roundedTo ?? 0);
  if (report.stakeMatched === booked.matched && isAsMuch && String(report.order) === booked.id) return [];
  const ours = `${report.stakeMatched} matched for ${report.winningsMatched} as order ${report.order}`;
  return [
    `${name}: journalled ${ours}; the exchange has ${booked.matched} for ${booked.winnings} as order ${booked.id}`,
  ];
}

function liveDifferences({ exchange, impostors }: BookParts): readonly string[] {
  const live = [...exchange.orders.values()].filter(
    ({ id, status, stakeUnmatched }) =>
      !impostors.has(id) &&
      (status === 'Pending' || status === 'Unmatched' || (status === 'PartiallyMatched' && stakeUnmatched > 0)),
  );
  const differences = live.map(({ id, status, reference }) => `order ${id} (${reference}) is left ${status}`);
  if (exchange.unmatchedExposure !== 0)
    differences.push(`the wallet's unmatched exposure is ${exchange.unmatchedExposure}`);
  return differences;
}

type Positions = Map<string, Map<string, number>>;

/** By market and outcome: what the last reports add up to, and what the exchange books. */
function positionDifferences(parts: BookParts, byClient: ReadonlyMap<number, ExchangeOrder>): readonly string[] {
  const { fold, exchange } = parts;
  const ours = [...fold.orders.values()].filter(({ terms }) => byClient.has(terms.client));
  return differencesOf('the journal', positionsOf(ours, exchange), exchange);
}

/** Compares what the daemon's own rebuilding says, which drops finished markets. */
function rebuiltDifferences({ rebuilt, exchange }: BookParts): readonly string[] {
  const known = rebuilt.filter(({ fate }) => fate === 'known').map(({ terms, report }) => ({ terms, report }));
  const open = rebuilt.filter(({ fate }) => fate === 'open');
  return [
    ...open.map(({ terms }) => `rebuilt: the fate of client ${terms.client} is open`),
    ...differencesOf('rebuilding', positionsOf(known, exchange), exchange),
  ];
}

function positionsOf(
  orders: Iterable<{ readonly terms: SentOrder; readonly report?: ReportedOrder | undefined }>,
  { positions: booked }: ExchangeSide,
): Positions {
  const positions: Positions = new Map();
  for (const { terms, report } of orders) {
    if (report === undefined || report.stakeMatched === 0) continue;
    const outcomes = booked.get(terms.market)?.keys() ?? [terms.outcome];
    const position = positions.get(terms.market) ?? new Map<string, number>();
    positions.set(terms.market, position);
    const sign = terms.side === 'For' ? 1 : -1;
    for (const outcome of outcomes) {
      const profit = outcome === terms.outcome ? report.winningsMatched : -report.stakeMatched;
      position.set(outcome, (position.get(outcome) ?? 0) + sign * profit);
    }
  }
  return positions;
}

/** A cross match may pay up to so many units (10⁻⁶) less than its trades' prices say (profile section 6). */
const SHORTENED_MAX = 4;

/** What is rounded, and what its rounded stake does not show: a cross match may match a part of a penny, which wins at its price. */
function looseOf({ trades, matched, winnings }: ExchangeOrder, roundedTo: number): number {
  const unseen = matched === 0 ? 0 : (roundedTo * winnings) / matched;
  return (roundedTo + unseen + SHORTENED_MAX) * trades;
}

function differencesOf(
  who: string,
  ours: Positions,
  { positions, over, orders, roundedTo = 0 }: ExchangeSide,
): readonly string[] {
  const differences: string[] = [];
  const looseIn = new Map<string, number>();
  for (const order of orders.values())
    looseIn.set(order.market, (looseIn.get(order.market) ?? 0) + looseOf(order, roundedTo));
  for (const market of new Set([...ours.keys(), ...positions.keys()])) {
    if (over.has(market)) continue;
    const [own, booked] = [ours.get(market), positions.get(market)];
    for (const outcome of new Set([...(own?.keys() ?? []), ...(booked?.keys() ?? [])])) {
      const [one, other] = [own?.get(outcome) ?? 0, booked?.get(outcome) ?? 0];
      if (Math.abs(one - other) > (looseIn.get(market) ?? 0))
        differences.push(`market ${market}: if ${outcome} wins, ${who} says ${one} and the exchange ${other}`);
    }
  }
  return differences;
}

/** Settled and open together: what is matched in an open market is held by its escrow (profile section 6). */
function moneyDifferences({ fold, exchange, balanceBefore }: BookParts): readonly string[] {
  const settled = fold.results.reduce((sum, { profit }) => sum + profit, 0);
  let escrow = 0;
  for (const [market, position] of exchange.positions)
    if (!exchange.over.has(market)) escrow += Math.max(0, ...[...position.values()].map((profit) => -profit));
  // Positions are rounded bet by bet; what is held for them is not, and all the money once.
  const open = [...exchange.orders.values()].filter(({ market, matched }) => matched > 0 && !exchange.over.has(market));
  const rounded = (exchange.roundedTo ?? 0) * (1 + open.length);
  const expected = balanceBefore + settled - escrow;
  const differences: string[] = [];
  if (Math.abs(expected - exchange.balance) > rounded)
    differences.push(
      `the balance is ${exchange.balance}; the journal makes it ${balanceBefore} + ${settled} settled - ${escrow} in open markets = ${expected}`,
    );
  const gross = [...grossByMarket(exchange).values()].reduce((sum, brought) => sum + brought, 0);
  if (settled !== gross - exchange.commission)
    differences.push(
      `settled by the journal ${settled}; trades brought ${gross} less ${exchange.commission} commission`,
    );
  return [...differences, ...resultDifferences(fold, exchange)];
}

/** What the trades of markets that are over brought. */
function grossByMarket({ orders, over }: ExchangeSide): ReadonlyMap<string, number> {
  const gross = new Map<string, number>();
  for (const { market, profit, status } of orders.values())
    if (over.has(market) && status !== 'Voided') gross.set(market, (gross.get(market) ?? 0) + profit);
  return gross;
}

/** By market: the journal's net results and the commission reported with the newest of them make what its trades brought. */
function resultDifferences({ results }: FoldedBooks, exchange: ExchangeSide): readonly string[] {
  const gross = grossByMarket(exchange);
  const told = new Map<string, { net: number; newest: number }>();
  for (const { market, profit, commission } of results)
    told.set(market, { net: (told.get(market)?.net ?? 0) + profit, newest: commission });
  const differences: string[] = [];
  for (const market of new Set([...gross.keys(), ...told.keys()])) {
    const brought = gross.get(market) ?? 0;
    const { net, newest } = told.get(market) ?? { net: 0, newest: 0 };
    if (net + newest !== brought)
      differences.push(
        `market ${market}: the journal says ${net} net of ${newest} commission, its trades brought ${brought}`,
      );
  }
  return differences;
}
