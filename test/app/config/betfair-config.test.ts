/** A configuration that names Betfair: its account, its files, its currency, and what it cannot ask for. */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CliError, type CliErrorParts } from '../../../src/app/cli/cli-error.ts';
import { resolveRecord } from '../../../src/app/config/resolve/resolve-record.ts';
import { resolveRun } from '../../../src/app/config/resolve/resolve-run.ts';
import { identityOf, openExchange, streamUrlOf } from '../../../src/app/run/exchange-choice.ts';
import { SimulatedClock } from '../../../src/time/simulated-clock.ts';
import { thrownBy } from '../../support/thrown-by.ts';

const ENVIRONMENT = { BETFAIR_APP_KEY: 'an-app-key', BETFAIR_USERNAME: 'mary', BETFAIR_PASSWORD: 'secret-word' };
const EXAMPLE = readFileSync(new URL('../../../config/betfair.yaml', import.meta.url), 'utf8');
const ACCOUNT = 'appKey: k, username: mary, password: p';
const run = (text: string) => resolveRun({ text, file: 'run.yaml' }, ENVIRONMENT, 'paper');
const record = (text: string) => resolveRecord({ text, file: 'record.yaml' }, ENVIRONMENT);

function faultOf(act: () => unknown): CliErrorParts {
  return thrownBy(CliError, act).parts;
}

test('the example names an account, a sandbox and pounds', () => {
  const { exchange, currency } = run(EXAMPLE);
  expect(exchange).toMatchObject({ appKey: 'an-app-key', username: 'mary', password: 'secret-word' });
  expect(currency).toBe('GBP');
  expect(identityOf(exchange)).toEqual({
    url: 'https://127.0.0.1:8640',
    owner: { kind: 'account', name: 'mary' },
    secrets: ['an-app-key', 'secret-word'],
  });
});

test('bets of others are left alone, unless the configuration says something else', () => {
  const { settings } = run(EXAMPLE);
  expect(settings.reconcile).toEqual({ everyMs: 30_000, lastingAfter: 3, foreignOrders: 'leave' });
  expect(run(`${EXAMPLE}reconcile: { foreignOrders: adopt }\n`).settings.reconcile.foreignOrders).toBe('adopt');
  const betdex = readFileSync(new URL('../../../config/live.yaml', import.meta.url), 'utf8');
  const unwritten = betdex.replace(', foreignOrders: adopt', '');
  const ids = { ODDSMITH_APP_ID: 'a', ODDSMITH_API_KEY: 'k', ODDSMITH_WALLET_ID: 'w' };
  const resolved = [betdex, unwritten].map((text) => resolveRun({ text, file: 'run.yaml' }, ids, 'live'));
  expect(resolved.map((each) => each.settings.reconcile.foreignOrders)).toEqual(['adopt', 'adopt']);
  expect(resolved[1]?.sha256).toBe(resolved[0]?.sha256);
});

test('the password is no part of what tells one run from another, and the account is', () => {
  const shaOf = (environment: Readonly<Record<string, string>>) =>
    resolveRun({ text: EXAMPLE, file: 'run.yaml' }, { ...ENVIRONMENT, ...environment }, 'paper').sha256;
  expect(shaOf({ BETFAIR_PASSWORD: 'another' })).toBe(shaOf({}));
  expect(shaOf({ BETFAIR_USERNAME: 'john' })).not.toBe(shaOf({}));
});

test('without an address it is Betfair itself', () => {
  const { exchange } = record(`exchange: { betfair: { ${ACCOUNT} } }`);
  expect(identityOf(exchange).url).toBe('https://api.betfair.com');
  expect(streamUrlOf(exchange)).toBe('tls://stream-api.betfair.com:443');
});

test('without its first key it is BetDEX, in its currency', () => {
  const { exchange, currency } = record('exchange: { url: http://h, appId: a, apiKey: k }');
  expect(identityOf(exchange).owner).toEqual({ kind: 'app', name: 'a' });
  expect(currency).toBe('USDC');
});

test('a file that is not there is named when the exchange is opened', () => {
  const { exchange } = record(`exchange: { betfair: { ${ACCOUNT}, authority: not/there.crt } }`);
  const open = () => openExchange({ exchange, feeds: {}, requestsPerSecond: 1 }, new SimulatedClock(0));
  expect(faultOf(open)).toMatchObject({ what: 'The file not/there.crt cannot be read.' });
});

test.each([
  [`exchange: { betfair: { ${ACCOUNT}, certificate: a.crt } }`, /belong together/],
  [`exchange: { betfair: { ${ACCOUNT}, url: "http://h" } }`, /exchange\.betfair\.url must be an address/],
  [
    `exchange: { betfair: { ${ACCOUNT}, url: "https://h" } }\nfeeds: { prices: { mode: stream } }`,
    /exchange\.betfair\.streamUrl is missing/,
  ],
  [`exchange: { betfair: { ${ACCOUNT}, streamUrl: "https://h" } }`, /exchange\.betfair\.streamUrl must be an address/],
  ['exchange: { betfair: { appKey: k, username: mary } }', /"password" is missing/],
  [`exchange: { betfair: { ${ACCOUNT}, pasword: x } }`, /Unknown key "pasword"/],
])('%s is refused', (text, why) => {
  expect(faultOf(() => record(text)).what).toMatch(why);
});

const MARKETS = "markets: { eventTypes: ['7'], countries: [GB, IE], venues: [Ascot], types: [WIN], startsWithin: 90m }";

test('markets are selected by sport, country, venue, type and start, in a run as in a recording', () => {
  const exchange = `exchange: { betfair: { ${ACCOUNT} } }`;
  const watch = {
    ...{ eventTypeIds: ['7'], countries: ['GB', 'IE'], venues: ['Ascot'], marketTypeIds: ['WIN'] },
    startsWithinMs: 90 * 60_000,
  };
  expect(record(`${exchange}\n${MARKETS}`).watch).toEqual(watch);
  const strategies = 'strategies: [{ file: a.ts }]\nwallets: { main: { id: main, balance: 1 } }';
  expect(run(`${exchange}\n${strategies}\n${MARKETS}`).watch).toEqual(watch);
  expect(record(exchange).watch).toEqual({});
});

const BETFAIR = `exchange: { betfair: { ${ACCOUNT} } }`;
const BETDEX = 'exchange: { url: http://h, appId: a, apiKey: k }';

test.each([
  [BETFAIR, 'markets: { countries: [gb] }', /countries of two letters/],
  [BETFAIR, 'markets: { eventTypes: [7] }', /ids of sports in quotes/],
  [BETFAIR, 'markets: { startsWithin: 2 }', /a time such as 90m or 2h/],
  [BETFAIR, 'markets: { startsWithin: 0m }', /a time such as 90m or 2h/],
  [BETFAIR, 'markets: { venue: [Ascot] }', /Unknown key "venue"/],
  [BETFAIR, `markets: { ids: [${'"1.1", '.repeat(201)}] }`, /names 201 markets, and Betfair shows 200 at once/],
  [BETDEX, "markets: { eventTypes: ['7'] }", /markets\.eventTypes selects markets of Betfair alone/],
  [BETDEX, 'markets: { startsWithin: 2h }', /markets\.startsWithin selects markets of Betfair alone/],
])('%s with %s is refused at its line', (exchange, markets, why) => {
  const { what, where } = faultOf(() => record(`${exchange}\n${markets}`));
  expect(what).toMatch(why);
  expect(where).toMatch(/^record\.yaml:2\b/);
});
