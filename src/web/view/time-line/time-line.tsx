/** A market from its first update to its last: to see what happened when, and to go there. */

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ViewMarket } from '../../../pages/view-data.ts';
import { utcMs } from '../../../words/numbers.ts';
import { onColours } from '../../parts/colour.ts';
import type { Player } from '../play/player.ts';
import { drawTimeLine, heightOf } from './draw-time-line.ts';
import { Legend, PlotLegend } from './legend.tsx';
import { GUTTER } from './pane.ts';
import { following, type Span } from './span.ts';
import './time-line.css';
import { usePointer } from './use-pointer.ts';
import { usualSpans } from './usual-spans.ts';

interface TimeLineParts {
  readonly market: ViewMarket;
  readonly player: Player;
  readonly act: (change: (player: Player) => void) => void;
  readonly outcome: number;
}

export function TimeLine({ market, player, act, outcome }: TimeLineParts) {
  const whole = useMemo(
    (): Span => ({ from: market.firstAt, to: Math.max(market.lastAt, market.firstAt + 1) }),
    [market],
  );
  const [span, setSpan] = useState(whole);
  const spans = useMemo(() => usualSpans(market), [market]);
  const place = useRef<HTMLDivElement>(null);
  const at = player.goal ?? player.at;
  const pointer = usePointer({ place, span, whole, at, onSpan: setSpan, onSeek: (to) => act((each) => each.seek(to)) });
  useEffect(() => {
    if (player.direction !== 0) setSpan((before) => following(before, whole, at));
  }, [at, player.direction, whole]);
  const width = useCanvas(place, market, outcome, span);
  const isZoomed = span.from > whole.from || span.to < whole.to;
  const pixels = (instant: number): number =>
    GUTTER.left + ((instant - span.from) / (span.to - span.from)) * (width - GUTTER.left - GUTTER.right);
  const { hover, selection } = pointer;
  return (
    <section class="card time-line">
      <Legend
        market={market}
        outcome={outcome}
        hover={hover}
        isZoomed={isZoomed}
        spans={spans}
        onSpan={(to) => setSpan(to ?? whole)}
      />
      <div
        class="line"
        ref={place}
        role="slider"
        tabIndex={0}
        aria-label={`Instant of the market, over the prices of ${market.outcomes[outcome]?.title}`}
        aria-valuemin={whole.from}
        aria-valuemax={whole.to}
        aria-valuenow={at}
        aria-valuetext={`${utcMs(at)} UTC`}
        style={{ height: `${heightOf(market)}px` }}
      >
        <canvas />
        {hover !== undefined && <i class="hover" style={{ transform: `translateX(${pixels(hover)}px)` }} />}
        {selection !== undefined && (
          <i
            class="selection"
            style={{
              left: `${pixels(Math.min(selection.from, selection.to))}px`,
              width: `${Math.abs(pixels(selection.to) - pixels(selection.from))}px`,
            }}
          />
        )}
        {at >= span.from && at <= span.to && <i class="instant" style={{ transform: `translateX(${pixels(at)}px)` }} />}
      </div>
      <PlotLegend market={market} />
    </section>
  );
}

/** Drawn anew where something of it changed: not while the market is played. Returns its width. */
function useCanvas(place: { current: HTMLDivElement | null }, market: ViewMarket, outcome: number, span: Span): number {
  const [width, setWidth] = useState(0);
  const [colours, setColours] = useState(0);
  useLayoutEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const sized = new ResizeObserver(() => setWidth(element.clientWidth));
    sized.observe(element);
    const ended = onColours(() => setColours((before) => before + 1));
    return () => {
      sized.disconnect();
      ended();
    };
  }, []);
  useLayoutEffect(() => {
    const canvas = place.current?.querySelector('canvas');
    if (canvas && width > 0) drawTimeLine(canvas, { market, outcome, span, width });
  }, [market, outcome, span, width, colours]);
  return width;
}
