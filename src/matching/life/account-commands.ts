/** Commands on apps, wallets and money. Every amount that moves is a pair of postings that sums to zero. */

import type { Money } from '../../core/number/units.ts';
import type { TransactionCode } from '../../core/transaction.ts';
import { transactionCode } from '../messages/codes.ts';
import type { AccountCommand } from '../messages/command.ts';
import { NO_MARKET } from '../messages/event-codec.ts';
import type { Wallet } from '../records/accounts.ts';
import type { State } from '../state/state.ts';
import { beat, deleteHeartbeat } from '../trade/heartbeats.ts';

const MILLION = 1_000_000;

/** Carries out a command about apps, wallets or money; what makes no sense is refused with an event. */
export function applyAccount(state: State, command: AccountCommand): void {
  switch (command.kind) {
    case 'createApp':
      state.accounts.createApp();
      return;
    case 'createCommissionRate':
      return createRate(state, command);
    case 'createWallet':
      if (state.accounts.apps[command.app] === undefined) return state.log.refused('UNKNOWN_ID');
      if (command.moneyStep !== undefined && !isAmount(command.moneyStep)) return state.log.refused('INVALID_ARGUMENT');
      state.accounts.createWallet(command.app, 'User', command.moneyStep);
      return;
    case 'openAccount':
    case 'deposit':
    case 'withdraw':
    case 'adjust':
    case 'setOverdraft':
      return applyWallet(state, command);
    case 'transfer':
      return transfer(state, command);
    case 'heartbeat':
      return beat(state, command.app, command.timeoutMs);
    case 'deleteHeartbeat':
      return deleteHeartbeat(state, command.app);
  }
}

function createRate(state: State, command: Extract<AccountCommand, { kind: 'createCommissionRate' }>): void {
  const app = state.accounts.apps[command.app];
  if (app === undefined) return state.log.refused('UNKNOWN_ID');
  const { ratePpm } = command;
  if (!Number.isInteger(ratePpm) || ratePpm < 0 || ratePpm > MILLION) return state.log.refused('INVALID_ARGUMENT');
  const rate = state.accounts.createRate(app, ratePpm);
  if (command.isDefault) app.defaultRate = rate.id;
}

type WalletCommand = Extract<
  AccountCommand,
  { kind: 'openAccount' | 'deposit' | 'withdraw' | 'adjust' | 'setOverdraft' }
>;

function applyWallet(state: State, command: WalletCommand): void {
  const wallet = state.accounts.wallets.get(command.wallet);
  if (wallet === undefined) return state.log.refused('UNKNOWN_ID');
  const { currency } = command;
  switch (command.kind) {
    case 'openAccount':
      state.accounts.open(wallet, currency);
      return;
    case 'setOverdraft':
      return setOverdraft(state, wallet, currency, command.overdraft);
    case 'deposit':
      if (!isAmount(command.amount) || !ownsMoney(wallet)) return state.log.refused('INVALID_ARGUMENT');
      return postWithSystem(state, wallet, currency, 'Deposit', command.amount);
    case 'withdraw':
      if (!isAmount(command.amount) || !ownsMoney(wallet)) return state.log.refused('INVALID_ARGUMENT');
      if (!canPay(state, wallet, currency, command.amount)) return state.log.refused('INSUFFICIENT_FUNDS');
      return postWithSystem(state, wallet, currency, 'Withdrawal', -command.amount);
    case 'adjust': {
      const { amount } = command;
      if (!Number.isSafeInteger(amount) || amount === 0 || !ownsMoney(wallet))
        return state.log.refused('INVALID_ARGUMENT');
      return postWithSystem(state, wallet, currency, amount > 0 ? 'ManualCredit' : 'ManualDebit', amount);
    }
  }
}

function setOverdraft(state: State, wallet: Wallet, currency: number, overdraft: Money): void {
  if (!Number.isSafeInteger(overdraft) || overdraft < 0) return state.log.refused('INVALID_ARGUMENT');
  const account = state.accounts.open(wallet, currency);
  state.accounts.overdraft[account] = overdraft;
  state.log.overdraftSet(wallet.id, currency, overdraft);
}

function transfer(state: State, command: Extract<AccountCommand, { kind: 'transfer' }>): void {
  const { accounts, log } = state;
  const from = accounts.wallets.get(command.from);
  const to = accounts.wallets.get(command.to);
  if (from === undefined || to === undefined) return log.refused('UNKNOWN_ID');
  const { amount, currency } = command;
  if (!isAmount(amount) || from === to || !ownsMoney(from) || !ownsMoney(to)) return log.refused('INVALID_ARGUMENT');
  if (!canPay(state, from, currency, amount)) return log.refused('INSUFFICIENT_FUNDS');
  const first = accounts.open(from, currency);
  const second = accounts.open(to, currency);
  accounts.post(first, second, transactionCode('WalletToWallet'), amount, NO_MARKET);
}

/** Posts an amount between the System wallet and the given wallet; a positive amount goes to the wallet. */
function postWithSystem(state: State, wallet: Wallet, currency: number, code: TransactionCode, amount: number): void {
  const first = state.accounts.open(wallet, currency);
  const second = state.systemAccount(currency);
  state.accounts.post(first, second, transactionCode(code), -amount, NO_MARKET);
}

function isAmount(amount: number): boolean {
  return Number.isSafeInteger(amount) && amount > 0;
}

/**
 * Whether commands may move the wallet's money directly: the balances of escrow and System wallets belong to the
 * machine.
 */
function ownsMoney(wallet: Wallet): boolean {
  return wallet.type === 'User' || wallet.type === 'Commission';
}

function canPay(state: State, wallet: Wallet, currency: number, amount: number): boolean {
  const account = wallet.accounts.get(currency);
  return account !== undefined && state.accounts.available(account) >= amount;
}
