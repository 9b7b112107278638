/** Luck and skill in the report: each figure in words with what it says and does not say, and the tables behind them. */

import type { QueueBand } from '../../pages/report/queue-bands.ts';
import type { ReportedResult, ReportFacts } from '../../pages/report/report-facts.ts';
import type { Interval } from '../../research/chance/bootstrap.ts';
import type { NotKnown } from '../../research/figure/not-known.ts';
import type { ClosingValue } from '../../research/run/closing-value.ts';
import { columnsOf, INTERVAL } from '../../result/figures/bounds.ts';
import type { ClosingValues, JudgedMarkets, RunStatistics } from '../../result/statistics.ts';
import { amount, count, plural, signed, tone } from '../../words/numbers.ts';
import { type FigureInWords, statisticsInWords } from '../text/statistics-words.ts';
import { type Html, html } from './html-text.ts';

export function luckAndSkill({ statistics, total, currency }: ReportedResult): Html | undefined {
  if (statistics === undefined) return undefined;
  if (columnsOf(total).every((bound) => total[bound]?.stakeMatched === 0)) {
    return html`<section class="card" id="luck"><h2>Luck and skill</h2><p class="empty">Nothing was matched: there is nothing to judge.</p></section>`;
  }
  const { eventGroups, unsettled, judged } = statistics;
  const open =
    unsettled === 0
      ? undefined
      : html`<p class="soft">${plural(unsettled, 'market')} with bets ${unsettled === 1 ? 'is' : 'are'} not settled in the recording, and in no figure of profit.</p>`;
  return html`<section class="card statistics" id="luck"><div class="head"><h2>Luck and skill <span class="soft">${plural(eventGroups, 'event group')}, ${currency}, central fills</span></h2></div>
<div class="figures">${statisticsInWords(statistics)
    .filter(({ label }) => !OF_FILLS.has(label))
    .map(figureBlock)}</div>${open}${leftOut(judged)}
<h3>Net profit under each bound of the fills, with 95 % intervals</h3>${intervals(statistics)}
<h3>The prices got, against later prices</h3>${closingTable(statistics.closingValue)}
<p class="soft">Value is what the bets were worth at that price, before commission. Bets matched in play are compared with the traded prices alone.</p></section>`;
}

/** Shown where the fills are. */
const OF_FILLS: ReadonlySet<string> = new Set(['fill bias', 'costs']);

/** What the fills were worth, and what the queues did to the orders. */
export function fills({ result: { statistics, orders }, queues }: ReportFacts): Html | undefined {
  if (orders.sent === 0 || statistics === undefined) return undefined;
  const words = statisticsInWords(statistics).filter(({ label }) => OF_FILLS.has(label));
  return html`<section class="card" id="fills-card"><div class="head"><h2>Fills <span class="soft">central</span></h2></div><div class="figures">${words.map(figureBlock)}</div>${queues.length === 0 ? undefined : queueTable(queues)}</section>`;
}

function queueTable(queues: readonly QueueBand[]): Html {
  const head = (label: string, about: string): Html => html`<th scope="col" title="${about}">${label}</th>`;
  const share = (part: number, of: number): string => `${amount((part / of) * 100, 1)} %`;
  return html`<div class="sideways" tabindex="0"><table class="plain" id="queues"><thead><tr>${head('Ahead in the queue', 'Stake before the order at its price when it began to rest')}${head('Orders', 'Orders that the exchange accepted')}${head('Matched whole', 'Of them, central fills')}${head('Matched in part', 'Of them, central fills')}${head('Of their stake', 'Matched stake of all stake')}${head('Median time to a full fill', 'From arrival to the end, of those matched whole')}</tr></thead><tbody>
${queues.map(({ label, orders, whole, part, stake, matched, medianWaitMs }) => html`<tr><td>${label}</td><td>${count(orders)}</td><td>${share(whole, orders)}</td><td>${share(part, orders)}</td><td>${stake > 0 ? share(matched, stake) : '–'}</td><td>${medianWaitMs === undefined ? '–' : seconds(medianWaitMs / 1000)}</td></tr>`)}</tbody></table></div>`;
}

