/** The numbered runs that a result is made of, and the rows of all of them. */

import type { MarketPrices } from '../../result/market-prices.ts';
import type { FillRow, OrderCounts, OrderRow, PlotLine, RunPart } from '../../result/result.ts';
import type { Tally } from '../simulation/backtest-collector.ts';
import type { KeptEnd, PieceEnd } from './kept-piece.ts';
import { plotsOfRuns } from './plots-of-run.ts';

interface PieceRuns {
  readonly name?: string | undefined;
  readonly ends: readonly PieceEnd[];
}

export interface ResultRuns {
  readonly runs: readonly RunPart[];
  readonly orderRows: Iterable<OrderRow>;
  readonly fillRows: Iterable<FillRow>;
  readonly plots: readonly PlotLine[];
  readonly prices: readonly MarketPrices[];
}

/** Numbers count up from 1, piece by piece. */
export function resultRuns(pieces: readonly PieceRuns[]): ResultRuns {
  const ends = pieces.flatMap(({ name, ends }) => ends.map((end) => ({ name, end })));
  const numbered = ends.map(({ name, end }, index) => ({ run: index + 1, name, end }));
  return {
    runs: numbered.map(({ run, name, end: [flow, end, transcriptSha256] }) => ({
      run,
      flow,
      ...(name === undefined ? {} : { piece: name }),
      orders: countsOf([end]),
      halts: end.collector.halts.length,
      transcriptSha256,
    })),
    orderRows: joined(numbered.map(({ run, end: [, { collector }] }) => ({ rows: () => collector.orderRows(run) }))),
    prices: ends.flatMap(({ end: [flow, end] }) => (flow === 'central' ? end.collector.prices : [])),
    fillRows: joined(numbered.map(({ run, end: [, { collector }] }) => ({ rows: () => collector.fillRows(run) }))),
    plots: plotsOfRuns(numbered.flatMap(({ run, end: [flow, end] }) => (flow === 'central' ? [{ run, end }] : []))),
  };
}

/** The rows of all runs, one run after the other; made anew at each iteration. */
function joined<Row>(parts: readonly { readonly rows: () => Iterable<Row> }[]): Iterable<Row> {
  return {
    *[Symbol.iterator]() {
      for (const { rows } of parts) yield* rows();
    },
  };
}

/** The order counts of some runs, added up. */
export function countsOf(ends: readonly KeptEnd[]): OrderCounts {
  const tally = (key: keyof Tally): number => sum(ends.map(({ collector }) => collector.tally[key]));
  const [sent, accepted, rejected] = [tally('sent'), tally('accepted'), tally('rejected')];
  return {
    intended: sum(ends.map(({ intended }) => intended)),
    refused: sum(ends.flatMap(({ collector }) => [...collector.refusals.values()])),
    cancellations: sum(ends.map(({ cancellations }) => cancellations)),
    cancellationsRepeated: sum(ends.map(({ cancellationsRepeated }) => cancellationsRepeated)),
    sent,
    accepted,
    rejected,
    unanswered: sent - accepted - rejected,
    matchedFully: tally('matchedFully'),
    matchedPartly: tally('matchedPartly'),
    cancelled: tally('cancelled'),
    unmatched: tally('unmatched'),
  };
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
