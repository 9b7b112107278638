/**
 * The blocks of configuration files, as schemas: the type, the check and the editor's completion in one.
 * A `title` says what is expected there, in the words of an error message.
 */

import { Type } from '@sinclair/typebox';
import { choice, closed, Whole } from './fields.ts';

/** A decimal amount of currency; at most 2⁵³ · 10⁻⁶, so that money is exact. */
const Amount = (description: string, value: number) =>
  Type.Number({
    minimum: 0,
    maximum: 9_000_000_000,
    title: 'an amount from 0 to 9,000,000,000',
    description,
    default: value,
  });

const Milliseconds = (description: string) =>
  Type.Number({ minimum: 0, maximum: 600_000, title: 'milliseconds from 0 to 600000', description });

export const StrategyBlock = Type.Object(
  {
    file: Type.String({ minLength: 1, title: 'a path', description: 'The plugin, relative to the working directory.' }),
    params: Type.Record(Type.String(), Type.Unknown(), {
      title: 'a map of parameter names to values',
      description: 'Overrides of the parameters the plugin declares.',
      default: {},
    }),
    wallet: Type.String({
      minLength: 1,
      title: 'the name of a wallet',
      description: 'A key of wallets.',
      default: 'main',
    }),
    files: Type.Array(Type.String({ minLength: 1, title: 'a path' }), {
      title: 'a list of files and directories',
      description: 'What the plugin may read with fs, relative to the working directory; nothing when empty.',
      default: [],
    }),
  },
  { ...closed, title: 'a map with file, params, wallet and files' },
);

const Names = (description: string) =>
  Type.Array(Type.String(), { title: 'a list of texts', description, default: [] });

export const MarketsBlock = Type.Object(
  {
    types: Names('Market type ids, such as WIN.'),
    ids: Names('Market ids.'),
    events: Names('Event ids.'),
  },
  {
    ...closed,
    title: 'a map with types, ids and events',
    description: 'Which markets to replay; an empty list selects all.',
    default: {},
  },
);

const WINDOW_OFFSET = '[+-](\\d+)(\\.\\d+)?(s|m|h|d)';

/** When strategies are asked in each market, by the words of `resolve-window.ts`. */
const WindowBlock = Type.Object(
  {
    from: Type.Optional(
      Type.String({
        pattern: `^(off|${WINDOW_OFFSET})$`,
        title: 'off, or a time such as -10m or +30s',
        description:
          'When strategies are first asked: before the scheduled start, or from the off on. Absent: at once.',
      }),
    ),
    to: Type.Optional(
      Type.String({
        pattern: `^(off|end|${WINDOW_OFFSET})$`,
        title: 'off, end, or a time such as +5m or -1m',
        description: 'When they are asked for the last time. Absent, or end: at the end of the market.',
      }),
    ),
  },
  {
    ...closed,
    title: 'a map with from and to',
    description: 'When strategies are asked in each market: from -10m to off, for example. Outside of it they are not.',
  },
);

export const BacktestMarketsBlock = Type.Object(
  { ...MarketsBlock.properties, window: Type.Optional(WindowBlock) },
  {
    ...closed,
    title: 'a map with types, ids, events and window',
    description: 'Which markets to replay, and when strategies are asked in them; an empty list selects all.',
    default: {},
  },
);

export const WalletBlock = Type.Object(
  {
    currency: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 16,
        title: 'a currency',
        description: 'What amounts are in. Left out: USDC; over imported recordings, which do not say theirs, units.',
      }),
    ),
    balance: Amount('What the wallet holds at the start.', 10_000),
    unlimited: Type.Boolean({
      title: 'true or false',
      description: 'Lifts the balance: the wallet never runs dry.',
      default: false,
    }),
  },
  { ...closed, title: 'a map with currency, balance and unlimited' },
);

export const WalletsBlock = Type.Record(Type.String(), WalletBlock, {
  title: 'a map of wallet names to wallets',
  description: 'Wallets by name, all of one currency.',
  minProperties: 1,
  default: { main: {} },
});

export const FeedBlock = Type.Union(
  [
    Type.Object({ mode: Type.Literal('stream') }, closed),
    Type.Object(
      {
        mode: Type.Literal('poll'),
        everyMs: Type.Integer({
          minimum: 1,
          maximum: 3_600_000,
          title: 'whole milliseconds from 1 to 3600000',
          description: 'Time between polls.',
        }),
      },
      closed,
    ),
  ],
  {
    title: '{ mode: stream } or { mode: poll, everyMs: 1000 }',
    description: 'How the bot sees prices: each update, or only what polls return.',
    default: { mode: 'stream' },
  },
);

const Spread = Type.Object(
  { p50: Milliseconds('The median delay.'), p99: Milliseconds('The delay that one in a hundred exceeds.') },
  { ...closed, title: '{ p50, p99 } in milliseconds' },
);
const Delay = (description: string, value: number) =>
  Type.Union([Milliseconds(''), Spread], {
    title: 'milliseconds, or { p50: 80, p99: 400 }',
    description,
    default: value,
  });

