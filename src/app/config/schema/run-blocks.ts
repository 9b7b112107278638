/** The blocks that only a live or paper run has: wallets, feeds, heartbeat, comparison, end, paper. Times in ms. */

import { Type } from '@sinclair/typebox';
import { Commission, InPlayDelay, LatencyBlock, Seed } from '../../../backtest/options/blocks.ts';
import { choice, closed, Whole } from '../../../backtest/options/fields.ts';
import { REREAD_MS } from './record-schema.ts';

const Interval = (description: string, value?: number) =>
  Whole(`${description} Milliseconds.`, { min: 20, max: 3_600_000, ...(value === undefined ? {} : { value }) });

/** The host on which the dashboard listens if no other is given. */
export const DASHBOARD_HOST = '127.0.0.1';

const Switch = (description: string, value: boolean) =>
  Type.Boolean({ title: 'true or false', description, default: value });

const RunWalletBlock = Type.Object(
  {
    id: Type.Optional(
      Type.String({
        minLength: 1,
        title: `a text such as \${ODDSMITH_WALLET_ID}`,
        description: "The exchange's id of the wallet: needed by a live run, not used by a paper run.",
      }),
    ),
    balance: Type.Number({
      minimum: 0,
      maximum: 9_000_000_000,
      title: 'an amount from 0 to 9,000,000,000',
      default: 10_000,
      description: 'What the wallet holds at the start of a paper run; not used by a live run.',
    }),
  },
  { ...closed, title: 'a map with id and balance' },
);

export const RunWalletsBlock = Type.Record(Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_-]{0,31}$' }), RunWalletBlock, {
  ...closed,
  title: 'a map of wallet names to wallets',
  description: 'Wallets by name; strategies, limits and status call them so.',
  minProperties: 1,
  default: { main: {} },
});

const polled = (everyMs: number) =>
  Type.Object(
    { mode: Type.Literal('poll'), everyMs: Type.Optional(Interval('Between two readings.', everyMs)) },
    closed,
  );
const streamed = Type.Object(
  {
    mode: Type.Literal('stream'),
    rereadMs: Type.Optional(Interval('Between readings over REST, since the stream cannot show a loss.', REREAD_MS)),
  },
  closed,
);

const Feed = (description: string, everyMs: number) =>
  Type.Union([polled(everyMs), streamed], {
    title: `{ mode: poll, everyMs: ${everyMs} } or { mode: stream, rereadMs: 10000 }`,
    description,
    default: { mode: 'poll' },
  });

const ADAPTIVE = 'Markets with open orders, near the off or in play.';

export const RUN_FEED_DEFAULTS = {
  markets: 2_000,
  prices: 1_000,
  orders: 500,
  wallets: 5_000,
  urgentMs: 250,
  nearOffMs: 300_000,
} as const;

export const RunFeedsBlock = Type.Object(
  {
    markets: Feed('How new markets and their status are read.', RUN_FEED_DEFAULTS.markets),
    prices: Type.Union(
      [
        Type.Object(
          {
            mode: Type.Literal('adaptive'),
            everyMs: Type.Optional(
              Interval('Between two readings of a calm market, while the request budget allows.', 1_000),
            ),
            urgentMs: Type.Optional(Interval(`Between two readings of an urgent market. ${ADAPTIVE}`, 250)),
            nearOffMs: Type.Optional(
              Whole('So long before its lock or its start a market is near the off. Milliseconds.', {
                min: 0,
                max: 86_400_000,
                value: 300_000,
              }),
            ),
          },
          closed,
        ),
        polled(RUN_FEED_DEFAULTS.prices),
        streamed,
      ],
      {
        title: '{ mode: adaptive, everyMs: 1000, urgentMs: 250 }, { mode: poll } or { mode: stream }',
        description: `How prices are read. Adaptive reads urgent markets more often. ${ADAPTIVE}`,
        default: { mode: 'adaptive' },
      },
    ),
    orders: Feed('How fills and cancellations are read.', RUN_FEED_DEFAULTS.orders),
    wallets: Feed('How balances are read.', RUN_FEED_DEFAULTS.wallets),
  },
  { ...closed, title: 'a map with markets, prices, orders and wallets', default: {} },
);

export const FRESHNESS_DEFAULTS = { markets: 15_000, prices: 5_000, orders: 5_000, wallets: 30_000 } as const;
/** A feed is fresh for at least this many of its intervals between readings, where its freshness is not written down. */
export const FRESHNESS_READINGS = 1.5;

