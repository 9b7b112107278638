/** The parts of the report, from its result to HTML. */

import type { ReportedResult, ReportFacts } from '../../pages/report/report-facts.ts';
import { type ByBound, INTERVAL, mapBounds } from '../../result/figures/bounds.ts';
import { gradeText } from '../../result/grades.ts';
import type { StrategyUsed } from '../../result/run-facts.ts';
import { amount, count, percent, plural, signed, utc } from '../../words/numbers.ts';
import { countedRun } from '../text/counted-run.ts';
import { FILLS_MEANINGS } from '../text/table.ts';
import { hasCalibration } from './html-calibration.ts';
import { topNotes } from './html-notices.ts';
import { type Html, html } from './html-text.ts';

export const KINDS: Readonly<Record<ReportFacts['kind'], string>> = {
  backtest: 'backtest',
  live: 'live run',
  paper: 'paper run',
};

export function header(facts: ReportFacts): Html {
  const { kind, missing, result, settled, markets, grades: counted } = facts;
  const names = result.strategies.map((strategy) => strategy.name).join(', ');
  const span =
    settled === undefined
      ? undefined
      : html`<span>settled ${settled.first === settled.last ? '' : `${utc(settled.first)} to `}${utc(settled.last)} UTC</span>`;
  const grades = counted.map(([grade]) => grade).join(', ');
  return html`<header><p class="eyebrow">oddsmith ${KINDS[kind]}</p><h1>${names}</h1>
<p class="facts"><span>${plural(markets, 'market')}</span><span>${plural(result.updates, 'update')}</span>${span}${grades === '' ? undefined : html`<span>grade ${grades}</span>`}<span>seed ${result.seed}</span></p>
${topNotes(result)}${missing.length === 0 ? undefined : html`<p class="note plain-note">${missing.join(' ')}</p>`}</header>${parts(facts)}`;
}

/** Jumps to the parts of the page that it has. */
function parts({ result, settled }: ReportFacts): Html {
  const { statistics, orders, total } = result;
  const all: readonly (readonly [id: string, name: string, isThere: boolean])[] = [
    ['over-time', 'Profit', true],
    ['glance', 'Won and lost', settled !== undefined],
    ['luck', 'Luck and skill', statistics !== undefined],
    ['origins-card', 'Where from', total.central.stakeMatched > 0],
    ['fills-card', 'Fills', statistics !== undefined && orders.sent > 0],
    ['calibration', 'Calibration', statistics !== undefined && hasCalibration(statistics)],
    ['markets-place', 'Markets', result.byMarket.length > 0],
    ['flow', 'Orders', true],
    ['basis', 'Basis', true],
    ['refusals', 'Refusals', orders.refused > 0],
  ];
  const links = all.filter(([, , isThere]) => isThere).map(([id, name]) => html`<a href="#${id}">${name}</a>`);
  return html`<nav aria-label="Parts of the report">${links}</nav>`;
}

export function tiles({ kind, result, settledStake }: ReportFacts): Html {
  const { total } = result;
  const isBacktest = kind === 'backtest';
  const same = isBacktest ? 'in all three bounds' : '';
  const yields = mapBounds(total, ({ profitNet }, bound) => ({ profitNet, stake: settledStake[bound] ?? 0 }));
  const sent = plural(result.orders.sent, 'order');
  return html`<section class="tiles" aria-label="Summary">
${moneyTile('Stake matched', total, { same, of: (profit) => profit.stakeMatched, text: amount, about: "Backer's stake of all that matched." })}
${moneyTile('Yield on stake', yields, { same, of: ({ profitNet, stake }) => (stake === 0 ? undefined : profitNet / stake), text: percent, about: 'Net profit per stake matched in markets that were settled.', none: total.central.stakeMatched === 0 ? 'nothing matched' : 'nothing settled' })}
${isBacktest ? moneyTile('Greened up, gross', total, { same, of: (profit) => profit.markToMarket, text: signed, about: GREENED_UP, none: total.central.stakeMatched === 0 ? 'nothing to close' : 'no last prices to close at' }) : undefined}
${moneyTile('Gross profit', total, { same, of: (profit) => profit.profitGross, text: signed, about: 'Settled profit before commission.' })}
${moneyTile('Commission', total, { same, of: (profit) => profit.commission, text: amount, about: "On each market's net winnings." })}
${tile({ label: 'Decisions', value: count(result.decisions), note: `${sent} sent`, about: isBacktest ? 'How often the strategies were asked.' : 'Decisions in the journal.' })}</section>`;
}

