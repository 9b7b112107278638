/** The head of a report: what was made or lost as one sentence, and its interval over the fills with each figure under its own mark. */

import type { ReportFacts } from '../../pages/report/report-facts.ts';
import { type Bound, type ByBound, columnsOf, INTERVAL, mapBounds } from '../../result/figures/bounds.ts';
import { amount, count, percent, signed, tone } from '../../words/numbers.ts';
import { headline } from '../text/headline.ts';
import { refillText } from '../text/refill-text.ts';
import { type Html, html } from './html-text.ts';

export function firstSight(facts: ReportFacts): Html {
  const { kind, result, markets, settled, settledStake } = facts;
  const { money, sureness } = headline({
    ...result,
    markets,
    isSettled: settled !== undefined,
    settledStake: settledStake.central,
  });
  const toneOf = settled === undefined ? '' : tone(result.total.central.profitNet);
  return html`<section class="card first" id="result"><p class="headline"><b class="${toneOf}">${money}</b> ${sureness}</p>
${kind === 'backtest' && settled !== undefined ? interval(facts) : undefined}</section>`;
}

function interval({ result }: ReportFacts): Html | undefined {
  const net = mapBounds(result.total, (profit) => profit.profitNet);
  const bounds = columnsOf(net);
  const refill = refillText(result.total);
  const words = result.fills === 'central' ? ONE_WORLD : WORLDS;
  return html`${result.fills === 'central' ? undefined : range(net)}<p class="soft small">${words}${bounds.length > INTERVAL.length ? EXTREMES : ''}</p>${refill === undefined ? undefined : html`<p class="soft small">${refill.charAt(0).toUpperCase()}${refill.slice(1)}.</p>`}`;
}

const ONE_WORLD = 'Central fills alone: nobody asked for the interval.';
const WORLDS =
  'Net profit in each world of fills. Nobody recorded where in the queue others cancelled: behind your orders (pessimistic), at the likeliest places (central), ahead of them (optimistic).';
const EXTREMES = ' Lowest: last in every queue. Highest: first in every queue.';

/** Zero lies on the bar as well, so that a loss looks like one. The page's script moves labels apart where they collide. */
function range(net: ByBound<number>): Html {
  const figures = columnsOf(net).flatMap((bound) => {
    const value = net[bound];
    return value === undefined ? [] : [{ bound, value }];
  });
  const values = figures.map(({ value }) => value);
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values);
  const place = (value: number): number => (high === low ? 50 : 4 + ((value - low) / (high - low)) * 92);
  const span = (kind: string, bounds: readonly Bound[]): Html => {
    const [from, to] = endsOf(net, bounds);
    return html`<rect class="${kind}" x="${text(place(from))}%" width="${text(place(to) - place(from))}%" y="34" height="8" rx="4"/>`;
  };
  const [least, most] = endsOf(net, INTERVAL);
  // By profit and not by bound: a losing strategy may lose least where the fewest of its orders fill.
  const marks = figures
    .toSorted((a, b) => a.value - b.value)
    .map(({ bound, value }) => mark({ at: text(place(value)), word: bound, number: signed(value), tone: tone(value) }));
  const zero = values.includes(0)
    ? undefined
    : mark({ at: text(place(0)), word: undefined, number: '0', tone: 'zero' });
  return html`<svg class="range" role="img" aria-label="Net profit from ${signed(least)} to ${signed(most)}, central ${signed(net.central)}"><rect class="track" x="0" width="100%" y="34" height="8" rx="4"/>${values.length > INTERVAL.length ? span('outer', columnsOf(net)) : undefined}${span('span', INTERVAL)}${zero}${marks}</svg>`;
}

interface Mark {
  /** The place in per cent of the width. */
  readonly at: string;
  readonly word: string | undefined;
  readonly number: string;
  readonly tone: string;
}

/** The word above the bar, the number below it, each on a line that leads to the mark. */
function mark({ at, word, number, tone: kind }: Mark): Html {
  const isCentral = word === 'central';
  const width = isCentral ? 4 : 2;
  return html`<g class="mark ${kind} ${word ?? 'none'}">${word === undefined ? undefined : html`<line x1="${at}%" x2="${at}%" y1="30" y2="18"/><text class="word" x="${at}%" y="13">${word}</text>`}<line x1="${at}%" x2="${at}%" y1="46" y2="58"/><text class="number" x="${at}%" y="73">${number}</text><rect x="${at}%" width="${width}" y="${isCentral ? 28 : 31}" height="${isCentral ? 20 : 14}" rx="1"/></g>`;
}

function endsOf(net: ByBound<number>, bounds: readonly Bound[]): readonly [number, number] {
  const values = bounds.flatMap((bound) => net[bound] ?? []);
  return [Math.min(...values), Math.max(...values)];
}

function text(place: number): string {
  return place.toFixed(2);
}

/** Undefined where there is one strategy. */
export function strategies({ strategies: all, result }: ReportFacts): Html | undefined {
  if (all.length < 2) return undefined;
  const isInterval = result.fills !== 'central' && all.some(({ worlds }) => worlds.pessimistic !== undefined);
  const rows = all.map(({ name, worlds }) => {
    const { orders = 0, stakeMatched = 0, profitGross = 0 } = worlds.central ?? {};
    const ends = INTERVAL.map((bound) => worlds[bound]?.profitGross ?? 0);
    const interval = isInterval
      ? html`<td>${signed(Math.min(...ends))} … ${signed(Math.max(...ends))}</td>`
      : undefined;
    return html`<tr><td class="text">${name}</td><td>${count(orders)}</td><td>${amount(stakeMatched)}</td><td class="${tone(profitGross)}">${signed(profitGross)}</td>${interval}<td>${stakeMatched === 0 ? '–' : percent(profitGross / stakeMatched)}</td></tr>`;
  });
  return html`<section class="card" id="strategies"><h2>By strategy <span class="soft">${result.currency}</span></h2><div class="sideways" tabindex="0"><table class="plain"><thead><tr><th scope="col">Strategy</th><th scope="col">Orders</th><th scope="col">Matched</th><th scope="col">Gross profit</th>${isInterval ? html`<th scope="col">Interval</th>` : undefined}<th scope="col">Gross yield</th></tr></thead><tbody>${rows}</tbody></table></div><p class="soft small">Before commission, which is charged on whole markets.</p></section>`;
}
