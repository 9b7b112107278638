/** Draws the values that strategies plotted: each holds until the next. */

import type { ViewPlot } from '../../../pages/view-data.ts';
import { amount } from '../../../words/numbers.ts';
import { colour, lineColour } from '../../parts/colour.ts';
import { countUpTo } from '../play/book.ts';
import { drawValueAxis, type Frame, inside, type Pane, paneOf } from './pane.ts';
import { type Span, valuePlaces } from './span.ts';

/** The number of lines that can be told apart. */
export const PLOTS_DRAWN = 6;

export function plotPane(frame: Frame, place: Pick<Pane, 'top' | 'height'>, plots: readonly ViewPlot[]): Pane {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const plot of plots)
    for (const value of shownValues(plot, frame.span)) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  if (low > high) [low, high] = [0, 1];
  const pane = paneOf(frame, { ...place, low, high });
  const places = valuePlaces(low, high, 3);
  const [first = low, second = first] = places;
  // A line that never changes has one label, as exact as it is.
  const decimals = second > first ? Math.max(0, Math.min(4, -Math.floor(Math.log10(second - first)))) : 2;
  drawValueAxis(
    pane,
    places.map((value) => ({ value, text: amount(value, decimals) })),
  );
  return pane;
}

function* shownValues({ at, value }: ViewPlot, { from, to }: Span): Iterable<number> {
  const last = countUpTo(at, to);
  for (let place = Math.max(0, countUpTo(at, from) - 1); place < last; place += 1) {
    const each = value[place];
    if (each !== null && each !== undefined) yield each;
  }
}

export function drawPlots(pane: Pane, plots: readonly ViewPlot[], lastAt: number): void {
  const { ctx, span } = pane;
  inside(pane, () => {
    ctx.lineWidth = 1.5;
    for (const [index, { at, value }] of plots.entries()) {
      ctx.strokeStyle = colour(lineColour(index));
      ctx.beginPath();
      const last = countUpTo(at, span.to);
      let isDown = false;
      for (let place = Math.max(0, countUpTo(at, span.from) - 1); place < last; place += 1) {
        const each = value[place] ?? null;
        if (each !== null) {
          const level = pane.y(each);
          const from = pane.x(at[place] ?? 0);
          if (isDown) ctx.lineTo(from, level);
          else ctx.moveTo(from, level);
          ctx.lineTo(pane.x(at[place + 1] ?? lastAt), level);
        }
        isDown = each !== null;
      }
      ctx.stroke();
    }
  });
}