export const GREENED_UP = 'Gross profit had each position been closed evenly at the last prices before the result.';

interface Tile {
  readonly label: string;
  readonly value: string;
  readonly note: string;
  readonly about: string;
}

function tile({ label, value, note, about }: Tile): Html {
  return html`<div class="tile" title="${about}"><span>${label}</span><b>${value}</b><span>${note}</span></div>`;
}

interface Figure<One> {
  readonly of: (one: One) => number | undefined;
  readonly text: (value: number) => string;
  readonly about: string;
  /** What is said where all bounds have the same figure. */
  readonly same: string;
  /** What is said where there is no figure. */
  readonly none?: string;
}

/** The central figure over the lowest and the highest of the three: it may lie at an end, never outside. */
function moneyTile<One>(label: string, total: ByBound<One>, figure: Figure<One>): Html {
  const { of, text, about, same, none = 'nothing matched' } = figure;
  const all = INTERVAL.flatMap((bound) => of(total[bound]) ?? []);
  const central = of(total.central);
  if (central === undefined) return tile({ label, value: '–', note: none, about });
  const [low, high] = [text(Math.min(...all)), text(Math.max(...all))];
  return tile({ label, value: text(central), note: low === high ? same : `${low} … ${high}`, about });
}

/** The script draws the chart in its place. */
export function curve({ result, settled }: ReportFacts): Html {
  const body =
    settled === undefined
      ? html`<p class="empty">No market was settled, so there is no profit to draw.</p>`
      : html`<div id="profit">${WITHOUT_SCRIPT}</div>`;
  return html`<section class="card" id="over-time"><h2>Net profit over time <span class="soft">${result.currency}</span></h2>${body}</section>`;
}

/** The text that stands where the script puts what it draws. */
export const WITHOUT_SCRIPT = html`<p class="empty">This part of the page is drawn by its script.</p>`;

/** Drawn by the script from the markets. */
export function glance({ settled }: ReportFacts): Html | undefined {
  if (settled === undefined) return undefined;
  return html`<section class="card" id="glance"><h2>Markets won and lost <span class="soft">net, central fills</span></h2><div id="glance-place">${WITHOUT_SCRIPT}</div></section>`;
}

/** Drawn by the script from the orders. */
export function origins({ result }: ReportFacts): Html | undefined {
  if (result.total.central.stakeMatched === 0) return undefined;
  return html`<section class="card" id="origins-card"><h2>Where it comes from <span class="soft">${result.currency}</span></h2><div id="origins-place">${WITHOUT_SCRIPT}</div></section>`;
}

/** The table of markets, which the script draws: rows are sorted, filtered and opened there. */
export function markets({ markets: all }: ReportFacts): Html {
  if (all === 0)
    return html`<section class="card"><h2>Markets</h2><p class="empty">No market was replayed.</p></section>`;
  return html`<div id="markets-place"><section class="card"><h2>Markets <span class="soft">${count(all)}</span></h2>${WITHOUT_SCRIPT}</section></div>`;
}

export function orderFlow(result: ReportedResult): Html {
  const { orders } = result;
  const most = Math.max(1, orders.intended);
  const bar = (label: string, value: number, off = false): Html =>
    html`<div><span>${label}</span><svg role="presentation"><rect class="track" width="100%" height="10" rx="5"/><rect class="${off ? 'off' : 'on'}" width="${Math.min(100, (value / most) * 100).toFixed(1)}%" height="10" rx="5"/></svg><b>${count(value)}</b></div>`;
  const reasons = Object.entries(result.rejections).map(
    ([code, times]) => html`<li><code>${code}</code><b>${count(times)}</b><small>rejected by the exchange</small></li>`,
  );
  const counted = countedRun(result);
  return html`<section class="card" id="flow"><div class="head"><h2>Orders</h2></div>${addedUp(orders)}<div class="flow">${bar('intents', orders.intended)}${bar('refused', orders.refused, true)}${bar('cancellations', orders.cancellations, true)}${orders.cancellationsRepeated === 0 ? undefined : bar('repeated cancellations', orders.cancellationsRepeated, true)}${bar('sent', orders.sent)}${bar('rejected', orders.rejected, true)}${bar('accepted', orders.accepted)}${bar('matched in full', orders.matchedFully)}${bar('matched in part', orders.matchedPartly)}${bar('not matched', orders.unmatched)}${bar('cancelled', orders.cancelled)}</div>
${unanswered(orders)}${counted === undefined ? undefined : html`<p class="soft small">${counted.charAt(0).toUpperCase()}${counted.slice(1)}.</p>`}${reasons.length === 0 ? undefined : html`<ul class="reasons">${reasons}</ul>`}</section>`;
}

