/** The odd half of 1,200 simulated lives; the two halves are two files so that they run side by side. */

import { expect, it } from 'vitest';
import { playHalf, SEEDS, TIMEOUT_MS } from './halves.ts';

it(
  `the bot keeps every law in the odd half of ${SEEDS} lives, and they have met everything`,
  async () => {
    const { failures, missing } = await playHalf(1);
    expect(failures).toEqual([]);
    expect(missing).toEqual([]);
  },
  TIMEOUT_MS,
);
