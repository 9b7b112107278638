/** The exchange's own app in the default world: it keeps prices on both sides of every market, and trades a little. */

import { fail, present } from '../../core/checks/assert.ts';
import { tick, tickAtOrBelow } from '../../core/number/ladder.ts';
import { Random } from '../../core/number/random.ts';
import { MONEY_SCALE, type Money, money, PRICE_SCALE } from '../../core/number/units.ts';
import { opposite, SIDES, type Side, sideIndex } from '../../core/side.ts';
import type { PlaceRequest } from '../../matching/messages/command.ts';
import { isPending } from '../../matching/state/order-moves.ts';
import type { SandboxContext } from '../context/sandbox-context.ts';
import { slotsOfWallets } from '../operations/orders/order-scan.ts';
import type { Change, MachineCommand } from '../world/change.ts';
import type { MarketRecord } from '../world/records.ts';
import type { Changed, World } from '../world/world.ts';
import { CURRENCY } from './sports.ts';

/** All that making the default world needs of the sandbox. */
export type WorldContext = Pick<SandboxContext, 'world' | 'now' | 'apply'>;

export interface LiquidityProvider {
  readonly app: number;
  /** Whose orders rest. */
  readonly maker: number;
  /** Who trades with them, so that there are matches before anyone comes. */
  readonly taker: number;
}

/** What the house's wallets are filled up to whenever they hold less than half of it. */
const FUNDS = money(10_000_000 * MONEY_SCALE);
/** Of the levels, the best first. */
const STAKES: readonly Money[] = [50, 100, 200].map((units) => money(units * MONEY_SCALE));
const TRADE = money(10 * MONEY_SCALE);
/** No runner is surer to win or to be placed than this: prices stay off the ladder's ends. */
const CHANCE_MAX = 0.92;

type MadeChange = Change extends infer C ? (C extends Change ? Omit<C, 'at'> : never) : never;

/** Makes a change that cannot be refused, for nothing but this code and the world as it is decides about it. */
export function made(context: WorldContext, change: MadeChange): Changed {
  const changed = context.apply({ at: context.now(), ...change });
  if (changed.kind === 'refused') fail(`the default world's ${change.kind}: ${changed.refusal.what}`);
  return changed;
}

export function command(context: WorldContext, wanted: MachineCommand): Changed {
  return made(context, { kind: 'command', command: wanted });
}

/** So that no stranger who trades well can empty the house. */
export function fillUp(context: WorldContext, wallets: readonly number[]): void {
  const currency = present(context.world.catalogue.currencies.get(CURRENCY), 'the currency was made').currency;
  for (const wallet of wallets) {
    const account = context.world.exchange.account(wallet, currency);
    const amount = FUNDS - (account?.balance ?? 0);
    if (amount * 2 < FUNDS) continue;
    // A world whose operator has given out all the money there may be has a house that quotes less.
    const deposit: MachineCommand = { kind: 'deposit', wallet, currency, amount: money(amount) };
    context.apply({ at: context.now(), kind: 'command', command: deposit });
  }
}

/** How likely each outcome is to be among the winners, as the house sees it: always the same for one market. */
export function chances({ market, outcomes, winners }: MarketRecord): readonly number[] {
  const random = Random.fromSeed(market);
  const weights = outcomes.map(() => 0.5 + random.uniform());
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => Math.min(CHANCE_MAX, (weight / sum) * winners.max));
}

/** Places an order of the maker's at every level where nothing rests, unless some of them are still on their way. */
export function quote(context: WorldContext, house: LiquidityProvider, record: MarketRecord): void {
  const { market } = record;
  if (isWaiting(context.world, house.maker, market)) return;
  const { liquidity } = present(context.world.exchange.inspect().markets.get(market), 'the market is in the machine');
  const requests = chances(record).flatMap((chance, outcome) =>
    SIDES.flatMap((side) =>
      STAKES.flatMap((stake, level) => {
        const at = levelTick(chance, side, level);
        if (liquidity.amountAt(outcome, sideIndex(side), at) > 0) return [];
        return [order(house.maker, market, { outcome, side, at, stake })];
      }),
    ),
  );
  placeAll(context, house, requests);
}

/** Whether an in-play delay holds back orders of the wallet: no book shows them, so they would be placed twice. */
function isWaiting({ exchange }: World, wallet: number, market: number): boolean {
  const state = exchange.inspect();
  const live = slotsOfWallets(state, { wallets: [wallet], isAsked: ({ id }) => id === market, liveOnly: true });
  for (const slot of live) if (isPending(state, slot)) return true;
  return false;
}

/** Two small bets with the maker, one on each side. */
export function trade(context: WorldContext, house: LiquidityProvider, record: MarketRecord): void {
  const requests = chances(record)
    .slice(0, SIDES.length)
    .map((chance, outcome) => {
      const side = SIDES[outcome] ?? 'For';
      const at = levelTick(chance, opposite(side), 0);
      return order(house.taker, record.market, { outcome, side, at, stake: TRADE });
    });
  placeAll(context, house, requests);
}

/** Winners drawn by their chances, as many as the market pays. */
export function draw(record: MarketRecord): readonly number[] {
  const random = Random.fromSeed(record.market + 0x5eed);
  const left = chances(record).map((chance, outcome) => ({ chance, outcome }));
  return Array.from({ length: record.winners.max }, () => {
    let point = random.uniform() * left.reduce((total, { chance }) => total + chance, 0);
    const found = left.findIndex(({ chance }) => {
      point -= chance;
      return point < 0;
    });
    return present(left.splice(Math.max(0, found), 1)[0], 'fewer outcomes win than there are').outcome;
  });
}

interface Level {
  readonly outcome: number;
  readonly side: Side;
  readonly at: number;
  readonly stake: Money;
}

/** For orders rest above the fair price, Against orders below it: the house never crosses itself, synthetic or not. */
function levelTick(chance: number, side: Side, level: number): number {
  const fair = tickAtOrBelow(PRICE_SCALE / chance);
  return side === 'For' ? fair + 1 + level : fair - 1 - level;
}

function order(wallet: number, market: number, { outcome, side, at, stake }: Level): PlaceRequest {
  const terms = { keepWhenInPlay: false, matchBehavior: 'RetainUnmatched' } as const;
  return { wallet, market, outcome, side, tick: tick(at), stake, ...terms };
}

/** The world refuses single orders as it likes; a batch is never empty and never over the limit. */
function placeAll(context: WorldContext, house: LiquidityProvider, requests: readonly PlaceRequest[]): void {
  const { batchMax } = context.world.exchange.inspect().rules;
  for (let from = 0; from < requests.length; from += batchMax) {
    command(context, { kind: 'place', app: house.app, requests: requests.slice(from, from + batchMax) });
  }
}
