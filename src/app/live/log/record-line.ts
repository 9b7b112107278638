/** The log line of each journal record. */

import { decimalOfTick, tick } from '../../../core/number/ladder.ts';
import { money, moneyToDecimal } from '../../../core/number/units.ts';
import type { JournalKind, JournalRecord } from '../../../core/run/journal.ts';
import { marketLabel } from '../../../words/market-label.ts';
import { spaced } from '../../../words/printable.ts';
import { sideWord } from '../../../words/side-words.ts';
import { alert, type LogLevel, type LogLine, type Message } from './log-line.ts';

type Of<K extends JournalKind> = Extract<JournalRecord, { readonly kind: K }>;

/** The line with the record's own fields, in decimals, so that a log can be searched by order, market or strategy. */
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

type ByKind = { readonly [K in JournalKind]: Of<K> };

function messageOf<K extends JournalKind>(record: ByKind[K] & { readonly kind: K }): Message {
  return MESSAGES[record.kind](record);
}

const MESSAGES: { readonly [K in JournalKind]: (record: ByKind[K]) => Message } = {
  started: ({ run, mode, version }) => message('info', `run ${run} starts, ${mode}, oddsmith ${version}`),
  checkpoint: () => message('debug', 'checkpoint'),
  decided: ({ strategy, intents, why }) => message('debug', `${strategy} decided ${intents.length} on ${why}`),
  refused,
  sent: (record) => message('info', sentText(record)),
  cancelSent: ({ client }) => message('info', `cancellation of order ${client} sent`),
  reduceSent: ({ client, stake }) =>
    message('info', `cancellation of ${moneyToDecimal(stake)} of order ${client} sent`),
  requested: ({ request, clients }) => message('debug', `${request} requested for ${clients.length}`),
  replied: ({ request, outcome }) => message('debug', `${request} replied: ${outcome}`),
  rejected: ({ client, code }) => alert('ORDER_REJECTED', `order ${client} was refused: ${code}`, code),
  unknown: ({ client, code }) => alert('ORDER_UNKNOWN', `it is not known whether order ${client} exists: ${code}`),
  reported: ({ client, status, stakeMatched }) =>
    message('info', `order ${client} is ${spaced(status)}, with ${moneyToDecimal(stakeMatched)} matched`),
  reappeared: ({ client, order, hadEnded }) =>
    hadEnded === true
      ? alert('ORDER_REVIVED', `order ${client} had ended and lives again, as ${order}`)
      : alert('ORDER_REAPPEARED', `order ${client} exists after all, as ${order}`),
  adopted: ({ order, marketName }) => alert('STRAY_ADOPTED', `order ${order} in ${marketName} now counts as ours`),
  settled: ({ market, profit, wallet }) =>
    message('info', `market ${market} settled: ${moneyToDecimal(profit)} in ${wallet}`),
  marketDone: ({ market }) => message('debug', `market ${market} is done`),
  wallet: ({ wallet, balance }) => message('debug', `${wallet} holds ${moneyToDecimal(balance)}`),
  heartbeat,
  trading,
  phase: ({ from, to, cause }) => message('info', `${from} → ${to}: ${cause}`),
  strategyHalted: ({ strategy, code, details }) =>
    alert('STRATEGY_HALTED', `${strategy} was halted, ${code}: ${details}`),
  strategyLoaded: ({ strategy, sha256, cause }) =>
    message('info', `strategy ${strategy} is ${sha256.slice(0, 12)}: ${cause}`),
  freshness,
  marketRisk,
  difference,
  withdrawal,
  limits: () => message('info', 'limits are loaded'),
  ended: ({ cause, liveOrders }) => message('info', `ended: ${cause}; live orders left: ${liveOrders}`),
};

function sentText(sent: Of<'sent'>): string {
  const { client, side, stake, tick: at, outcomeTitle, eventName = '', marketName, market, strategy } = sent;
  const terms = `${sideWord(side)} ${moneyToDecimal(stake)} at ${decimalOfTick(tick(at))} on ${outcomeTitle}`;
  const place = marketLabel({ eventName, name: marketName });
  return `order ${client} sent: ${terms}, ${place} (market ${market}), by ${strategy}`;
}

function refused({ strategy, market, code, limit, value, wouldBe, times }: Of<'refused'>): Message {
  const figure = wouldBe === undefined ? value : wouldBe;
  const measured = [
    ...(figure === undefined ? [] : [`is or would be ${figure}`]),
    ...(limit === undefined ? [] : [`of ${limit}`]),
  ];
  const met = [`at ${wouldBe} it would reach an order of our own at ${value}`];
  const figures = [...(code === 'SELF_MATCH' ? met : measured), ...(times === undefined ? [] : [`(${times} times)`])];
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
  if (from === to) return message('info', `all live orders are to be cancelled, by ${by}: ${cause}`);
  const text = `trading ${from} → ${to} by ${by}: ${cause}`;
  if (to === 'halted') return alert('TRADING_HALTED', text);
  return to === 'reduceOnly' ? alert('TRADING_REDUCE_ONLY', text) : message('info', text);
}

function freshness({ feed, market, wallet, isLate, ageMs, budgetMs }: Of<'freshness'>): Message {
  const part = wallet === undefined ? undefined : `wallet ${wallet}`;
  const what = part ?? (market === undefined ? feed : `${feed} of market ${market}`);
  if (!isLate) return message('info', `${what}: fresh again after ${ageMs} ms`);
  if (part !== undefined)
    return alert(
      'FEED_LATE',
      `${part} could not be read for ${ageMs} ms: nothing new is placed from it until it is`,
      part,
    );
  const text = `${what}: ${ageMs} ms old, ${budgetMs} allowed`;
  return market === undefined ? alert('FEED_LATE', text) : alert('FEED_LATE', text, feed);
}

function marketRisk({ market, isOff, cause, dark }: Of<'marketRisk'>): Message {
  if (!isOff) return message('info', `orders on market ${market} may go on: ${cause}`);
  if (dark === undefined) return alert('MARKET_OFF', `no new orders on market ${market}: ${cause}`);
  const kept = dark.sparesInPlay ? ', but for those that are to stay in play' : '';
  const fate = dark.orders === 'keep' ? 'stay, as dark.orders says' : `are cancelled${kept}`;
  return alert('MARKET_DARK', `market ${market} is dark, ${cause}: orders that rest there ${fate}`);
}

function difference({ scope, id, ours, theirs, verdict }: Of<'difference'>): Message {
  const text = `${scope} ${id}: ours ${ours}, theirs ${theirs}, ${verdict}`;
  return verdict === 'lasting' ? alert('DIFFERENCE_LASTING', text) : message('info', text);
}

function withdrawal({ left, orders, isUnguarded }: Of<'withdrawal'>): Message {
  if (left === 0) return message('info', 'every order that was to end has ended');
  const named = orders.map(
    ({ client, market, marketStatus, asked }) =>
      `order ${client} on market ${market} (${marketStatus}), asked ${asked} times`,
  );
  const more = left > orders.length ? [`and ${left - orders.length} more`] : [];
  const guard = isUnguarded === true ? '. Nothing protects them: there is no heartbeat' : '';
  return alert('ORDERS_LEFT', `${left} orders are to end and still live: ${[...named, ...more].join('; ')}${guard}`);
}

function message(level: LogLevel, text: string): Message {
  return { level, text };
}
