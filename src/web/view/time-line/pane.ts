/** A part of the time line’s canvas with a value axis of its own, above the one time axis that all share. */

import { colour } from '../../parts/colour.ts';
import { timeLabels } from '../../parts/time-labels.ts';
import { type Span, timePlaces } from './span.ts';

export interface Pane {
  readonly ctx: CanvasRenderingContext2D;
  readonly span: Span;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** Pixels of an instant in ms UTC, and of a value. */
  x(at: number): number;
  y(value: number): number;
}

export interface Frame {
  readonly ctx: CanvasRenderingContext2D;
  readonly span: Span;
  readonly left: number;
  readonly width: number;
}

/** Room left of the panes for figures, and right of them. */
export const GUTTER = { left: 50, right: 8 };
/** Room of the time axis. */
export const TIMES_HEIGHT = 36;
const FONT = '12px system-ui, sans-serif';

interface PanePlace {
  readonly top: number;
  readonly height: number;
  /** The range of the values. */
  readonly low: number;
  readonly high: number;
}

/** The values get a little air above and below. */
export function paneOf(frame: Frame, { top, height, low, high }: PanePlace): Pane {
  const { span, left, width } = frame;
  const air = (high - low) * 0.08 || 0.5;
  const [bottom, range] = [low - air, high - low + 2 * air];
  return {
    ...frame,
    top,
    height,
    x: (at) => left + ((at - span.from) / (span.to - span.from)) * width,
    y: (value) => top + height * (1 - (value - bottom) / range),
  };
}

/** Draws inside of the pane alone. */
export function inside({ ctx, left, top, width, height }: Pane, draw: () => void): void {
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, width, height);
  ctx.clip();
  draw();
  ctx.restore();
}

export interface Label {
  readonly value: number;
  readonly text: string;
}

export function drawValueAxis(pane: Pane, labels: readonly Label[]): void {
  const { ctx, left, width, top, height } = pane;
  ctx.font = FONT;
  ctx.textAlign = 'right';
  ctx.textBaseline = 'middle';
  ctx.lineWidth = 1;
  for (const { value, text } of labels) {
    const y = Math.round(pane.y(value)) + 0.5;
    if (y < top || y > top + height) continue;
    ctx.strokeStyle = colour('--line');
    ctx.beginPath();
    ctx.moveTo(left, y);
    ctx.lineTo(left + width, y);
    ctx.stroke();
    ctx.fillStyle = colour('--soft');
    ctx.fillText(text, left - 7, y);
  }
}

/** Pixels that the label of a time needs. */
const TIME_WIDTH = 80;

export function drawTimes({ ctx, span, left, width }: Frame, panes: readonly Pane[]): void {
  const last = panes.at(-1);
  const [first] = panes;
  if (first === undefined || last === undefined) return;
  const { places, step } = timePlaces(span, Math.max(2, Math.floor(width / TIME_WIDTH)));
  const labels = timeLabels(places, step);
  ctx.font = FONT;
  ctx.textAlign = 'center';
  ctx.textBaseline = 'top';
  for (const [index, place] of places.entries()) {
    const x = Math.round(first.x(place * 1000)) + 0.5;
    ctx.strokeStyle = colour('--line');
    ctx.lineWidth = 1;
    ctx.beginPath();
    for (const { top, height } of panes) {
      ctx.moveTo(x, top);
      ctx.lineTo(x, top + height);
    }
    ctx.stroke();
    ctx.fillStyle = colour('--soft');
    const bounded = Math.max(left + 14, Math.min(left + width - 16, x));
    for (const [line, text] of (labels[index] ?? '').split('\n').entries())
      ctx.fillText(text, bounded, last.top + last.height + 5 + line * 15);
  }
}
