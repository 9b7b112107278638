/** Turns of two sides that are to be compared. */

import { expect, it } from 'vitest';
import { asLongAs, compared, type Measured } from './figure.ts';

it('repeats the quicker side until its turns are as long, and counts every run', async () => {
  const quick = counting({ operations: 7, seconds: [0.1, 0.2, 0.3] });
  const slow = counting({ operations: 100, seconds: [0.6] });

  const turns = await asLongAs(slow, quick);

  expect(turns.operations).toBe(6 * 7);
  // Of 0.1, the first, the turn was reckoned; the next six take their turns.
  expect(await turns.run()).toBeCloseTo(0.2 + 0.3 + 0.1 + 0.2 + 0.3 + 0.1, 9);
  expect(quick.runs).toBe(7);
});

it('leaves a slower side its one run a turn', async () => {
  const slow = counting({ operations: 3, seconds: [2] });
  const quick = counting({ operations: 3, seconds: [0.01] });

  const turns = await asLongAs(quick, slow);

  expect(turns.operations).toBe(3);
  expect(await turns.run()).toBe(2);
});

it('gives the same ratio however long the turns are', async () => {
  const yardstick = counting({ operations: 1000, seconds: [1] });
  const one = counting({ operations: 500, seconds: [0.1] });

  const single = await compared(3, one, yardstick);
  const long = await compared(3, await asLongAs(yardstick, one), yardstick);

  expect(single.ratio).toBeCloseTo(5, 9);
  expect(long.ratio).toBeCloseTo(5, 9);
});

function counting({ operations, seconds }: { operations: number; seconds: readonly number[] }): Measured & {
  readonly runs: number;
} {
  let runs = 0;
  return {
    operations,
    get runs() {
      return runs;
    },
    run: () => {
      runs += 1;
      return seconds[(runs - 1) % seconds.length] ?? 0;
    },
  };
}
