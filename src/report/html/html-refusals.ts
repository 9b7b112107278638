/** What risk refused: how often, under which limit, and the first intents of each code one by one. */

import { REFUSALS, type RefusalMeaning } from '../../core/refusal.ts';
import { marketAddress } from '../../pages/market-address.ts';
import type { ReportedResult, ReportFacts } from '../../pages/report/report-facts.ts';
import { shownCell } from '../../result/columns/column.ts';
import { askedText } from '../../result/columns/refusal-columns.ts';
import type { RefusalRow } from '../../result/figures/refusal-rows.ts';
import { marketLabel } from '../../words/market-label.ts';
import { amount, count, plural, utcMs } from '../../words/numbers.ts';
import { type Html, html } from './html-text.ts';

export function refusals(facts: ReportFacts): Html | undefined {
  const { refusals: times, orders, settings } = facts.result;
  const counted = Object.entries<RefusalMeaning>(REFUSALS)
    .map(([code, meaning]) => ({ code, meaning, times: timesOf(times, code) }))
    .filter((each) => each.times > 0)
    .sort((a, b) => b.times - a.times);
  if (counted.length === 0) return undefined;
  const limits = settings.find(({ name }) => name === 'limits')?.value;
  const rows = counted.map(
    ({ code, meaning, times }) =>
      html`<tr><td><code>${code}</code></td><td>${count(times)}</td><td>${amount((times / Math.max(1, orders.intended)) * 100, 1)} %</td><td class="why">${meaning.means}${limitText(meaning)}</td></tr>`,
  );
  const sum = html`<tr class="sum"><td>all</td><td>${count(orders.refused)}</td><td>${amount((orders.refused / Math.max(1, orders.intended)) * 100, 1)} %</td><td></td></tr>`;
  const first = Map.groupBy(facts.refusedFirst, ({ code }) => String(code));
  const markets = new Map(facts.result.byMarket.map((market) => [market.id, marketLabel(market)]));
  const lists = counted.flatMap(({ code, times }) => {
    const shown = first.get(code) ?? [];
    return shown.length === 0
      ? []
      : [listOf({ code, times, rows: shown, markets, isBacktest: facts.kind === 'backtest' })];
  });
  return html`<section class="card" id="refusals"><div class="head"><h2>Refusals by limit <span class="soft">${plural(orders.refused, 'intent')} of ${count(orders.intended)}</span></h2></div>
<div class="sideways" tabindex="0"><table class="plain"><thead><tr><th scope="col">Code</th><th scope="col">Times</th><th scope="col">Of all intents</th><th scope="col" class="why">Why</th></tr></thead><tbody>${rows}${sum}</tbody></table></div>${limits === undefined ? undefined : html`<p class="soft small">Limits of the run: ${limits}.</p>`}
<h3>One by one</h3>${lists}</section>`;
}

interface CodeList {
  readonly code: string;
  readonly times: number;
  readonly rows: readonly RefusalRow[];
  /** Names by id of the markets that the page has. */
  readonly markets: ReadonlyMap<string, string>;
  /** It leaves CSV files behind. */
  readonly isBacktest: boolean;
}

/** The first intents that a code refused; of columns without a single cell nothing is shown. */
function listOf({ code, times, rows, markets, isBacktest }: CodeList): Html {
  const isOneEach = rows.every((row) => row.times === 1);
  const columns = COLUMNS.filter(
    ({ label, cell }) => rows.some((row) => cell(row, markets) !== undefined) && !(isOneEach && label === 'Times'),
  );
  const strategies = new Set(rows.map(({ strategy }) => strategy)).size;
  const shown = strategies > 1 ? [...columns.slice(0, 1), STRATEGY, ...columns.slice(1)] : columns;
  const head = shown.map(
    ({ label, kind }) => html`<th scope="col"${kind === 'why' ? html` class="why"` : undefined}>${label}</th>`,
  );
  const body = rows.map(
    (row) =>
      html`<tr>${shown.map(({ cell, kind }) => html`<td${kind === 'why' ? html` class="why"` : undefined}>${cell(row, markets)}</td>`)}</tr>\n`,
  );
  const shownTimes = rows.reduce((sum, each) => sum + each.times, 0);
  const rest = times - shownTimes;
  return html`<details class="under"><summary><code>${code}</code> ${plural(times, 'intent')}</summary>
<div class="sideways" tabindex="0"><table class="plain refused"><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div><p class="soft small">${shownTimes > rows.length ? 'Intents that asked for the same are one row, with the figures of the first. ' : ''}${rest > 0 ? `These are the first ${count(rows.length)} rows, of ${plural(shownTimes, 'intent')}; ${count(rest)} more came after them. The page of a market has the first of its own${isBacktest ? ', and refusals.csv those of all markets' : ''}.` : ''}</p></details>`;
}

interface ListColumn {
  readonly label: string;
  readonly kind?: 'why';
  readonly cell: (row: RefusalRow, markets: CodeList['markets']) => Html | string | undefined;
}

const figure = (value: number | undefined): string | undefined =>
  value === undefined ? undefined : amount(value, Number.isInteger(value) ? 0 : 2);

const COLUMNS: readonly ListColumn[] = [
  { label: 'Decided, UTC', cell: timesOfRow },
  { label: 'Times', cell: ({ times }) => count(times) },
  { label: 'Market', kind: 'why', cell: ({ marketId }, markets) => marketLink(marketId, markets.get(marketId)) },
  { label: 'Asked for', kind: 'why', cell: askedText },
  { label: 'Outcome', kind: 'why', cell: ({ outcomeTitle, outcomeId }) => outcomeTitle ?? outcomeId },
  { label: 'Price', cell: ({ price }) => (price === undefined ? undefined : shownCell('price', price)) },
  { label: 'Stake', cell: ({ stake }) => (stake === undefined ? undefined : amount(stake)) },
  { label: 'Limit', cell: ({ limit }) => figure(limit) },
  { label: 'Before', cell: ({ value }) => figure(value) },
  { label: 'Would be', cell: ({ wouldBe }) => figure(wouldBe) },
  { label: 'Note', kind: 'why', cell: ({ note }) => note },
];
const STRATEGY: ListColumn = { label: 'Strategy', kind: 'why', cell: ({ strategy }) => strategy };

function timesOfRow({ at, lastAt }: RefusalRow): Html {
  const last = utcMs(lastAt);
  return html`${utcMs(at)}${lastAt === at ? undefined : html`<small>to ${last.slice(0, 10) === utcMs(at).slice(0, 10) ? last.slice(11) : last}</small>`}`;
}

/** Opens the market's page. */
function marketLink(id: string, name: string | undefined): Html | string {
  return name === undefined ? id : html`<a href="${marketAddress(id)}">${name}</a>`;
}

function timesOf(times: ReportedResult['refusals'], code: string): number {
  return Object.entries(times).find(([name]) => name === code)?.[1] ?? 0;
}

function limitText({ limit }: RefusalMeaning): Html | undefined {
  return limit === undefined ? undefined : html` <code>limits.${limit}</code>`;
}
