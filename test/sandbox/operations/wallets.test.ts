/** Wallets: creating and listing them, their balances, transactions and metrics, and deposits. */

import { describe, expect, test } from 'vitest';
import { type Trader, TradingFloor } from '../../support/sandbox/trading-floor.ts';
import { decimalMoney } from '../../support/sandbox/world-builder.ts';

const EMPTY = { total: 0, count: 0 };

function balance(floor: TradingFloor, trader: Trader = floor.a, currencyId = 'USDC') {
  const [wallet] = floor.ask(trader.caller, 'getWallet', { path: { id: trader.walletId } }).wallets;
  return wallet?.balances.find((each) => each.currencyId === currencyId);
}

describe('a wallet', () => {
  test('is made with its texts, empty, and is its app’s', () => {
    const floor = new TradingFloor();
    const body = { reference: 'ref', description: 'for spare' };
    const { wallets } = floor.ask(floor.a.caller, 'createWallet', { body });
    expect(wallets).toEqual([{ id: 'appA-User-3', appId: 'appA', type: 'User', ...body, balances: [] }]);
    expect(floor.ask(floor.a.caller, 'getWallet', { path: { id: 'appA-User-3' } }).wallets).toEqual(wallets);
    expect(floor.askInVain(floor.b.caller, 'getWallet', { path: { id: 'appA-User-3' } }).status).toBe(404);
    expect(floor.ask(floor.a.caller, 'createWallet', { body: {} }).wallets[0]).not.toHaveProperty('reference');
  });

  test('holds what an order could lose, and moves what is matched to escrow', () => {
    const floor = new TradingFloor();
    floor.place(floor.a, { price: 3, stake: 10 });
    expect(balance(floor)).toEqual({
      currencyId: 'USDC',
      balance: 1000,
      balanceAvailable: 990,
      overdraft: 0,
      unmatchedExposure: 10,
    });
    floor.place(floor.b, { side: 'Against', price: 3, stake: 4 });
    expect(balance(floor)).toMatchObject({ balance: 996, balanceAvailable: 990, unmatchedExposure: 6 });
    expect(balance(floor, floor.b)).toMatchObject({ balance: 992, balanceAvailable: 992, unmatchedExposure: 0 });
    floor.builder.command({ kind: 'setOverdraft', wallet: floor.a.wallet, currency: 0, overdraft: decimalMoney(50) });
    expect(balance(floor)).toMatchObject({ balanceAvailable: 1040, overdraft: 50 });
  });

  test('is found in the list by its id and type; an app owns its escrows and commissions too', () => {
    const floor = new TradingFloor();
    floor.builder.openMarket({ app: floor.a.app, event: floor.event });
    const ids = (query: string, caller = floor.a.caller) =>
      floor.ask(caller, 'listWallets', { query }).wallets.map(({ id }) => id);
    expect(ids('')).toEqual(['appA-MarketEscrow-2', 'appA-User-2', 'appA-User-1', 'appA-Commission-1']);
    expect(ids('types=User')).toEqual(['appA-User-2', 'appA-User-1']);
    expect(ids('types=MarketEscrow,Commission&sort=id')).toEqual(['appA-Commission-1', 'appA-MarketEscrow-2']);
    expect(ids('types=System')).toEqual([]);
    expect(ids('walletIds=appA-User-1')).toEqual(['appA-User-1']);
    expect(ids('walletIds=appA-User-1,appA-User-1,appB-User-1,System-System-1,x')).toEqual(['appA-User-1']);
    expect(ids('walletIds=')).toEqual(ids(''));
    expect(ids('size=1&page=1')).toEqual(['appA-User-2']);
    expect(ids('', floor.a.walletCaller)).toEqual(['appA-User-1']);
    expect(ids('walletIds=appA-User-2', floor.a.walletCaller)).toEqual([]);
    expect(floor.askInVain(floor.a.caller, 'listWallets', { query: 'sort=balance' }).status).toBe(400);
  });
});

