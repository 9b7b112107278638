/** Keeps amounts of money in the world within what clients can represent, whatever is requested. */

import type { Exchange } from '../../matching/exchange.ts';
import { SYSTEM_WALLET } from '../../matching/records/accounts.ts';
import type { ChangeRefusal, MachineCommand } from './change.ts';
import { ACCOUNT_MAX, ISSUE_MAX, invalid, unknown } from './limits.ts';

export type MoneyCommand = Extract<
  MachineCommand,
  { kind: 'openAccount' | 'deposit' | 'withdraw' | 'adjust' | 'setOverdraft' | 'transfer' }
>;

export class MoneyGuard {
  readonly #exchange: Exchange;
  /** Sum of all overdrafts, by currency. */
  readonly #overdrafts = new Map<number, number>();

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  /** Why a money command is refused; undefined where it is not. `currencies` is the number of currencies. */
  refuse(command: MoneyCommand, currencies: number): ChangeRefusal | undefined {
    const { currency } = command;
    const wallets = command.kind === 'transfer' ? [command.from, command.to] : [command.wallet];
    for (const wallet of wallets) {
      const type = this.#exchange.wallet(wallet)?.type;
      if (type === undefined) return unknown(`wallet ${wallet}`);
      if (type !== 'User' && type !== 'Commission')
        return invalid(`the money of a ${type} wallet is the machine's own`);
    }
    if (!(Number.isInteger(currency) && currency >= 0 && currency < currencies)) return unknown(`currency ${currency}`);
    switch (command.kind) {
      case 'openAccount':
        return undefined;
      case 'withdraw':
        return isSum(command.amount) ? undefined : invalid('no such amount');
      case 'deposit':
      case 'adjust':
        return this.#refuseIssue(command.wallet, currency, command.amount);
      case 'setOverdraft':
        return this.#refuseOverdraft(command.wallet, currency, command.overdraft);
      case 'transfer':
        return this.#refuseBalance(command.to, currency, command.amount);
    }
  }

  /** Must be called before an overdraft is changed. */
  setOverdraft(command: Extract<MoneyCommand, { kind: 'setOverdraft' }>): void {
    const { wallet, currency, overdraft } = command;
    const before = this.#exchange.account(wallet, currency)?.overdraft ?? 0;
    this.#overdrafts.set(currency, (this.#overdrafts.get(currency) ?? 0) + overdraft - before);
  }

  #refuseIssue(wallet: number, currency: number, amount: number): ChangeRefusal | undefined {
    const refusal = this.#refuseBalance(wallet, currency, amount);
    if (refusal !== undefined) return refusal;
    return this.#issued(currency) + amount > ISSUE_MAX ? invalid('too much money in one currency') : undefined;
  }

  #refuseBalance(wallet: number, currency: number, amount: number): ChangeRefusal | undefined {
    if (!isSum(amount)) return invalid('no such amount');
    const balance = (this.#exchange.account(wallet, currency)?.balance ?? 0) + amount;
    if (amount > 0 && balance > ACCOUNT_MAX) return invalid('an account holds at most 1,000,000,000');
    return amount < 0 && balance < -ACCOUNT_MAX ? invalid('an account owes at most 1,000,000,000') : undefined;
  }

  #refuseOverdraft(wallet: number, currency: number, overdraft: number): ChangeRefusal | undefined {
    if (!isSum(overdraft) || overdraft < 0) return invalid('an overdraft is at most 1,000,000,000');
    const rise = overdraft - (this.#exchange.account(wallet, currency)?.overdraft ?? 0);
    if (rise <= 0) return undefined;
    return this.#issued(currency) + rise > ISSUE_MAX ? invalid('too much money in one currency') : undefined;
  }

  /** Money and overdraft issued and not taken back: the System wallet's balance is the negative of the money issued. */
  #issued(currency: number): number {
    const balance = this.#exchange.account(SYSTEM_WALLET, currency)?.balance ?? 0;
    return (this.#overdrafts.get(currency) ?? 0) - balance;
  }
}

function isSum(amount: number): boolean {
  return Number.isSafeInteger(amount) && Math.abs(amount) <= ACCOUNT_MAX;
}