function seconds(value: number): string {
  return value < 120 ? `${amount(value, 1)} s` : `${amount(value / 60, 1)} min`;
}

function figureBlock({ label, text, meaning }: FigureInWords): Html {
  const name = `${label.charAt(0).toUpperCase()}${label.slice(1)}`;
  const sentence = `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
  if (meaning === undefined) return html`<div><h3>${name}</h3><p class="soft">${sentence}</p></div>`;
  return html`<div title="${meaning.says}"><h3>${name}</h3><p>${sentence}</p><details><summary>What this says and does not say</summary><p>${meaning.says}</p><p>${meaning.doesNotSay}</p></details></div>`;
}

/** Why markets with bets are not in the luck. */
function leftOut({ leftOut: reasons }: JudgedMarkets): Html | undefined {
  if (reasons.length === 0) return undefined;
  return html`<p class="soft">Luck leaves out ${reasons.map(({ reason, markets }, at) => html`${at === 0 ? '' : '; '}${plural(markets, 'market')}: ${reason.charAt(0).toLowerCase()}${reason.slice(1, -1)}`)}.</p>`;
}

function intervals({ profitPerEvent, yieldPercent }: RunStatistics): Html {
  const row = (label: string, of: RunStatistics['profitPerEvent'], unit: string): Html =>
    html`<tr><td>${label}</td>${INTERVAL.map((bound) => intervalCell(of[bound], unit))}</tr>`;
  return html`<div class="sideways" tabindex="0"><table class="plain"><thead><tr><th scope="col">Figure</th>${INTERVAL.map((bound) => html`<th scope="col" title="${ORDERED[bound]}">${bound}</th>`)}</tr></thead><tbody>
${row('Net, per event group with a bet', profitPerEvent, '')}${row('Net, per stake', yieldPercent, ' %')}</tbody></table></div>`;
}

/** What the columns stand for, which need not be in the order of their profits. */
const ORDERED = {
  pessimistic: 'With pessimistic fills: cancellations behind your orders',
  central: 'With fills at the likely places of cancellations',
  optimistic: 'With optimistic fills: cancellations ahead of your orders',
} as const;

function intervalCell(interval: Interval | NotKnown, unit: string): Html {
  if (interval.kind === 'notKnown')
    return html`<td title="${interval.reason}">–<small class="reason">${interval.reason}</small></td>`;
  const { estimate, low, high } = interval;
  return html`<td class="${tone(estimate)}">${signed(estimate)}${unit}<small>${signed(low)} … ${signed(high)}</small></td>`;
}

const LATER: readonly { readonly key: keyof ClosingValues; readonly label: string }[] = [
  { key: 'startingPrice', label: 'Starting price' },
  { key: 'preOff', label: 'Last price before the off' },
  { key: 'after10s', label: 'Traded 10 s after the match' },
  { key: 'after60s', label: 'Traded 60 s after the match' },
];

function closingTable(values: ClosingValues): Html {
  return html`<div class="sideways" tabindex="0"><table class="plain"><thead><tr><th scope="col">Compared with</th><th scope="col">Bets</th><th scope="col">Stake</th><th scope="col">Value</th><th scope="col">Per stake, 95 %</th></tr></thead><tbody>
${LATER.map(({ key, label }) => closingRow(label, values[key]))}</tbody></table></div>`;
}

function closingRow(label: string, value: ClosingValue | NotKnown): Html {
  if (value.kind === 'notKnown')
    return html`<tr><td>${label}</td><td class="why" colspan="4">${value.reason}</td></tr>`;
  const { bets, stake, money, percent, interval } = value;
  const range = interval.kind === 'notKnown' ? interval.reason : `${signed(interval.low)} … ${signed(interval.high)}`;
  return html`<tr><td>${label}</td><td>${count(bets)}</td><td>${amount(stake)}</td><td class="${tone(money)}">${signed(money)}</td><td class="${tone(percent)}">${signed(percent)} %<small${interval.kind === 'notKnown' ? html` class="reason"` : undefined}>${range}</small></td></tr>`;
}
