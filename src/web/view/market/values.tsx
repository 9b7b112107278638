/** What the strategy said at an instant: its last note, and the values that it plotted. */

import type { ViewMarket, ViewPlot } from '../../../pages/view-data.ts';
import { amount, utcMs } from '../../../words/numbers.ts';
import { countUpTo } from '../play/book.ts';
import { type OwnAt, orderName } from '../play/own.ts';

interface ValuesParts {
  readonly market: ViewMarket;
  readonly own: readonly OwnAt[];
  readonly at: number;
}

export function Values({ market, own, at }: ValuesParts) {
  const noted = own.findLast(({ order }) => order.note !== undefined)?.order;
  if (noted === undefined && market.plots.length === 0) return null;
  const isMany = new Set(market.plots.map(({ strategy }) => strategy)).size > 1;
  return (
    <section class="card" id="values">
      <div class="head">
        <h3>What the strategy said</h3>
      </div>
      {noted !== undefined && (
        <p class="said">
          “{noted.note}”{' '}
          <small class="soft">
            {orderName(noted)}
            {noted.decidedAt !== undefined && `, ${utcMs(noted.decidedAt).slice(11, 23)}`}
          </small>
        </p>
      )}
      <dl>
        {market.plots.map((plot) => (
          <div key={`${plot.strategy} ${plot.name}`}>
            <dt>{isMany ? `${plot.strategy}: ${plot.name}` : plot.name}</dt>
            <dd>{valueText(valueAt(plot, at))}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function valueAt({ at: times, value }: ViewPlot, at: number): number | null | undefined {
  return value[countUpTo(times, at) - 1];
}

function valueText(value: number | null | undefined): string {
  if (value === undefined) return 'nothing yet';
  return value === null ? 'a gap' : amount(value, Number.isInteger(value) ? 0 : 4);
}
