/** What a sandbox's dashboard commands, its exchange does; and nobody else, and nothing else, commands it. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import type { MarketRecord } from '../../../src/sandbox/world/records.ts';
import { describeWithBrowser, launchBrowser } from '../../support/browser.ts';
import { type CommandForm, prepared, visitPage } from '../../support/dashboard/command-page.ts';
import { ask, openLink } from '../../support/dashboard/dashboard-visit.ts';
import { openDashedSandbox } from '../../support/dashboard/dashed-sandbox.ts';

/** Markets of the fixed world that are open, each with one winner; nobody moves them during a test. */
function openMarkets({ context: { world } }: Sandbox): readonly [MarketRecord, MarketRecord] {
  const found = [...world.catalogue.markets.values()].filter((record) => {
    const market = world.exchange.market(record.market);
    const isQuiet = (world.catalogue.events.get(record.event)?.expectedStartTime ?? 0) > Date.now() + 600_000;
    return market?.status === 'Open' && market.inPlayStatus === 'PrePlay' && record.winners.max === 1 && isQuiet;
  });
  const [first, second] = found;
  if (first === undefined || second === undefined) throw new Error('the sandbox has no two open markets');
  return [first, second];
}

const stateOf = ({ context: { world } }: Sandbox, { market }: MarketRecord) => world.exchange.market(market);

/** Commands that no offer allows, each for one reason. */
function wrongOnes(sandbox: Sandbox): readonly Readonly<Record<string, string>>[] {
  const [market, other] = openMarkets(sandbox);
  const [winner, , ...rest] = market.outcomes;
  const settle = { name: 'settle', of: market.id, word: 'settle' };
  const errors = { name: 'errors', status: '503', requests: 'prices', app: 'all', percent: '100', seconds: '0' };
  const cancel = { name: 'cancelOrders', word: 'cancel' };
  return [
    { ...settle, winner: other.outcomes[0]?.id ?? '' },
    { ...settle, winner: '' },
    { ...settle },
    { ...settle, winner: `${winner?.id},${rest[0]?.id ?? 'x'}` },
    { ...settle, winner: winner?.id ?? '', word: '' },
    { ...settle, winner: winner?.id ?? '', word: 'Settle' },
    { ...settle, winner: winner?.id ?? '', of: '' },
    { ...settle, winner: winner?.id ?? '', of: '999999' },
    { ...settle, winner: winner?.id ?? '', of: `../markets/${market.id}` },
    { ...settle, winner: winner?.id ?? '', step: 'begin' },
    { name: 'unsuspend', of: market.id },
    { name: 'delay', of: market.id, delay: '3601' },
    { name: 'delay', of: market.id, delay: '-1' },
    { name: 'delay', of: market.id, delay: '1e3' },
    { ...errors, status: '200' },
    { ...errors, requests: 'constructor' },
    { ...errors, app: 'System' },
    { ...errors, percent: '0' },
    { ...errors, percent: '100.5' },
    { ...cancel, app: 'System' },
    { ...cancel, app: `${sandbox.appId}/keys` },
    { name: 'endFaults', fault: '7' },
    { name: '__proto__', of: market.id },
    { name: 'publish', of: market.id },
  ];
}

test('each is carried out by what its offer allows alone', async () => {
  const { sandbox, link } = await openDashedSandbox();
  const session = await openLink(link);
  const [market, other] = openMarkets(sandbox);
  const [winner] = market.outcomes;
  let keys = 0;
  const post = (fields: Readonly<Record<string, string>>) => {
    keys += 1;
    return session.post('/commands', { key: `${keys}`.padStart(32, 'e'), word: '', reason: '', ...fields });
  };
  const settle = { name: 'settle', of: market.id, word: 'settle' };
  const cancel = { name: 'cancelOrders', word: 'cancel' };
  const before = stateOf(sandbox, market);
  for (const fields of wrongOnes(sandbox)) expect((await post(fields)).status, JSON.stringify(fields)).toBe(400);
  expect(stateOf(sandbox, market)).toEqual(before);
  expect(sandbox.control.faults()).toEqual([]);

  const done = async (fields: Readonly<Record<string, string>>, proof: RegExp): Promise<void> => {
    const { status, text } = await post(fields);
    expect(status, text).toBe(200);
    expect(JSON.parse(text), text).toMatchObject({ doneAt: expect.any(Number), proof: expect.stringMatching(proof) });
  };
  await done({ name: 'suspend', of: market.id }, /is Suspended$/);
  await done({ name: 'unsuspend', of: market.id }, /is Open$/);
  await done({ name: 'delay', of: market.id, delay: '7' }, /is Open$/);
  expect(stateOf(sandbox, market)?.inPlayDelayMs).toBe(7_000);
  await done({ name: 'inPlay', of: market.id, word: 'in play' }, /is Open, in play$/);
  await done({ name: 'prePlay', of: market.id }, /is Open$/);
  await done({ ...settle, winner: winner?.id ?? '' }, new RegExp(`is Settled, ${winner?.title} won$`));
  await done({ name: 'close', of: market.id, word: 'close' }, /is Closed/);
  await done({ name: 'lock', of: other.id, word: 'lock' }, /is Locked$/);
  await done({ name: 'open', of: other.id }, /is Open$/);
  await done({ name: 'void', of: other.id, word: 'void' }, /is Voided$/);
  await done({ ...cancel, app: sandbox.appId }, /^0 orders cancelled, 0 orders of .* live now$/);
  await done({ name: 'deposit', account: `${sandbox.walletId} USDC`, amount: '12.5' }, /10,012\.50 USDC$/);
  expect(sandbox.context.world.exchange.brokenLaws()).toEqual([]);
});

