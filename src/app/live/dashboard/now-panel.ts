/** A run at a glance: its money, why it does not trade, limits, feeds. */

import { type Instant, moneyToDecimal } from '../../../core/number/units.ts';
import type { Ledger } from '../../../engine/ledger/ledger.ts';
import { whyOff } from '../../../engine/live/dark-markets.ts';
import type { ExchangeFigures } from '../../../exchange-live/adapter/exchange.ts';
import type { Figure } from '../../../pages/figure.ts';
import type { NowPanel, RecordLine } from '../../../pages/panels.ts';
import { count, plural } from '../../../words/numbers.ts';
import type { DaemonStatus } from '../control/control-protocol.ts';
import { type Activity, MINUTES } from './activity.ts';
import { limitBars } from './limit-bars.ts';
import type { KeptRun } from './money/kept-run.ts';
import type { MoneyCurves } from './money/money-curve.ts';
import { moneyPart } from './money/money-part.ts';
import { type TradingFacts, whyNoOrders } from './why-no-orders.ts';

export interface NowParts {
  readonly status: DaemonStatus;
  readonly ledger: Ledger;
  readonly now: Instant;
  readonly activity: Activity;
  readonly kept: KeptRun;
  readonly curves: MoneyCurves;
  readonly alerts: readonly RecordLine[];
}

const ALERTS_SHOWN = 5;

export function nowPanel(parts: NowParts): NowPanel {
  const { status, ledger, now, activity, alerts, kept, curves } = parts;
  const { bot } = status;
  return {
    page: 'now',
    reasons: whyNoOrders(status, { ...tradingFacts(ledger, now), ordered: kept.move }),
    money: moneyPart({ ledger, bot, sums: kept.sums, curves }),
    figures: figuresOf(bot),
    activity: activityOf(activity, now),
    refusals: activity.counts(now).refusals,
    bars: limitBars(ledger, now),
    feeds: bot.feeds,
    facts: factsOf(status),
    alerts: alerts.slice(0, ALERTS_SHOWN),
  };
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

function figuresOf({ orders, markets, marketsOff }: DaemonStatus['bot']): readonly Figure[] {
  const unknown = orders.unknown === 0 ? '' : `, ${count(orders.unknown)} unknown`;
  const off = marketsOff.length === 0 ? '' : `, ${count(marketsOff.length)} off`;
  return [
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
  return at === undefined ? { label, text: 'none since the start' } : { label, at, isAgo: true };
}

function factsOf({ daemon, bot }: DaemonStatus): readonly Figure[] {
  const { done, equalAt, differences } = bot.reconciliation;
  const lasting = differences.length;
  return [
    { label: 'run', text: bot.run },
    { label: 'running for', at: bot.startedAt },
    { label: 'comparisons', text: count(done) },
    equalAt === undefined
      ? { label: 'agrees with the exchange', text: 'not checked yet', tone: 'warn' }
      : { label: 'agrees with the exchange, checked', at: equalAt, isAgo: true },
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
    ...exchangeFigures(daemon.exchange),
    { label: 'state directory', text: daemon.dir },
    { label: 'process', text: `${daemon.pid}, ${count(Math.round(daemon.rssBytes / 1e6))} MB` },
    { label: 'oddsmith', text: daemon.version },
  ];
}

function exchangeFigures(figures: ExchangeFigures | undefined): readonly Figure[] {
  if (figures === undefined) return [];
  const { transactions, weight, streamLatencyMs } = figures;
  const { thisHour, freeAnHour, placed, failed } = transactions;
  const used = `${count(thisHour)} of ${count(freeAnHour)} free ones; since the start ${count(placed)} placed, ${count(failed)} failed`;
  const isCharged = thisHour > freeAnHour;
  return [
    { label: 'transactions this hour', text: used, ...(isCharged && { tone: 'bad' as const }) },
    { label: 'heaviest request', text: `weight ${count(Math.round(weight.heaviest))} of ${count(weight.limit)}` },
    ...(streamLatencyMs === undefined
      ? []
      : [{ label: 'stream latency', text: `${count(Math.round(streamLatencyMs))} ms, by two clocks` }]),
  ];
}
