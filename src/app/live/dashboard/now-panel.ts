/** A run at a glance: why it does not trade, profit, limits, feeds, money. */

import { type Instant, moneyToDecimal } from '../../../core/number/units.ts';
import type { Ledger } from '../../../engine/ledger/ledger.ts';
import { whyOff } from '../../../engine/live/dark-markets.ts';
import type { Figure, NowPanel, RecordLine, Word } from '../../../pages/panels.ts';
import { amount, count, plural } from '../../../words/numbers.ts';
import type { DaemonStatus } from '../control/control-protocol.ts';
import { type Activity, MINUTES } from './activity.ts';
import { limitBars } from './limit-bars.ts';
import { type TradingFacts, whyNoOrders } from './why-no-orders.ts';

export interface NowParts {
  readonly status: DaemonStatus;
  readonly ledger: Ledger;
  readonly now: Instant;
  readonly activity: Activity;
  readonly alerts: readonly RecordLine[];
}

const ALERTS_SHOWN = 5;

export function nowPanel(parts: NowParts): NowPanel {
  const { status, ledger, now, activity, alerts } = parts;
  const { bot } = status;
  return {
    page: 'now',
    reasons: whyNoOrders(status, tradingFacts(ledger, now)),
    figures: figuresOf(bot),
    activity: activityOf(activity, now),
    refusals: activity.counts(now).refusals,
    bars: limitBars(ledger, now),
    feeds: bot.feeds,
    wallets: bot.wallets.map(({ name, balance, balanceAvailable: available, worstLoss, requiredFunds, unreadMs }) => ({
      ...{ name, balance, available, worstLoss, held: requiredFunds },
      isUnread: unreadMs !== undefined,
    })),
    strategies: bot.strategies,
    facts: factsOf(status),
    alerts: alerts.slice(0, ALERTS_SHOWN),
  };
}

/** Phase, trading and heartbeat, as every page shows them. */
export function headWords({ bot, daemon }: DaemonStatus): readonly Word[] {
  const { phase, trading, heartbeat } = bot;
  return [
    { label: 'phase', text: phase, tone: phase === 'trading' ? 'good' : 'warn' },
    {
      label: 'trading',
      text: trading === 'reduceOnly' ? 'reduce-only' : trading,
      tone: trading === 'running' ? 'good' : trading === 'halted' ? 'bad' : 'warn',
    },
    {
      label: 'heartbeat',
      text: heartbeat,
      tone: heartbeat === 'active' ? 'good' : heartbeat === 'unarmed' ? 'plain' : 'warn',
    },
    ...(daemon.awaySince === undefined ? [] : [{ label: 'exchange', text: 'no session', tone: 'bad' } as const]),
  ];
}

function tradingFacts(ledger: Ledger, now: Instant): TradingFacts {
  const { risk } = ledger;
  const { dailyLoss, rollingLoss } = risk.limits;
  let open = 0;
  let watched = 0;
  for (const entry of ledger.marketEntries()) {
    const { state, watchers } = entry;
    if (state.status !== 'Open' || !state.published || state.suspended) continue;
    open += 1;
    if (watchers.length > 0 && whyOff(ledger, entry) === undefined) watched += 1;
  }
  return {
    open,
    watched,
    coolingUntil: risk.coolingUntil(now),
    dayLoss: moneyToDecimal(risk.history.dayLoss(now)),
    dailyLoss: dailyLoss === undefined ? undefined : moneyToDecimal(dailyLoss),
    rollingLoss: rollingLoss === undefined ? 0 : moneyToDecimal(risk.history.rollingLoss(now, rollingLoss.hours)),
    rollingLimit:
      rollingLoss === undefined ? undefined : { amount: moneyToDecimal(rollingLoss.amount), hours: rollingLoss.hours },
  };
}

function figuresOf({ results, orders, markets, marketsOff, wallets }: DaemonStatus['bot']): readonly Figure[] {
  const unknown = orders.unknown === 0 ? '' : `, ${count(orders.unknown)} unknown`;
  const off = marketsOff.length === 0 ? '' : `, ${count(marketsOff.length)} off`;
  return [
    { label: 'settled today', amount: results.today },
    { label: 'settled in all', amount: results.total },
    { label: 'below the peak', text: results.drawdown.toFixed(2) },
    { label: 'can lose now', text: amount(wallets.reduce((sum, { worstLoss }) => sum + (worstLoss ?? 0), 0)) },
    { label: 'live orders', text: `${count(orders.live)}${unknown}`, tone: orders.unknown === 0 ? 'plain' : 'bad' },
    { label: 'markets', text: `${count(markets)}${off}`, tone: marketsOff.length === 0 ? 'plain' : 'warn' },
  ];
}

function activityOf(activity: Activity, now: number): readonly Figure[] {
  const { decided, sent } = activity.counts(now);
  return [
    { label: `decisions in ${MINUTES} min`, text: count(decided) },
    { label: `orders sent in ${MINUTES} min`, text: count(sent) },
    agedFigure('last decision', activity.decidedAt),
    agedFigure('last order', activity.sentAt),
  ];
}

function agedFigure(label: string, at: number | undefined): Figure {
  return at === undefined ? { label, text: 'none since the start' } : { label, at };
}

function factsOf({ daemon, bot }: DaemonStatus): readonly Figure[] {
  const { done, equalAt, differences } = bot.reconciliation;
  const lasting = differences.length;
  return [
    { label: 'run', text: bot.run },
    { label: 'running for', at: bot.startedAt },
    { label: 'comparisons', text: count(done) },
    equalAt === undefined
      ? { label: 'books equal', text: 'not yet', tone: 'warn' }
      : { label: 'books equal', at: equalAt },
    ...(lasting === 0
      ? []
      : [{ label: 'differences', text: `${plural(lasting, 'lasting one')}: ${differences[0]}`, tone: 'bad' } as const]),
    ...(bot.ordersLeft.length === 0
      ? []
      : [
          {
            label: 'orders left',
            text: `${count(bot.ordersLeft.length)} are to end and live on`,
            tone: 'bad',
          } as const,
        ]),
    ...(daemon.skewMs === undefined || daemon.skewMs === 0
      ? []
      : [{ label: 'our clock', text: `${daemon.skewMs} ms ahead of the exchange’s`, tone: 'warn' } as const]),
    { label: 'state directory', text: daemon.dir },
    { label: 'process', text: `${daemon.pid}, ${count(Math.round(daemon.rssBytes / 1e6))} MB` },
    { label: 'oddsmith', text: daemon.version },
  ];
}
