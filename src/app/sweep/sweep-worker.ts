/** The module that each thread of a sweep runs. */

import { workerData } from 'node:worker_threads';
import { watchGuests } from '../../backtest/pieces/guest-watch.ts';
import { taskPlayer } from '../../sweep/unit/play-task.ts';

export const playTask = taskPlayer(workerData, watchGuests);
