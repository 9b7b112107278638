/** The world is a pure function of its changes, whatever they are. */

import { expect, test } from 'vitest';
import { World } from '../../../src/sandbox/world/world.ts';
import { ChangeGenerator } from './change-generator.ts';
import { pictureOf } from './picture.ts';

const SEEDS = Array.from({ length: 12 }, (_, index) => 4100 + index);
const CHANGES = 900;

test.each(SEEDS)(
  'seed %i: laws hold after each change, refusals leave no trace, a second world is the same',
  (seed) => {
    const world = new World();
    const generator = new ChangeGenerator(seed, world);
    const made: Parameters<World['apply']>[0][] = [];
    const refused = new Map<string, number>();
    const kinds = new Set<string>();
    for (let count = 0; count < CHANGES; count += 1) {
      const change = generator.next();
      if (change.at >= world.exchange.now) world.advance(change.at);
      const before = { digest: world.exchange.digest(), picture: count % 20 === 0 ? pictureOf(world) : undefined };
      const changed = world.apply(change);
      if (changed.kind === 'done') {
        made.push(change);
        kinds.add(change.kind === 'command' ? change.command.kind : change.kind);
      } else {
        refused.set(changed.refusal.code, (refused.get(changed.refusal.code) ?? 0) + 1);
        expect(changed.events).toEqual([]);
        expect(world.exchange.digest(), `seed ${seed}, change ${count}: ${JSON.stringify(change)}`).toBe(before.digest);
        if (before.picture !== undefined) expect(pictureOf(world)).toBe(before.picture);
      }
      const broken = world.exchange.brokenLaws();
      if (broken.length > 0) expect.fail(`seed ${seed}, change ${count}: ${broken.join('; ')}`);
    }
    expect(new Set(refused.keys())).toEqual(new Set(['INVALID', 'UNKNOWN_ID', 'ID_TAKEN', 'MACHINE']));
    expect(kinds.size).toBeGreaterThan(25);

    // Applies only the changes that were made, as a log has them, not what became due in between.
    const again = new World();
    for (const change of made) expect(again.apply(JSON.parse(JSON.stringify(change))).kind).toBe('done');
    again.advance(world.exchange.now);
    expect(again.exchange.digest(), `seed ${seed}`).toBe(world.exchange.digest());
    expect(pictureOf(again)).toBe(pictureOf(world));
  },
);