/** What adds up to what: the bars alone do not say it. */
function addedUp(orders: ReportedResult['orders']): Html {
  const { intended, refused, cancellations, cancellationsRepeated, sent, accepted, rejected, unanswered } = orders;
  const { matchedFully, matchedPartly, unmatched, cancelled } = orders;
  const repeated = cancellationsRepeated === 0 ? '' : ` + ${plural(cancellationsRepeated, 'repeated cancellation')}`;
  const open = unanswered === 0 ? '' : ` + ${count(unanswered)} unanswered`;
  return html`<p class="soft small">${plural(intended, 'intent')} of the strategies = ${count(refused)} refused + ${plural(cancellations, 'cancellation')}${repeated} + ${plural(sent, 'order')} sent. ${plural(sent, 'order')} sent = ${count(accepted)} accepted + ${count(rejected)} rejected${open}. ${count(accepted)} accepted = ${count(matchedFully)} matched in full + ${count(matchedPartly)} in part + ${count(unmatched)} not at all + ${count(cancelled)} cancelled.</p>`;
}

function unanswered({ unanswered: orders }: ReportedResult['orders']): Html | undefined {
  if (orders === 0) return undefined;
  return html`<p class="soft">${plural(orders, 'order')} sent had no answer when the recording ended.</p>`;
}

export function basis({ kind, result, grades }: ReportFacts): Html {
  return html`<section class="card" id="basis"><div class="head"><h2>What this rests on</h2></div><dl>
${grades.map(([grade, markets]) => html`<dt>grade ${grade}</dt><dd>${gradeText(grade, markets)}</dd>`)}
${kind === 'backtest' ? html`<dt>fills</dt><dd>${FILLS_MEANINGS[result.fills]}</dd>` : undefined}
${result.settings.map((setting) => html`<dt>${setting.name}</dt><dd>${setting.value}</dd>`)}
${result.strategies.map((strategy) => html`<dt>strategy</dt><dd>${strategy.name}<br><code>${strategy.file}</code>${params(strategy)}</dd>`)}
${result.wallets.map((wallet) => html`<dt>wallet ${wallet.name}</dt><dd>${wallet.balanceStart === undefined ? (kind === 'live' ? 'that of the exchange' : 'unlimited') : `${amount(wallet.balanceStart)} ${wallet.currency}`}${wallet.balanceEnd === undefined ? '' : `, at the end ${amount(wallet.balanceEnd)}`}</dd>`)}
${result.tapes.map((tape) => html`<dt>tape</dt><dd>${tape.path}<br><code>sha256 ${tape.sha256}</code></dd>`)}
${result.transcriptSha256 === '' ? undefined : html`<dt>transcript</dt><dd><code>${result.transcriptSha256}</code></dd>`}</dl></section>`;
}

function params({ params: values, durations = {} }: StrategyUsed): Html | undefined {
  const pairs = Object.entries({ ...values, ...durations }).map(
    ([name, value]) => `${name} = ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return pairs.length === 0 ? undefined : html`<br><code>${pairs.join(' · ')}</code>`;
}

export function leftOut(result: ReportedResult): Html | undefined {
  if (result.leftOut.length === 0) return undefined;
  const shown = result.leftOut.slice(0, 50);
  const rest = result.leftOut.length - shown.length;
  return html`<section class="card"><div class="head"><h2>Not replayed <span class="soft">${count(result.leftOut.length)}</span></h2></div><dl>${shown.map((market) => html`<dt>${market.id}</dt><dd>${market.name}: ${market.reason}</dd>`)}</dl>${rest > 0 ? html`<p class="soft">and ${count(rest)} more: they are in result.json</p>` : undefined}</section>`;
}

export function footer({ kind, result }: ReportFacts): Html {
  if (kind !== 'backtest') return html`<footer><p>oddsmith ${result.version}</p></footer>`;
  return html`<footer><p>Each bound is a world in which the strategies live their own fills. Of orders that do not hang on fills, the matched stake is in the order pessimistic, central, optimistic; of a strategy that answers to its fills, the worlds are samples of what could have been. Profit is in no order: where a strategy loses, the pessimistic bound may be the best of the three. A recording cannot know how others would have reacted to these orders: the interval is all that can honestly be said, and the central value no more than its likeliest place. The same recordings, configuration and seed give the same transcript on any machine.</p><p>oddsmith ${result.version}</p></footer>`;
}
