/** The dashboard of a sandbox that speaks Betfair's API: markets, bets and accounts by Betfair's ids, and commands that do what they say. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { betfairSource } from '../../../src/app/web/dashboard/sandbox/betfair-sandbox.ts';
import type { SandboxSource } from '../../../src/app/web/dashboard/sandbox/sandbox-source.ts';
import { readAsk } from '../../../src/app/web/dashboard/server/read-ask.ts';
import type { Panel } from '../../../src/pages/panels.ts';
import { limit } from '../../support/sandbox-betfair/face-stage.ts';
import { type LoopbackBot, type LoopbackStand, openLoopback } from '../../support/sandbox-betfair/loopback-stand.ts';

let stand: LoopbackStand;
let source: SandboxSource;
let mary: LoopbackBot;
let marketId = '';
let selectionId = 0;

beforeAll(async () => {
  stand = await openLoopback();
  source = betfairSource(stand.sandbox);
  mary = await stand.login();
  const filter = { marketTypeCodes: ['MATCH_ODDS'], inPlayOnly: false };
  const query = { filter, marketProjection: ['RUNNER_DESCRIPTION'], sort: 'LAST_TO_START', maxResults: 1 };
  const [found] = await mary.call('listMarketCatalogue', query);
  marketId = found.marketId;
  selectionId = found.runners[0].selectionId;
});
afterAll(async () => {
  source.close();
  await stand.close();
});

function panel<P extends Panel['page']>(page: P, more: Record<string, string> = {}) {
  const shown = source.panel(readAsk(new URLSearchParams({ page, ...more })));
  if (shown?.page !== page) throw new Error(`a sandbox has the page ${page}`);
  return shown as Extract<Panel, { readonly page: P }>;
}

const place = () =>
  mary.call('placeOrders', { marketId, instructions: [limit({ selectionId, price: 1000, size: 5 })] });

/** Carries out a command as the page sends it, and gives what proves it. */
async function command(name: string, values: Record<string, string>, of = '') {
  const done = await source.commands.carryOut({ name, of, values, reason: '' });
  if ('refused' in done) throw new Error(done.refused);
  return done.progress();
}

const FAULT = { app: 'all', percent: '100', seconds: '30' };

test('accounts, bets and markets have the names that their owners know', async () => {
  const { betId } = (await place()).instructionReports[0];
  const { accounts, clients, appNoun } = panel('exchange');
  expect(accounts).toMatchObject([
    { app: 'mary', wallet: '', currency: 'GBP', cash: 10_000, atRisk: 5, liveOrders: 1 },
  ]);
  expect(appNoun).toBe('account');
  expect(clients).toMatchObject([{ app: 'mary', sessions: 1, streams: [] }]);
  expect(panel('orders').part.rows).toMatchObject([{ exchangeId: betId, market: marketId, owner: 'mary', wallet: '' }]);
  const { market } = panel('market', { id: marketId });
  expect(market).toMatchObject({ id: marketId, name: 'Match Odds', liveOrders: 1, positions: [{ owner: 'mary' }] });
  expect(market?.outcomes[1]).toMatchObject({ title: 'The Draw' });
  expect(market?.outcomes[0]).toMatchObject({ id: String(selectionId), liveOrders: 1 });
});

test('a bet is lost in the matcher, and appears', async () => {
  const before = (await mary.call('listCurrentOrders', {})).currentOrders.length;
  const lost = await command('reports', { ...FAULT, code: 'TIMEOUT', acts: '0', app: 'mary' });
  expect(lost.proof).toMatch(/answers orders with TIMEOUT: placing and changing bets of mary/);
  expect(await place()).toMatchObject({ status: 'TIMEOUT' });
  expect(await command('endFaults', { fault: 'all' })).toEqual({ isDone: true, proof: 'no fault is left' });
  expect((await mary.call('listCurrentOrders', {})).currentOrders.length).toBe(before + 1);
});

test('each fault that is offered is taken', async () => {
  const offers = source.commands.offers('').filter(({ group, off }) => group === 'Faults' && off === undefined);
  expect(offers.length).toBeGreaterThan(10);
  for (const { name, fields } of offers) {
    if (['endFaults', 'endSessions'].includes(name)) continue;
    const values = fields.map((field) => [field.name, field.kind === 'choice' ? field.options[0]?.value : field.first]);
    expect(await command(name, Object.fromEntries(values)), name).toMatchObject({ isDone: true });
  }
  await command('endFaults', { fault: 'all' });
});

test('a goal suspends a market, and a session is ended', async () => {
  await command('goal', { seconds: '600' }, marketId);
  expect(panel('market', { id: marketId }).market).toMatchObject({ state: 'Suspended' });
  await expect.poll(() => panel('market', { id: marketId }).market?.liveOrders, { timeout: 5_000 }).toBe(0);
  await command('unsuspend', {}, marketId);
  expect(panel('market', { id: marketId }).market).toMatchObject({ state: 'Open' });
  expect((await command('endSessions', { app: 'mary' })).proof).toBe('1 session ended');
  expect(await mary.call('listCurrentOrders', {})).toBe('INVALID_SESSION_INFORMATION');
  mary = await stand.login();
});
