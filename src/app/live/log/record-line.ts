/** What the log says of each journal record. */

import { decimalOfTick, tick } from '../../../core/number/ladder.ts';
import { money, moneyToDecimal } from '../../../core/number/units.ts';
import type { JournalKind, JournalRecord } from '../../../core/run/journal.ts';
import { marketLabel } from '../../../report/text/market-label.ts';
import { ALERTS, type AlertCode } from './alert.ts';
import type { LogLevel, LogLine } from './log-line.ts';

type Of<K extends JournalKind> = Extract<JournalRecord, { readonly kind: K }>;
type Said = Omit<LogLine, 'about' | 'fields'>;

/** The record's own fields go along, in decimals, so that a log can be searched by order, market or strategy. */
export function recordLine(record: JournalRecord): LogLine {
  const { kind, ...fields } = record;
  const said = saidOf(record);
  return kind === 'checkpoint' ? { about: kind, ...said } : { about: kind, ...said, fields: inDecimals(fields) };
}

const AMOUNTS = ['stake', 'stakeMatched', 'winningsMatched', 'stakeUnmatched', 'stakeVoided', 'profit', 'commission'];
const ALL_AMOUNTS: ReadonlySet<string> = new Set([...AMOUNTS, 'balance', 'balanceAvailable']);

/** Intents are in decimals already. */
function inDecimals(fields: object): Readonly<Record<string, unknown>> {
  const decimal: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(fields)) {
    if (ALL_AMOUNTS.has(key)) decimal[key] = moneyToDecimal(money(Number(value)));
    else if (key === 'tick') decimal['price'] = decimalOfTick(tick(Number(value)));
    else decimal[key] = value;
  }
  return decimal;
}

