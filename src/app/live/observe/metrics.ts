/** Figures of a running daemon for Prometheus: counted from the journal's records, or read from the status when they are asked for. */

import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { JournalRecord } from '../../../core/run/journal.ts';
import { HEARTBEAT_STATES, TRADING_STATES } from '../../../core/run/trading-state.ts';
import { type BotStatus, PHASES } from '../../../engine/live/bot-status.ts';
import type { FeedMessage } from '../../../exchange/gateway.ts';
import type { EdgeEvent } from '../../../exchange-live/adapter/edge-event.ts';
import type { GatewayNotice } from '../../../exchange-live/notice.ts';
import type { Clock } from '../../../time/clock.ts';
import { ALERTS, type AlertCode } from '../../cli/codes/alert.ts';
import type { NotificationCounts } from '../alerts/notifications.ts';
import type { DaemonStatus } from '../control/control-protocol.ts';
import { Latencies } from './latencies.ts';
import { NOT_READY_CODES, type NotReadyCode, notReady } from './readiness.ts';

export interface MetricsParts {
  /** Undefined until the run has begun. */
  readonly status: () => DaemonStatus | undefined;
  readonly version: string;
  readonly clock: Pick<Clock, 'now'>;
  /** Whether a heartbeat is configured, without which nothing is placed. */
  readonly needsHeartbeat: boolean;
  /** Absent where no way of sending alerts is configured. */
  readonly notifications?: { counts(): NotificationCounts } | undefined;
}

