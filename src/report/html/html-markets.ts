/** The table of markets in the report, which its script sorts and filters. */

import { GRADE_MEANINGS } from '../../core/market.ts';
import { amount, count, signed, utc } from '../numbers.ts';
import type { BacktestResult, MarketResult } from '../result.ts';
import { marketLabel } from '../text/market-label.ts';
import { GREENED_UP, tone } from './html-sections.ts';
import { type Html, html } from './html-text.ts';

/** The script sorts numbers by size and texts by letters. */
interface MarketColumn {
  readonly label: string;
  readonly kind: 'text' | 'number';
  readonly about: string;
  /** The whole table cell; its `data-value` is what the script sorts by. */
  readonly cell: (market: MarketResult) => Html;
}

const COLUMNS: readonly MarketColumn[] = [
  {
    label: 'Market',
    kind: 'text',
    about: 'Event, market and id',
    cell: (market) =>
      html`<td data-value="${marketLabel(market)} ${market.id}">${marketLabel(market)}<small>${market.id}</small></td>`,
  },
  {
    label: 'Net profit',
    kind: 'number',
    about: 'After commission, with central fills',
    cell: ({ profit }) => profitCell(profit.central.profitNet, html`<b>${signed(profit.central.profitNet)}</b>`),
  },
  {
    label: 'Pessimistic',
    kind: 'number',
    about: 'Net profit, with cancellations behind your orders',
    cell: ({ profit }) => profitCell(profit.pessimistic.profitNet),
  },
  {
    label: 'Optimistic',
    kind: 'number',
    about: 'Net profit, with cancellations ahead of your orders',
    cell: ({ profit }) => profitCell(profit.optimistic.profitNet),
  },
  {
    label: 'Greened up',
    kind: 'number',
    about: GREENED_UP,
    cell: ({ profit: { central } }) =>
      central.markToMarket === undefined ? html`<td data-value="-Infinity">–</td>` : profitCell(central.markToMarket),
  },
  {
    label: 'Commission',
    kind: 'number',
    about: "On the market's net winnings, central",
    cell: ({ profit: { central } }) => html`<td data-value="${central.commission}">${amount(central.commission)}</td>`,
  },
  {
    label: 'Matched',
    kind: 'number',
    about: "Backer's stake matched, central",
    cell: ({ profit: { central } }) =>
      html`<td data-value="${central.stakeMatched}">${amount(central.stakeMatched)}</td>`,
  },
  {
    label: 'Orders',
    kind: 'number',
    about: 'Orders the exchange accepted',
    cell: ({ orders }) => html`<td data-value="${orders}">${count(orders)}</td>`,
  },
  {
    label: 'Grade',
    kind: 'text',
    about: 'What the recording can bear',
    cell: ({ grade }) => html`<td data-value="${grade}"><span title="${GRADE_MEANINGS[grade]}">${grade}</span></td>`,
  },
  { label: 'Settled, UTC', kind: 'number', about: 'When the market was settled', cell: settledCell },
];

const ROWS_MAX = 5000;

export function markets(result: BacktestResult): Html {
  if (result.byMarket.length === 0)
    return html`<section class="card"><h2>Markets</h2><p class="empty">No market was replayed.</p></section>`;
  const shown = result.byMarket.length <= ROWS_MAX ? result.byMarket : largest(result.byMarket);
  const cut =
    shown.length < result.byMarket.length
      ? html` <span class="soft">of ${count(result.byMarket.length)}, those with the largest results</span>`
      : undefined;
  const heads = COLUMNS.map(
    ({ label, kind, about }) =>
      html`<th scope="col" data-kind="${kind}" title="${about}"><button type="button">${label}</button></th>`,
  );
  const search = html`<input id="search" type="search" placeholder="Find a market" aria-label="Find a market">`;
  return html`<section class="card"><div class="head"><h2>Markets <span class="soft">${count(shown.length)}</span>${cut}</h2>${shown.length > 5 ? search : undefined}</div>
<div class="scroll"><table id="markets"><thead><tr>${heads}</tr></thead><tbody>
${shown.map((market) => html`<tr>${COLUMNS.map(({ cell }) => cell(market))}</tr>\n`)}</tbody></table></div></section>`;
}

function largest(all: readonly MarketResult[]): readonly MarketResult[] {
  const size = (market: MarketResult): number => Math.abs(market.profit.central.profitNet);
  const kept = new Set([...all].sort((a, b) => size(b) - size(a)).slice(0, ROWS_MAX));
  return all.filter((market) => kept.has(market));
}

function profitCell(value: number, text: Html = html`${signed(value)}`): Html {
  return html`<td class="${tone(value)}" data-value="${value}">${text}</td>`;
}

/** A voided market says so: its row of zeros would puzzle without the word. */
function settledCell({ settledAt, status }: MarketResult): Html {
  if (settledAt === undefined) return html`<td data-value="0">${status}</td>`;
  const voided = status === 'Voided' ? html`<small>Voided</small>` : undefined;
  return html`<td data-value="${settledAt}">${utc(settledAt).slice(0, 16)}${voided}</td>`;
}
