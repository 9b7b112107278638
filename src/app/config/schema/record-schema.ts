/** The complete configuration of `oddsmith record`, with its defaults. */

import { type Static, Type } from '@sinclair/typebox';
import { MarketsBlock } from '../../../backtest/options/blocks.ts';
import { closed } from '../../../backtest/options/fields.ts';

/** `secret`: the value is never printed, not even in an error about it. */
const Text = (title: string, description: string) => Type.String({ minLength: 1, title, description, secret: true });

const BetdexBlock = Type.Object(
  {
    url: Text(
      'a text such as http://127.0.0.1:8640',
      `Base address of the REST API; \${NAME} is read from the environment.`,
    ),
    streamUrl: Type.Optional(
      Text('a text such as ws://127.0.0.1:8640/', 'Address of the stream: needed where a feed is streamed.'),
    ),
    proxy: Type.Optional(
      Text(
        'a text such as http://proxy.example:3128',
        'Address of an HTTP proxy, with user and password if it asks for them: all calls and streams go through it. HTTPS_PROXY and the like are not read.',
      ),
    ),
    appId: Text(`a text such as \${ODDSMITH_APP_ID}`, `The app that reads; \${NAME} is read from the environment.`),
    apiKey: Text(`a text such as \${ODDSMITH_API_KEY}`, `Its key: best \${NAME}, which is read from the environment.`),
  },
  {
    ...closed,
    title: 'a map with url, streamUrl, proxy, appId and apiKey',
    description: 'The exchange, and the app and key that are used there.',
    secret: true,
  },
);

const BetfairBlock = Type.Object(
  {
    betfair: Type.Object(
      {
        appKey: Text(
          `a text such as \${BETFAIR_APP_KEY}`,
          `The application key; \${NAME} is read from the environment.`,
        ),
        username: Text(`a text such as \${BETFAIR_USERNAME}`, 'The user name of the account.'),
        password: Text(
          `a text such as \${BETFAIR_PASSWORD}`,
          `Its password: best \${NAME}, which is read from the environment.`,
        ),
        certificate: Type.Optional(
          Text(
            'a path',
            'File of the certificate with which the account logs in (PEM). Absent: it logs in without one.',
          ),
        ),
        key: Type.Optional(Text('a path', 'File of the certificate’s key (PEM).')),
        url: Type.Optional(
          Text('a text such as https://127.0.0.1:8740', 'Address of a sandbox; absent: Betfair itself.'),
        ),
        streamUrl: Type.Optional(
          Text(
            'a text such as tls://127.0.0.1:8741',
            'Address of the stream of a sandbox; absent: that of Betfair itself.',
          ),
        ),
        authority: Type.Optional(Text('a path', 'File of the authority by which a sandbox is trusted (PEM).')),
        proxy: Type.Optional(
          Text(
            'a text such as http://proxy.example:3128',
            'Address of an HTTP proxy, with user and password if it asks for them.',
          ),
        ),
      },
      {
        ...closed,
        title: 'a map with appKey, username, password, certificate, key, url, streamUrl, authority and proxy',
        description: 'The account at Betfair.',
        secret: true,
      },
    ),
  },
  { ...closed, title: 'a map with betfair', secret: true },
);

/** BetDEX, or the exchange that its first key names. */
export const ExchangeBlock = Type.Union([BetdexBlock, BetfairBlock], {
  title: 'a map with url, streamUrl, proxy, appId and apiKey, or one with betfair',
  description: 'The exchange, and what we are known by there.',
  secret: true,
});

const Words = (title: string, description: string, pattern = '') =>
  Type.Array(Type.String({ title, ...(pattern === '' ? {} : { pattern }) }), {
    title: `a list of ${title}`,
    description,
    default: [],
  });

/** The markets of a recording or a run. Betfair has too many for one run, so that more words select there than at BetDEX. */
export const WatchBlock = Type.Object(
  {
    ...MarketsBlock.properties,
    eventTypes: Words('ids of sports in quotes', "Betfair only: ids of sports, such as '7' for horse racing."),
    countries: Words('countries of two letters', 'Betfair only: countries of the events, such as GB.', '^[A-Z]{2}$'),
    venues: Words('names', 'Betfair only: venues, such as Ascot.'),
    startsWithin: Type.Optional(
      Type.String({
        pattern: '^[1-9][0-9]{0,4}(s|m|h|d)$',
        title: 'a time such as 90m or 2h',
        description:
          'Betfair only: markets that have started, or start within this time from now. Further ones come in as their start comes near.',
      }),
    ),
  },
  {
    ...closed,
    title: 'a map with types, ids, events, eventTypes, countries, venues and startsWithin',
    description: 'Which markets to follow: those that match all of the lists; an empty list selects all.',
    default: {},
  },
);

const Interval = (description: string, value: number) =>
  Type.Integer({
    minimum: 20,
    maximum: 3_600_000,
    title: 'whole milliseconds from 20 to 3600000',
    description,
    default: value,
  });

const Feed = (description: string, everyMs: number) =>
  Type.Union(
    [
      Type.Object(
        { mode: Type.Literal('poll'), everyMs: Type.Optional(Interval('Time between polls.', everyMs)) },
        closed,
      ),
      Type.Object(
        {
          mode: Type.Literal('stream'),
          rereadMs: Type.Optional(Interval('Between readings over REST, since the stream cannot show a loss.', 10_000)),
        },
        closed,
      ),
    ],
    {
      title: `{ mode: poll, everyMs: ${everyMs} } or { mode: stream, rereadMs: 10000 }`,
      description,
      default: { mode: 'poll' },
    },
  );

export const MARKETS_EVERY_MS = 2_000;
export const PRICES_EVERY_MS = 500;
export const REREAD_MS = 10_000;

const RecordFeedsBlock = Type.Object(
  {
    markets: Feed('How new markets and their status are read.', MARKETS_EVERY_MS),
    prices: Feed(
      'How prices are read: polls show traded stake too (grade A), the stream shows each change but no trades (A-).',
      PRICES_EVERY_MS,
    ),
  },
  { ...closed, title: 'a map with markets and prices', default: {} },
);

export const RecordConfigSchema = Type.Object(
  {
    exchange: ExchangeBlock,
    currency: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 16,
        title: 'a currency',
        description: 'The currency of the markets. Absent: USDC, and GBP at Betfair.',
      }),
    ),
    markets: WatchBlock,
    feeds: RecordFeedsBlock,
    requestsPerSecond: Type.Integer({
      minimum: 1,
      maximum: 10_000,
      title: 'a whole number from 1 to 10000',
      description: 'No more calls a second than that are sent to the exchange.',
      default: 25,
    }),
    commission: Type.Number({
      minimum: 0,
      maximum: 100,
      title: 'a percentage from 0 to 100',
      description:
        "Percentage of a market's net winnings that is put on the tape: the API does not say it of any market.",
      default: 1,
    }),
    rotate: Type.Union([Type.Literal('daily')], {
      title: 'daily',
      description: 'A tape for each day, UTC.',
      default: 'daily',
    }),
    out: Type.String({ minLength: 1, title: 'a path', description: 'The directory of the tapes.', default: 'tapes/' }),
  },
  { ...closed, title: 'a map of the configuration', description: 'Recording live markets with oddsmith.' },
);

export type RecordConfig = Static<typeof RecordConfigSchema>;
