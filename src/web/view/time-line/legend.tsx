/** What the marks of the time line mean, and what lies beneath the pointer. */

import type { ViewMarket } from '../../../pages/view-data.ts';
import { plural, utc } from '../../../words/numbers.ts';
import { PLOT_COLOURS, PLOTS_DRAWN } from './draw-plots.ts';
import type { Span } from './span.ts';
import type { UsualSpan } from './usual-spans.ts';

interface LegendParts {
  readonly market: ViewMarket;
  readonly outcome: number;
  readonly hover: number | undefined;
  readonly isZoomed: boolean;
  readonly spans: readonly UsualSpan[];
  /** Without one: the whole market. */
  readonly onSpan: (span: Span | undefined) => void;
}

export function Legend({ market, outcome, hover, isZoomed, spans, onSpan }: LegendParts) {
  return (
    <p class="legend">
      <b>{market.outcomes[outcome]?.title}</b>
      <span>
        <i class="swatch band-back" />
        to back
      </span>
      <span>
        <i class="swatch band-lay" />
        to lay
      </span>
      <span title="▲ an own order that backs was filled, ▼ one that lays">▲▼ own fills</span>
      <span>
        <i class="swatch still" />
        suspended
      </span>
      <span>
        <i class="swatch running" />
        in play
      </span>
      {hover === undefined ? (
        <span class="spans">
          <span>{hintText()}</span>
          {spans.map(({ label, span }) => (
            <button
              key={label}
              type="button"
              class="quiet"
              title="Shows this part of the market"
              onClick={() => onSpan(span)}
            >
              {label}
            </button>
          ))}
          <button
            type="button"
            class="quiet"
            disabled={!isZoomed}
            title="Or a double click"
            onClick={() => onSpan(undefined)}
          >
            Whole span
          </button>
        </span>
      ) : (
        <span class="hovered">{hoverText(market, outcome, hover)}</span>
      )}
    </p>
  );
}

function hintText(): string {
  return matchMedia('(pointer: coarse)').matches ? 'touch to go there' : 'click to go there, select to zoom';
}

/** What the stretch beneath the pointer holds. */
function hoverText({ prices }: ViewMarket, outcome: number, at: number): string {
  const columns = prices.outcomes[outcome];
  const place = Math.floor((at - prices.startAt) / prices.stretchMs);
  const back = rangeText(columns?.backLow[place], columns?.backHigh[place]);
  const lay = rangeText(columns?.layLow[place], columns?.layHigh[place]);
  return `${utc(at).slice(11)}: back ${back}, lay ${lay}, ${plural(prices.updates[place] ?? 0, 'update')}`;
}

function rangeText(low: number | null | undefined, high: number | null | undefined): string {
  if (low === null || low === undefined || high === null || high === undefined) return '–';
  return low === high ? low.toFixed(2) : `${low.toFixed(2)} to ${high.toFixed(2)}`;
}

export function PlotLegend({ market: { plots } }: { readonly market: ViewMarket }) {
  if (plots.length === 0) return null;
  const isMany = new Set(plots.map(({ strategy }) => strategy)).size > 1;
  return (
    <p class="legend plots">
      {plots.slice(0, PLOTS_DRAWN).map(({ strategy, name }, index) => (
        <span key={`${strategy} ${name}`} title={`Plotted by ${strategy}`}>
          <i class="swatch" style={{ background: `var(${PLOT_COLOURS[index]})` }} />
          {isMany ? `${strategy}: ${name}` : name}
        </span>
      ))}
      {plots.length > PLOTS_DRAWN && <span>and {plots.length - PLOTS_DRAWN} more, below</span>}
    </p>
  );
}
