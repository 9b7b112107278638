/** Runs a backtest for each way in a process of its own, and prints what came of the run, and what was heard in it and after it. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { outliveGuests, watchGuests } from '../../../src/backtest/pieces/guest-watch.ts';
import { simulate } from '../../../src/backtest/simulation/backtest-simulation.ts';
import { newInstance } from '../../../src/engine/ledger/strategy-in-market.ts';
import { Transcript } from '../../../src/engine/log/transcript.ts';
import { loadStrategy } from '../../../src/loader/strategy-loader.ts';
import { OPTIONS, Script } from '../scripted-run.ts';
import { leavingBehind, WAYS } from './left-behind.ts';

/** After a run: long enough for what would have come. */
const PATIENCE_MS = 300;
const [, , folder = ''] = process.argv;
const script = new Script();
const market = script.market();
for (let at = 1_000; at < 3_000; at += 100) market.at(at, { level: [0, 'Against', 2, 50 + at] });

async function heardOf(
  way: string,
  at: number,
): Promise<{ readonly halts: number; readonly heard: readonly string[] }> {
  const file = join(folder, `way-${at}.js`);
  writeFileSync(file, leavingBehind(way));
  const heard: string[] = [];
  outliveGuests((words) => heard.push(words));
  const loaded = await loadStrategy(file, {}, { say: (line) => heard.push(line) });
  if (loaded.kind === 'fault') throw new Error(`${way}: ${loaded.fault.code} ${loaded.fault.why}`);
  const { plugin, params, guest } = loaded;
  const { collector } = await simulate({
    options: OPTIONS,
    source: script.source(),
    instances: [newInstance({ index: 0, plugin, params, wallet: 0, signals: new Map(), guest })],
    bound: 'central',
    transcript: new Transcript(''),
    watchGuests,
    // A turn of the event loop at each update, in which what was rejected is told.
    sliceMs: 0,
    onSlice: () => false,
  });
  const collecting = setInterval(() => globalThis.gc?.(), 20);
  await new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
  clearInterval(collecting);
  return { halts: collector.halts.length, heard };
}

const reports: Record<string, unknown> = {};
for (const [at, [name, [way]]] of Object.entries(WAYS).entries()) reports[name] = await heardOf(way, at);
process.stdout.write(JSON.stringify(reports));
