/** Orders of ours in the queue of an exchange whose every order is known, and what the worlds of a backtest say of them. */

import { describe, expect, test } from 'vitest';
import { type Command, type Order, PRICES, type Side } from '../support/fifo/fifo-exchange.ts';
import type { Planned } from '../support/fifo/fifo-plan.ts';
import { deliveredOf, type Market, truthOf } from '../support/fifo/fifo-truth.ts';

let named = 0;

function order(side: Side, price: number, stake: number): Order {
  named += 1;
  return { id: `own${named}`, side, place: PRICES.indexOf(price), stake: 100 * stake, rests: true };
}

const comes = (at: number, side: Side, price: number, stake: number): Command => {
  return { at: 1_000 * at, kind: 'place', order: order(side, price, stake) };
};
const ours = (at: number, until: number, stake: number): Planned => {
  return { at: 1_000 * at + 1, until: 1_000 * until + 1, order: order('back', 3, stake) };
};

/** Others who offer much on both sides, away from the price that this is about. */
const AROUND = [comes(1, 'back', 3.3, 900), comes(1, 'lay', 2.8, 900)];

async function said(market: Market): Promise<unknown> {
  const truth = truthOf(market);
  const delivered = await deliveredOf(market);
  return truth.map((matched, at) => [matched / 100, ...Object.values(delivered[at] ?? {}).map((stake) => stake / 100)]);
}

describe('the worlds of a backtest', () => {
  test('fill no order that was given up, however much trades at its price later', async () => {
    const commands = [...AROUND, comes(2, 'back', 3, 50), comes(4_000, 'lay', 3, 500)];
    expect(await said({ commands, planned: [ours(5, 12, 4)], source: { everyMs: 0 } })).toEqual([[0, 0, 0, 0]]);
  });

  test('do not move the second of two orders up by a trade that filled the first', async () => {
    // The first one stands alone, 4,000 join it, and then the second one. 4,000 trade, 20 of them with the first: 20 of others are left.
    const commands = [
      ...[...AROUND, comes(20, 'back', 3, 4_000), comes(40, 'lay', 3, 1_000)],
      ...[comes(60, 'lay', 3, 3_000), comes(70, 'back', 3, 30), comes(80, 'lay', 3, 15)],
    ];
    const planned = [ours(10, 500, 20), ours(30, 500, 20)];
    expect(await said({ commands, planned, source: { everyMs: 0 } })).toEqual([
      [20, expect.any(Number), 20, 20],
      [0, 0, 0, 0],
    ]);
  });
});
