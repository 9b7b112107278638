/** The configuration of a run: its examples, and every way in which it can be wrong, with the place. */

import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { resolveRun } from '../../../src/app/config/resolve/resolve-run.ts';
import { RunConfigSchema } from '../../../src/app/config/schema/run-schema.ts';
import type { RunOptions } from '../../../src/app/run/run-options.ts';
import { type ErrorParts, OddsmithError } from '../../../src/core/checks/oddsmith-error.ts';
import { EDITOR_SCHEMAS } from '../../../tools/editor-schema.ts';
import { thrownBy } from '../../support/thrown-by.ts';

const ENVIRONMENT = { ODDSMITH_APP_ID: 'an-app', ODDSMITH_API_KEY: 'a-key', ODDSMITH_WALLET_ID: 'a-wallet' };
const HEAD =
  'exchange: { url: http://h, appId: a, apiKey: k }\nstrategies: [{ file: s.ts }]\nwallets: { main: { id: w } }';
const STREAMED = HEAD.replace(' appId', ' streamUrl: ws://h, appId');
const file = (name: string): string => readFileSync(new URL(`../../../config/${name}`, import.meta.url), 'utf8');
const resolved = (text: string, mode: RunOptions['mode'] = 'live') =>
  resolveRun({ text, file: 'run.yaml' }, ENVIRONMENT, mode);

function faultOf(text: string, mode: RunOptions['mode'] = 'live'): ErrorParts {
  return thrownBy(OddsmithError, () => resolved(text, mode)).parts;
}

describe('the examples in config/', () => {
  test('live.yaml is complete and says the defaults', () => {
    const text = file('live.yaml');
    const written = parse(text) as Record<string, object>;
    for (const [key, schema] of Object.entries(RunConfigSchema.properties)) {
      expect(Object.keys(written), 'the example has every key').toContain(key);
      if (!('properties' in schema) || key === 'exchange') continue;
      // The markets of Betfair are selected by more words, which its own example has.
      const block = key === 'markets' ? { ...written[key], ...parse(file('betfair.yaml'))[key] } : written[key];
      expect(Object.keys(block ?? {}).sort(), key).toEqual(Object.keys(schema.properties).sort());
    }
    const { exchange, strategies, wallets } = written;
    const { sha256, ...options } = resolved(text);
    const bare = resolved(JSON.stringify({ exchange, strategies, wallets }));
    expect({ ...options, sha256 }).toEqual(bare);
    expect(options.exchange).toMatchObject({ appId: 'an-app', apiKey: 'a-key' });
    expect(options.wallets).toMatchObject([{ name: 'main', id: 'a-wallet' }]);
    expect(options.limits.heartbeat).toBe(true);
  });

  test('paper.yaml runs on paper alone', () => {
    expect(resolved(file('paper.yaml'), 'paper')).toMatchObject({ mode: 'paper', record: true, dir: 'runs/paper' });
    expect(faultOf(file('paper.yaml'))).toMatchObject({ code: 'CONFIG_INVALID', where: 'run.yaml:11:18' });
  });

  test('the editor schema is up to date (else run npm run make:schema) and accepts them', () => {
    const schema = EDITOR_SCHEMAS['run.schema.json']?.() ?? expect.fail('no schema');
    expect(JSON.parse(file('run.schema.json'))).toEqual(JSON.parse(schema));
    const accepts = new Ajv({ strict: false }).compile(JSON.parse(schema));
    for (const name of ['live.yaml', 'paper.yaml']) expect(accepts(parse(file(name))), name).toBe(true);
    expect(accepts({ exchange: { url: 'u', appId: 'a', apiKey: 'k' } }), 'without a strategy').toBe(false);
  });
});

