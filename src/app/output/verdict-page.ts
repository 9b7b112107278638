/** The page of `oddsmith sandbox --betfair --report`: what the exchange holds of each account, market by market and bet by bet. */

import { packageVersion } from '../../package/running-package.ts';
import { type Html, html } from '../../report/html/html-text.ts';
import { htmlPage } from '../../report/html/page.ts';
import type { BetfairFace } from '../../sandbox-betfair/face/betfair-face.ts';
import type { BetSizes } from '../../sandbox-betfair/state/bet-sizes.ts';
import type { AccountVerdict, BetVerdict, MarketVerdict } from '../../sandbox-betfair/state/verdict.ts';
import { amount, count, plural, signed, tone } from '../../words/numbers.ts';
import { webBundle } from '../web/web-bundle.ts';
import { transactionsText } from './verdict-text.ts';
import { writePage } from './write-page.ts';

/** More markets, and more bets of a market, are only counted: `--json` has all markets. */
const MARKETS_SHOWN = 200;
const BETS_SHOWN = 200;

/** @throws CliError FILE_NOT_WRITABLE */
export function writeVerdict(face: BetfairFace, file: string): void {
  writePage(file, verdictPage(face.verdict({ hasOrders: true }), webBundle('report').style), '--report');
}

/** `style`: the style sheet of the pages. The page has no script. */
export function verdictPage(accounts: readonly AccountVerdict[], style: string): string {
  const names = accounts.map(({ username }) => username).join(', ');
  const empty = html`<section class="card"><p class="empty">No client logged in.</p></section>`;
  const body = html`<main>
<header><p class="eyebrow">oddsmith sandbox, Betfair's API</p><h1>${accounts.length === 0 ? 'No accounts' : names}</h1></header>
${accounts.length === 0 ? empty : accounts.map(accountPart)}
<footer><p>What a simulated exchange holds of each account. Profits are to the penny, before commission where nothing else is said.</p><p>oddsmith ${packageVersion()}</p></footer></main>`;
  return htmlPage({ title: `${names} – oddsmith sandbox`, code: { script: '', style }, body, data: {}, from: 'file' })
    .html;
}

function accountPart(account: AccountVerdict): Html {
  const { username, currency, profit, commission, markets } = account;
  const net = profit - commission;
  const closed = markets.filter(({ status }) => status === 'CLOSED').length;
  return html`<section class="card first"><p class="headline"><b class="${tone(net)}">${username}: ${signed(net)} ${currency}</b> net, in ${plural(closed, 'closed market')} of ${count(markets.length)}.</p></section>
${tiles(account)}
${markets.length === 0 ? undefined : marketsPart(account)}
${markets.slice(0, MARKETS_SHOWN).map(betsPart)}`;
}

function tiles(account: AccountVerdict): Html {
  const { availableToBetBalance, exposure, profit, commission, bets, transactions } = account;
  const used = transactions.placed + transactions.failed;
  return html`<section class="tiles" aria-label="Summary">
${tile('To bet with', amount(availableToBetBalance), `${amount(exposure)} at risk`)}
${tile('Gross profit', signed(profit), 'of closed markets')}
${tile('Commission', amount(commission), "on each market's net winnings")}
${tile('Matched', amount(bets.sizeMatched), `of ${amount(bets.size)} in ${plural(bets.betCount, 'bet')}`)}
${tile('Not matched', amount(bets.size - bets.sizeMatched), notMatched(bets))}
${tile('Transactions', count(used), transactionsText(account))}</section>`;
}

function tile(label: string, value: string, note: string): Html {
  return html`<div class="tile"><span>${label}</span><b>${value}</b><span>${note}</span></div>`;
}

function marketsPart({ currency, markets }: AccountVerdict): Html {
  const shown = markets.slice(0, MARKETS_SHOWN);
  const most = Math.max(0.01, ...shown.map(({ profit = 0 }) => Math.abs(profit)));
  const rest = markets.length - shown.length;
  return html`<section class="card"><h2>Markets <span class="soft">${count(markets.length)}, ${currency}, the latest first</span></h2>
<div class="sideways" tabindex="0"><table class="plain wrapped"><thead><tr>${['Market', 'Profit', 'Commission', 'Net', 'Drawn', 'Matched', 'Bets', 'Status'].map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${shown.map((market) => marketRow(market, most))}</tbody></table></div>${rest === 0 ? undefined : html`<p class="soft small">And ${plural(rest, 'market')} more.</p>`}</section>`;
}

function marketRow(
  { marketId, eventName, marketName, status, profit, commission = 0, bets }: MarketVerdict,
  most: number,
): Html {
  return html`<tr><td>${eventName}, ${marketName}<br><small>${marketId}</small></td>${money(profit)}<td>${profit === undefined ? '–' : amount(commission)}</td>${money(profit === undefined ? undefined : profit - commission)}<td>${bar(profit ?? 0, most)}</td><td>${amount(bets.sizeMatched)}</td><td>${count(bets.betCount)}</td><td>${status}</td></tr>`;
}

function money(profit: number | undefined): Html {
  return profit === undefined ? html`<td>–</td>` : html`<td class="${tone(profit)}">${signed(profit)}</td>`;
}

/** A loss to the left of the middle, a profit to the right. */
function bar(profit: number, most: number): Html {
  const width = (Math.abs(profit) / most) * 50;
  const x = profit < 0 ? 50 - width : 50;
  return html`<svg class="profit-bar" role="presentation" viewBox="0 0 100 10" width="100" height="10"><rect class="${tone(profit)}" x="${x.toFixed(1)}" width="${width.toFixed(1)}" height="10"/><line x1="50" x2="50" y1="0" y2="10"/></svg>`;
}

const BET_HEADS = ['Bet', 'Placed', 'Side', 'Price', 'Matched at', 'Size', 'Matched', 'Not matched', 'Profit'];

function betsPart({ eventName, marketName, orders = [] }: MarketVerdict): Html {
  const shown = orders.slice(0, BETS_SHOWN);
  const rest = orders.length - shown.length;
  return html`<details class="card"><summary>${eventName}, ${marketName} <span class="soft">${plural(orders.length, 'bet')}</span></summary>
<div class="sideways" tabindex="0"><table class="plain"><thead><tr>${BET_HEADS.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${shown.map(betRow)}</tbody></table></div>${rest === 0 ? undefined : html`<p class="soft small">And ${plural(rest, 'bet')} more.</p>`}</details>`;
}

function betRow(bet: BetVerdict): Html {
  const { betId, placedDate, runnerName, side, price, averagePriceMatched, size, sizeMatched, profit } = bet;
  return html`<tr><td>${runnerName}<br><small>${betId}</small></td><td>${placedDate.slice(0, 19).replace('T', ' ')}</td><td>${side}</td><td>${amount(price)}</td><td>${sizeMatched === 0 ? '–' : amount(averagePriceMatched)}</td><td>${amount(size)}</td><td>${amount(sizeMatched)}</td><td>${notMatched(bet)}</td>${money(profit)}</tr>`;
}

/** What became of the rest, in words. */
function notMatched({ sizeRemaining, sizeLapsed, sizeCancelled, sizeVoided }: BetSizes): string {
  const parts = [
    [sizeRemaining, 'remaining'],
    [sizeLapsed, 'lapsed'],
    [sizeCancelled, 'cancelled'],
    [sizeVoided, 'voided'],
  ] as const;
  const told = parts.filter(([size]) => size > 0).map(([size, word]) => `${amount(size)} ${word}`);
  return told.join(', ');
}
