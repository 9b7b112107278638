/** Wallets, postings and the commands that move money outside markets. */

import type { TransactionCode } from '../../../src/core/transaction.ts';
import type { AccountCommand } from '../../../src/matching/messages/command.ts';
import type { CommandRefusal } from '../../../src/matching/messages/event.ts';
import { asInstant, asMoney } from './amounts.ts';
import { available, held } from './funds.ts';
import { emit, type OracleAccount, type OracleMarket, SYSTEM, type World, walletOf } from './world.ts';

type Outcome = CommandRefusal | undefined;

/** Makes a wallet and emits its event. */
export function addWallet(
  world: World,
  app: number,
  type: 'Commission' | 'MarketEscrow' | 'User',
  moneyStep?: bigint,
): number {
  const id = world.wallets.length;
  world.wallets.push({ id, app, type, moneyStep, accounts: [], forgotten: false });
  emit(world, { kind: 'walletCreated', app, wallet: id, type });
  return id;
}

/** The wallet's account in a currency, opened where it has none. */
export function account(world: World, wallet: number, currency: number): OracleAccount {
  const { accounts } = world.wallets[wallet]!;
  const known = accounts.find((one) => one.currency === currency);
  if (known !== undefined) return known;
  const fresh = { currency, balance: 0n, overdraft: 0n };
  accounts.push(fresh);
  emit(world, { kind: 'accountOpened', wallet, currency });
  return fresh;
}

export interface Pair {
  readonly code: TransactionCode;
  readonly currency: number;
  readonly market?: number;
  /** The first posting: this wallet receives the amount, which may be negative. */
  readonly wallet: number;
  readonly amount: bigint;
  /** The second posting: this wallet receives the amount's opposite. */
  readonly other: number;
}

/** Two postings that sum to zero. */
export function post(world: World, pair: Pair): void {
  const { code, currency, wallet, other, amount } = pair;
  const market = pair.market === undefined ? {} : { market: pair.market };
  const first = account(world, wallet, currency);
  const second = account(world, other, currency);
  first.balance += amount;
  emit(world, { kind: 'transaction', wallet, currency, code, amount: asMoney(amount), ...market });
  second.balance -= amount;
  emit(world, { kind: 'transaction', wallet: other, currency, code, amount: asMoney(-amount), ...market });
}

/** M by wallet before some matching, so that the change can be posted after it. */
export type MatchedBefore = Map<number, bigint>;

export function rememberMatched(before: MatchedBefore, market: OracleMarket, wallet: number): void {
  if (!before.has(wallet)) before.set(wallet, held(market, wallet).m);
}

/** One pair for each wallet whose M changed, in the order in which they were touched. */
export function postMatched(world: World, market: OracleMarket, before: MatchedBefore): void {
  for (const [wallet, was] of before) {
    const rise = held(market, wallet).m - was;
    if (rise === 0n) continue;
    const code = rise > 0n ? 'TradeCreation' : 'MarketPositionRefund';
    const { currency } = market.terms;
    post(world, { code, currency, market: market.id, wallet, amount: -rise, other: market.escrow });
  }
}

export function applyAccountCommand(world: World, command: AccountCommand): Outcome {
  switch (command.kind) {
    case 'createApp':
      return createApp(world);
    case 'createCommissionRate':
      return createCommissionRate(world, command);
    case 'createWallet':
      if (world.apps[command.app] === undefined) return 'UNKNOWN_ID';
      if (command.moneyStep !== undefined && !(command.moneyStep > 0)) return 'INVALID_ARGUMENT';
      addWallet(world, command.app, 'User', command.moneyStep === undefined ? undefined : BigInt(command.moneyStep));
      return undefined;
    case 'openAccount':
      if (walletOf(world, command.wallet) === undefined) return 'UNKNOWN_ID';
      account(world, command.wallet, command.currency);
      return undefined;
    case 'deposit':
    case 'withdraw':
    case 'transfer':
    case 'adjust':
      return moveMoney(world, command);
    case 'setOverdraft':
      if (walletOf(world, command.wallet) === undefined) return 'UNKNOWN_ID';
      if (command.overdraft < 0) return 'INVALID_ARGUMENT';
      account(world, command.wallet, command.currency).overdraft = BigInt(command.overdraft);
      emit(world, {
        kind: 'overdraftSet',
        wallet: command.wallet,
        currency: command.currency,
        overdraft: command.overdraft,
      });
      return undefined;
    case 'heartbeat':
      return beat(world, command);
    case 'deleteHeartbeat':
      return deleteHeartbeat(world, command.app);
  }
}