describe('what comes out', () => {
  test('feeds, heartbeat, limits and paper as the run takes them', () => {
    const options = resolved(`${HEAD}
feeds: { prices: { mode: adaptive, urgentMs: 100 }, orders: { mode: poll, everyMs: 300 } }
heartbeat: { timeoutMs: 10000, atEnd: keep }
limits: { order: 5, dailyLoss: none }
paper: { inPlayDelay: 2.5, commission: 2 }`);
    expect(options.feeds).toEqual({
      markets: { kind: 'poll', everyMs: 2_000 },
      prices: { kind: 'adaptive', everyMs: 1_000, urgentMs: 100, nearOffMs: 300_000 },
      orders: { kind: 'poll', everyMs: 300 },
      wallets: { kind: 'poll', everyMs: 5_000 },
    });
    expect(options.settings.heartbeat).toEqual({ timeoutMs: 10_000, pollBudgetMs: 5_000, atEnd: 'keep' });
    expect(options.limits).toMatchObject({ order: 5_000_000, heartbeat: true });
    expect(options.limits).not.toHaveProperty('dailyLoss');
    expect(options.paper).toMatchObject({ inPlayDelay: { ms: 2_500 }, commission: { ratePpm: 20_000 } });
  });

  test.each([
    ['prices', 10_000, 15_000],
    ['orders', 10_000, 15_000],
    ['markets', 10_000, 15_000],
    ['wallets', 10_000, 30_000],
    ['prices', 13_333, 20_000],
    ['prices', 2_000, 5_000],
  ])(
    'a feed %s that is streamed, read again every %i ms, may become %i ms old unless its freshness is written',
    (feed, rereadMs, budgetMs) => {
      const { settings } = resolved(`${STREAMED}\nfeeds: { ${feed}: { mode: stream, rereadMs: ${rereadMs} } }`);
      const usual = { markets: 15_000, prices: 5_000, orders: 5_000, wallets: 30_000 };
      expect(settings.freshness).toEqual({ ...usual, [feed]: budgetMs });
      const written = resolved(
        `${STREAMED}\nfeeds: { ${feed}: { mode: stream, rereadMs: ${rereadMs} } }\nfreshness: { ${feed}: 13400 }`,
      );
      expect(written.settings.freshness).toEqual({ ...usual, [feed]: 13_400 });
    },
  );

  test('to switch the mode alone suffices, and so does another rate; the heartbeat lives longer than a reading takes', () => {
    const budgetOf = (more: string) => resolved(`${STREAMED}\n${more}`).settings.heartbeat?.pollBudgetMs;
    expect(budgetOf('feeds: { prices: { mode: stream } }')).toBe(15_000);
    expect(budgetOf('feeds: { prices: { mode: adaptive, everyMs: 8000 } }')).toBe(12_000);
    expect(budgetOf('feeds: { prices: { mode: stream } }\nheartbeat: { timeoutMs: 16000 }')).toBe(12_500);
    expect(budgetOf('feeds: { prices: { mode: stream } }\nheartbeat: { timeoutMs: 10000 }')).toBe(8_333);
    expect(budgetOf('feeds: { prices: { mode: poll, everyMs: 34999 } }')).toBe(25_000);
  });

  test('without a heartbeat none is armed, and no order needs one', () => {
    const { settings, limits } = resolved(`${HEAD}\nheartbeat: none`);
    expect(settings).not.toHaveProperty('heartbeat');
    expect(limits.heartbeat).toBe(false);
  });

  test('a hash that neither the key nor the limits nor the order of lines changes, and everything else does', () => {
    const { sha256 } = resolved(HEAD);
    expect(resolved(`limits: { order: 7 }\n${HEAD.replace('apiKey: k', 'apiKey: other')}`).sha256).toBe(sha256);
    expect(resolved(HEAD.replace('id: w', 'id: v')).sha256).not.toBe(sha256);
    expect(resolved(`${HEAD}\nend: { orders: keep }`).sha256).not.toBe(sha256);
    expect(resolved(HEAD, 'paper').sha256).not.toBe(sha256);
  });
});

