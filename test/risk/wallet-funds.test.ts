/** What is free in a wallet between two reports of its balance. */

import { describe, expect, it } from 'vitest';
import type { Money } from '../../src/core/number/units.ts';
import { WalletFunds } from '../../src/risk/wallet-funds.ts';
import { units } from './desk.ts';

interface Told {
  readonly balance?: number;
  readonly available?: number;
  readonly required?: number;
  readonly matched?: number;
  readonly inFlight?: boolean;
}

function report(
  funds: WalletFunds,
  { balance = 100, available = 100, required = 0, matched = 0, inFlight = false }: Told,
): void {
  funds.report({
    wallet: 0,
    balance: units(balance),
    balanceAvailable: units(available),
    required: units(required),
    matched: units(matched),
    inFlight,
  });
}

function free(funds: WalletFunds, required: number, matched: number): Money | undefined {
  return funds.available(0, { required: units(required), matched: units(matched) });
}

describe('funds of a wallet', () => {
  it('are not known before the first report', () => {
    expect(free(new WalletFunds(), 0, 0)).toBeUndefined();
  });

  it('fall with orders that the exchange has not heard of yet', () => {
    const funds = new WalletFunds();
    report(funds, {});
    expect(free(funds, 30, 0)).toBe(units(70));
  });

  it('do not count a match twice, whether its report or the balance comes first', () => {
    const orderFirst = new WalletFunds();
    report(orderFirst, {});
    expect(free(orderFirst, 30, 30)).toBe(units(70));
    report(orderFirst, { balance: 70, available: 70, required: 30, matched: 30 });
    expect(free(orderFirst, 30, 30)).toBe(units(70));

    const balanceFirst = new WalletFunds();
    report(balanceFirst, { balance: 70, available: 70, required: 30, matched: 0, inFlight: true });
    expect(free(balanceFirst, 30, 0)).toBe(units(40));
    report(balanceFirst, { balance: 70, available: 70, required: 30, matched: 30 });
    expect(free(balanceFirst, 30, 30)).toBe(units(70));
  });

  it('do not get the escrow of a settled market back before the balance shows it', () => {
    const funds = new WalletFunds();
    report(funds, { balance: 70, available: 60, required: 40, matched: 30 });
    expect(free(funds, 0, 0)).toBe(units(70));
    report(funds, { balance: 130, available: 130 });
    expect(free(funds, 0, 0)).toBe(units(130));
  });

  it('include an overdraft, and exclude what others hold in the same wallet', () => {
    const overdrawn = new WalletFunds();
    report(overdrawn, { balance: 0, available: 50 });
    expect(free(overdrawn, 20, 0)).toBe(units(30));
    const shared = new WalletFunds();
    report(shared, { balance: 100, available: 40 });
    expect(free(shared, 20, 0)).toBe(units(20));
  });

  it('do not mistake an order in flight for an overdraft', () => {
    const funds = new WalletFunds();
    report(funds, { balance: 100, available: 100, required: 30, inFlight: true });
    expect(free(funds, 30, 0)).toBe(units(70));
    report(funds, { balance: 100, available: 120, required: 30 });
    report(funds, { balance: 100, available: 120, required: 60, inFlight: true });
    expect(free(funds, 60, 0)).toBe(units(90));
  });

  it('may be negative', () => {
    const funds = new WalletFunds();
    report(funds, { balance: 10, available: 10 });
    expect(free(funds, 30, 0)).toBe(units(-20));
  });
});