export const LatencyBlock = Type.Union(
  [
    Type.Object(
      {
        requestMs: Type.Optional(Delay('From the bot to the exchange.', 80)),
        placeMs: Type.Optional(Delay('Of placements, from the bot to the exchange; requestMs where it is absent.', 80)),
        cancelMs: Type.Optional(
          Delay('Of cancellations, from the bot to the exchange; requestMs where it is absent.', 80),
        ),
        responseMs: Type.Optional(Delay('From the exchange to the bot.', 40)),
      },
      closed,
    ),
    Spread,
  ],
  {
    title: '{ requestMs: 80, placeMs, cancelMs, responseMs: 40 }, or { p50: 80, p99: 400 } for the request',
    description: 'Delays between bot and exchange: fixed, or a distribution by its median and 99th percentile.',
    default: { requestMs: 80, responseMs: 40 },
  },
);

export const InPlayDelay = Type.Union([Type.Literal('recorded'), Type.Number({ minimum: 0, maximum: 600 })], {
  title: 'recorded, or seconds from 0 to 600',
  description: "Delay of orders in play: the tape's, or this many seconds.",
  default: 'recorded',
});

export const Commission = Type.Union([Type.Literal('recorded'), Type.Number({ minimum: 0, maximum: 100 })], {
  title: 'recorded, or a percentage from 0 to 100',
  description: "Commission on a market's net winnings: the tape's rate, or this percentage.",
  default: 'recorded',
});

export const Fills = choice(
  ['bounds', 'all', 'central'],
  'bounds: the three bounds of the interval, in each of which the strategy lives its own fills; all: with the conceivable extremes; central: the central bound alone.',
);

/** Steps of a quarter: two square roots then give the same bits on every JavaScript engine. */
const Power = Type.Number({
  minimum: 0.25,
  maximum: 8,
  multipleOf: 0.25,
  title: 'a power from 0.25 to 8 in steps of 0.25',
  description: 'Of the amounts ahead and behind: 1 is pro-rata.',
});

export const FillRulesBlock = Type.Object(
  {
    cancellations: Type.Union(
      [
        ...['pro-rata', 'ahead', 'behind', 'log'].map((name) =>
          Type.Literal(name as 'pro-rata' | 'ahead' | 'behind' | 'log'),
        ),
        Type.Object({ power: Power }, closed),
      ],
      {
        title: 'pro-rata, ahead, behind, log, or { power: 2 }',
        description: 'Where in the queue recorded participants cancel, under the central bound.',
        default: 'pro-rata',
      },
    ),
    hiddenVolume: choice(['through-queue'], 'Traded volume never displayed passes through the queue at its price.'),
    crossMatching: choice(['rounded', 'exact'], 'Which synthetic prices cross matching makes, where a market has it.'),
    refill: Type.Union(
      [
        Type.Literal('never'),
        Type.Literal('next-change'),
        Type.Object(
          { halfLifeMs: Whole('Half of what is missing comes back in it.', { min: 1, max: 86_400_000 }) },
          closed,
        ),
      ],
      {
        title: 'never, next-change, or { halfLifeMs: 5000 }',
        description: 'How much of the stake that own orders took comes back: a second interval, unless it is never.',
        default: 'never',
      },
    ),
    levelsOutOfSight: Type.Union(
      [
        Type.Literal('never'),
        Type.Literal('always'),
        Type.Object(
          { maxAgeMs: Whole('Since a better level pushed it out of the window.', { min: 1, max: 604_800_000 }) },
          closed,
        ),
      ],
      {
        title: 'never, always, or { maxAgeMs: 1000 }',
        description:
          'Whether orders that take are matched with levels that left the window of a recording of the best few, and for how long.',
        default: { maxAgeMs: 1_000 },
      },
    ),
  },
  {
    ...closed,
    title: 'a map with cancellations, hiddenVolume, crossMatching, refill and levelsOutOfSight',
    default: {},
  },
);

export const ExchangeBlock = Type.Object(
  {
    minimumStake: Type.Union(
      [Type.Literal('recorded'), Type.Literal('none'), Type.Number({ exclusiveMinimum: 0, maximum: 9_000_000_000 })],
      {
        title: 'recorded, none, or a stake above 0',
        description:
          "The smallest order: that of the exchange whose market was recorded (Betfair's: a stake of 1, or a payout of 10), none, or this stake.",
        default: 'recorded',
      },
    ),
    inPlaySuspension: choice(
      ['as-recorded', 'cancel', 'keep'],
      'Our resting orders when a market in play is suspended: cancelled where the recording empties the book then, always, or never.',
    ),
  },
  { ...closed, title: 'a map with inPlaySuspension and minimumStake', default: {} },
);

export const Isolate = choice(
  ['none', 'event', 'market', 'strategy'],
  'Cut the run into independent pieces that share no wallet, no exposure and no liquidity.',
);

export const StrategyTimeout = (value: number) =>
  Type.Integer({
    minimum: 100,
    maximum: 3_600_000,
    title: 'a whole number from 100 to 3600000',
    default: value,
    description: 'How long a strategy may take for one call before it counts as stuck. Milliseconds.',
  });

export const Seed = Type.Integer({
  minimum: 0,
  maximum: 4_294_967_295,
  title: 'a whole number from 0 to 4294967295',
  description: 'The seed of all chance in the run.',
  default: 1,
});

export const Out = Type.String({
  minLength: 1,
  title: 'a path',
  description: 'Where the run writes its own directory.',
  default: 'runs/',
});