test.each([
  ['an unknown key', `${HEAD}\nheartbeats: none`, 'CONFIG_UNKNOWN_KEY run.yaml:4:1', 'Did you mean heartbeat?'],
  ['a limit of no name', `${HEAD}\nlimits: { ordr: 5 }`, 'CONFIG_UNKNOWN_KEY run.yaml:4:11', 'Did you mean order?'],
  ['no strategy', HEAD.replace('[{ file: s.ts }]', '[]'), 'CONFIG_INVALID run.yaml:2:13', ''],
  [
    'a wallet that is not there',
    HEAD.replace('s.ts', 's.ts, wallet: mian'),
    'CONFIG_INVALID run.yaml:2:36',
    'mean main?',
  ],
  ['a wallet without an id', HEAD.replace('{ id: w }', '{}'), 'CONFIG_INVALID run.yaml:3:18', '--paper'],
  ['a wallet twice', HEAD.replace('{ id: w }', '{ id: w }, b: { id: w }'), 'CONFIG_INVALID run.yaml:3:38', ''],
  ['a heartbeat of 5 s', `${HEAD}\nheartbeat: { timeoutMs: 5000 }`, 'CONFIG_INVALID run.yaml:4:25', ''],
  [
    'news older than the heartbeat',
    `${HEAD}\nheartbeat: { timeoutMs: 10000, pollBudgetMs: 10000 }`,
    'CONFIG_INVALID run.yaml:4:46',
    '',
  ],
  ['freshness no reading can keep', `${HEAD}\nfreshness: { orders: 500 }`, 'CONFIG_INVALID run.yaml:4:22', 'Raise'],
  [
    'the same of a stream',
    `${STREAMED}\nfeeds: { prices: { mode: stream } }\nfreshness: { prices: 10000 }`,
    'CONFIG_INVALID run.yaml:5:22',
    'Raise freshness.prices, leave it out',
  ],
  [
    'a limit on the age of prices that no reading of a stream can keep',
    `${STREAMED}\nfeeds: { prices: { mode: stream, rereadMs: 3000 } }\nlimits: { staleMs: 3000 }`,
    'CONFIG_INVALID run.yaml:5:20',
    'Raise limits.staleMs, leave it out, or read feeds.prices more often.',
  ],
  [
    'the same of polled prices',
    `${HEAD}\nfeeds: { prices: { mode: poll, everyMs: 900 } }\nlimits: { staleMs: 800 }`,
    'CONFIG_INVALID run.yaml:5:20',
    'Raise limits.staleMs',
  ],
  [
    'the same of prices that are read as often as they are urgent',
    `${HEAD}\nfeeds: { prices: { mode: adaptive, urgentMs: 400 } }\nlimits: { staleMs: 300 }`,
    'CONFIG_INVALID run.yaml:5:20',
    'Raise limits.staleMs',
  ],
  [
    'a heartbeat that waits for a reading longer than it lives',
    `${HEAD}\nfeeds: { prices: { mode: poll, everyMs: 35000 } }`,
    'CONFIG_INVALID run.yaml:4:18',
    'Read feeds.prices more often, or raise heartbeat.timeoutMs.',
  ],
  [
    'a heartbeat on news that no reading brings in time',
    `${STREAMED}\nfeeds: { orders: { mode: stream } }\nheartbeat: { timeoutMs: 12000, pollBudgetMs: 6000 }`,
    'CONFIG_INVALID run.yaml:5:46',
    'Read feeds.orders more often, or raise heartbeat.pollBudgetMs.',
  ],
  [
    'orders withdrawn while new ones are placed',
    `${HEAD}\ndark: { afterMs: 10000 }`,
    'CONFIG_INVALID run.yaml:4:18',
    'lower freshness.markets',
  ],
  ['a stream without an address', `${HEAD}\nfeeds: { orders: { mode: stream } }`, 'CONFIG_INVALID run.yaml:4:18', ''],
  ['foreign orders left alone', `${HEAD}\nreconcile: { foreignOrders: ignore }`, 'CONFIG_INVALID run.yaml:4:29', ''],
  [
    'a delay upside down',
    `${HEAD}\npaper: { latency: { requestMs: { p50: 9, p99: 3 } } }`,
    'CONFIG_INVALID run.yaml:4:32',
    '',
  ],
  ['an unset variable', HEAD.replace('id: w', `id: "\${NOT_SET}"`), 'CONFIG_SECRET_UNSET run.yaml:3:24', 'NOT_SET'],
  ['no YAML', 'exchange: [', 'CONFIG_SYNTAX run.yaml:1:12', ''],
])('%s is refused with its place', (_, text, said, next) => {
  const fault = faultOf(text);
  expect(`${fault.code} ${fault.where}`).toContain(said);
  expect(fault.next).toContain(next);
});

test('a market is dark once a feed is late, or later where that is written', () => {
  const dark = (more: string) => resolved(`${HEAD}\n${more}`).settings.dark;
  const [markets, prices, orders] = [15_000, 5_000, 5_000];
  expect(dark('')).toEqual({ afterMs: { markets, prices, orders }, orders: 'cancel' });
  expect(dark('freshness: { orders: 7000 }').afterMs).toEqual({ markets, prices, orders: 7_000 });
  const later = { markets: 60_000, prices: 60_000, orders: 60_000 };
  expect(dark('dark: { afterMs: 60000, orders: keep }')).toEqual({ afterMs: later, orders: 'keep' });
});

