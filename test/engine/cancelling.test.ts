/** To cancel an order again while it is being cancelled changes nothing: not the orders, not the fills, and no refusal comes of it. */

import { describe, expect, it } from 'vitest';
import type { Intent } from '../../src/core/intent.ts';
import { defineStrategy } from '../../src/strategy/define-strategy.ts';
import { cancel } from '../../src/strategy/helpers/place.ts';
import type { OrderView } from '../../src/strategy/views/views.ts';
import { runScript, Script, START } from '../support/scripted-run.ts';

const SECONDS = 120;

/** In play, with a delay of five seconds; prices move twice a second, and now and then through the strategy's orders. */
function inPlayMarket(): Script {
  const script = new Script();
  const market = script.market({ first: { inPlayStatus: 'InPlay', inPlayDelayMs: 5_000 } });
  market.at(500, { level: [0, 'Against', 2, 100] }, { level: [0, 'For', 2.02, 100] });
  for (let half = 2; half < 2 * SECONDS; half += 1) {
    const stake = 50 + ((half * 37) % 80);
    market.at(
      half * 500,
      { level: [0, 'For', 2.02, stake] },
      ...(half % 9 === 0 ? [{ trade: [0, 2.04, 6] } as const] : []),
    );
  }
  market.settle(SECONDS * 1000, 0);
  return script;
}

/** Places one order after the other, and asks for the end of each that is old enough, as `isAsked` says. */
function quitter(isAsked: (order: OrderView) => boolean, seen?: (order: OrderView) => void) {
  return defineStrategy({
    name: 'quitter',
    decide({ market, orders, now, why }) {
      for (const order of orders) seen?.(order);
      if (why !== 'prices') return [];
      const intents: Intent[] = orders.filter((order) => now - order.placedAt >= 1_500 && isAsked(order)).map(cancel);
      const price = [2.04, 2.06, 2.02][Math.floor((now - START) / 1000) % 3] ?? 2;
      if (orders.length < 3) {
        intents.push({ kind: 'place', market: market.id, outcome: 'o0', side: 'For', price, stake: 5 });
      }
      return intents;
    },
  });
}

describe('a strategy that cancels at each update what it cancelled before', () => {
  it.each([
    ['quick answers', 20, 20],
    ['answers that come after the next updates', 900, 700],
    ['answers at once', 0, 0],
  ])('fares as one that leaves orders alone that are being cancelled: %s', async (_, request, response) => {
    const latency = { request: { kind: 'fixed', ms: request }, response: { kind: 'fixed', ms: response } } as const;
    const eager = await runScript(inPlayMarket(), [quitter(() => true)], { latency });
    const waiting = await runScript(inPlayMarket(), [quitter((order) => !order.cancelling)], { latency });
    expect([...eager.collector.orderRows()]).toEqual([...waiting.collector.orderRows()]);
    expect([...eager.collector.fillRows()]).toEqual([...waiting.collector.fillRows()]);
    expect(eager.collector.tally.cancelled).toBeGreaterThan(5);
    expect([...eager.collector.refusals]).toEqual([]);
    expect(waiting.cancellationsRepeated).toBe(0);
    expect(eager.cancellationsRepeated).toBeGreaterThan(20);
    expect(eager.cancellations).toBe(waiting.cancellations);
    for (const { intended, cancellations, cancellationsRepeated, collector } of [eager, waiting])
      expect(cancellations + cancellationsRepeated + collector.tally.sent).toBe(intended);
  });

  it('sees orders as cancelling in flight, and while they wait for the in-play delay', async () => {
    const seen = new Set<string>();
    const note = ({ status, inFlight, cancelling }: OrderView) => seen.add(`${status} ${inFlight} ${cancelling}`);
    const latency = { request: { kind: 'fixed', ms: 400 }, response: { kind: 'fixed', ms: 300 } } as const;
    await runScript(inPlayMarket(), [quitter(() => true, note)], { latency });
    expect([...seen].sort()).toEqual(
      expect.arrayContaining(['Pending cancel true', 'Pending undefined false', 'Pending undefined true']),
    );
    expect([...seen].filter((each) => each.includes(' cancel ') && each.endsWith('false'))).toEqual([]);
  });
});
