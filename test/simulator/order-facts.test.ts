/** What a result keeps of each order beside its fills: the queue it came into, when it ended, and the prices it was decided at. */

import { expect, it } from 'vitest';
import type { Intent } from '../../src/core/intent.ts';
import type { OrderRow } from '../../src/result/result.ts';
import type { DecideInput, StrategyPlugin } from '../../src/strategy/contract.ts';
import { runScript, Script, START } from '../support/scripted-run.ts';

type Place = Intent & { kind: 'place' };
type Plan = Readonly<Record<number, (input: DecideInput) => readonly Intent[]>>;

/** Does what is planned at an instant, ms after the start, when prices come at it. */
function planned(plan: Plan): StrategyPlugin {
  return {
    name: 'planned',
    decide: (input) => (input.why === 'prices' ? (plan[input.now - START]?.(input) ?? []) : []),
  };
}

function order(side: Place['side'], price: number, stake: number, how: Partial<Place> = {}): Place {
  return { kind: 'place', market: '1.1', outcome: 'o0', side, price, stake, ...how };
}

async function rowsOf(script: Script, plan: Plan, change: Parameters<typeof runScript>[2] = {}) {
  const { collector } = await runScript(script, [planned(plan)], change);
  return [...collector.orderRows()].map(({ endedAt, queueAhead, bestFor, bestAgainst, status }: OrderRow) => ({
    ended: endedAt === undefined ? undefined : endedAt - START,
    ...{ queueAhead, bestFor, bestAgainst, status },
  }));
}

/** 2.00 Against and 2.20 For with 100 each from 1 s on; orders arrive 120 ms after their decision. */
function market(): { script: Script; market: ReturnType<Script['market']> } {
  const script = new Script();
  const made = script.market().at(1000, { level: [0, 'Against', 2, 100] }, { level: [0, 'For', 2.2, 100] });
  return { script, market: made };
}

it('an order that matches on arrival ended then, and never rested', async () => {
  const { script, market: made } = market();
  made.at(3000, { last: [0, 2] }).settle(9000, 0);
  expect(await rowsOf(script, { 1000: () => [order('For', 2, 10)] })).toEqual([
    { ended: 1120, queueAhead: undefined, bestFor: 2.2, bestAgainst: 2, status: 'Won' },
  ]);
});

it('an order that rests has the recorded stake and earlier own orders of its price before it, at the instant of its arrival', async () => {
  const { script, market: made } = market();
  made
    .at(1100, { level: [0, 'For', 2.2, 60] })
    .at(2000, { level: [0, 'For', 2.2, 500] })
    .at(3000, { last: [0, 2] });
  const plan: Plan = {
    1000: () => [order('For', 2.2, 10), order('For', 2.2, 5), order('For', 2.18, 5)],
    2000: () => [order('For', 2.2, 1)],
    3000: ({ orders }) => orders.slice(0, 1).map(({ id }) => ({ kind: 'cancel', order: id })),
  };
  made.at(4000, { last: [0, 2] }).settle(9000, 0);
  expect(await rowsOf(script, plan)).toEqual([
    { ended: 3120, queueAhead: 60, bestFor: 2.2, bestAgainst: 2, status: 'Cancelled' },
    { ended: 9000, queueAhead: 70, bestFor: 2.2, bestAgainst: 2, status: 'Cancelled' },
    { ended: 9000, queueAhead: 0, bestFor: 2.2, bestAgainst: 2, status: 'Cancelled' },
    // By then the strategy sees its own order at 2.18, which is the best.
    { ended: 9000, queueAhead: 515, bestFor: 2.18, bestAgainst: 2, status: 'Cancelled' },
  ]);
});

it('what is matched in part and cancelled for the rest ended with the cancellation, and counts the queue it came into', async () => {
  const { script, market: made } = market();
  made
    .at(2000, { trade: [0, 2.2, 104] }, { level: [0, 'For', 2.2, 0] })
    .at(3000, { last: [0, 2] })
    .at(4000, { last: [0, 2] })
    .settle(9000, 0);
  const plan: Plan = {
    1000: () => [order('For', 2.2, 10)],
    3000: ({ orders }) => orders.map(({ id }) => ({ kind: 'cancel', order: id })),
  };
  expect(await rowsOf(script, plan)).toEqual([
    { ended: 3120, queueAhead: 100, bestFor: 2.2, bestAgainst: 2, status: 'Won' },
  ]);
});

