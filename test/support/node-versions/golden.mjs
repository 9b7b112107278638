/**
 * The runs of backtest/golden.json by the package as it is built, in one process: the rounding, sorting and hashing of a Node are the
 * same in one process as in twenty. Prints the figures of each. JavaScript, since the oldest Node strips no types.
 */

import { backtest } from 'oddsmith/backtest';

const { tape, files, limits } = JSON.parse(process.argv[2] ?? '');
for (const file of files) {
  for (const feed of [{ mode: 'stream' }, { mode: 'poll', everyMs: 1_000 }]) {
    const { summary } = await backtest({ tape, strategies: [{ file }], feed, limits });
    console.log(JSON.stringify(summary));
  }
}