describe('alerts', () => {
  const environment = { ...ENVIRONMENT, BOT_TOKEN: '12:ab-5417', CHAT: '-100123', HOOK: 'https://h.example.org/5418' };
  const ALERTS = `${HEAD}
alerts:
  telegram: { token: "\${BOT_TOKEN}", chat: "\${CHAT}", from: error }
  webhook: { url: "\${HOOK}", headers: { authorization: "Bearer \${BOT_TOKEN}" } }
  ntfy: { topic: bots }
  deadMan: { url: "\${HOOK}" }`;
  const read = (text: string) => resolveRun({ text, file: 'run.yaml' }, environment, 'live');

  test('come out with their defaults, and with secrets that no printing shows', () => {
    const { alerts } = read(ALERTS);
    expect(alerts).toMatchObject({ name: 'runs/live', perMinute: 10, repeatMs: 900_000 });
    expect(alerts?.ways.map(({ kind, from }) => [kind, from])).toEqual([
      ['webhook', 'warn'],
      ['telegram', 'error'],
      ['ntfy', 'warn'],
    ]);
    expect(alerts?.deadMan).toMatchObject({ everyMs: 60_000, method: 'GET' });
    expect(`${JSON.stringify(alerts)} ${inspect(alerts, { depth: 9 })}`).not.toMatch(/541[78]|100123|bots/);
  });

  test('have their times in seconds, minutes or hours', () => {
    const { alerts } = read(`${ALERTS.replace('deadMan: {', 'deadMan: { every: 90s,')}\n  repeatAfter: 2h`);
    expect([alerts?.deadMan?.everyMs, alerts?.repeatMs]).toEqual([90_000, 7_200_000]);
  });

  test('the lines of live.yaml that show them are right', () => {
    const shown = file('live.yaml')
      .replace(/alerts: none.*\n/, 'alerts:\n')
      .replaceAll(/^# {2}(?=\w)/gm, '  ');
    const names = [...shown.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => [name, '1234567']);
    const variables = { ...Object.fromEntries(names), ALERT_WEBHOOK_URL: 'https://h', DEAD_MAN_URL: 'https://h' };
    const { alerts } = resolveRun({ text: shown, file: 'live.yaml' }, variables, 'live');
    expect(alerts?.ways).toHaveLength(3);
    expect(alerts?.deadMan?.everyMs).toBe(60_000);
  });

  test('change the hash by their shape, and their secrets do not', () => {
    const { sha256 } = read(ALERTS);
    expect(read(ALERTS.replace('topic: bots', 'topic: other')).sha256).toBe(sha256);
    expect(read(ALERTS.replace('from: error', 'from: warn')).sha256).not.toBe(sha256);
    expect(read(HEAD).sha256, 'a run without them is what it was').toBe(resolved(`${HEAD}\nalerts: none`).sha256);
  });

  test.each([
    ['an unknown way', ALERTS.replace('ntfy:', 'ntfi:'), 'CONFIG_UNKNOWN_KEY run.yaml:7:3'],
    ['no address', ALERTS.replace(/"\$.HOOK.", headers/, '5417, headers'), 'CONFIG_INVALID run.yaml:6:19'],
    [
      'an address with a password',
      ALERTS.replace(/"\$.HOOK.", headers/, 'http://u:5417@h, headers'),
      'CONFIG_INVALID run.yaml:6:19',
    ],
    [
      'an address of another kind',
      ALERTS.replace(/"\$.HOOK.", headers/, 'ftp://h/5417, headers'),
      'CONFIG_INVALID run.yaml:6:19',
    ],
    ['a header on two lines', ALERTS.replace('Bearer', 'Bearer 5417\\nX-Evil:'), 'CONFIG_INVALID run.yaml:6:56'],
    ['a header of the request itself', ALERTS.replace('authorization', 'Content-Length'), 'CONFIG_INVALID run.yaml'],
    ['a chat of no kind', ALERTS.replace(/"\$.CHAT."/, '"my chat 5417"'), 'CONFIG_INVALID run.yaml:5:44'],
    ['a topic that is a path', ALERTS.replace('topic: bots', 'topic: bots/5417'), 'CONFIG_INVALID run.yaml:7:18'],
    ['an unset variable', ALERTS.replace('BOT_TOKEN', 'NOT_SET'), 'CONFIG_SECRET_UNSET run.yaml:5:22'],
    ['a time without a unit', `${ALERTS}\n  repeatAfter: 60`, 'CONFIG_INVALID run.yaml:9'],
    ['a time that is too long', `${ALERTS}\n  repeatAfter: 60h`, 'CONFIG_INVALID run.yaml:9:16'],
    ['no time at all', `${ALERTS}\n  repeatAfter: 0s`, 'CONFIG_INVALID run.yaml:9:16'],
    ['a level of no name', ALERTS.replace('from: error', 'from: 5417'), 'CONFIG_INVALID run.yaml:5'],
  ])('with %s are refused with their place, and nothing of them is shown', (_, text, said) => {
    const { code, where, ...words } = thrownBy(OddsmithError, () => read(text)).parts;
    expect(`${code} ${where}`).toContain(said);
    expect(JSON.stringify(words)).not.toMatch(/5417|12:ab/);
  });
});

test.each([
  ['a key that is a number', HEAD.replace('apiKey: k', 'apiKey: 54171')],
  ['a key in the place of the block', HEAD.replace(/exchange: .*/, 'exchange: "5417"')],
  ['an address with a password', HEAD.replace('http://h', 'http://user:5417@h')],
])('%s is refused without being shown', (_, text) => {
  const fault = faultOf(text);
  expect(fault.code).toBe('CONFIG_INVALID');
  expect(JSON.stringify(fault)).not.toContain('5417');
});
