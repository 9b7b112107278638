/** The world as it stands now: what has fallen due since its last change has happened before anyone reads it. */

import type { Desk } from '../../context/desk.ts';
import type { World } from '../../world/world.ts';

/** Delays that have ended and heartbeats that have lapsed are no changes of their own: the next one would bring them too. */
export function upToDate(desk: Desk): World {
  const { world } = desk;
  const now = desk.now();
  const due = world.exchange.nextDue();
  if (due !== undefined && due <= now) world.advance(now);
  return world;
}
