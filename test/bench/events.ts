/** The benches of one recorded event: what each kind costs the exchange of a replay, by outcomes and with our orders resting. */

import { type EventKind, EventStage, type StageShape } from './event-stage.ts';
import { claim, type Figure, type Measured, Stopwatch } from './figure.ts';
import { costsOf } from './growth.ts';
import type { BenchSize } from './size.ts';

const FEW = 3;
const MANY = 13;

/** Events per second on a market of three outcomes without orders of ours, beside the same with them. Nothing is subtracted. */
export async function benchEvents(kind: EventKind, size: BenchSize): Promise<Figure> {
  const plays = [FEW, MANY].flatMap((outcomes) =>
    [false, true].map((ownOrders) => new EventPlay({ kind, outcomes, ownOrders }, size.eventUpdates)),
  );
  for (const play of plays) play.run();
  const costs = await costsOf(size.repetitions, plays);
  const [ns = 0, nsBesideOwn = 0, ns13 = 0, ns13BesideOwn = 0] = costs.map(
    ({ operations, seconds }) => (1e9 * seconds) / operations,
  );
  const [, own, , own13] = plays;
  const ownOrders = { ownOrders: own?.ownOrders ?? 0, ownOrders13: own13?.ownOrders ?? 0 };
  claim(ownOrders.ownOrders > 0 && ownOrders.ownOrders13 > 0, 'no order of ours rested');
  const [value, yardstick] = [1e9 / ns, 1e9 / nsBesideOwn];
  return {
    name: `event-${kind}`,
    value,
    unit: kind === 'none' ? 'updates/s' : 'events/s',
    yardstick: { name: 'the same with orders of ours resting', value: yardstick },
    ratio: value / yardstick,
    counts: {
      updates: size.eventUpdates,
      eventsEach: own?.eventsEach ?? 0,
      ...ownOrders,
      ns,
      nsBesideOwn,
      ns13,
      ns13BesideOwn,
    },
    data: `made updates of one kind, ${FEW} outcomes and ${MANY}, one bound`,
  };
}

/** The same updates on a new market each time. */
class EventPlay implements Measured {
  readonly operations: number;
  readonly eventsEach: number;
  readonly ownOrders: number;
  readonly #shape: StageShape;
  readonly #updates: number;

  constructor(shape: StageShape, updates: number) {
    this.#shape = shape;
    this.#updates = updates;
    const { eventsEach, ownOrders } = new EventStage(shape);
    this.eventsEach = eventsEach;
    this.ownOrders = ownOrders;
    this.operations = updates * Math.max(1, eventsEach);
  }

  run(): number {
    const stage = new EventStage(this.#shape);
    const watch = new Stopwatch();
    stage.play(this.#updates);
    const seconds = watch.seconds();
    stage.check(this.#updates);
    return seconds;
  }
}
