/** A daemon's status as a compact page for people. */

import type { BotStatus } from '../../../engine/live/bot-status.ts';
import { shellWord } from '../../../recording/tape/recording-hint.ts';
import { amount, count, plural, signed, utc } from '../../../words/numbers.ts';
import { printable } from '../../../words/printable.ts';
import { ownCommand } from '../../cli/own-command.ts';
import type { Paint } from '../../cli/terminal.ts';
import type { DaemonStatus } from './control-protocol.ts';

/** Markets and differences named one by one; `--json` has all. */
const NAMED_MAX = 10;
/** Markets with bets of others. */
const MARKETS_NAMED = 3;

export function statusText(status: DaemonStatus, paint: Paint): string {
  const { daemon, bot } = cleaned(status);
  const rows: (readonly [string, string])[] = [
    ['run', `${bot.run}  ${daemon.mode}, pid ${daemon.pid}, oddsmith ${daemon.version}, ${daemon.dir}`],
    ['since', `${utc(bot.startedAt)} UTC  (${span(bot.at - bot.startedAt)})`],
    ['phase', phaseWords(bot, paint)],
    ['trading', tradingWords(bot, daemon, paint)],
    ['heartbeat', bot.heartbeat === 'active' ? paint.green('active') : paint.yellow(bot.heartbeat)],
    ...exchangeRows(daemon, bot, paint),
    ['markets', marketWords(bot)],
    ['orders', orderWords(bot, paint)],
    ...othersRow(bot),
    ['results', resultWords(bot)],
    ['books', booksWords(bot, paint)],
    ...dashboardRow(daemon),
  ];
  const head = rows.map(([label, text]) => `${label.padEnd(10)} ${text}`).join('\n');
  return `${[head, feedTable(bot, paint), strategyTable(bot, paint), walletTable(bot, paint), listed(bot, paint)]
    .filter((part) => part !== '')
    .join('\n\n')}\n`;
}

/** Names and causes come from elsewhere. */
function cleaned(status: DaemonStatus): DaemonStatus {
  const text = JSON.stringify(status, (_key, value: unknown) => (typeof value === 'string' ? printable(value) : value));
  return JSON.parse(text);
}

function phaseWords({ phase, waitsFor }: BotStatus, paint: Paint): string {
  const name = phase === 'trading' ? paint.green(phase) : paint.yellow(phase);
  return waitsFor === undefined ? name : `${name}  waits for ${waitsFor}`;
}

function tradingWords({ trading, tradingCause }: BotStatus, daemon: DaemonStatus['daemon'], paint: Paint): string {
  const name =
    trading === 'running' ? paint.green(trading) : trading === 'halted' ? paint.red(trading) : paint.yellow(trading);
  const file = daemon.haltFile ? '  (the halt file lies there)' : '';
  return `${name}${trading === 'running' ? '' : `  ${tradingCause}`}${file}`;
}

function exchangeRows(daemon: DaemonStatus['daemon'], { at }: BotStatus, paint: Paint): [string, string][] {
  const rows: [string, string][] = [];
  if (daemon.awaySince !== undefined)
    rows.push(['exchange', paint.red(`no session for ${span(at - daemon.awaySince)}`)]);
  if (daemon.skewMs !== undefined && daemon.skewMs !== 0)
    rows.push([
      'clock',
      paint.yellow(`${Math.abs(daemon.skewMs)} ms ${daemon.skewMs > 0 ? 'ahead of' : 'behind'} the exchange`),
    ]);
  return rows;
}

function dashboardRow({ dashboard, dir }: DaemonStatus['daemon']): [string, string][] {
  if (dashboard === undefined) return [];
  return [
    ['dashboard', dashboard],
    ['open it by', `${ownCommand()} dashboard link --dir ${shellWord(dir)}`],
  ];
}

function marketWords({ markets, marketsOff }: BotStatus): string {
  return marketsOff.length === 0 ? count(markets) : `${count(markets)}, ${count(marketsOff.length)} off`;
}

function orderWords({ orders }: BotStatus, paint: Paint): string {
  const unknown = orders.unknown === 0 ? '' : `, ${paint.red(`${count(orders.unknown)} of unknown fate`)}`;
  return `${count(orders.live)} live, ${count(orders.inFlight)} in flight${unknown}`;
}

