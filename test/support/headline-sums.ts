/** What of a result's tables does not add up to its headline: every figure of money and every count that stands in both. */

import { queueBands } from '../../src/pages/report/queue-bands.ts';
import { type Bound, columnsOf } from '../../src/result/figures/bounds.ts';
import type { BacktestResult, Profit } from '../../src/result/result.ts';

interface Sum {
  readonly what: string;
  readonly headline: number;
  readonly parts: Iterable<number | undefined>;
}

/** Empty where all of it adds up. */
export function contradictions(result: BacktestResult): readonly string[] {
  return [...marketSums(result), ...rowSums(result), ...countSums(result), ...statisticSums(result)].flatMap(
    ({ what, headline, parts }) => {
      const sum = [...parts].reduce<number>((total, part) => total + (part ?? 0), 0);
      return Math.abs(sum - headline) < 5e-5 ? [] : [`${what}: the parts are ${sum}, the headline ${headline}`];
    },
  );
}

const FIGURES: readonly (keyof Profit)[] = ['stakeMatched', 'profitGross', 'commission', 'profitNet', 'markToMarket'];

/** The table of markets, the curve, and the wallets. */
function marketSums({ byMarket, total, curve, wallets, orders }: BacktestResult): readonly Sum[] {
  const bounds = columnsOf(total);
  const ofFigures = bounds.flatMap((bound) =>
    FIGURES.map((figure) => ({
      what: `${figure} of markets, ${bound}`,
      headline: total[bound]?.[figure] ?? 0,
      parts: byMarket.map(({ profit }) => profit[bound]?.[figure]),
    })),
  );
  const ofCurve = bounds.map((bound) => ({
    what: `last point of the curve, ${bound}`,
    headline: total[bound]?.profitNet ?? 0,
    parts: [curve.at(-1)?.[bound]],
  }));
  const ofNet = bounds.map((bound) => ({
    what: `gross less commission, ${bound}`,
    headline: total[bound]?.profitNet ?? 0,
    parts: [total[bound]?.profitGross, -(total[bound]?.commission ?? 0)],
  }));
  const ofWallets = {
    what: 'what wallets gained',
    headline: total.central.profitNet,
    parts: wallets.map(({ balanceStart = 0, balanceEnd = 0 }) => balanceEnd - balanceStart),
  };
  const isLimited = wallets.every(({ balanceStart }) => balanceStart !== undefined);
  return [
    ...ofFigures,
    ...ofCurve,
    ...ofNet,
    ...(isLimited ? [ofWallets] : []),
    { what: 'orders of markets', headline: orders.accepted, parts: byMarket.map((market) => market.orders) },
  ];
}

/** Orders and fills one by one. Each bound has orders of its own. */
function rowSums({ orderRows, fillRows, total, orders, fills }: BacktestResult): readonly Sum[] {
  const rows = [...orderRows];
  const own = (bound: Bound) => rows.filter(({ flow }) => flow === bound);
  const computed = fills === 'central' ? (['central'] as const) : columnsOf(total);
  const central = own('central');
  return [
    ...computed.map((bound) => ({
      what: `stake of orders, ${bound}`,
      headline: total[bound]?.stakeMatched ?? 0,
      parts: own(bound).map(({ stakeMatched }) => stakeMatched),
    })),
    ...computed.map((bound) => ({
      what: `stake of fills, ${bound}`,
      headline: total[bound]?.stakeMatched ?? 0,
      parts: [...fillRows].flatMap((fill) => (fill.flow === bound ? [fill.stake] : [])),
    })),
    { what: 'profit of orders', headline: total.central.profitGross, parts: central.map(({ profit }) => profit) },
    { what: 'orders one by one', headline: orders.sent, parts: [central.length] },
    ...(['whole', 'part', 'orders', 'matched'] as const).map((key) => ({
      what: `queues: ${key}`,
      headline: {
        whole: orders.matchedFully,
        part: orders.matchedPartly,
        orders: orders.accepted,
        matched: total.central.stakeMatched,
      }[key],
      parts: queueBands(central).map((band) => band[key]),
    })),
  ];
}

function countSums({ orders, refusals, refused, rejections, byMarket, runs }: BacktestResult): readonly Sum[] {
  const { intended, cancellations, cancellationsRepeated, sent, accepted, rejected, unanswered } = orders;
  const { matchedFully, matchedPartly, unmatched, cancelled } = orders;
  const parts = (of: (order: typeof orders) => number) =>
    runs.flatMap((run) => (run.flow === 'central' ? [of(run.orders)] : []));
  return [
    { what: 'intents', headline: intended, parts: [orders.refused, cancellations, cancellationsRepeated, sent] },
    { what: 'sent', headline: sent, parts: [accepted, rejected, unanswered] },
    { what: 'accepted', headline: accepted, parts: [matchedFully, matchedPartly, unmatched, cancelled] },
    { what: 'refusals by code', headline: orders.refused, parts: Object.values(refusals) },
    { what: 'refusals by market', headline: orders.refused, parts: Object.values(refused.byMarket) },
    { what: 'rejections by code', headline: rejected, parts: Object.values(rejections) },
    { what: 'sent by run', headline: sent, parts: parts((run) => run.sent) },
    { what: 'refused by run', headline: orders.refused, parts: parts((run) => run.refused) },
    {
      what: 'cancelled by suspensions',
      headline: 0,
      parts: byMarket.map(({ ordersSuspended, orders: all }) => Math.max(0, ordersSuspended - all)),
    },
  ];
}

/** Cells are of markets that ended, voided ones as well, whose profit is all of the profit. */
function statisticSums({ statistics, total, byMarket }: BacktestResult): readonly Sum[] {
  const { tables, costs, pricesTaken } = statistics;
  const settled = byMarket.filter(({ status }) => status === 'Settled' || status === 'Voided');
  const stake = settled.reduce((sum, { profit }) => sum + profit.central.stakeMatched, 0);
  const cells = tables.kind === 'notKnown' ? [] : tables.tables;
  const bands = [pricesTaken.backs, pricesTaken.lays].flatMap((each) => (each.kind === 'notKnown' ? [] : [each]));
  return [
    ...cells.flatMap(({ by, cells: all }) => [
      { what: `profit by ${by}`, headline: total.central.profitGross, parts: all.map(({ profit }) => profit) },
      { what: `stake by ${by}`, headline: stake, parts: all.map((cell) => cell.stake) },
    ]),
    ...bands.map((side) => ({
      what: 'outcomes by band of prices',
      headline: side.outcomes,
      parts: side.bands.map(({ count }) => count),
    })),
    ...(costs.kind === 'notKnown'
      ? []
      : [{ what: 'commission of the costs', headline: total.central.commission, parts: [costs.commission] }]),
  ];
}