describe('transactions of a wallet', () => {
  test('are what moved its money, the newest first, and sum up to its balance', () => {
    const floor = new TradingFloor();
    floor.builder.pass(1_000);
    floor.place(floor.a, { price: 3, stake: 10 });
    floor.place(floor.b, { side: 'Against', price: 3, stake: 4 });
    floor.builder.pass(1_000);
    floor.builder.settle(floor.market, 0);
    const read = (query = '') =>
      floor.ask(floor.a.caller, 'listWalletTransactions', { path: { id: 'appA-User-1' }, query });
    const { transactions } = read();
    expect(transactions.map(({ code, amount, createdAt }) => [code, amount, createdAt.slice(17, 19)])).toEqual([
      ['MarketPositionPayout', 12, '02'],
      ['TradeCreation', -4, '01'],
      ['Deposit', 1000, '00'],
    ]);
    expect(transactions.reduce((sum, { amount }) => sum + amount, 0)).toBe(balance(floor)?.balance);
    expect(transactions.map(({ description }) => description)).toEqual(['market 1', 'market 1', undefined]);
    expect(read('sort=createdAt,asc').transactions).toEqual([...transactions].reverse());
    expect(read('fromCreatedAt=2026-03-24T12:00:01Z&toCreatedAt=2026-03-24T12:00:01Z').transactions).toEqual([
      transactions[1],
    ]);
    expect(read('size=2&page=1').transactions).toEqual([transactions[2]]);
    expect(
      floor.askInVain(floor.a.caller, 'listWalletTransactions', { path: { id: 'appA-User-1' }, query: 'sort=amount' })
        .status,
    ).toBe(400);
  });
});

describe('metrics of a wallet', () => {
  const read = (floor: TradingFloor, query = '') =>
    floor.ask(floor.a.caller, 'getWalletMetrics', { path: { id: floor.a.walletId }, query }).walletMetrics;

  test('count each order once, by how it stands', () => {
    const floor = new TradingFloor();
    floor.place(floor.a, { price: 3, stake: 2 });
    floor.place(floor.b, { side: 'Against', price: 3, stake: 2 });
    floor.place(floor.a, { stake: 5 });
    floor.place(floor.a, { stake: 7, matchBehavior: 'CancelUnmatched' });
    const matched = { total: 2, count: 1 };
    const cancelled = { total: 7, count: 1 };
    const open = { total: 5, count: 1 };
    expect(read(floor)).toEqual({ open, matched, cancelled, settled: EMPTY, voided: EMPTY });
    floor.builder.settle(floor.market, 0);
    expect(read(floor, 'currencyId=USDC')).toEqual({
      open: EMPTY,
      matched: EMPTY,
      settled: matched,
      voided: EMPTY,
      cancelled: { total: 12, count: 2 },
    });
  });

  test('are of a period between dates or date-times, whose last day belongs to it', () => {
    const floor = new TradingFloor();
    floor.place(floor.a);
    const count = (query: string) => read(floor, query).open.count;
    expect(count('fromDateTime=2026-03-24&toDateTime=2026-03-24')).toBe(1);
    expect(count('fromDateTime=2026-03-25')).toBe(0);
    expect(count('toDateTime=2026-03-23')).toBe(0);
    expect(count('toDateTime=2026-03-24T12:00:00.000Z')).toBe(1);
    expect(count('fromDateTime=2026-03-24T12:00:00.001Z')).toBe(0);
    expect(count('toDateTime=2026-03-24T11:59:59.999Z')).toBe(0);
  });

  test('name their currency where the wallet holds several', () => {
    const floor = new TradingFloor();
    floor.builder.make({ kind: 'createCurrency', id: 'PLAY' });
    floor.place(floor.a);
    expect(read(floor, 'currencyId=PLAY').open).toEqual(EMPTY);
    floor.ask(floor.a.caller, 'askFaucet', { query: `walletId=${floor.a.walletId}&currencyId=PLAY` });
    const asked = { path: { id: floor.a.walletId } };
    expect(floor.askInVain(floor.a.caller, 'getWalletMetrics', asked).status).toBe(400);
    expect(floor.askInVain(floor.a.caller, 'getWalletMetrics', { ...asked, query: 'currencyId=X' }).status).toBe(404);
    const { id } = floor.ask(floor.a.caller, 'createWallet', { body: {} }).wallets[0] ?? { id: '' };
    const empty = floor.ask(floor.a.caller, 'getWalletMetrics', { path: { id } }).walletMetrics;
    expect(empty).toEqual({ open: EMPTY, matched: EMPTY, cancelled: EMPTY, settled: EMPTY, voided: EMPTY });
  });

  test('are sums beyond what a single amount may be', () => {
    const floor = new TradingFloor();
    floor.builder.command({ kind: 'deposit', wallet: floor.a.wallet, currency: 0, amount: decimalMoney(999_999_000) });
    const against = { side: 'Against', price: 1.01, stake: 8_000_000_000 } as const;
    for (const outcome of [0, 1, 2]) floor.place(floor.a, { ...against, outcomeId: floor.outcomeId(outcome) });
    expect(read(floor).open).toEqual({ total: 24_000_000_000, count: 3 });
  });
});

