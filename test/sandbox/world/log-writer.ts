/** A process that changes a world in a file until it is killed, and notes the number of each change in another file. */

import { openSync, writeSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { instant, MONEY_SCALE, money } from '../../../src/core/number/units.ts';
import { openWorldLog } from '../../../src/sandbox/world-log/world-log.ts';
import { depositsOf, KILL_START, setUp } from './log-deposits.ts';

const [file = '', saidFile = ''] = process.argv.slice(2);
const { world } = openWorldLog({ file, now: KILL_START });
setUp(world);
const said = openSync(saidFile, 'w');
for (let deposit = depositsOf(world) + 1; ; deposit += 1) {
  const at = instant(world.exchange.now + 1);
  const amount = money(MONEY_SCALE);
  world.apply({ at, kind: 'command', command: { kind: 'deposit', wallet: 2, currency: 0, amount } });
  // A number of fixed width at a fixed offset: written entirely or not at all.
  writeSync(said, String(deposit).padStart(12), 0);
  if (deposit % 10 === 0) {
    process.stdout.write('.');
    await setImmediate();
  }
}
