/** The exchange's own app in the default world: it quotes both sides of every market and trades a little. */

import { defined } from '../../core/checks/assert.ts';
import { tick, tickAtOrBelow } from '../../core/number/ladder.ts';
import { Random } from '../../core/number/random.ts';
import { MONEY_SCALE, type Money, money, PRICE_SCALE } from '../../core/number/units.ts';
import { opposite, SIDES, type Side, sideIndex } from '../../core/side.ts';
import type { PlaceRequest } from '../../matching/messages/command.ts';
import { isPending } from '../../matching/state/order-moves.ts';
import { slotsOfWallets } from '../operations/orders/order-scan.ts';
import { applyChange, mainCurrency, tryCommand } from '../traffic/market-maker.ts';
import type { WorldContext } from '../traffic/traffic.ts';
import type { MachineCommand } from '../world/change.ts';
import type { MarketRecord } from '../world/records.ts';
import type { Changed, World } from '../world/world.ts';

export interface LiquidityProvider {
  readonly app: number;
  /** Wallet of the resting orders. */
  readonly maker: number;
  /** Wallet that trades with the maker, so that there are matches before any user comes. */
  readonly taker: number;
}

/** Target balance of both wallets: they are filled up to it when they hold less than half. */
const FUNDS = money(10_000_000 * MONEY_SCALE);
/** Stakes by level, the best level first. */
const STAKES: readonly Money[] = [50, 100, 200].map((units) => money(units * MONEY_SCALE));
const TRADE = money(10 * MONEY_SCALE);
/** Upper bound for the chance of an outcome, which keeps prices off the ends of the ladder. */
const CHANCE_MAX = 0.92;

/** Makes a command that cannot be refused. */
export function applyCommand(context: WorldContext, wanted: MachineCommand): Changed {
  return applyChange(context, { kind: 'command', command: wanted });
}

/**
 * Refills the wallets once half of their funds is gone, so that a profitable app cannot drain the liquidity provider.
 */
export function refill(context: WorldContext, wallets: readonly number[]): void {
  const { currency } = mainCurrency(context.world);
  for (const wallet of wallets) {
    const account = context.world.exchange.account(wallet, currency);
    const amount = FUNDS - (account?.balance ?? 0);
    if (amount * 2 < FUNDS) continue;
    // This may be refused where the operator has issued all the money allowed: then the provider quotes less.
    tryCommand(context, { kind: 'deposit', wallet, currency, amount: money(amount) });
  }
}

/** The probability of each outcome to be among the winners, as quoted: always the same for one market. */
function chances({ market, outcomes, winners }: MarketRecord): readonly number[] {
  const random = Random.fromSeed(market);
  const weights = outcomes.map(() => 0.5 + random.uniform());
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => Math.min(CHANCE_MAX, (weight / sum) * winners.max));
}

/**
 * Places an order of the maker at every level where nothing rests, unless orders of the maker are still on their way.
 */
export function quote(context: WorldContext, provider: LiquidityProvider, record: MarketRecord): void {
  const { market } = record;
  if (isWaiting(context.world, provider.maker, market)) return;
  const { liquidity } = defined(context.world.exchange.inspect().markets.get(market), 'the market is in the machine');
  const requests = chances(record).flatMap((chance, outcome) =>
    SIDES.flatMap((side) =>
      STAKES.flatMap((stake, level) => {
        const at = levelTick(chance, side, level);
        if (liquidity.amountAt(outcome, sideIndex(side), at) > 0) return [];
        return [order(provider.maker, market, { outcome, side, at, stake })];
      }),
    ),
  );
  placeAll(context, provider, requests);
}

/** Whether an in-play delay holds back orders of the wallet. No book shows them yet, so they would be placed twice. */
function isWaiting({ exchange }: World, wallet: number, market: number): boolean {
  const state = exchange.inspect();
  const live = slotsOfWallets(state, { wallets: [wallet], isAsked: ({ id }) => id === market, liveOnly: true });
  for (const slot of live) if (isPending(state, slot)) return true;
  return false;
}

/** Makes two small bets with the maker, one on each side. */
export function trade(context: WorldContext, provider: LiquidityProvider, record: MarketRecord): void {
  const requests = chances(record)
    .slice(0, SIDES.length)
    .map((chance, outcome) => {
      const side = SIDES[outcome] ?? 'For';
      const at = levelTick(chance, opposite(side), 0);
      return order(provider.taker, record.market, { outcome, side, at, stake: TRADE });
    });
  placeAll(context, provider, requests);
}

/** Draws as many winners as the market pays, weighted by their chances; always the same for one market. */
export function drawWinners(record: MarketRecord): readonly number[] {
  const random = Random.fromSeed(record.market + 0x5eed);
  const left = chances(record).map((chance, outcome) => ({ chance, outcome }));
  return Array.from({ length: record.winners.max }, () => {
    let point = random.uniform() * left.reduce((total, { chance }) => total + chance, 0);
    const found = left.findIndex(({ chance }) => {
      point -= chance;
      return point < 0;
    });
    return defined(left.splice(Math.max(0, found), 1)[0], 'fewer outcomes win than there are').outcome;
  });
}

interface Level {
  readonly outcome: number;
  readonly side: Side;
  readonly at: number;
  readonly stake: Money;
}

/**
 * The tick of a level. For orders rest above the fair price and Against orders below it, so that the provider's orders
 * never match each other, not even through cross matching.
 */
function levelTick(chance: number, side: Side, level: number): number {
  const fair = tickAtOrBelow(PRICE_SCALE / chance);
  return side === 'For' ? fair + 1 + level : fair - 1 - level;
}

function order(wallet: number, market: number, { outcome, side, at, stake }: Level): PlaceRequest {
  const terms = { keepWhenInPlay: false, matchBehavior: 'RetainUnmatched' } as const;
  return { wallet, market, outcome, side, tick: tick(at), stake, ...terms };
}

/** Places orders in batches that are never empty and never over the limit. Single orders may be refused. */
function placeAll(context: WorldContext, provider: LiquidityProvider, requests: readonly PlaceRequest[]): void {
  const { batchMax } = context.world.exchange.inspect().rules;
  for (let from = 0; from < requests.length; from += batchMax) {
    applyCommand(context, { kind: 'place', app: provider.app, requests: requests.slice(from, from + batchMax) });
  }
}
