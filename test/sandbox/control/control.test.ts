/** The control surface builds an exchange of its own and moves its markets through their states. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStand, type Stand } from '../http/stand.ts';

let stand: Stand;

beforeAll(async () => {
  stand = await openStand();
});
afterAll(() => stand.close());

const LATER = new Date(Date.now() + 3_600_000).toISOString();

async function makeCatalogue(suffix: string) {
  await stand.made('/currencies', { id: `CUR${suffix}` });
  await stand.made('/categories', { id: `CAT${suffix}`, name: 'Games' });
  await stand.made('/subcategories', { id: `SUB${suffix}`, name: 'Chess', categoryId: `CAT${suffix}` });
  await stand.made('/event-groups', { id: `GRP${suffix}`, name: 'Candidates', subcategoryId: `SUB${suffix}` });
  for (const player of ['A', 'B', 'C']) {
    await stand.made('/participants', {
      id: `P${player}${suffix}`,
      code: player,
      name: `Player ${player}`,
      type: 'Individual',
      subcategoryId: `SUB${suffix}`,
    });
  }
  await stand.made('/market-types', {
    id: `TYPE${suffix}`,
    outcomesRange: { min: 2, max: 5 },
    winnersRange: { min: 1, max: 1 },
  });
  const { id } = await stand.made('/events', {
    eventGroupId: `GRP${suffix}`,
    name: 'Final',
    code: `FINAL${suffix}`,
    expectedStartTime: LATER,
    participantIds: [`PA${suffix}`, `PB${suffix}`],
  });
  return { eventId: id };
}

interface ControlMarket {
  readonly id: string;
  readonly status: string;
  readonly inPlayStatus: string;
  readonly outcomes: readonly {
    readonly id: string;
    readonly title: string;
    readonly winner: boolean;
    readonly removed: boolean;
  }[];
}

async function makeMarket(eventId: unknown, suffix: string, more: object = {}): Promise<ControlMarket> {
  return stand.made('/markets', {
    eventId,
    name: 'Winner',
    marketTypeId: `TYPE${suffix}`,
    currencyId: `CUR${suffix}`,
    lockAt: LATER,
    outcomes: [{ title: 'A', participantId: `PA${suffix}` }, { title: 'B' }, { title: 'Draw' }],
    ...more,
  });
}

async function makeTrader(currencyId: string, rate: number) {
  const { id: appId } = await stand.made('/apps', { name: 'Trader' });
  await stand.made(`/apps/${appId}/commission-rates`, { rate, isDefault: true });
  const { id: walletId } = await stand.made(`/apps/${appId}/wallets`, {
    reference: 'main',
    balances: [{ currencyId, balance: 100, overdraft: 50 }],
  });
  const { secret } = await stand.made(`/apps/${appId}/keys`, {});
  return { appId: String(appId), walletId: String(walletId), token: await stand.login(appId, secret) };
}

test('a whole exchange is built, traded on, settled and closed, and every unit is accounted for', async () => {
  const { eventId } = await makeCatalogue('1');
  const market = await makeMarket(eventId, '1');
  expect(market).toMatchObject({ status: 'Open', inPlayStatus: 'PrePlay', published: true, suspended: false });
  const [backer, layer] = [await makeTrader('CUR1', 2), await makeTrader('CUR1', 0)];
  const place = async (who: typeof backer, side: string, price: number) => {
    const body = {
      walletId: who.walletId,
      marketId: market.id,
      outcomeId: market.outcomes[0]?.id,
      side,
      price,
      stake: 10,
      keepWhenInPlay: true,
    };
    const answer = await stand.call('POST', '/orders', { body, token: who.token });
    expect(answer.status, answer.text).toBe(200);
    return answer.json.orders[0];
  };
  expect((await place(layer, 'Against', 3)).status).toBe('Unmatched');
  expect((await place(backer, 'For', 3)).status).toBe('Matched');
  const move = (name: string, body: object = {}) => stand.made(`/markets/${market.id}/${name}`, body);
  expect(await move('suspend')).toMatchObject({ suspended: true });
  expect(await move('unsuspend')).toMatchObject({ suspended: false });
  expect(await move('delay', { inPlayDelay: 4, delaysTakersOnly: true })).toMatchObject({ delaysTakersOnly: true });
  expect(await move('delay', { inPlayDelay: 3 })).toMatchObject({ inPlayDelay: 3, delaysTakersOnly: true });
  expect(await move('in-play')).toMatchObject({ inPlayStatus: 'InPlay' });
  expect(await move('lock-at', { lockAt: LATER })).toMatchObject({ lockAt: LATER });
  expect(await move('lock')).toMatchObject({ status: 'Locked' });
  const settled: ControlMarket = await move('settle', { winners: [market.outcomes[0]?.id] });
  expect(settled).toMatchObject({ status: 'Settled' });
  expect(settled.outcomes.map(({ winner }) => winner)).toEqual([true, false, false]);
  const balanceOf = async ({ walletId, token }: typeof backer) =>
    (await stand.call('GET', `/wallets/${walletId}`, { token })).json.wallets[0].balances[0].balance;
  expect([await balanceOf(backer), await balanceOf(layer)]).toEqual([119.6, 80]);
  await move('resettle', { winners: [market.outcomes[1]?.id] });
  expect([await balanceOf(backer), await balanceOf(layer)]).toEqual([90, 110]);
  expect(await move('close')).toMatchObject({ status: 'Closed' });
  const health = (await stand.control('GET', '/health')).json;
  expect(health.brokenLaws).toEqual([]);
  for (const { sum } of health.sumsOfAllWallets) expect(sum).toBe(0);
});

test('a market is made hidden and closed for trading, shown, opened, taken back, and voided', async () => {
  const { eventId } = await makeCatalogue('2');
  const market = await makeMarket(eventId, '2', {
    publish: false,
    open: false,
    turnsInPlay: false,
    inPlayDelay: 2,
    crossMatchingEnabled: false,
  });
  expect(market).toMatchObject({
    status: 'Initializing',
    inPlayStatus: 'NotApplicable',
    published: false,
    inPlayDelay: 2,
  });
  const read = () => stand.call('GET', `/markets/${market.id}`, { token: stand.token });
  expect((await read()).status).toBe(404);
  await stand.made(`/markets/${market.id}/publish`, {});
  expect((await read()).json.markets[0].status).toBe('Initializing');
  await stand.made(`/markets/${market.id}/unpublish`, {});
  expect((await read()).status).toBe(404);
  for (const [name, status] of [
    ['open', 'Open'],
    ['unopen', 'Initializing'],
    ['open', 'Open'],
    ['lock', 'Locked'],
    ['open', 'Open'],
    ['void', 'Voided'],
  ]) {
    expect(await stand.made(`/markets/${market.id}/${name}`, {})).toMatchObject({ status });
  }
  expect((await stand.control('POST', `/markets/${market.id}/in-play`, {})).status).toBe(409);
  expect((await stand.control('GET', `/markets/${market.id}`)).json.status).toBe('Voided');
});

test('moves can stop at the status on their way, which the API shows', async () => {
  const { eventId } = await makeCatalogue('steps');
  const market = await makeMarket(eventId, 'steps');
  const winners = [market.outcomes[0]?.id];
  for (const [name, body, status] of [
    ['lock', { step: 'begin' }, 'Locking'],
    ['lock', { step: 'finish' }, 'Locked'],
    ['settle', { step: 'begin', winners }, 'Settling'],
    ['settle', { step: 'finish', winners }, 'Settled'],
  ] as const) {
    await stand.made(`/markets/${market.id}/${name}`, body);
    const { json } = await stand.call('GET', `/markets/${market.id}`, { token: stand.token });
    expect(json.markets[0].status).toBe(status);
  }
  const other = await makeMarket(eventId, 'steps');
  expect(await stand.made(`/markets/${other.id}/void`, { step: 'begin' })).toMatchObject({ status: 'Voiding' });
  expect(await stand.made(`/markets/${other.id}/void`, { step: 'finish' })).toMatchObject({ status: 'Voided' });
  expect((await stand.control('POST', `/markets/${other.id}/lock`, { step: 'never' })).status).toBe(400);
});

test('a non-runner is removed', async () => {
  const { eventId } = await makeCatalogue('3');
  const market = await makeMarket(eventId, '3');
  const after: ControlMarket = await stand.made(`/markets/${market.id}/remove-outcome`, {
    outcomeId: market.outcomes[2]?.id,
    factor: 20.5,
  });
  expect(after.outcomes.map(({ removed }) => removed)).toEqual([false, false, true]);
});

test('the trades of a time are void', async () => {
  const { eventId } = await makeCatalogue('void');
  const { id } = await makeMarket(eventId, 'void');
  const given: readonly object[] = [{}, { from: '2031-01-01T00:00:00Z', to: '2031-01-01T00:01:00Z' }];
  for (const body of given) expect(await stand.made(`/markets/${id}/void-trades`, body)).toMatchObject({ id });
  const backwards = { from: '2031-01-01T00:01:00Z', to: '2031-01-01T00:00:00Z' };
  expect((await stand.control('POST', `/markets/${id}/void-trades`, backwards)).status).toBe(400);
  await stand.made(`/markets/${id}/void`, {});
  expect((await stand.control('POST', `/markets/${id}/void-trades`, {})).status).toBe(409);
});

test('an event is moved, and set inactive', async () => {
  const { eventId } = await makeCatalogue('4');
  await stand.made(`/events/${eventId}/times`, {
    expectedStartTime: '2031-01-01T00:00:00Z',
    actualStartTime: '2031-01-01T00:01:00Z',
  });
  const read = async () => (await stand.call('GET', `/events/${eventId}`, { token: stand.token })).json.events[0];
  const times = { expectedStartTime: '2031-01-01T00:00:00.000Z', actualStartTime: '2031-01-01T00:01:00.000Z' };
  expect(await read()).toMatchObject({ ...times, active: true });
  await stand.made(`/events/${eventId}/active`, { active: false });
  expect(await read()).toMatchObject({ ...times, active: false });
});

test('references and their sources are found through the API', async () => {
  await makeCatalogue('5');
  await stand.made('/external-reference-sources', { code: 'LICHESS', description: 'Where chess is played' });
  await stand.made('/external-references', {
    source: 'LICHESS',
    reference: 'candidates/2026',
    target: 'eventGroup',
    id: 'GRP5',
  });
  const answer = await stand.call(
    'GET',
    `/event-groups/by-reference/LICHESS/${encodeURIComponent('candidates/2026')}`,
    { token: stand.token },
  );
  expect(answer.json.eventGroups.map(({ id }: { id: string }) => id)).toEqual(['GRP5']);
});

describe('money and keys', () => {
  test('money is paid in and out, corrected, and overdrawn', async () => {
    await stand.made('/currencies', { id: 'CUR6' });
    const { walletId, token } = await makeTrader('CUR6', 1);
    const at = { currencyId: 'CUR6' };
    await stand.made(`/wallets/${walletId}/deposit`, { ...at, amount: 10.5 });
    await stand.made(`/wallets/${walletId}/withdraw`, { ...at, amount: 0.25 });
    await stand.made(`/wallets/${walletId}/adjust`, { ...at, amount: -120 });
    await stand.made(`/wallets/${walletId}/overdraft`, { ...at, overdraft: 20 });
    const { balances } = (await stand.call('GET', `/wallets/${walletId}`, { token })).json.wallets[0];
    expect(balances).toEqual([
      { currencyId: 'CUR6', balance: -9.75, balanceAvailable: 10.25, overdraft: 20, unmatchedExposure: 0 },
    ]);
    expect((await stand.control('POST', `/wallets/${walletId}/withdraw`, { ...at, amount: 11 })).status).toBe(409);
  });

  test('a key of a wallet opens that wallet alone, until it is deactivated', async () => {
    const { appId, walletId } = await stand.openApp();
    const { name, secret } = await stand.made(`/apps/${appId}/keys`, { walletId });
    const token = await stand.login(appId, secret, walletId);
    expect((await stand.call('GET', `/wallets/${walletId}`, { token })).status).toBe(200);
    expect((await stand.call('POST', '/wallets', { body: {}, token })).status).toBe(403);
    await stand.made(`/keys/${encodeURIComponent(name)}/deactivate`, {});
    expect((await stand.call('GET', `/wallets/${walletId}`, { token })).status).toBe(401);
  });

  test('the names of keys are their app’s own: the same name is free for each', async () => {
    const [one, other] = [await stand.openApp(), await stand.openApp()];
    const named = [];
    for (const { appId } of [one, other]) named.push(await stand.made(`/apps/${appId}/keys`, { name: 'bot' }));
    expect(named.map(({ name }) => name)).toEqual([`${one.appId}-bot`, `${other.appId}-bot`]);
    await stand.made(`/keys/${one.appId}-bot/deactivate`, {});
    const [, { secret = '' } = {}] = named;
    expect(await stand.login(other.appId, String(secret))).not.toBe('');
    expect((await stand.control('POST', `/apps/${other.appId}/keys`, { name: 'bot' })).status).toBe(409);
  });

  test("an app's heartbeat is armed for an instant, lapses, and blocks its orders", async () => {
    const { appId, token } = await stand.openApp();
    expect(await stand.made(`/apps/${appId}/heartbeat`, { timeoutMs: 30 })).toEqual({ active: true, timeoutMs: 30 });
    const isActive = async () => (await stand.call('GET', '/heartbeats', { token })).json.heartbeats[0].active;
    await expect.poll(isActive).toBe(false);
    const answer = await stand.call('DELETE', '/heartbeats', { token });
    expect(answer.json.heartbeats[0].active).toBe(false);
  });

  test('all apps are listed with their wallets and keys, and no secret', async () => {
    const { appId, walletId } = await stand.openApp();
    const answer = await stand.control('GET', '/apps');
    const app = answer.json.apps.find(({ id }: { id: string }) => id === appId);
    expect(app).toMatchObject({ house: false, wallets: expect.arrayContaining([{ id: walletId, type: 'User' }]) });
    expect(answer.text).not.toContain(stand.sandbox.apiKey);
  });
});

describe('bad input', () => {
  const EVENT = { eventGroupId: 'none', name: 'x', code: 'x', expectedStartTime: LATER };
  test.each([
    ['POST', '/apps', { id: 'a/b' }, 400],
    ['POST', '/apps', { id: 5 }, 400],
    ['POST', '/apps', [], 400],
    ['POST', '/apps', undefined, 400],
    ['POST', '/apps', { id: 'House' }, 409],
    ['POST', '/apps/none/keys', {}, 404],
    ['POST', '/apps/none/wallets', {}, 404],
    ['POST', '/apps/House/keys', { walletId: 'none' }, 404],
    ['POST', '/apps/House/commission-rates', { rate: -1 }, 400],
    ['POST', '/apps/House/commission-rates', { rate: 101 }, 400],
    ['POST', '/apps/House/commission-rates', { rate: 1.00001 }, 400],
    ['POST', '/apps/House/commission-rates', { rate: '1' }, 400],
    ['POST', '/apps/House/wallets', { balances: [{ currencyId: 'NONE', balance: 1 }] }, 404],
    ['POST', '/apps/House/wallets', { balances: [{ currencyId: 'USDC', balance: 1e308 }] }, 400],
    ['POST', '/apps/House/wallets', { balances: [{ currencyId: 'USDC', balance: -1 }] }, 400],
    ['POST', '/apps/House/wallets', { balances: [{ currencyId: 'USDC', balance: 1_000_000_001 }] }, 400],
    ['POST', '/wallets/none/deposit', { currencyId: 'USDC', amount: 1 }, 404],
    ['POST', '/wallets/System-System-1/deposit', { currencyId: 'USDC', amount: 1 }, 400],
    ['POST', '/wallets/House-User-1/deposit', { currencyId: 'USDC', amount: 0 }, 400],
    ['POST', '/wallets/House-User-1/deposit', { currencyId: 'USDC', amount: -5 }, 400],
    ['POST', '/wallets/House-User-1/deposit', { currencyId: 'USDC', amount: 1e15 }, 400],
    ['POST', '/wallets/House-User-1/overdraft', { currencyId: 'USDC', overdraft: -5 }, 400],
    ['POST', '/keys/none/deactivate', undefined, 404],
    ['POST', '/apps/House/heartbeat', { timeoutMs: 0 }, 400],
    ['POST', '/currencies', { id: 'USDC' }, 409],
    ['POST', '/currencies', { id: '' }, 400],
    ['POST', '/categories', { id: 'X' }, 400],
    ['POST', '/subcategories', { id: 'X', name: 'x', categoryId: 'none' }, 404],
    ['POST', '/event-groups', { id: 'X', name: 'x', subcategoryId: 'none' }, 404],
    ['POST', '/participants', { id: 'X', code: 'x', name: 'x', type: 'Horse', subcategoryId: 'none' }, 400],
    ['POST', '/market-types', { id: 'X', outcomesRange: { min: 3, max: 2 }, winnersRange: { min: 1, max: 1 } }, 400],
    ['POST', '/external-references', { source: 'none', reference: 'x', target: 'event', id: '1' }, 404],
    ['POST', '/external-references', { source: 'none', reference: 'x', target: 'planet', id: '1' }, 400],
    ['POST', '/events', EVENT, 404],
    ['POST', '/events', { ...EVENT, expectedStartTime: 'soon' }, 400],
    ['POST', '/events/none/times', { actualStartTime: LATER }, 404],
    ['POST', '/events/1/times', {}, 400],
    ['POST', '/events/1/active', {}, 400],
    ['POST', '/markets', {}, 400],
    ['GET', '/markets/none', undefined, 404],
    ['POST', '/markets/1/settle', { winners: [] }, 400],
    ['POST', '/markets/1/settle', { winners: ['999999'] }, 400],
    ['POST', '/markets/1/delay', { inPlayDelay: 1.5 }, 400],
    ['POST', '/markets/1/remove-outcome', { outcomeId: '1', factor: 500 }, 400],
    ['POST', '/markets/1/explode', {}, 404],
    ['DELETE', '/faults/zero', undefined, 404],
    ['GET', '/nothing', undefined, 404],
    ['PUT', '/health', undefined, 405],
  ])('%s %s %j is refused with %i, and changes nothing', async (method, path, body, status) => {
    const { registry, catalogue } = stand.sandbox.context.world;
    const sizes = () => [
      registry.apps.length,
      registry.wallets.size,
      registry.keys.size,
      registry.rates.length,
      catalogue.events.size,
      catalogue.markets.size,
      catalogue.currencies.size,
      catalogue.marketTypes.size,
    ];
    const before = sizes();
    const answer = await stand.control(method, path, body);
    expect(answer.status, answer.text).toBe(status);
    expect(answer.json.details.length).toBeGreaterThan(0);
    expect(sizes()).toEqual(before);
  });

  test('outcomes of another market, or named twice, win nothing', async () => {
    const { eventId } = await makeCatalogue('7');
    const [first, second] = [await makeMarket(eventId, '7'), await makeMarket(eventId, '7')];
    const settle = (winners: readonly unknown[]) => stand.control('POST', `/markets/${first.id}/settle`, { winners });
    expect((await settle([second.outcomes[0]?.id])).status).toBe(400);
    expect((await settle([first.outcomes[0]?.id, first.outcomes[0]?.id])).status).toBe(400);
    expect((await stand.control('GET', `/markets/${first.id}`)).json.status).toBe('Open');
  });
});
