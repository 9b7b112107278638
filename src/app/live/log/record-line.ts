/** The log line of each journal record. */

import { decimalOfTick, tick } from '../../../core/number/ladder.ts';
import { money, moneyToDecimal } from '../../../core/number/units.ts';
import type { JournalKind, JournalRecord } from '../../../core/run/journal.ts';
import { marketLabel } from '../../../report/text/market-label.ts';
import { ALERTS, type AlertCode } from './alert.ts';
import type { LogLevel, LogLine } from './log-line.ts';

type Of<K extends JournalKind> = Extract<JournalRecord, { readonly kind: K }>;
type Message = Omit<LogLine, 'subject' | 'fields'>;

/** With the record's own fields, in decimals, so that a log can be searched by order, market or strategy. */
export function recordLine(record: JournalRecord): LogLine {
  const { kind, ...fields } = record;
  const message = messageOf(record);
  return kind === 'checkpoint'
    ? { subject: kind, ...message }
    : { subject: kind, ...message, fields: inDecimals(fields) };
}

const AMOUNTS = ['stake', 'stakeMatched', 'winningsMatched', 'stakeUnmatched', 'stakeVoided', 'profit', 'commission'];
const ALL_AMOUNTS: ReadonlySet<string> = new Set([...AMOUNTS, 'balance', 'balanceAvailable']);

/** Amounts and prices of a record as decimals; those of intents are decimals already. */
function inDecimals(fields: object): Readonly<Record<string, unknown>> {
  const decimal: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(fields)) {
    if (ALL_AMOUNTS.has(key)) decimal[key] = moneyToDecimal(money(Number(value)));
    else if (key === 'tick') decimal['price'] = decimalOfTick(tick(Number(value)));
    else decimal[key] = value;
  }
  return decimal;
}

function messageOf(record: JournalRecord): Message {
  switch (record.kind) {
    case 'started':
      return message('info', `run ${record.run} starts, ${record.mode}, oddsmith ${record.version}`);
    case 'checkpoint':
      return message('debug', 'checkpoint');
    case 'decided':
      return message('debug', `${record.strategy} decided ${record.intents.length} on ${record.why}`);
    case 'refused':
      return refused(record);
    case 'sent':
      return message('info', sentText(record));
    case 'cancelSent':
      return message('info', `cancellation of order ${record.client} sent`);
    case 'requested':
      return message('debug', `${record.request} requested for ${record.clients.length}`);
    case 'replied':
      return message('debug', `${record.request} replied: ${record.outcome}`);
    case 'rejected':
      return alert('ORDER_REJECTED', `order ${record.client} was refused: ${record.code}`, record.code);
    case 'unknown':
      return alert('ORDER_UNKNOWN', `it is not known whether order ${record.client} exists: ${record.code}`);
    case 'reported':
      return message(
        'info',
        `order ${record.client} is ${record.status}, ${moneyToDecimal(record.stakeMatched)} matched`,
      );
    case 'reappeared':
      return record.hadEnded === true
        ? alert('ORDER_REVIVED', `order ${record.client} had ended and lives again, as ${record.order}`)
        : alert('ORDER_REAPPEARED', `order ${record.client} exists after all, as ${record.order}`);
    case 'adopted':
      return alert('STRAY_ADOPTED', `order ${record.order} in ${record.marketName} now counts as ours`);
    default:
      return messageOfRun(record);
  }
}

type OfOrders =
  | 'started'
  | 'checkpoint'
  | 'decided'
  | 'refused'
  | 'sent'
  | 'cancelSent'
  | 'requested'
  | 'replied'
  | 'rejected'
  | 'unknown'
  | 'reported'
  | 'reappeared'
  | 'adopted';

