/** Why a run places no orders, in words: what stops it, the weightiest first, and what to do about each. */

import type { Tone } from '../../../pages/figure.ts';
import type { Reason } from '../../../pages/panels.ts';
import { amount, plural } from '../../../words/numbers.ts';
import type { DaemonStatus } from '../control/control-protocol.ts';
import { isWanted, type OrderedBy, orderedText } from './run-state.ts';

/** What the status does not say. Amounts are decimals, times ms UTC. */
export interface TradingFacts {
  /** Markets in which orders match now, and those of them that a strategy watches and no guard has switched off. */
  readonly open: number;
  readonly watched: number;
  /** The time until which a losing run is paused. */
  readonly coolingUntil: number | undefined;
  /** Who or what halted or reduced trading; undefined where it is not known. */
  readonly ordered?: OrderedBy;
  readonly dayLoss: number;
  readonly dailyLoss: number | undefined;
  readonly rollingLoss: number;
  readonly rollingLimit: { readonly amount: number; readonly hours: number } | undefined;
}

const WAITS = 'Nothing, if it passes; else see what it waits for.';
const REDUCING = 'Orders that lower what can be lost still pass.';

/** Empty where orders may be placed. Without the facts beside the status, what only they say is left out. */
export function whyNoOrders({ daemon, bot }: DaemonStatus, facts: TradingFacts | undefined): readonly Reason[] {
  const reasons: Reason[] = [];
  const add = (tone: Tone, text: string, next: string): void => void reasons.push({ tone, text, next });
  if (bot.clockDoubt !== undefined)
    add(
      'bad',
      `Its clock cannot be trusted: ${bot.clockDoubt}.`,
      'Set the clock right, or stop the run and start it again.',
    );
  if (bot.phase === 'ended') add('plain', 'The run has ended.', 'Start it again to trade.');
  if (bot.phase === 'ending') add('warn', `The run ends${waiting(bot.waitsFor)}.`, 'Start it again to trade.');
  if (bot.phase === 'ending' || bot.phase === 'ended') return reasons;
  const ordered = facts?.ordered;
  if (bot.trading === 'halted') {
    const file = daemon.haltFile
      ? 'Remove the file halt in the state directory, then resume.'
      : 'Find out why, then resume.';
    add(isWanted(ordered) ? 'warn' : 'bad', `Trading is halted${orderedText(ordered)}: ${bot.tradingCause}.`, file);
  }
  if (bot.trading === 'reduceOnly')
    add(
      'warn',
      `Trading is reduced${orderedText(ordered)}: ${bot.tradingCause}.`,
      `${REDUCING} Find out why, then resume.`,
    );
  if (bot.phase === 'recovering')
    add('warn', `It is not known yet what is held at the exchange${waiting(bot.waitsFor)}.`, WAITS);
  if (bot.phase === 'arming') add('warn', `The heartbeat is being armed${waiting(bot.waitsFor)}.`, WAITS);
  if (daemon.awaySince !== undefined)
    add('bad', 'There is no session with the exchange.', 'Look at the line and at the key; it is tried again.');
  addFeeds(bot, add);
  addStrategies(bot, add);
  if (facts !== undefined) addLosses(facts, add);
  if (facts !== undefined && reasons.length === 0) addMarkets(bot, facts, add);
  return reasons;
}

type Bot = DaemonStatus['bot'];
type Add = (tone: Tone, text: string, next: string) => void;

function addFeeds(bot: Bot, add: Add): void {
  const late = bot.feeds.filter(({ isLate }) => isLate).map(({ feed }) => feed);
  if (late.length > 0)
    add(
      'warn',
      `Not read in time: ${late.join(', ')}.`,
      'Nothing, if it passes. Is the exchange slow, or the budget too small?',
    );
  const unread = bot.wallets.flatMap(({ name, unreadMs }) => (unreadMs === undefined ? [] : [name]));
  if (unread.length > 0)
    add(
      'warn',
      `Nothing new is placed from these wallets, which cannot be read: ${unread.join(', ')}.`,
      'What is wrong with them stands in the record (ANSWER_UNREADABLE); strategies of other wallets go on.',
    );
  if (bot.phase === 'trading' && (bot.heartbeat === 'late' || bot.heartbeat === 'lapsed'))
    add('warn', `The heartbeat is ${bot.heartbeat}.`, 'Nothing, if it becomes active again.');
}

function addStrategies({ strategies }: Bot, add: Add): void {
  const halted = strategies.filter(({ isHalted }) => isHalted).map(({ name }) => name);
  if (halted.length === 0) return;
  const isAll = halted.length === strategies.length;
  const text = isAll ? 'All strategies are halted' : 'Some strategies are halted';
  add(
    isAll ? 'bad' : 'warn',
    `${text}: ${halted.join(', ')}.`,
    'Their errors stand in the record. Correct them, then resume.',
  );
}

function addLosses(facts: TradingFacts, add: Add): void {
  const { coolingUntil, dayLoss, dailyLoss, rollingLoss, rollingLimit } = facts;
  if (dailyLoss !== undefined && dayLoss >= dailyLoss)
    add(
      'warn',
      `The settled loss of the day, ${amount(dayLoss)}, has reached its limit of ${amount(dailyLoss)}.`,
      `${REDUCING} It ends at midnight UTC.`,
    );
  if (rollingLimit !== undefined && rollingLoss >= rollingLimit.amount)
    add(
      'warn',
      `The settled loss of the last ${rollingLimit.hours} h, ${amount(rollingLoss)}, has reached its limit of ${amount(rollingLimit.amount)}.`,
      REDUCING,
    );
  if (coolingUntil !== undefined)
    add(
      'warn',
      `After so many losses in a row it pauses until ${new Date(coolingUntil).toISOString().slice(11, 19)} UTC.`,
      REDUCING,
    );
}

function addMarkets({ markets }: Bot, { open, watched }: TradingFacts, add: Add): void {
  if (markets === 0)
    add('plain', 'It follows no market.', 'Does `markets` in the configuration fit what the exchange lists?');
  else if (open === 0)
    add(
      'plain',
      `None of its ${plural(markets, 'market')} is open for orders now.`,
      'Nothing: it trades when one opens.',
    );
  else if (watched === 0)
    add(
      'plain',
      `No strategy watches one of the ${plural(open, 'open market')}, or guards have switched them off.`,
      'See the markets, and `watches` of the strategies.',
    );
}

function waiting(what: string | undefined): string {
  return what === undefined ? '' : `: it waits for ${what}`;
}