it('in play an order comes into the queue when its delay ends', async () => {
  const script = new Script();
  script
    .market({ first: { inPlayStatus: 'InPlay', inPlayDelayMs: 5000 } })
    .at(1000, { level: [0, 'For', 2.2, 100] })
    .at(6000, { level: [0, 'For', 2.2, 30] })
    .at(7000, { level: [0, 'For', 2.2, 900] })
    .settle(9000, 0);
  expect(await rowsOf(script, { 1000: () => [order('For', 2.2, 10)] })).toEqual([
    { ended: 9000, queueAhead: 30, bestFor: 2.2, bestAgainst: undefined, status: 'Cancelled' },
  ]);
});

it('a non-runner that moves an order to another price does not change the queue that it came into', async () => {
  const script = new Script();
  const outcomes = [{ status: 'Active' as const }, { status: 'Removed' as const, factorPpm: 200_000 }];
  script
    .market({ outcomes: 3 })
    .at(1000, { level: [0, 'Against', 3, 100] })
    .at(3000, { level: [0, 'Against', 2.4, 7] })
    .at(4000, { define: { outcomes: [...outcomes, { status: 'Active' }] } })
    .at(5000, { last: [0, 3] });
  expect(await rowsOf(script, { 1000: () => [order('Against', 3, 10, { keepWhenInPlay: true })] })).toEqual([
    { ended: undefined, queueAhead: 100, bestFor: undefined, bestAgainst: 3, status: 'Unmatched' },
  ]);
});

it('an order that the exchange rejects, or that lives when the recording ends, has no end', async () => {
  const { script, market: made } = market();
  made
    .at(2000, { last: [0, 2] })
    .at(2050, { define: { suspended: true } })
    .at(3000, { last: [0, 2] });
  const plan: Plan = { 1000: () => [order('For', 2.4, 1)], 2000: () => [order('For', 2.4, 1)] };
  expect(await rowsOf(script, plan)).toEqual([
    { ended: undefined, queueAhead: 0, bestFor: 2.2, bestAgainst: 2, status: 'Unmatched' },
    { ended: undefined, queueAhead: undefined, bestFor: 2.2, bestAgainst: 2, status: undefined },
  ]);
});

it('the best prices are those that the strategy saw, not those that were there: polls see old ones', async () => {
  const { script, market: made } = market();
  for (let at = 1000; at < 3000; at += 50) made.at(at + 1, { level: [0, 'Against', 2, 100 + at] });
  made.at(3000, { level: [0, 'Against', 2.1, 50] }).settle(9000, 0);
  const seen: (number | undefined)[] = [];
  const polling: StrategyPlugin = {
    name: 'polling',
    decide({ market: { outcomes, tradable }, orders, why }) {
      const [outcome] = outcomes;
      if (why === 'order' || orders.length > 0 || outcome?.bestAgainst === undefined || !tradable) return [];
      seen.push(outcome.bestAgainst.price);
      return [order('For', 1000, 1)];
    },
  };
  const { collector } = await runScript(script, [polling], { feed: { mode: 'poll', everyMs: 1_700 } });
  const rows = [...collector.orderRows()];
  expect(rows.map(({ bestAgainst }) => bestAgainst)).toEqual(seen);
  expect(seen).toEqual([2]);
});

it('the queue is that of the fill model whose fills the strategy sees', async () => {
  const plan: Plan = { 1000: () => [order('For', 2.2, 10)] };
  const queueIn = async (bound: 'highest' | 'lowest') => {
    const { script, market: made } = market();
    made.at(2000, { last: [0, 2] }).settle(9000, 0);
    return (await rowsOf(script, plan, { bound }))[0]?.queueAhead;
  };
  expect([await queueIn('highest'), await queueIn('lowest')]).toEqual([0, 100]);
});