function messageOfRun(record: Exclude<JournalRecord, Of<OfOrders>>): Message {
  switch (record.kind) {
    case 'settled':
      return message('info', `market ${record.market} settled: ${moneyToDecimal(record.profit)} in ${record.wallet}`);
    case 'marketDone':
      return message('debug', `market ${record.market} is done`);
    case 'wallet':
      return message('debug', `${record.wallet} holds ${moneyToDecimal(record.balance)}`);
    case 'heartbeat':
      return heartbeat(record);
    case 'trading':
      return trading(record);
    case 'phase':
      return message('info', `${record.from} → ${record.to}: ${record.cause}`);
    case 'strategyHalted':
      return alert('STRATEGY_HALTED', `${record.strategy} was halted, ${record.code}: ${record.details}`);
    case 'strategyLoaded':
      return message('info', `strategy ${record.strategy} is ${record.sha256.slice(0, 12)}: ${record.cause}`);
    case 'freshness':
      return freshness(record);
    case 'marketRisk':
      return record.isOff
        ? alert('MARKET_OFF', `no new orders on market ${record.market}: ${record.cause}`)
        : message('info', `orders on market ${record.market} may go on: ${record.cause}`);
    case 'difference':
      return difference(record);
    case 'withdrawal':
      return withdrawal(record);
    case 'limits':
      return message('info', 'limits are loaded');
    case 'ended':
      return ended(record);
  }
}

function sentText(sent: Of<'sent'>): string {
  const { client, side, stake, tick: at, outcomeTitle, eventName = '', marketName, market, strategy } = sent;
  const terms = `${side} ${moneyToDecimal(stake)} at ${decimalOfTick(tick(at))} on ${outcomeTitle}`;
  const place = marketLabel({ eventName, name: marketName });
  return `order ${client} sent: ${terms}, ${place} (market ${market}), by ${strategy}`;
}

function refused({ strategy, market, code, limit, value, wouldBe, times }: Of<'refused'>): Message {
  const figure = wouldBe === undefined ? value : wouldBe;
  const figures = [
    ...(figure === undefined ? [] : [`is or would be ${figure}`]),
    ...(limit === undefined ? [] : [`of ${limit}`]),
    ...(times === undefined ? [] : [`${times} times`]),
  ];
  return {
    ...message('info', [`${strategy} on market ${market}: ${code}`, ...figures].join(' ')),
    throttled: `refused ${strategy} ${code}`,
  };
}

function heartbeat({ from, to, cause }: Of<'heartbeat'>): Message {
  const text = `heartbeat ${from} → ${to}: ${cause}`;
  if (to === 'late') return alert('HEARTBEAT_LATE', text);
  return to === 'lapsed' ? alert('HEARTBEAT_LAPSED', text) : message('info', text);
}

function trading({ from, to, cause, by }: Of<'trading'>): Message {
  const text = `trading ${from} → ${to} by ${by}: ${cause}`;
  if (to === 'halted') return alert('TRADING_HALTED', text);
  return to === 'reduceOnly' ? alert('TRADING_REDUCE_ONLY', text) : message('info', text);
}

function freshness({ feed, market, isLate, ageMs, budgetMs }: Of<'freshness'>): Message {
  const what = market === undefined ? feed : `${feed} of market ${market}`;
  if (!isLate) return message('info', `${what}: fresh again after ${ageMs} ms`);
  const text = `${what}: ${ageMs} ms old, ${budgetMs} allowed`;
  return market === undefined ? alert('FEED_LATE', text) : alert('FEED_LATE', text, feed);
}

function difference({ scope, id, ours, theirs, verdict }: Of<'difference'>): Message {
  const text = `${scope} ${id}: ours ${ours}, theirs ${theirs}, ${verdict}`;
  return verdict === 'lasting' ? alert('DIFFERENCE_LASTING', text) : message('info', text);
}

function withdrawal({ left, orders }: Of<'withdrawal'>): Message {
  if (left === 0) return message('info', 'every order that was to end has ended');
  const named = orders.map(
    ({ client, market, marketStatus, asked }) =>
      `order ${client} on market ${market} (${marketStatus}), asked ${asked} times`,
  );
  const more = left > orders.length ? [`and ${left - orders.length} more`] : [];
  return alert('ORDERS_LEFT', `${left} orders are to end and still live: ${[...named, ...more].join('; ')}`);
}

function ended({ cause, liveOrders }: Of<'ended'>): Message {
  return message('info', `ended: ${cause}; live orders left: ${liveOrders}`);
}

function message(level: LogLevel, text: string): Message {
  return { level, text };
}

/** `throttled`: such alerts may come in floods, so those with the same key are reduced to one a minute. */
function alert(code: AlertCode, text: string, throttled?: string): Message {
  const message = { level: ALERTS[code].level, alert: code, text };
  return throttled === undefined ? message : { ...message, throttled: `${code} ${throttled}` };
}
