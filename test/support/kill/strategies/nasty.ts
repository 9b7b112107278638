/** A strategy that gives a daemon no rest: it places, cancels and replaces all the time, and now and then asks too much. */

import {
  back,
  cancel,
  cancelAll,
  defineStrategy,
  type Intent,
  lay,
  type OrderView,
  type OutcomeView,
  param,
  reduce,
  replace,
  ticksAway,
} from 'oddsmith';

/** In a market of this name it throws. */
const TRAP = 'Trap';

/** Chance that hangs on nothing but what a decision may know. */
function draws(...seeds: readonly number[]): (below: number) => number {
  let state = seeds.reduce((mixed, seed) => Math.imul(mixed ^ (seed | 0), 0x9e3779b1), 0x811c9dc5);
  return (below) => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d);
    state = Math.imul(state ^ (state >>> 12), 0x297a2d39);
    return ((state ^ (state >>> 15)) >>> 0) % below;
  };
}

function isStanding({ inFlight, unknown }: OrderView): boolean {
  return inFlight === undefined && !unknown;
}

/** Near the best price: rests, joins, or takes. */
function order(outcome: OutcomeView, draw: (below: number) => number, stake: number): readonly Intent[] {
  const isBack = draw(2) === 0;
  const best = isBack ? outcome.bestFor?.price : outcome.bestAgainst?.price;
  if (best === undefined) return [];
  const price = ticksAway(best, draw(5) - 2);
  return [isBack ? back(outcome, { stake, price }) : lay(outcome, { stake, price, keepWhenInPlay: draw(2) === 0 })];
}

export default defineStrategy({
  name: 'nasty',
  params: {
    orders: param.number({ default: 5, min: 1, integer: true, about: 'live orders in a market' }),
    everyMs: param.number({ default: 250, min: 10, integer: true, about: 'between two decisions' }),
    reduces: param.flag({ default: false, about: 'whether it cancels parts of orders' }),
  },
  state: () => ({ turns: 0, next: 0 }),

  decide({ market, orders, params, state, now }) {
    if (market.name === TRAP) throw new Error('it walked into the trap');
    const wakeAt = Math.max(state.next, now + 20);
    if (now < state.next) return { wakeAt };
    const next = now + params.everyMs;
    const turns = state.turns + 1;
    const same = { state: { turns, next }, wakeAt: next };
    if (!market.tradable) return same;
    const draw = draws(now, turns, Number(market.id));
    const standing = orders.filter(isStanding);
    const [oldest] = standing;
    const kind = draw(12);
    if (kind === 0) return { ...same, intents: [cancelAll(market)] };
    if (oldest !== undefined && kind <= 3) return { ...same, intents: [cancel(oldest)] };
    if (oldest !== undefined && kind <= 6)
      return { ...same, intents: [replace(oldest, { price: ticksAway(oldest.price, draw(5) - 2) })] };
    if (oldest !== undefined && kind === 8 && params.reduces)
      return { ...same, intents: [reduce(oldest, Math.floor(oldest.stakeUnmatched * 50) / 100)] };
    if (orders.length >= params.orders) return same;
    const outcome = market.outcomes[draw(market.outcomes.length)];
    if (outcome === undefined) return same;
    // One in twelve asks for more than any limit allows.
    const stake = kind === 7 ? 5_000 : 1 + draw(400) / 100;
    return { ...same, intents: order(outcome, draw, stake) };
  },
});
