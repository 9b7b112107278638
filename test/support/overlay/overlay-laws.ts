/** The overlay's laws as checks of one replay, used on random and on real recordings alike. */

import { NO_TICK, TICK_COUNT } from '../../../src/core/number/ladder.ts';
import { AGAINST, crosses, FOR, isBetter, oppositeIndex } from '../../../src/core/side.ts';
import { cellOf } from '../../../src/simulator/overlay/level-cell.ts';
import type { RecordedBook } from '../../../src/simulator/overlay/recorded-book.ts';
import { displayed } from '../naive-out-of-sight.ts';
import type { ModelAtMarket } from './overlay-replay.ts';
import type { TapeLedger } from './tape-ledger.ts';

/** Law 1: the book equals the tape; what a fill model shows differs from it only by X and our own stake. */
export function neutralityBreach(
  book: RecordedBook,
  instances: readonly ModelAtMarket[],
  tape: TapeLedger,
): string | undefined {
  for (let outcome = 0; outcome < book.outcomes; outcome += 1) {
    for (const side of [FOR, AGAINST]) {
      for (let tick = tape.lowest; tick <= tape.highest; tick += 1) {
        const recorded = tape.level(outcome, side, tick);
        const at = `outcome ${outcome} side ${side} tick ${tick}`;
        if (book.stakeAt(cellOf(outcome, side, tick)) !== recorded) return `${at}: the book does not hold ${recorded}`;
        if (book.amountAt(outcome, side, tick) !== displayed(recorded)) return `${at}: the book shows dust`;
        for (const { model, exchange } of instances) {
          const shown = model.amountAt(outcome, side, tick);
          const left = recorded - model.consumedAt(outcome, side, tick);
          if (shown === displayed(model.isIdle ? recorded : left)) continue;
          // A level found gone outside the source's window holds no recorded stake.
          const isHidden = book.window?.isOutOfSight(cellOf(outcome, side, tick)) === true;
          const own = exchange.resting().filter((o) => o.outcome === outcome && o.side === side && o.tick === tick);
          const stake = own.reduce((sum, order) => sum + order.unmatched, 0);
          if (shown === displayed(left + stake) || (isHidden && shown === displayed(stake))) continue;
          return `${at}: the ${model.rules.bound} model shows ${shown}, recorded are ${recorded}`;
        }
      }
    }
  }
  return undefined;
}

/** Searching finds the ticks in order, each with stake, and leaves none out. */
export function searchBreach(book: RecordedBook, { model }: ModelAtMarket): string | undefined {
  for (let outcome = 0; outcome < book.outcomes; outcome += 1) {
    for (const side of [FOR, AGAINST]) {
      let expected = model.bestTick(outcome, side);
      for (let k = 0; k < TICK_COUNT; k += 1) {
        const tick = side === FOR ? k : TICK_COUNT - 1 - k;
        if (model.amountAt(outcome, side, tick) === 0) continue;
        if (tick !== expected) return `outcome ${outcome} side ${side}: found ${expected}, not ${tick}`;
        expected = model.nextTick(outcome, side, tick);
      }
      if (expected !== NO_TICK) return `outcome ${outcome} side ${side}: found ${expected}, where nothing is`;
    }
  }
  return undefined;
}

/** The part of law 2 that a model shows: what we consumed of a level never exceeds it. */
export function spendBreach(book: RecordedBook, { model }: ModelAtMarket, tape: TapeLedger): string | undefined {
  if (model.isIdle) return undefined;
  for (let outcome = 0; outcome < book.outcomes; outcome += 1) {
    for (const side of [FOR, AGAINST]) {
      for (let tick = tape.lowest; tick <= tape.highest; tick += 1) {
        const consumed = model.consumedAt(outcome, side, tick);
        if (consumed < 0 || consumed > book.stakeAt(cellOf(outcome, side, tick))) {
          return `outcome ${outcome} side ${side} tick ${tick}: ${consumed} consumed of what is not there`;
        }
      }
    }
  }
  return undefined;
}

/** Law 4, and price before time: no fill passes over an order of ours that stood at least as well. */
export function watchPriority(instance: ModelAtMarket, breaches: string[]): void {
  const isLate = instance.model.rules.arrival === 'after-next';
  instance.exchange.onMaker = (filled, how) => {
    for (const other of instance.exchange.resting()) {
      if (other.outcome !== filled.outcome || other.side !== filled.side || other.client === filled.client) continue;
      // An order that is still arriving is not there yet for the trades of the message.
      if (isLate && how === 'recorded' && instance.exchange.isNew(other.client)) continue;
      const before = other.tick === filled.tick && other.client < filled.client;
      if (other.unmatched > 0 && (before || isBetter(filled.side, other.tick, filled.tick))) {
        breaches.push(`${instance.model.rules.bound}: order ${filled.client} filled before ${other.client}`);
      }
    }
  };
}

/** Law 5: for every order, the matched stakes rise from model to model, the lowest first. */
export function boundsBreach(instances: readonly ModelAtMarket[]): string | undefined {
  const exchanges = instances.map((instance) => instance.exchange);
  for (const { client } of exchanges[0]!.orders.values()) {
    const matched = exchanges.map((exchange) => exchange.matched(client));
    if (matched.some((stake, at) => stake > (matched[at + 1] ?? stake)))
      return `order ${client}: ${matched.join(' ≤ ')}`;
  }
  return undefined;
}

/** Law 8: no order of ours that is shown faces crossing stake that is left. It holds wherever crossing stake fills. */
export function facingBreach({ model, exchange }: ModelAtMarket): string | undefined {
  for (const order of exchange.resting()) {
    const best = model.bestTick(order.outcome, oppositeIndex(order.side));
    const isShown = model.amountAt(order.outcome, order.side, order.tick) > 0;
    if (isShown && best !== NO_TICK && crosses(order.side, order.tick, best)) {
      return `${model.rules.bound}: order ${order.client} at ${order.tick} faces stake at ${best}`;
    }
  }
  return undefined;
}