function othersRow({ othersOrders }: BotStatus): [string, string][] {
  return othersOrders === undefined ? [] : [['of others', othersText(othersOrders)]];
}

/** What is left alone, in one sentence; also for the log. */
export function othersText({ orders, live, stake, markets }: NonNullable<BotStatus['othersOrders']>): string {
  const named = markets.slice(0, MARKETS_NAMED).join(', ');
  const more = markets.length > MARKETS_NAMED ? `, and ${count(markets.length - MARKETS_NAMED)} more` : '';
  return `${plural(orders, 'bet')}, ${count(live)} live, ${amount(stake)} at stake in ${plural(markets.length, 'market')} (${named}${more}): left alone`;
}

function resultWords({ results }: BotStatus): string {
  return `today ${signed(results.today)}, in all ${signed(results.total)}, below the peak ${amount(results.drawdown)}`;
}

function booksWords({ reconciliation, at }: BotStatus, paint: Paint): string {
  const { done, equalAt, differences } = reconciliation;
  const equal =
    equalAt === undefined ? 'never agreed with the exchange yet' : `agreed with the exchange ${span(at - equalAt)} ago`;
  const lasting = differences.length === 0 ? '' : `, ${paint.red(plural(differences.length, 'lasting difference'))}`;
  return `${equal}, ${plural(done, 'comparison')}${lasting}`;
}

function feedTable({ feeds, at }: BotStatus, paint: Paint): string {
  const rows = feeds.map(({ feed, readAt, budgetMs, isLate }) => [
    feed,
    readAt === undefined ? 'never' : `${count(at - readAt)} ms`,
    `${count(budgetMs)} ms`,
    isLate ? paint.red('late') : '',
  ]);
  return table(['feed', 'age', 'budget', ''], rows);
}

function strategyTable({ strategies }: BotStatus, paint: Paint): string {
  const rows = strategies.map(({ name, isHalted, liveOrders, worstLoss }) => [
    name,
    count(liveOrders),
    amount(worstLoss),
    isHalted ? paint.red('halted') : '',
  ]);
  return table(['strategy', 'live', 'worst loss', ''], rows);
}

function walletTable({ wallets }: BotStatus, paint: Paint): string {
  const rows = wallets.map(({ name, balance, balanceAvailable, worstLoss, requiredFunds, unreadMs }) => [
    name,
    amount(balance),
    amount(balanceAvailable),
    amount(worstLoss),
    requiredFunds === undefined ? '' : amount(requiredFunds),
    unreadMs === undefined ? '' : paint.red(`not read for ${span(unreadMs)}: nothing new is placed`),
  ]);
  return table(['wallet', 'balance', 'available', 'worst loss', 'held', ''], rows);
}

function listed({ marketsOff, ordersLeft, reconciliation }: BotStatus, paint: Paint): string {
  const left = ordersLeft.map(({ client, order, market, marketStatus, asked }) =>
    paint.red(
      `order ${client} (${order ?? 'no id yet'}) on market ${market}, ${marketStatus}: is to end, asked ${asked} times`,
    ),
  );
  const off = marketsOff.map(({ market, cause }) => `off ${market}: ${cause}`);
  const differences = reconciliation.differences.map((each) => paint.red(`difference ${each}`));
  return [...some(left), ...some(off), ...some(differences)].join('\n');
}

function some(lines: readonly string[]): readonly string[] {
  if (lines.length <= NAMED_MAX) return lines;
  return [...lines.slice(0, NAMED_MAX), `… and ${count(lines.length - NAMED_MAX)} more; --json has all`];
}

/** The first column to the left, the figures to the right; the last one may be coloured, since nothing follows it. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => {
        if (column === head.length - 1 && head[column] === '') return cell;
        const wide = widths[column] ?? 0;
        return column === 0 ? cell.padEnd(wide) : cell.padStart(wide);
      })
      .join('  ')
      .trimEnd();
  return all.map(line).join('\n');
}

/** 93_000 → `1 min 33 s`. */
export function span(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
