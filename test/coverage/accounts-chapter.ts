/** Who takes part and what he holds: sessions, keys, heartbeats, wallets, positions, money. */

import { describe, expect, test } from 'vitest';
import { defined } from '../../src/core/checks/assert.ts';
import { money } from '../../src/core/number/units.ts';
import { TRANSACTION_CODES } from '../../src/core/transaction.ts';
import type { Floor } from '../support/coverage/floor.ts';

const CURRENCY = 'USDC';

export function holdersChapter(floorOf: () => Floor): void {
  describe('holders', () => {
    test('sessions are opened and continued', async () => {
      const { alpha, stage } = floorOf();
      const { appId, apiKey, walletId, client } = alpha;
      const { sessions } = await client.ask('createSession', { body: { appId, apiKey } });
      const refreshToken = sessions[0]?.refreshToken ?? '';
      await client.ask('refreshSession', { body: { refreshToken } });
      const { secret } = await stage.control.call('POST', `/apps/${appId}/keys`, { walletId });
      await client.ask('createSession', { body: { appId, apiKey: secret, walletId } });
    });

    test('keys of the app and of a wallet are made and deactivated', async () => {
      const { client, appId, walletId } = floorOf().alpha;
      const { apiKeys } = await client.ask('createAppApiKey', { body: { appId } });
      await client.ask('createWalletApiKey', { path: { id: walletId } });
      const ended = await client.ask('deactivateAppApiKey', { body: { appId, apiKey: apiKeys[0]?.secret ?? '' } });
      expect(ended.apiKeys.map(({ active }) => active)).toEqual([false]);
    });

    test('a heartbeat is armed, read and deleted', async () => {
      const { client } = floorOf().alpha;
      await client.ask('armHeartbeat', { body: { timeoutMs: 60_000 } });
      await client.ask('getHeartbeat', {});
      const { heartbeats } = await client.ask('deleteHeartbeat', {});
      expect(heartbeats.map(({ active }) => active)).toEqual([true]);
    });

    test('the commission rates of the app', async () => {
      const { client, appId } = floorOf().alpha;
      const { commissionRates } = await client.ask('getCommissionRates', { path: { id: appId } });
      expect(commissionRates.map(({ rate }) => rate)).toEqual([2]);
    });

    test('wallets of every type', async () => {
      const floor = floorOf();
      const { alpha, stage } = floor;
      const { client, walletId } = alpha;
      // Its escrow is the owner's.
      await floor.market();
      const made = await client.ask('createWallet', { body: { reference: 'second', description: 'of the coverage' } });
      expect(made.wallets[0]?.reference).toBe('second');
      await client.ask('getWallet', { path: { id: walletId } });
      const types = ['Commission', 'MarketEscrow', 'User', 'System'] as const;
      const query = { types, page: 0, size: 500, sort: ['id,asc'] };
      const { wallets } = await client.ask('listWallets', { query });
      await client.ask('listWallets', { query: { walletIds: [walletId] } });
      // The exchange's own wallet is seen by the exchange's own app alone.
      const { secret } = await stage.control.call('POST', '/apps/System/keys', {});
      const system = await stage.client({ appId: 'System', apiKey: secret }).ask('listWallets', { query });
      expect(new Set([...wallets, ...system.wallets].map(({ type }) => type))).toEqual(new Set(types));
    });
  });
}

