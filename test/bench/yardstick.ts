/** A yardstick in a process of its own: warms up, says that it is ready, and runs whenever it is asked to. */

import { readFileSync } from 'node:fs';
import type { Measured } from './figure.ts';
import { Flow } from './flow.ts';
import { packagedRun } from './packaged-book.ts';
import { parseAlone } from './parse-alone.ts';
import type { YardstickTask, YardstickTold } from './yardstick-task.ts';

const task = JSON.parse(process.argv[2] ?? '{}') as YardstickTask;
const yardstick = yardstickOf(task);
for (let pass = 0; pass < task.warmUps; pass += 1) await yardstick.run();
process.on('message', async () => tell({ kind: 'ran', seconds: await yardstick.run() }));
tell({ kind: 'ready', operations: yardstick.operations });

function yardstickOf(asked: YardstickTask): Measured {
  if (asked.kind === 'parse') return parseAlone(readFileSync(asked.file, 'latin1'));
  const flow = new Flow(asked.flow);
  return { operations: flow.orders - flow.opening, run: () => packagedRun(flow) };
}

function tell(told: YardstickTold): void {
  process.send?.(told);
}