function saidOf(record: JournalRecord): Said {
  switch (record.kind) {
    case 'started':
      return say('info', `run ${record.run} starts, ${record.mode}, oddsmith ${record.version}`);
    case 'checkpoint':
      return say('debug', 'checkpoint');
    case 'decided':
      return say('debug', `${record.strategy} decided ${record.intents.length} on ${record.why}`);
    case 'refused':
      return refused(record);
    case 'sent':
      return say('info', sentWords(record));
    case 'cancelSent':
      return say('info', `cancellation of order ${record.client} sent`);
    case 'requested':
      return say('debug', `${record.request} requested for ${record.clients.length}`);
    case 'replied':
      return say('debug', `${record.request} replied: ${record.outcome}`);
    case 'rejected':
      return alert('ORDER_REJECTED', `order ${record.client} was refused: ${record.code}`, record.code);
    case 'unknown':
      return alert('ORDER_UNKNOWN', `nobody knows of order ${record.client}: ${record.code}`);
    case 'reported':
      return say('info', `order ${record.client} is ${record.status}, ${moneyToDecimal(record.stakeMatched)} matched`);
    case 'reappeared':
      return record.hadEnded === true
        ? alert('ORDER_REVIVED', `order ${record.client} had ended and lives again, as ${record.order}`)
        : alert('ORDER_REAPPEARED', `order ${record.client} exists after all, as ${record.order}`);
    case 'adopted':
      return alert('STRAY_ADOPTED', `order ${record.order} in ${record.marketName} now counts as ours`);
    default:
      return saidOfRun(record);
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

function saidOfRun(record: Exclude<JournalRecord, Of<OfOrders>>): Said {
  switch (record.kind) {
    case 'settled':
      return say('info', `market ${record.market} settled: ${moneyToDecimal(record.profit)} in ${record.wallet}`);
    case 'marketDone':
      return say('debug', `market ${record.market} is done`);
    case 'wallet':
      return say('debug', `${record.wallet} holds ${moneyToDecimal(record.balance)}`);
    case 'heartbeat':
      return heartbeat(record);
    case 'trading':
      return trading(record);
    case 'phase':
      return say('info', `${record.from} → ${record.to}: ${record.cause}`);
    case 'strategyHalted':
      return alert('STRATEGY_HALTED', `${record.strategy} was halted, ${record.code}: ${record.details}`);
    case 'strategyLoaded':
      return say('info', `strategy ${record.strategy} is ${record.sha256.slice(0, 12)}: ${record.cause}`);
    case 'freshness':
      return freshness(record);
    case 'marketRisk':
      return record.isOff
        ? alert('MARKET_OFF', `no new orders on market ${record.market}: ${record.cause}`)
        : say('info', `orders on market ${record.market} may go on: ${record.cause}`);
    case 'difference':
      return difference(record);
    case 'withdrawal':
      return withdrawal(record);
    case 'limits':
      return say('info', 'limits are loaded');
    case 'ended':
      return ended(record);
  }
}

function sentWords(sent: Of<'sent'>): string {
  const { client, side, stake, tick: at, outcomeTitle, eventName = '', marketName, market, strategy } = sent;
  const terms = `${side} ${moneyToDecimal(stake)} at ${decimalOfTick(tick(at))} on ${outcomeTitle}`;
  const place = marketLabel({ eventName, name: marketName });
  return `order ${client} sent: ${terms}, ${place} (market ${market}), by ${strategy}`;
}

function refused({ strategy, market, code, limit, value, wouldBe, times }: Of<'refused'>): Said {
  const figure = wouldBe === undefined ? value : wouldBe;
  const figures = [
    ...(figure === undefined ? [] : [`is or would be ${figure}`]),
    ...(limit === undefined ? [] : [`of ${limit}`]),
    ...(times === undefined ? [] : [`${times} times`]),
  ];
  return {
    ...say('info', [`${strategy} on market ${market}: ${code}`, ...figures].join(' ')),
    throttled: `refused ${strategy} ${code}`,
  };
}

function heartbeat({ from, to, cause }: Of<'heartbeat'>): Said {
  const words = `heartbeat ${from} → ${to}: ${cause}`;
  if (to === 'late') return alert('HEARTBEAT_LATE', words);
  return to === 'lapsed' ? alert('HEARTBEAT_LAPSED', words) : say('info', words);
}

function trading({ from, to, cause, by }: Of<'trading'>): Said {
  const words = `trading ${from} → ${to} by ${by}: ${cause}`;
  if (to === 'halted') return alert('TRADING_HALTED', words);
  return to === 'reduceOnly' ? alert('TRADING_REDUCE_ONLY', words) : say('info', words);
}

function freshness({ feed, market, isLate, ageMs, budgetMs }: Of<'freshness'>): Said {
  const what = market === undefined ? feed : `${feed} of market ${market}`;
  if (!isLate) return say('info', `${what}: fresh again after ${ageMs} ms`);
  const words = `${what}: ${ageMs} ms old, ${budgetMs} allowed`;
  return market === undefined ? alert('FEED_LATE', words) : alert('FEED_LATE', words, feed);
}

function difference({ scope, id, ours, theirs, verdict }: Of<'difference'>): Said {
  const words = `${scope} ${id}: ours ${ours}, theirs ${theirs}, ${verdict}`;
  return verdict === 'lasting' ? alert('DIFFERENCE_LASTING', words) : say('info', words);
}

function withdrawal({ left, orders }: Of<'withdrawal'>): Said {
  if (left === 0) return say('info', 'every order that was to end has ended');
  const named = orders.map(
    ({ client, market, marketStatus, asked }) =>
      `order ${client} on market ${market} (${marketStatus}), asked ${asked} times`,
  );
  const more = left > orders.length ? [`and ${left - orders.length} more`] : [];
  return alert('ORDERS_LEFT', `${left} orders are to end and still live: ${[...named, ...more].join('; ')}`);
}

function ended({ cause, liveOrders }: Of<'ended'>): Said {
  return say('info', `ended: ${cause}; live orders left: ${liveOrders}`);
}

function say(level: LogLevel, words: string): Said {
  return { level, words };
}

/** `seldom`: such alerts may come in storms, so that those alike are counted. */
function alert(code: AlertCode, words: string, throttled?: string): Said {
  const said = { level: ALERTS[code].level, alert: code, words };
  return throttled === undefined ? said : { ...said, throttled: `${code} ${throttled}` };
}