function createApp(world: World): Outcome {
  const app = world.apps.length;
  emit(world, { kind: 'appCreated', app });
  const commissionWallet = addWallet(world, app, 'Commission');
  world.apps.push({
    id: app,
    commissionWallet,
    defaultRate: undefined,
    heartbeat: undefined,
  });
  return undefined;
}

function createCommissionRate(
  world: World,
  { app, ratePpm, isDefault }: Extract<AccountCommand, { kind: 'createCommissionRate' }>,
): Outcome {
  const owner = world.apps[app];
  if (owner === undefined) return 'UNKNOWN_ID';
  if (ratePpm < 0 || ratePpm > 1_000_000) return 'INVALID_ARGUMENT';
  const rate = world.rates.length;
  world.rates.push({ app, ppm: BigInt(ratePpm) });
  if (isDefault) owner.defaultRate = rate;
  emit(world, { kind: 'commissionRateCreated', app, rate, ratePpm });
  return undefined;
}

type MoneyCommand = Extract<AccountCommand, { kind: 'deposit' | 'withdraw' | 'transfer' | 'adjust' }>;

function moveMoney(world: World, command: MoneyCommand): Outcome {
  const wallet = command.kind === 'transfer' ? command.from : command.wallet;
  const other = command.kind === 'transfer' ? command.to : SYSTEM;
  const source = walletOf(world, wallet);
  const target = walletOf(world, other);
  if (source === undefined || target === undefined) return 'UNKNOWN_ID';
  const { currency } = command;
  const amount = BigInt(command.amount);
  if (command.kind === 'adjust' ? amount === 0n : amount <= 0n) return 'INVALID_ARGUMENT';
  // Escrow and System balances belong to the exchange; commands move money between two other wallets only.
  const named = command.kind === 'transfer' ? [source, target] : [source];
  if (named.some(({ type }) => type === 'MarketEscrow' || type === 'System')) return 'INVALID_ARGUMENT';
  if (wallet === other) return 'INVALID_ARGUMENT';
  const spends = command.kind === 'withdraw' || command.kind === 'transfer';
  if (spends && (available(world, source, currency) ?? 0n) < amount) {
    return 'INSUFFICIENT_FUNDS';
  }
  post(world, { code: codeOf(command), currency, wallet, other, amount: spends ? -amount : amount });
  return undefined;
}

function codeOf(command: MoneyCommand): TransactionCode {
  if (command.kind === 'deposit') return 'Deposit';
  if (command.kind === 'withdraw') return 'Withdrawal';
  if (command.kind === 'transfer') return 'WalletToWallet';
  return command.amount > 0 ? 'ManualCredit' : 'ManualDebit';
}

function beat(world: World, command: Extract<AccountCommand, { kind: 'heartbeat' }>): Outcome {
  const app = world.apps[command.app];
  if (app === undefined) return 'UNKNOWN_ID';
  const { timeoutMs } = command;
  if (timeoutMs < 10_000 || timeoutMs > 300_000) return 'INVALID_ARGUMENT';
  if (world.rules.lapseBlocks && app.heartbeat?.active === false) return undefined;
  app.heartbeat = { active: true, timeoutMs, lastSeenAt: world.now };
  const lastSeenAt = asInstant(world.now);
  emit(world, { kind: 'heartbeatChanged', app: command.app, active: true, timeoutMs, lastSeenAt });
  return undefined;
}

function deleteHeartbeat(world: World, id: number): Outcome {
  const app = world.apps[id];
  if (app === undefined) return 'UNKNOWN_ID';
  if (app.heartbeat === undefined) return 'NO_HEARTBEAT';
  emit(world, { kind: 'heartbeatDeleted', app: id, wasActive: app.heartbeat.active });
  app.heartbeat = undefined;
  return undefined;
}