export function moneyChapter(floorOf: () => Floor): void {
  describe('money', () => {
    test('positions, open and settled', async () => {
      const floor = floorOf();
      const { alpha, beta } = floor;
      const { client, walletId } = alpha;
      const [open, settled] = [await floor.market(), await floor.market()];
      for (const market of [open, settled]) {
        await floor.place(beta, market, { side: 'Against' });
        await floor.place(alpha, market);
      }
      await floor.move(settled, 'lock');
      await floor.move(settled, 'settle', { winners: [settled.away] });
      const path = { id: walletId };
      const paging = { page: 0, size: 500, sort: ['id,desc'] };
      for (const filter of ['Active', 'Settled'] as const) {
        const { positions } = await client.ask('listAllPositions', { path, query: { filter, ...paging } });
        const wanted = filter === 'Active' ? open : settled;
        expect(positions.map(({ market }) => market._ids[0])).toContain(wanted.id);
      }
      await client.ask('listWalletPositions', { path, query: { marketIds: [settled.id, open.id], ...paging } });
      for (const { id } of [open, settled])
        await client.ask('listMarketPositions', { path: { id }, query: { walletIds: [walletId], ...paging } });
    });

    test('what happened in a wallet, and its metrics', async () => {
      const floor = floorOf();
      const { alpha, beta } = floor;
      await floor.place(alpha, await floor.market());
      // Yesterday's, so that a run over midnight finds its orders too.
      const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
      const from = `${day}T00:00:00.000Z`;
      const query = { currencyId: CURRENCY, fromDateTime: day, toDateTime: new Date().toISOString() };
      const { walletMetrics } = await alpha.client.ask('getWalletMetrics', { path: { id: alpha.walletId }, query });
      for (const { count } of Object.values(walletMetrics)) expect(count).toBeGreaterThan(0);
      for (const { client, walletId } of [alpha, beta])
        await client.ask('listWalletTransactions', {
          path: { id: walletId },
          query: {
            fromCreatedAt: from,
            toCreatedAt: new Date().toISOString(),
            page: 0,
            size: 500,
            sort: ['createdAt'],
          },
        });
    });

    test('every way in which money moves', async () => {
      // The two are the vendor's words; nothing in profile section 7 books them.
      const booked = TRANSACTION_CODES.filter((code) => code !== 'TradeVoid' && code !== 'TradeWin');
      expect(await everyCode(floorOf())).toEqual(booked);
    });

    test('money comes in by deposit address and faucet', async () => {
      const { client, walletId } = floorOf().alpha;
      const path = { id: walletId };
      await client.ask('getDepositAddress', { path, query: { currencyId: CURRENCY } });
      const { depositRequests } = await client.ask('createDeposit', { path: { ...path, currencyId: CURRENCY } });
      expect(depositRequests.map(({ currencyId }) => currencyId)).toEqual([CURRENCY]);
      const { wallet } = await client.ask('askFaucet', { query: { walletId, currencyId: CURRENCY } });
      expect(wallet.reference).toBe('alpha');
    });
  });
}

/** Three winners of one place: each bet is settled for a third, and the odd millionths stay with the exchange. */
async function deadHeat(floor: Floor): Promise<void> {
  const { alpha, beta } = floor;
  const outcomes = [{ title: 'One' }, { title: 'Two' }, { title: 'Three' }];
  const heat = await floor.market({ outcomes });
  await floor.place(alpha, heat, { price: 1.03, stake: 0.001 });
  await floor.place(beta, heat, { side: 'Against', price: 1.03, stake: 0.001 });
  await floor.move(heat, 'lock');
  const { outcomes: made } = await floor.stage.control.call('GET', `/markets/${heat.id}`);
  await floor.move(heat, 'settle', { winners: made.map(({ id }: { readonly id: string }) => id), places: 1 });
}

/** Between wallets of one app, which no request of the API asks for. */
function transfer({ alpha, beta, stage }: Floor): void {
  const { registry, catalogue } = stage.sandbox.context.world;
  const [from, to] = [alpha, beta].map(({ walletId }) => defined(registry.walletById(walletId), 'the wallet').wallet);
  const { currency } = defined(catalogue.currencies.get(CURRENCY), 'the currency');
  stage.command({ kind: 'transfer', from: from ?? 0, to: to ?? 0, currency, amount: money(1) });
}

/** The codes met in the transactions of all wallets, in the order of the list. */
async function everyCode(floor: Floor): Promise<readonly string[]> {
  const { alpha, beta, stage } = floor;
  const { control } = stage;
  await control.call('POST', `/wallets/${alpha.walletId}/withdraw`, { currencyId: CURRENCY, amount: 1 });
  for (const amount of [-1, 1])
    await control.call('POST', `/wallets/${alpha.walletId}/adjust`, { currencyId: CURRENCY, amount });
  const voided = await floor.market();
  await floor.place(alpha, voided);
  await floor.place(beta, voided, { side: 'Against' });
  await floor.move(voided, 'void');
  // What was lost at most falls when the other side is bought back: money returns before any settlement.
  const traded = await floor.market({ winnersRange: { min: 1, max: 1 } });
  for (const [one, other] of [
    [alpha, beta],
    [beta, alpha],
  ] as const) {
    await floor.place(one, traded, { price: 3, stake: 10 });
    await floor.place(other, traded, { side: 'Against', price: 3, stake: 10 });
  }
  await deadHeat(floor);
  transfer(floor);
  const { secret } = await control.call('POST', '/apps/System/keys', {});
  const system = stage.client({ appId: 'System', apiKey: secret });
  const met = new Set<string>();
  for (const client of [alpha.client, beta.client, system]) {
    const { wallets } = await client.ask('listWallets', { query: { size: 2000 } });
    for (const { id } of wallets) {
      const { transactions } = await client.ask('listWalletTransactions', { path: { id }, query: { size: 2000 } });
      for (const { code } of transactions) met.add(code);
    }
  }
  return TRANSACTION_CODES.filter((code) => met.has(code));
}
