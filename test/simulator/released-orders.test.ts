/** Orders that ended without a match are released at once, and can still be asked for. */

import { describe, expect, it } from 'vitest';
import type { CancelReply, OrderRequest, PlaceReply } from '../../src/exchange/gateway.ts';
import type { DecideInput, StrategyPlugin } from '../../src/strategy/contract.ts';
import { simulatorStage } from '../support/conformance/simulator-stage.ts';
import { units } from '../support/conformance/stage.ts';
import { runScript, Script, START } from '../support/scripted-run.ts';

/** Places orders far from the market at each whole second, and cancels them half a second later. */
const inAndOut: StrategyPlugin = {
  name: 'in-and-out',
  decide({ market, orders, now, why }: DecideInput) {
    if (why !== 'prices') return [];
    const order = orders[0];
    if (order !== undefined) return [{ kind: 'cancel', order: order.id }];
    if ((now - START) % 1_000 !== 0) return [];
    return [{ kind: 'place', market: market.id, outcome: 'o0', side: 'For', price: 3, stake: 2 }];
  },
};

describe('an order that ended without a match', () => {
  it('is not kept, and stands in the result', async () => {
    const script = new Script();
    const market = script.market();
    for (let ms = 1_000; ms < 60_000; ms += 500)
      market.at(ms, { level: [0, 'Against', 2, ms % 1_000 === 0 ? 10 : 11] });
    market.settle(60_000, 0);
    const kept: number[] = [];
    const accepted: number[] = [];
    const end = await runScript(script, [inAndOut], {
      afterUpdate: (replay) => {
        for (const open of replay.openMarkets()) {
          const { tracks, orders } = replay.exchange.market(open.exchangeId);
          kept.push(tracks.size);
          accepted.push(orders);
        }
      },
    });
    expect(end.collector.tally).toMatchObject({ sent: 59, accepted: 59, cancelled: 59 });
    expect(Math.max(...kept)).toBe(1);
    expect(accepted.at(-1)).toBe(59);
    const rows = [...end.collector.orderRows()];
    expect(rows).toHaveLength(59);
    for (const row of rows) expect(row).toMatchObject({ status: 'Cancelled', reason: 'UserRequest' });
  });

  it('is reported as it ended to a cancellation that comes too late', async () => {
    const stage = await simulatorStage()();
    await stage.market();
    const { gateway } = stage;
    stage.listen();
    await stage.pass(1_000);
    const order: OrderRequest = {
      ...{
        client: 7,
        strategy: 0,
        wallet: 0,
        market: 0,
        outcome: 1,
        side: 'Against',
        tick: 100 as OrderRequest['tick'],
      },
      ...{ stake: units(5), keepWhenInPlay: false, matchBehavior: 'RetainUnmatched' },
    };
    let placed: PlaceReply | undefined;
    gateway.place([order]).subscribe((reply) => {
      placed = reply;
    });
    await stage.pass(1_000);
    const item = placed?.kind === 'placed' ? placed.items[0] : undefined;
    if (item?.kind !== 'accepted') throw new Error(`not accepted: ${JSON.stringify(placed)}`);
    const replies: CancelReply[] = [];
    for (let time = 0; time < 2; time += 1) {
      gateway.cancel([item.report.order]).subscribe((reply) => replies.push(reply));
      await stage.pass(1_000);
    }
    expect(replies).toHaveLength(2);
    expect(replies[0]).toMatchObject({ reports: [{ client: 7, status: 'Cancelled', stakeVoided: units(5) }] });
    expect(replies[1]).toEqual(replies[0]);
    await stage.close();
  });
});
