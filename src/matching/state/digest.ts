/** A short deterministic hash of the machine's whole state: equal histories give equal digests, in any process. */

import { NONE } from '../records/order-columns.ts';
import type { Market } from './market.ts';
import type { State } from './state.ts';

/** The digest as sixteen hexadecimal digits. Takes time in proportion to what is remembered. */
export function digestOf(state: State): string {
  const hash = new Hash();
  const { accounts } = state;
  hash.add(state.now, state.log.total, state.orders.created, state.trades.created, state.nextMarket);
  for (const app of accounts.apps) {
    hash.add(app.id, app.defaultRate ?? NONE);
    const { heartbeat } = app;
    if (heartbeat !== undefined) hash.add(heartbeat.timeoutMs, heartbeat.lastSeenAt, heartbeat.active ? 1 : 0);
  }
  for (const rate of accounts.rates) hash.add(rate.id, rate.app, rate.ratePpm);
  for (const wallet of accounts.wallets.values()) {
    hash.add(wallet.id, wallet.app);
    // Added where it is set alone: the logs of sandboxes hold digests of before there was such a thing.
    if (wallet.moneyStep !== 1) hash.add(wallet.moneyStep);
    for (const [currency, account] of wallet.accounts) {
      hash.add(currency, accounts.balanceOf(account), accounts.overdraftOf(account));
      hash.add(accounts.exposureOf(account));
    }
  }
  for (const event of state.events) hash.add(event.id, event.active ? 1 : 0);
  for (const market of state.markets.values()) addMarket(state, hash, market);
  return hash.hex();
}

function addMarket(state: State, hash: Hash, market: Market): void {
  hash.add(market.id, market.status, market.inPlay, market.published ? 1 : 0, market.suspended ? 1 : 0);
  hash.add(market.inPlayDelayMs, market.lockAt, market.lastDue, market.residual);
  // Added where it is set alone, as above.
  if (market.delaysTakersOnly) hash.add(1);
  for (const removed of market.removed) hash.add(removed);
  for (const traded of market.traded) hash.add(traded);
  for (const slot of market.pending) hash.add(slot);
  const { positions, orders } = state;
  for (const [wallet, position] of market.positions) {
    hash.add(wallet, positions.requiredOf(position), positions.matchedOf(position));
    const base = positions.baseOf(position);
    const { win, lose, unmatchedWin, unmatchedLose } = positions.columns;
    for (let cell = base; cell < base + market.outcomes; cell += 1) {
      hash.add(win[cell] ?? 0, lose[cell] ?? 0, unmatchedWin[cell] ?? 0, unmatchedLose[cell] ?? 0);
    }
  }
  for (let slot = market.firstOrder; slot !== NONE; slot = orders.marketNext(slot)) addOrder(state, hash, slot);
}

function addOrder(state: State, hash: Hash, slot: number): void {
  const { orders, trades } = state;
  hash.add(orders.id(slot), orders.stake(slot), orders.unmatched(slot), orders.voided(slot));
  hash.add(orders.createdAt(slot), orders.modifiedAt(slot));
  hash.add(orders.outcome(slot), orders.side(slot), orders.tick(slot), orders.status(slot));
  hash.add(orders.reason(slot), orders.cancelsUnmatched(slot) ? 1 : 0, orders.keepsWhenInPlay(slot) ? 1 : 0);
  hash.add(orders.rate(slot));
  // Added where it is set alone, as above.
  const minFill = orders.minFillBySlot.get(slot);
  if (minFill !== undefined) hash.add(minFill);
  const voidedMatched = orders.voidedMatchedBySlot.get(slot);
  if (voidedMatched !== undefined) hash.add(voidedMatched);
  for (let trade = orders.firstTrade(slot); trade !== NONE; trade = trades.next(trade)) {
    hash.add(trades.id(trade), trades.price(trade), trades.stake(trade));
    hash.add(trades.winnings(trade), trades.losings(trade), trades.profitLoss(trade));
  }
}

/** Two multiplicative 32-bit hashes over the bits of each number. */
class Hash {
  readonly #value = new Float64Array(1);
  readonly #bits = new Uint32Array(this.#value.buffer);
  #low = 0x811c9dc5;
  #high = 0x9747b28c;

  add(...values: readonly number[]): void {
    for (const value of values) {
      // All NaNs hash alike.
      this.#value[0] = Number.isNaN(value) ? Number.NEGATIVE_INFINITY : value + 0;
      this.#low = Math.imul((this.#low ^ (this.#bits[0] ?? 0)) >>> 0, 0x9e3779b1);
      this.#high = Math.imul((this.#high ^ (this.#bits[1] ?? 0) ^ (this.#low >>> 15)) >>> 0, 0x85ebca6b);
      this.#low ^= this.#high >>> 13;
    }
  }

  hex(): string {
    return word(this.#high) + word(this.#low);
  }
}

function word(bits: number): string {
  return (bits >>> 0).toString(16).padStart(8, '0');
}
