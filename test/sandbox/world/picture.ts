/** A whole world as plain JSON, for comparison with another. */

import { REFERENCED_KINDS } from '../../../src/sandbox/world/change.ts';
import type { World } from '../../../src/sandbox/world/world.ts';

export function pictureOf(world: World): string {
  const { catalogue, registry } = world;
  const named = [
    ...catalogue.subcategories.keys(),
    ...catalogue.eventGroups.keys(),
    ...catalogue.participants.keys(),
    ...[...catalogue.events.values(), ...catalogue.markets.values()].map(({ id }) => id),
  ];
  const references = REFERENCED_KINDS.flatMap((kind) => named.flatMap((id) => catalogue.referencesOf(kind, id)));
  const parts = { ...maps(catalogue), ...maps(registry) };
  return JSON.stringify({ parts, references }, null, 1);
}

function maps(of: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(of).map(([name, value]) => [name, value instanceof Map ? [...value] : (value as unknown)]),
  );
}
