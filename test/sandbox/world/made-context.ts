/** A world with a clock that tests set by hand. */

import { type Instant, instant } from '../../../src/core/number/units.ts';
import type { WorldContext } from '../../../src/sandbox/traffic/traffic.ts';
import { World } from '../../../src/sandbox/world/world.ts';

export const START = instant(Date.UTC(2026, 2, 24, 14, 45, 1));

export interface MadeContext extends WorldContext {
  set(now: Instant): void;
}

export function contextOf(world: World = new World(), start: Instant = START): MadeContext {
  let clock = start;
  return {
    world,
    now: () => world.at(clock),
    apply: (change) => world.apply(change),
    set(now) {
      clock = now;
    },
  };
}
