/** The module that each thread of a sweep runs. */

import { workerData } from 'node:worker_threads';
import { taskPlayer } from '../../sweep/unit/play-task.ts';
import { watchGuests } from '../thread/guest-watch.ts';

export const playTask = taskPlayer(workerData, watchGuests);
