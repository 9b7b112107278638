import { describe, expect, test } from 'vitest';
import { SequenceMap } from '../../src/core/collections/sequence-map.ts';
import { Random } from '../../src/core/number/random.ts';

describe('things by number', () => {
  test('are what a map holds, however long some stay, over 40 seeds', () => {
    for (let seed = 0; seed < 40; seed += 1) {
      const random = Random.fromSeed(seed);
      const numbered = new SequenceMap<string>();
      const model = new Map<number, string>();
      const first = random.below(1_000);
      const stays = 1 + random.below(2_000);
      for (let number = first; number < first + 6_000; number += 1) {
        numbered.add(number, `${number}`);
        model.set(number, `${number}`);
        const ended = number - random.below(stays);
        numbered.delete(ended);
        model.delete(ended);
        const asked = first - 10 + random.below(6_020);
        expect(numbered.get(asked), `seed ${seed}, number ${asked}`).toBe(model.get(asked));
      }
      for (let number = first - 5; number < first + 6_005; number += 1)
        expect(numbered.get(number)).toBe(model.get(number));
    }
  });

  test('may come in any order and with gaps of any size, over 300 seeds', () => {
    for (let seed = 0; seed < 300; seed += 1) {
      const random = Random.fromSeed(seed);
      const numbered = new SequenceMap<number>();
      const model = new Map<number, number>();
      let next = random.below(5_000);
      for (let step = 0; step < 300; step += 1) {
        const jump = random.below(20) === 0 ? random.below(3_000) : random.below(3);
        const number = random.below(4) === 0 ? random.below(9_000) : next;
        next += jump;
        if (model.has(number)) numbered.delete(number);
        if (model.has(number)) model.delete(number);
        else {
          numbered.add(number, step);
          model.set(number, step);
        }
        const asked = random.below(9_000);
        expect(numbered.get(asked), `seed ${seed}, step ${step}`).toBe(model.get(asked));
      }
      for (const [number, step] of model) expect(numbered.get(number), `seed ${seed}`).toBe(step);
    }
  });
});
