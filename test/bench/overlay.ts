/** Cost of one recorded update on the overlay: one book and three lanes, with nothing of ours and with a handful of orders: `node --import tsx test/bench/overlay.ts`. */

import { NO_TICK } from '../../src/core/ladder.ts';
import { AGAINST, FOR } from '../../src/core/side.ts';
import type { Money } from '../../src/core/units.ts';
import type { UpdateBuffer } from '../../src/recording/update-buffer.ts';
import { defaultFillRules, type FillBound } from '../../src/simulator/overlay/fill-rules.ts';
import { OverlayReplay } from '../support/overlay/overlay-replay.ts';
import { RandomCrowd } from '../support/overlay/random-crowd.ts';

/** Few enough to stay in the cache, as a cursor's one reused buffer does. */
const UPDATES = 1_000;
const ROUNDS = 200;
const THREE: readonly FillBound[] = ['pessimistic', 'central', 'optimistic'];

const crowd = new RandomCrowd(7);
const updates: UpdateBuffer[] = [];
let events = 0;
for (let k = 0; k < UPDATES; k += 1) {
  const update = crowd.next({ trades: true });
  updates.push(update);
  events += update.count;
}
console.log(`${crowd.outcomes} outcomes, ${UPDATES} updates of ${(events / UPDATES).toFixed(1)} events`);
report('book alone', [], 0);
report('three lanes, nothing of ours', THREE, 0);
report('one lane, six orders', ['central'], 6);
report('three lanes, six orders', THREE, 6);

function report(name: string, bounds: readonly FillBound[], orders: number): void {
  measure(bounds, orders);
  const nanoseconds = measure(bounds, orders);
  console.log(
    `${name}: ${nanoseconds.toFixed(0)} ns an update, ${((nanoseconds * UPDATES) / events).toFixed(0)} ns an event`,
  );
}

/** Processor time per update, so that a busy machine does not count. Orders stand at the touch, renewed every round. */
function measure(bounds: readonly FillBound[], orders: number): number {
  const replay = new OverlayReplay(crowd.outcomes, bounds.map(defaultFillRules));
  for (const update of updates) replay.do({ kind: 'update', update });
  let client = 0;
  const start = process.cpuUsage();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { desk } of replay.seats) for (const order of desk.resting()) desk.cancel(order.client);
    for (let k = 0; k < orders; k += 1) {
      const side = k % 2 === 0 ? FOR : AGAINST;
      const outcome = (k >> 1) % crowd.outcomes;
      const tick = replay.book.bestTick(outcome, side);
      client += 1;
      const request = { client, outcome, side, tick, stake: 500_000_000 as Money };
      if (tick !== NO_TICK) replay.do({ kind: 'place', request });
    }
    for (const update of updates) replay.do({ kind: 'update', update });
  }
  const { user, system } = process.cpuUsage(start);
  return ((user + system) * 1_000) / (ROUNDS * UPDATES);
}