const Budget = (description: string, feed: keyof typeof FRESHNESS_DEFAULTS) =>
  Type.Optional(
    Whole(
      `${description} Unless written: ${FRESHNESS_DEFAULTS[feed]}, or ${FRESHNESS_READINGS} times the time between two readings of feeds.${feed}, whichever is longer.`,
      { min: 100, max: 3_600_000 },
    ),
  );

export const FreshnessBlock = Type.Object(
  {
    markets: Budget('Age of the last whole reading of markets.', 'markets'),
    prices: Budget("Age of a market's prices, for that market alone.", 'prices'),
    orders: Budget('Age of the last whole reading of orders.', 'orders'),
    wallets: Budget('Age of the last whole reading of wallets.', 'wallets'),
  },
  {
    ...closed,
    title: 'a map with markets, prices, orders and wallets',
    description: 'Milliseconds after which what was read is too old: no new orders on it until it is read again.',
    default: {},
  },
);

export const DarkBlock = Type.Object(
  {
    afterMs: Type.Union([Type.Literal('freshness'), Type.Integer({ minimum: 100, maximum: 3_600_000 })], {
      title: 'freshness, or milliseconds from 100 to 3600000',
      default: 'freshness',
      description:
        'A market is dark where its status, its prices or our orders were last known longer ago: each than its freshness, or all than this, which is not less than any of them.',
    }),
    orders: choice(
      ['cancel', 'keep'],
      'Orders of ours that rest in a dark market: cancelled, until it is sure, or left where they are.',
    ),
  },
  {
    ...closed,
    title: 'a map with afterMs and orders',
    description:
      'What becomes of orders where too little is known. A market whose status is late is dark from its scheduled start on, except for orders that are to stay in play.',
    default: {},
  },
);

export const HEARTBEAT_DEFAULTS = { timeoutMs: 30_000, atEnd: 'clear' } as const;

export const HeartbeatBlock = Type.Union(
  [
    Type.Object(
      {
        timeoutMs: Type.Optional(
          Whole('After so long without a refresh the exchange cancels our orders and blocks new ones.', {
            min: 10_000,
            max: 300_000,
            value: HEARTBEAT_DEFAULTS.timeoutMs,
          }),
        ),
        pollBudgetMs: Type.Optional(
          Whole('Refreshed only while prices and orders were read and processed within this time.', {
            min: 100,
            max: 300_000,
          }),
        ),
        atEnd: Type.Optional(
          choice(
            ['clear', 'keep'],
            'clear: taken away at the end; keep: left to lapse, so that the exchange cancels what is left.',
          ),
        ),
      },
      closed,
    ),
    Type.Literal('none'),
  ],
  {
    title: '{ timeoutMs: 30000, atEnd: clear }, or none',
    description:
      'While it is refreshed in time, our orders live; else the exchange cancels them. With none, orders outlive a daemon that died.',
    default: {},
  },
);

export const ReconcileBlock = Type.Object(
  {
    everyMs: Whole("Between two comparisons with the exchange's own books.", {
      min: 1_000,
      max: 3_600_000,
      value: 30_000,
    }),
    lastingAfter: Whole('After how many comparisons in a row a difference counts as lasting.', {
      min: 2,
      max: 100,
      value: 3,
    }),
    foreignOrders: Type.Optional(
      Type.Union([Type.Literal('adopt'), Type.Literal('cancel'), Type.Literal('leave')], {
        title: 'one of adopt, cancel, leave',
        description:
          'Orders in our wallets that this run did not place: counted as ours, cancelled, or left alone. Absent: adopt, and leave at Betfair.',
      }),
    ),
  },
  { ...closed, title: 'a map with everyMs, lastingAfter and foreignOrders', default: {} },
);

export const JournalBlock = Type.Object(
  {
    explain: Type.Object(
      {
        keepMb: Whole('Decisions and refusals are kept up to so many MB; the oldest go first.', {
          min: 1,
          max: 1_000_000,
          value: 1_000,
        }),
        keepDays: Whole('And for so many days.', { min: 1, max: 3_650, value: 30 }),
      },
      {
        ...closed,
        title: 'a map with keepMb and keepDays',
        description: 'What explains the run: no start needs it. Orders, fills and money are kept for ever.',
        default: {},
      },
    ),
  },
  { ...closed, title: 'a map with explain', default: {} },
);

