/** Merges the updates of a market that were published at one instant into one. */

import type { Instant } from '../../../../core/number/units.ts';
import {
  DEFINITION,
  type PendingUpdate,
  STARTING_PRICE,
  type UpdateColumns,
} from '../../../../recording/segment/update.ts';
import { UpdateBuffer } from '../../../../recording/segment/update-buffer.ts';
import { TapeFailure } from '../../../../recording/tape/tape-failure.ts';
import type { MarketScale } from './market-scale.ts';

export interface InstantsOf {
  /** Each update is valid until the next call. */
  readonly next: () => PendingUpdate | undefined;
  readonly outcomes: number;
  readonly scale: MarketScale;
  /** Called with each update before it is merged. */
  readonly onUpdate?: ((update: PendingUpdate) => void) | undefined;
  /** The market and its tape, for what is wrong with them. */
  readonly id: string;
  readonly path: string;
}

export class MarketInstants {
  /** What was published at the instant, in order, its ticks as places of the scale; starting prices are left out. Valid until the next call of `next`. */
  readonly events = new UpdateBuffer();
  readonly #of: InstantsOf;
  #held: PendingUpdate | undefined;

  constructor(of: InstantsOf) {
    this.#of = of;
    this.#held = of.next();
  }

  /** The next instant; undefined at the end. @throws TapeFailure TAPE_CORRUPT */
  next(): Instant | undefined {
    const { events } = this;
    let update = this.#held;
    if (update === undefined) return undefined;
    const at = update.publishedAt;
    events.start(at);
    while (update !== undefined && update.publishedAt === at) {
      this.#of.onUpdate?.(update);
      this.#add(update.columns());
      update = this.#of.next();
    }
    if (update !== undefined && update.publishedAt < at) throw strange(this.#of, 'an update that goes back in time');
    this.#held = update;
    return at;
  }

  #add({ count, kind, outcome, side, tick, amount }: UpdateColumns): void {
    const { events } = this;
    const { outcomes, scale } = this.#of;
    for (let i = 0; i < count; i += 1) {
      if (kind[i] === STARTING_PRICE) continue;
      const [of, at] = [outcome[i] ?? 0, tick[i] ?? 0];
      const isThere = of < outcomes && at >= 0 && at < scale.size;
      if (!isThere && kind[i] !== DEFINITION)
        throw strange(this.#of, 'an update of an outcome or a price that it does not have');
      const place = kind[i] === DEFINITION ? at : scale.placeOf(at);
      events.push((kind[i] ?? 0) as typeof DEFINITION, of, side[i] ?? 0, place, amount[i] ?? 0);
    }
  }
}

/** Its checksum is right: it was written like this. */
function strange({ path, id }: InstantsOf, has: string): TapeFailure {
  return new TapeFailure('TAPE_CORRUPT', path, `market ${id} has ${has}`, 'import the recording again');
}