export class Metrics {
  readonly #registry = new Registry();
  readonly #records = this.#counter('records_total', 'Journal records by kind.', 'kind');
  readonly #alerts = this.#counter('alerts_total', 'Alerts by code, whether said in the log or not.', 'alert');
  readonly #refusals = this.#counter('refusals_total', 'Intents that risk refused, by code.', 'code');
  readonly #rejections = this.#counter('rejections_total', 'Orders that the exchange refused, by code.', 'code');
  readonly #requests = this.#counter(
    'requests_total',
    'Requests with orders or heartbeats, by outcome.',
    'request',
    'outcome',
  );
  readonly #intents = this.#counter('intents_total', 'Intents of strategies.', 'strategy');
  readonly #breaches = this.#counter('freshness_breaches_total', 'Feeds or markets older than their budget.', 'feed');
  readonly #differences = this.#counter('differences_total', 'Differences with the exchange.', 'scope', 'verdict');
  readonly #reads = this.#counter('reads_total', 'Whole readings of feeds over REST.', 'feed');
  readonly #failures = this.#counter('read_failures_total', 'Readings that failed, by code.', 'code');
  readonly #calls = this.#counter(
    'client_events_total',
    'Events of the REST client: sessions, retries, throttling.',
    'event',
  );
  readonly #stretched = this.#gauge(
    'poll_interval_seconds',
    'Time between two readings of prices, as the budget allows.',
    'market',
  );
  readonly #latencies = new Latencies(this.#registry);
  readonly #clock: Pick<Clock, 'now'>;
  readonly #status: () => DaemonStatus | undefined;

  constructor(parts: MetricsParts) {
    this.#status = parts.status;
    this.#clock = parts.clock;
    collectDefaultMetrics({ register: this.#registry });
    // Gauges with the name of a counter, which `promtool check metrics` objects to; the library's others say the same by type.
    for (const kind of ['handles', 'requests', 'resources'])
      this.#registry.removeSingleMetric(`nodejs_active_${kind}_total`);
    this.#gauge('info', 'The running version.', 'version').set({ version: parts.version }, 1);
    this.#state('phase', PHASES, (bot) => bot.phase);
    this.#state('trading', TRADING_STATES, (bot) => bot.trading);
    this.#state('heartbeat', HEARTBEAT_STATES, (bot) => bot.heartbeat);
    // A counter that appears with its first alert has not increased, as Prometheus sees it.
    for (const alert of Object.keys(ALERTS)) this.#alerts.inc({ alert }, 0);
    this.#readiness(parts.needsHeartbeat);
    this.#counts();
    this.#money();
    this.#books();
    this.#exchange();
    this.#notifications(() => parts.notifications?.counts() ?? NO_NOTIFICATIONS);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  alert(alert: AlertCode): void {
    this.#alerts.inc({ alert });
  }

  record(at: number, record: JournalRecord): void {
    this.#latencies.record(at, record);
    this.#records.inc({ kind: record.kind });
    if (record.kind === 'refused') this.#refusals.inc({ code: record.code });
    else if (record.kind === 'rejected') this.#rejections.inc({ code: record.code });
    else if (record.kind === 'replied') this.#requests.inc({ request: record.request, outcome: record.outcome });
    else if (record.kind === 'decided') this.#intents.inc({ strategy: record.strategy }, record.intents.length);
    else if (record.kind === 'difference') this.#differences.inc({ scope: record.scope, verdict: record.verdict });
    else if (record.kind === 'freshness' && record.isLate) this.#breaches.inc({ feed: record.feed });
  }

  onMessage(message: FeedMessage): void {
    this.#latencies.message(message, this.#clock.now());
    if (message.kind === 'read') this.#reads.inc({ feed: message.feed });
  }

  notice(notice: GatewayNotice): void {
    if (notice.kind === 'readFailed') this.#failures.inc({ code: notice.code });
    if (notice.kind !== 'pollingStretched') return;
    this.#stretched.set({ market: 'calm' }, notice.everyMs / 1_000);
    this.#stretched.set({ market: 'urgent' }, notice.urgentMs / 1_000);
  }

  /** The stream's events are in the log alone. */
  edge(event: EdgeEvent): void {
    if (event.kind === 'call') this.#latencies.call(event);
    else if (!('connection' in event)) this.#calls.inc({ event: event.kind });
  }

  lag(ms: number): void {
    this.#latencies.lag(ms);
  }

  #readiness(needsHeartbeat: boolean): void {
    const ready = (reasons: readonly NotReadyCode[]) => [['', Number(reasons.length === 0)] as const];
    const marked = (reasons: readonly NotReadyCode[]) =>
      NOT_READY_CODES.map((code) => [code, Number(reasons.includes(code))] as const);
    const codes = (bot: BotStatus) => notReady(bot, needsHeartbeat).map(({ code }) => code);
    const waiting: readonly NotReadyCode[] = ['NOT_READY'];
    this.#read('ready', 'Whether the bot may trade.', [], (bot) => ready(codes(bot)), ready(waiting));
    const help = '1 for each reason why the bot may not trade.';
    this.#read('not_ready', help, ['reason'], (bot) => marked(codes(bot)), marked(waiting));
  }

  #notifications(counts: () => NotificationCounts): void {
    this.#total('notifications_total', 'Messages with alerts, by outcome.', ['way', 'outcome'], () =>
      counts().ways.flatMap(({ way, sent, failed }) => [
        [{ way, outcome: 'sent' }, sent] as const,
        [{ way, outcome: 'failed' }, failed] as const,
      ]),
    );
    this.#total('alerts_dropped_total', 'Alerts that were not sent by a way.', ['way'], () =>
      counts().ways.map(({ way, dropped }) => [{ way }, dropped] as const),
    );
    this.#read('alerts_waiting', 'Alerts that wait to be sent.', ['way'], () =>
      counts().ways.map(({ way, waiting }) => [way, waiting] as const),
    );
    this.#total('dead_man_pings_total', 'Calls of the dead-man service.', ['outcome'], () => {
      const { pings } = counts();
      if (pings === undefined) return [];
      return [
        [{ outcome: 'sent' }, pings.sent],
        [{ outcome: 'failed' }, pings.failed],
      ];
    });
  }

  #counts(): void {
    this.#read('orders', 'Own orders by state.', ['state'], ({ orders }) => Object.entries(orders));
    this.#read('markets', 'Markets that are followed.', [], ({ markets }) => [['', markets]]);
    this.#read('markets_off', 'Markets without new orders.', [], ({ marketsOff }) => [['', marketsOff.length]]);
    this.#read('strategy_halted', 'Whether a strategy was halted.', ['strategy'], ({ strategies }) =>
      strategies.map(({ name, isHalted }) => [name, Number(isHalted)]),
    );
    this.#read('feed_age_seconds', 'Age of the last whole reading.', ['feed'], ({ feeds, at }) =>
      feeds.flatMap(({ feed, readAt }) => (readAt === undefined ? [] : [[feed, (at - readAt) / 1_000] as const])),
    );
    this.#read('feed_late', 'Whether a feed is older than its budget.', ['feed'], ({ feeds }) =>
      feeds.map(({ feed, isLate }) => [feed, Number(isLate)]),
    );
  }

  #money(): void {
    this.#read(
      'strategy_worst_loss',
      'The most that a strategy’s positions can lose.',
      ['strategy'],
      ({ strategies }) => strategies.map(({ name, worstLoss }) => [name, worstLoss]),
    );
    this.#read('wallet_worst_loss', 'The most that a wallet’s positions can lose.', ['wallet'], ({ wallets }) =>
      wallets.map(({ name, worstLoss }) => [name, worstLoss]),
    );
    this.#read('wallet_required_funds', 'What the exchange holds for a wallet’s bets.', ['wallet'], ({ wallets }) =>
      wallets.map(({ name, requiredFunds = 0 }) => [name, requiredFunds]),
    );
    this.#read('wallet_balance', 'Balance.', ['wallet'], ({ wallets }) =>
      wallets.map(({ name, balance }) => [name, balance]),
    );
    this.#read('wallet_available', 'Balance that is not bound.', ['wallet'], ({ wallets }) =>
      wallets.map(({ name, balanceAvailable }) => [name, balanceAvailable]),
    );
    this.#read('result', 'Settled results, net.', ['span'], ({ results: { today, total } }) => [
      ['today', today],
      ['total', total],
    ]);
    this.#read('drawdown', 'How far the settled total is below its peak.', [], ({ results }) => [
      ['', results.drawdown],
    ]);
  }

  #books(): void {
    this.#read('comparisons', 'Comparisons with the exchange so far.', [], ({ reconciliation }) => [
      ['', reconciliation.done],
    ]);
    this.#read('differences_lasting', 'Differences that last.', [], ({ reconciliation }) => [
      ['', reconciliation.differences.length],
    ]);
    this.#read('books_equal_age_seconds', 'Since ledger and exchange were last equal.', [], ({ reconciliation, at }) =>
      reconciliation.equalAt === undefined ? [] : [['', (at - reconciliation.equalAt) / 1_000]],
    );
    const skew: Gauge = new Gauge({
      name: `${PREFIX}clock_skew_seconds`,
      help: 'Our clock ahead of the exchange’s, at least.',
      registers: [this.#registry],
      collect: () => skew.set((this.#status()?.daemon.skewMs ?? 0) / 1_000),
    });
  }

  /** 0 where the exchange counts nothing of the kind. */
  #exchange(): void {
    const figures = () => this.#status()?.daemon.exchange;
    const help = 'Bets placed, and instructions that failed: Betfair charges for those of an hour above 5,000.';
    this.#total('transactions_total', help, ['outcome'], () => {
      const { transactions } = figures() ?? {};
      if (transactions === undefined) return [];
      return [
        [{ outcome: 'placed' }, transactions.placed],
        [{ outcome: 'failed' }, transactions.failed],
      ];
    });
    const one = (value: number | undefined) => (value === undefined ? [] : ([['', value]] as const));
    this.#read('transactions_hour', 'Transactions since the last full hour.', [], () =>
      one(figures()?.transactions.thisHour),
    );
    this.#read('request_weight_max', 'Weight of the heaviest request of data.', [], () =>
      one(figures()?.weight.heaviest),
    );
    this.#read(
      'stream_latency_seconds',
      'From the making of the newest message to its arrival, by two clocks.',
      [],
      () => {
        const ms = figures()?.streamLatencyMs;
        return one(ms === undefined ? undefined : ms / 1_000);
      },
    );
  }

  /** One series for each state: 1 for the present one, 0 for the others. */
  #state(name: string, states: readonly string[], of: (bot: BotStatus) => string): void {
    this.#read(name, `1 for the ${name} that is.`, ['state'], (bot) =>
      states.map((state) => [state, Number(of(bot) === state)]),
    );
  }

  /** Read from the status whenever the figures are asked for; `waiting` is there until the run has begun. Without a label there is one series. */
  #read(
    name: string,
    help: string,
    labels: readonly string[],
    of: (bot: BotStatus) => readonly (readonly [string, number])[],
    waiting: readonly (readonly [string, number])[] = [],
  ): void {
    const gauge = new Gauge({
      name: `${PREFIX}${name}`,
      help,
      labelNames: [...labels],
      registers: [this.#registry],
      collect: () => {
        gauge.reset();
        const [label] = labels;
        const status = this.#status();
        for (const [word, value] of status === undefined ? waiting : of(status.bot))
          if (label === undefined) gauge.set(value);
          else gauge.set({ [label]: word }, value);
      },
    });
  }

  /** Counted elsewhere, and read whenever the figures are asked for. */
  #total(
    name: string,
    help: string,
    labelNames: readonly string[],
    of: () => readonly (readonly [Readonly<Record<string, string>>, number])[],
  ): void {
    const counter: Counter = new Counter({
      name: `${PREFIX}${name}`,
      help,
      labelNames: [...labelNames],
      registers: [this.#registry],
      collect: () => {
        counter.reset();
        for (const [labels, value] of of()) counter.inc(labels, value);
      },
    });
  }

  #counter(name: string, help: string, ...labelNames: readonly string[]): Counter {
    return new Counter({ name: `${PREFIX}${name}`, help, labelNames: [...labelNames], registers: [this.#registry] });
  }

  #gauge(name: string, help: string, ...labelNames: readonly string[]): Gauge {
    return new Gauge({ name: `${PREFIX}${name}`, help, labelNames: [...labelNames], registers: [this.#registry] });
  }
}

const PREFIX = 'oddsmith_';
const NO_NOTIFICATIONS: NotificationCounts = { ways: [], pings: undefined };
