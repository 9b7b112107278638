/** The world as it stands now: what has fallen due since its last change has happened before anyone reads it. */

import type { SandboxContext } from '../../context/sandbox-context.ts';
import type { World } from '../../world/world.ts';

/** Delays that have ended and heartbeats that have lapsed are no changes of their own: the next one would bring them too. */
export function upToDate(context: SandboxContext): World {
  const { world } = context;
  const now = context.now();
  const due = world.exchange.nextDue();
  if (due !== undefined && due <= now) world.advance(now);
  return world;
}