export const EndBlock = Type.Object(
  {
    orders: choice(['cancel', 'keep'], 'What is done with unmatched orders when the run ends.'),
    deadlineMs: Whole('How long the run waits for the fate of its orders.', { min: 0, max: 600_000, value: 30_000 }),
  },
  { ...closed, title: 'a map with orders and deadlineMs', default: {} },
);

export const ReloadBlock = Type.Object(
  {
    strategies: choice(
      ['never', 'whenFlat'],
      'whenFlat: a strategy whose file changed is loaded again once it has no live order and no open position.',
    ),
  },
  { ...closed, title: 'a map with strategies', default: {} },
);

export const ClockBlock = Type.Object(
  {
    skewMaxMs: Whole("How far our clock may be from the exchange's.", { min: 1_000, max: 600_000, value: 5_000 }),
  },
  { ...closed, title: 'a map with skewMaxMs', default: {} },
);

export const MetricsBlock = Type.Union(
  [
    Type.Object({ port: Whole('On 127.0.0.1; 0: any that is free.', { min: 0, max: 65_535 }) }, closed),
    Type.Literal('none'),
  ],
  { title: '{ port: 9464 }, or none', description: '/metrics for Prometheus, /health and /ready.', default: 'none' },
);

export const DashboardBlock = Type.Union(
  [
    Type.Object(
      {
        port: Whole('0: any that is free.', { min: 0, max: 65_535 }),
        host: Type.Optional(
          Type.String({
            minLength: 1,
            title: 'an address of this machine',
            default: DASHBOARD_HOST,
            description: 'Where it listens. Other machines can reach an address that is not loopback, unencrypted.',
          }),
        ),
        hosts: Type.Optional(
          Type.Array(Type.String({ pattern: '^[A-Za-z0-9.-]{1,253}$' }), {
            title: 'a list of names',
            description: 'Further names by which browsers reach it, as behind a proxy. Any other name is refused.',
          }),
        ),
      },
      closed,
    ),
    Type.Literal('none'),
  ],
  {
    title: '{ port: 9465 }, or none',
    description: 'A page that shows what the run does and takes commands, opened by a link that works once.',
    default: 'none',
  },
);

export const PaperBlock = Type.Object(
  {
    latency: LatencyBlock,
    fills: choice(
      ['central', 'pessimistic', 'optimistic'],
      'Which fill model decides what the market data leaves open.',
    ),
    inPlayDelay: Type.Union(InPlayDelay.anyOf, {
      title: 'recorded, or seconds from 0 to 600',
      default: 'recorded',
      description: "Delay of orders in play: the market's own, or this many seconds.",
    }),
    commission: Type.Union(Commission.anyOf, {
      title: 'recorded, or a percentage from 0 to 100',
      default: 1,
      description: 'Percentage of net winnings: the API does not say it of any market, so that recorded is none.',
    }),
    seed: Seed,
  },
  { ...closed, title: 'a map with latency, fills, inPlayDelay, commission and seed', default: {} },
);

const Margin = (description: string, value: number) => Whole(description, { min: 10, max: 3_600_000, value });

export const MarginsBlock = Type.Object(
  {
    placeTimeoutMs: Margin('For the answer to a new order, on top of the in-play delay.', 10_000),
    absenceMs: Margin('How long after that an order that was lost may still appear.', 5_000),
    lookUpEveryMs: Margin('Between two look-ups of an order of unknown fate.', 5_000),
    absentEveryMs: Margin('Between look-ups of an order taken for absent.', 60_000),
    resultEveryMs: Margin('Between readings of markets that are over.', 60_000),
    commissionMs: Margin('How long after a settlement its commission may be posted.', 5_000),
    refusedMs: Margin('How long the exchange may refuse our key before the daemon ends.', 600_000),
    tickMs: Margin('Between two checks of what is due: heartbeat, freshness, comparison, halt file.', 250),
  },
  {
    ...closed,
    title: 'a map of times in milliseconds',
    description: 'How patient the run is. The defaults suit an exchange far away.',
    default: {},
  },
);

export const RecordSwitch = Switch(
  'Record all market data that is received onto tapes in dir, as oddsmith record does.',
  false,
);

export const RunDirectory = Type.String({
  minLength: 1,
  title: 'a path',
  default: 'runs/live',
  description:
    'The state directory of this run: journal, control socket, halt file, tapes. One for each run, kept for ever.',
});
