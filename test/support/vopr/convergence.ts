/** Whether everything has come to rest: no order of unknown fate, and the ledger says what the exchange says. */

import { isLive } from '../../../src/core/order.ts';
import type { BotLife } from './bot-life.ts';
import type { ExchangeWorld } from './exchange-world.ts';
import type { LawBook } from './law-book.ts';
import type { OwnOrders } from './own-orders.ts';

/** What is not so, in words; the first few. */
export function atRest(life: BotLife | undefined, exchange: ExchangeWorld, laws: LawBook): readonly string[] {
  const open = unsettled(life, exchange, laws);
  if (life === undefined || open.length > 0) return open;
  const found = walletDifferences(life, exchange);
  return found.length > 0 || laws.orders.resettled || laws.hasUnseenStrays()
    ? found
    : resultDifferences(life, exchange);
}

/** What keeps the bot from being at rest, money left aside: it is not ready, something is not known, or orders differ. */
export function unsettled(life: BotLife | undefined, exchange: ExchangeWorld, laws: LawBook): readonly string[] {
  if (life === undefined || !life.process.isAlive) return ['no process lives'];
  const { phase, orders: counts, reconciliation } = life.status();
  if (phase !== 'trading') return [`the phase is ${phase}`];
  if (counts.unknown > 0 || counts.inFlight > 0) return [`${counts.unknown} unknown, ${counts.inFlight} in flight`];
  const [lasting] = reconciliation.differences;
  if (lasting !== undefined) return [`a difference lasts: ${lasting}`];
  const [foreignOrder] = laws.unadopted();
  if (foreignOrder !== undefined) return [`order ${foreignOrder} of others is in our wallet, and not ours`];
  const [uncancelled] = laws.uncancelled();
  if (uncancelled !== undefined) return [`order ${uncancelled} was to be cancelled, and lives`];
  return orderDifferences(life, exchange, laws.orders);
}

/** Ready, and not blocked by the exchange. The simulated bots all have a heartbeat. */
export function tradesAgain(life: BotLife | undefined, exchange: ExchangeWorld, now: number): boolean {
  if (life?.process.isAlive !== true || now < life.process.stalledUntil) return false;
  return life.status().phase === 'trading' && exchange.machine.heartbeat(exchange.app)?.active === true;
}

export function inWords(life: BotLife | undefined): string {
  const status = life?.status();
  if (status === undefined) return 'no process lives';
  const { phase, waitsFor, trading, heartbeat, orders, reconciliation } = status;
  return JSON.stringify({ phase, waitsFor, trading, heartbeat, orders, differences: reconciliation.differences });
}

function orderDifferences({ ledger }: BotLife, exchange: ExchangeWorld, orders: OwnOrders): readonly string[] {
  const different: string[] = [];
  const truth = new Map<number, { readonly unmatched: number; readonly matched: number; readonly winnings: number }>();
  for (const market of orders.byMarket.keys()) {
    if (exchange.isOver(market)) continue;
    for (const { order, matched, winnings } of orders.heldIn(market))
      truth.set(exchange.orderIdOf(order.id), {
        unmatched: isLive(order.status) ? order.stakeUnmatched : 0,
        matched,
        winnings,
      });
  }
  for (const entry of ledger.marketEntries()) {
    const { status } = entry.state;
    if (status === 'Settled' || status === 'Voided' || status === 'Closed') continue;
    for (const own of entry.orders) {
      const { stakeMatched, winningsMatched } = own.held();
      const unmatched = own.isLive ? own.unmatchedMoney : 0;
      if (stakeMatched === 0 && unmatched === 0) continue;
      const theirs = truth.get(own.exchangeId ?? 0);
      truth.delete(own.exchangeId ?? 0);
      if (theirs === undefined) different.push(`order ${own.id} is not at the exchange`);
      else if (
        theirs.matched !== stakeMatched ||
        theirs.unmatched !== unmatched ||
        Math.abs(theirs.winnings - winningsMatched) > exchange.winningsStep
      )
        different.push(`order ${own.id}: ${JSON.stringify({ stakeMatched, unmatched, winningsMatched, theirs })}`);
    }
  }
  for (const [order, theirs] of truth) different.push(`order ${order} is not on the ledger: ${JSON.stringify(theirs)}`);
  return different;
}

function walletDifferences({ ledger }: BotLife, exchange: ExchangeWorld): readonly string[] {
  return exchange.wallets.flatMap((wallet, index) => {
    const theirs = (exchange.machine.account(wallet, 0)?.balance ?? 0) / 1_000_000;
    const ours = ledger.walletView(index).balance;
    return Math.abs(theirs - ours) > 1e-9 ? [`wallet ${index} holds ${theirs}, the ledger says ${ours}`] : [];
  });
}

/** What settled markets brought is in the wallets, less what the open ones hold: risk must have counted just that. */
function resultDifferences(
  { ledger }: BotLife,
  { machine, wallets, balanceAtFirst }: ExchangeWorld,
): readonly string[] {
  let theirs = 0;
  for (const wallet of wallets) {
    theirs += (machine.account(wallet, 0)?.balance ?? 0) - balanceAtFirst;
    for (const { market, matched } of machine.positionsOfWallet(wallet)) {
      const status = machine.market(market)?.status;
      if (status !== 'Settled' && status !== 'Voided' && status !== 'Closed') theirs += matched;
    }
  }
  const ours = ledger.risk.history.total;
  return ours === theirs ? [] : [`all results together are ${theirs}, risk counts ${ours}`];
}