test('raw requests without what a session has inject no fault', async () => {
  const { sandbox, link } = await openDashedSandbox();
  const { port } = link;
  const session = await openLink(link);
  const origin = { origin: `http://127.0.0.1:${port}` };
  const [cookie, token] = [{ cookie: session.cookie }, { 'x-oddsmith-token': session.token }];
  const fault = { name: 'timeout', requests: 'all', app: 'all', percent: '100', seconds: '0', word: '', reason: '' };
  const body = JSON.stringify({ ...fault, key: 'f'.repeat(32) });
  const type = { 'content-type': 'application/json' };
  const query = `/commands?${new URLSearchParams({ ...fault, key: 'f'.repeat(32) })}`;
  const all = { ...type, ...origin, ...cookie, ...token };
  const tries = {
    'no token': { method: 'POST', path: '/commands', headers: { ...type, ...origin, ...cookie }, body },
    'no cookie': { method: 'POST', path: '/commands', headers: { ...type, ...origin, ...token }, body },
    'no origin': { method: 'POST', path: '/commands', headers: { ...type, ...cookie, ...token }, body },
    'another origin': { method: 'POST', path: '/commands', headers: { ...all, origin: 'http://evil.test' }, body },
    'the sandbox’s own origin': { method: 'POST', path: '/commands', headers: { ...all, origin: sandbox.url }, body },
    'no JSON': { method: 'POST', path: '/commands', headers: { ...all, 'content-type': 'text/plain' }, body },
    'a GET': { path: query, headers: all },
    'a control key in place of a session': {
      ...{ method: 'POST', path: '/commands', body },
      headers: { ...type, ...origin, authorization: `Bearer ${sandbox.controlKey}` },
    },
    'the control surface through the dashboard': {
      ...{ method: 'POST', path: '/control/faults', body: '{"kind":"dropBefore"}' },
      headers: { ...all, authorization: `Bearer ${sandbox.controlKey}` },
    },
  };
  for (const [what, request] of Object.entries(tries))
    expect([400, 401, 403, 404], what).toContain((await ask(port, request)).status);
  expect(sandbox.control.faults()).toEqual([]);
  const said = await ask(port, { method: 'POST', path: '/commands', headers: all, body });
  expect(said.status, 'with all of it').toBe(200);
  expect(sandbox.control.faults()).toHaveLength(1);
});

describeWithBrowser('the Commands page of a sandbox', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  test('settles a chosen market for a chosen winner, and lets requests fail until it is told to stop', async () => {
    const { sandbox, link } = await openDashedSandbox();
    const [market] = openMarkets(sandbox);
    const winner = market.outcomes[1];
    const { page, troubles } = await visitPage(browser, link.url);
    await page.goto(`${link.url.split('#')[0]}#/market?id=${market.id}`);
    await page.click('a:has-text("commands for it")');
    await page.locator('#command-settle').waitFor();
    const button = page.locator('#command-settle button[type=submit]');
    await page.locator('#command-settle label:has-text("confirm") input').fill('settle');
    expect(await button.isDisabled(), 'no winner is chosen').toBe(true);
    await done(page, { name: 'suspend', word: '' });
    expect(stateOf(sandbox, market)?.suspended).toBe(true);
    expect(await page.innerText('#subjects option:checked')).toMatch(/\(Suspended\)/);
    await done(page, { name: 'settle', word: 'settle', choose: { winner: winner?.id ?? '' } });
    expect(stateOf(sandbox, market)).toMatchObject({ status: 'Settled', winners: [1] });
    expect(await page.innerText('#command-settle .steps')).toContain(`${winner?.title} won`);

    const answered = () => fetch(`${sandbox.url}/sessions`, { method: 'POST' }).then(({ status }) => status);
    await done(page, { name: 'errors', word: '', choose: { status: '503', seconds: '0' } });
    expect(await answered()).toBe(503);
    await page.locator('.words li:has-text("faults 1")').waitFor();
    await done(page, { name: 'endFaults', word: '' });
    expect(await answered()).not.toBe(503);
    expect(await page.locator('.entries > li').count()).toBe(4);
    expect(troubles).toEqual([]);
  });
});

async function done(page: Page, form: CommandForm): Promise<void> {
  const box = await prepared(page, form);
  await box.locator('button[type=submit]').click();
  await box.locator('.steps li.yes:has-text("done")').waitFor();
}