describe('money comes in', () => {
  test('from the faucet, also in a currency that the wallet does not hold yet', () => {
    const floor = new TradingFloor({ settings: { faucetAmount: decimalMoney(20) } });
    floor.builder.make({ kind: 'createCurrency', id: 'PLAY' });
    for (const total of [20, 40]) {
      const query = `walletId=${floor.a.walletId}&currencyId=PLAY`;
      const { wallet, transactionId } = floor.ask(floor.a.caller, 'askFaucet', { query });
      expect(wallet.balances).toMatchObject([{ currencyId: 'USDC' }, { currencyId: 'PLAY', balance: total }]);
      const { transactions } = floor.ask(floor.a.caller, 'listWalletTransactions', { path: { id: floor.a.walletId } });
      expect(transactions[0]).toMatchObject({ transactionId, code: 'Deposit', amount: 20, currencyId: 'PLAY' });
    }
  });

  test('by a deposit to the wallet’s address, which stays the same', () => {
    const floor = new TradingFloor({ settings: { faucetAmount: decimalMoney(30) } });
    const path = { id: floor.a.walletId };
    const address = (id = path.id) =>
      floor.ask(floor.a.caller, 'getDepositAddress', { path: { id }, query: 'currencyId=USDC' }).depositAddresses[0];
    const { depositRequests } = floor.ask(floor.a.caller, 'createDeposit', { path: { ...path, currencyId: 'USDC' } });
    expect(depositRequests).toMatchObject([{ currencyId: 'USDC', address: address()?.address }]);
    expect(address()).toEqual(address());
    expect(address(floor.a.secondId)?.address).not.toBe(address()?.address);
    expect(balance(floor)?.balance).toBe(1030);
  });

  test('until the account is full', () => {
    const floor = new TradingFloor({ settings: { faucetAmount: decimalMoney(600_000_000) } });
    const query = `walletId=${floor.a.walletId}&currencyId=USDC`;
    floor.ask(floor.a.caller, 'askFaucet', { query });
    expect(floor.askInVain(floor.a.caller, 'askFaucet', { query }).status).toBe(403);
    expect(balance(floor)?.balance).toBe(600_001_000);
  });

  test('to own User wallets in known currencies only', () => {
    const floor = new TradingFloor();
    const faucet = (walletId: string, currencyId = 'USDC') =>
      floor.askInVain(floor.a.caller, 'askFaucet', { query: `walletId=${walletId}&currencyId=${currencyId}` }).status;
    expect([faucet(floor.b.walletId), faucet('x'), faucet(floor.a.walletId, 'EUR')]).toEqual([404, 404, 404]);
    expect(faucet('appA-Commission-1')).toBe(403);
    const deposit = (id: string, currencyId = 'USDC') =>
      floor.askInVain(floor.a.caller, 'createDeposit', { path: { id, currencyId } }).status;
    expect([deposit(floor.b.walletId), deposit(floor.a.walletId, 'EUR'), deposit('appA-Commission-1')]).toEqual([
      404, 404, 403,
    ]);
    const address = { path: { id: floor.a.walletId }, query: 'currencyId=EUR' };
    expect(floor.askInVain(floor.a.caller, 'getDepositAddress', address).status).toBe(404);
    expect(floor.world.exchange.brokenLaws()).toEqual([]);
  });
});
