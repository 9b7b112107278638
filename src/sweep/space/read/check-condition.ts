/** Whether any point fulfils the condition of a space. */

import { Random } from '../../../core/number/random.ts';
import { fulfils, pointAt, randomPoint, type Space, sizeOf } from '../space.ts';
import { spaceError } from './space-error.ts';

/** At most this many points are tried: all of a smaller space. */
const TRIES = 100_000;

/** @throws OddsmithError CONFIG_INVALID */
export function checkCondition(space: Space, text: string | undefined, where: string): void {
  if (space.condition === undefined) return;
  const size = sizeOf(space);
  const isSmall = size !== undefined && size <= TRIES;
  const random = Random.fromSeed(1);
  for (let index = 0; index < (isSmall ? Number(size) : TRIES); index += 1) {
    if (fulfils(space, isSmall ? pointAt(space, BigInt(index)) : randomPoint(space, random))) return;
  }
  throw spaceError({
    what: 'No point of the space fulfils the condition.',
    where,
    why: isSmall ? `All ${size} points were tried: ${text}` : `${TRIES} random points were tried: ${text}`,
    next: 'Correct the condition, or widen the space where it is fulfilled.',
  });
}
