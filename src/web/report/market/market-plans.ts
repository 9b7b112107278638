/** The charts of one market: prices with own orders, position, plotted values. */

import type uPlot from 'uplot';
import { amount } from '../../../words/numbers.ts';
import type { ChartPlan, ChartSeries } from '../../parts/chart.tsx';
import { lineColour } from '../../parts/colour.ts';
import { numberAt, type Order, type RunData, textAt } from '../data/run-data.ts';
import { drawMarks, drawStates, marksOf, orderAt } from './market-marks.ts';
import { ANY_OTHER, type MarketStory, type PositionLines, type PriceLines } from './market-series.ts';
import type { ShownSpan } from './market-spans.ts';

interface PricePlanParts {
  readonly story: MarketStory;
  readonly prices: PriceLines;
  readonly outcome: string;
  readonly chosen: Order | undefined;
  readonly linked: string;
  readonly shown: ShownSpan | undefined;
  readonly onCursor: (index: number | undefined) => void;
  readonly onChoose: (order: Order) => void;
}

export function pricePlan({
  story,
  prices,
  outcome,
  chosen,
  linked,
  shown,
  onCursor,
  onChoose,
}: PricePlanParts): ChartPlan {
  const marks = marksOf({
    orders: story.orders.filter((order) => order.outcome === outcome),
    fills: story.fills.filter(({ order }) => order.outcome === outcome),
    refused: story.refused.filter((each) => each.outcome === outcome),
    chosen: chosen?.outcome === outcome ? chosen : undefined,
  });
  const drawn = withPrices(prices, marks.fills);
  const line = (colour: string): ChartSeries => ({ label: colour, colour, kind: 'steps', alpha: 0.9 });
  return {
    label: 'Prices over time with own orders, fills and refused intents',
    x: 'time',
    linked,
    shown,
    ladder: true,
    data: [drawn.at, ...drawn.lines],
    series: [line('--back'), line('--back'), line('--lay'), line('--lay')],
    bands: [
      { upper: 1, lower: 0, colour: '--back-band' },
      { upper: 3, lower: 2, colour: '--lay-band' },
    ],
    value: (price) => amount(price, price < 100 ? 2 : 0),
    under: (chart) => drawStates(chart, story.states),
    over: (chart) => drawMarks(chart, marks),
    onCursor,
    onClick: (chart) => {
      const order = orderAt(chart, marks);
      if (order !== undefined) onChoose(order);
    },
  };
}

/** The prices with the scale of the fills where no prices were kept. */
function withPrices(prices: PriceLines, fills: MarketStory['fills']): PriceLines {
  if (prices.lines.some((line) => line.some((price) => price !== null)) || fills.length === 0) return prices;
  const [first = 0, last = 0] = [prices.at[0], prices.at.at(-1)];
  const all = fills.map(({ price }) => price);
  const low = all.reduce((a, b) => Math.min(a, b));
  const high = all.reduce((a, b) => Math.max(a, b));
  return {
    at: [first, last],
    lines: [
      [low * 0.98, null],
      [null, high * 1.02],
      [null, null],
      [null, null],
    ],
  };
}

interface PositionPlanParts {
  readonly story: MarketStory;
  readonly position: PositionLines;
  readonly linked: string;
  readonly shown: ShownSpan | undefined;
  readonly onCursor: (index: number | undefined) => void;
}

export function positionPlan({ story, position, linked, shown, onCursor }: PositionPlanParts): ChartPlan {
  return {
    label: `What the market brings if ${position.lines.map(({ label }) => label).join(', or ')} wins`,
    x: 'time',
    zero: true,
    linked,
    shown,
    data: [position.at, ...position.lines.map(({ values }) => values)],
    series: position.lines.map(({ label }, index) => ({
      label,
      colour: label === ANY_OTHER ? '--soft' : lineColour(index),
      kind: 'steps',
      width: 1.5,
    })),
    under: (chart) => drawStates(chart, story.states),
    onCursor,
  };
}

const PLOTS_DRAWN = 6;

/** Undefined where its strategies plotted nothing. */
export function plotPlan(
  data: RunData,
  story: MarketStory,
  look: Pick<ChartPlan, 'linked' | 'shown'>,
): ChartPlan | undefined {
  const table = data.table('plots');
  const rows = data.rowsOf('plots', story.market.id);
  if (rows.length === 0) return undefined;
  const isMany = data.facts.result.strategies.length > 1;
  const nameOf = (row: number): string =>
    `${isMany ? `${textAt(table, 'strategy', row)}: ` : ''}${textAt(table, 'name', row)}`;
  const byName = Map.groupBy(rows, nameOf);
  const names = [...byName.keys()].slice(0, PLOTS_DRAWN);
  const timeOf = (row: number): number => (numberAt(table, 'at', row) ?? 0) / 1000;
  // The charts of a market begin with its first order: of what was plotted before, the last value holds there.
  const shown = (time: number): number => Math.max(story.from, time);
  const at = [...new Set([story.from, ...rows.map((row) => shown(timeOf(row))), story.to])].toSorted((a, b) => a - b);
  const lines = names.map((name) => {
    const changes = new Map(
      (byName.get(name) ?? []).map((row) => [shown(timeOf(row)), numberAt(table, 'value', row) ?? null]),
    );
    // A value holds until the next one; null is a gap until then.
    let last: number | null = null;
    return at.map((time) => {
      const changed = changes.get(time);
      if (changed !== undefined) last = changed;
      return last;
    });
  });
  const drawn: uPlot.AlignedData = [at, ...lines];
  return {
    label: `Plotted: ${names.join(', ')}`,
    x: 'time',
    ...look,
    data: drawn,
    series: names.map((label, index) => ({
      label,
      colour: lineColour(index),
      kind: 'steps',
      width: 1.5,
      hasGaps: true,
    })),
  };
}
