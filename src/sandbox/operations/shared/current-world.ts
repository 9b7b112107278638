/** Brings the world to the present before it is read: everything due by now has happened. */

import type { SandboxContext } from '../../context/sandbox-context.ts';
import type { World } from '../../world/world.ts';

/**
 * The world, with ended delays and lapsed heartbeats applied. This is no change of its own for the log: the next change
 * would apply them too.
 */
export function currentWorld(context: SandboxContext): World {
  const { world } = context;
  const now = context.now();
  const due = world.exchange.nextDue();
  if (due !== undefined && due <= now) world.advance(now);
  return world;
}
