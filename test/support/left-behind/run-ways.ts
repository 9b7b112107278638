/** Runs a backtest for each way in a process of its own, and prints what came of the run, and what was heard after it. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { outliveGuests, watchGuests } from '../../../src/backtest/pieces/guest-watch.ts';
import { simulate } from '../../../src/backtest/simulation/backtest-simulation.ts';
import { newInstance } from '../../../src/engine/ledger/strategy-in-market.ts';
import { Transcript } from '../../../src/engine/log/transcript.ts';
import { loadStrategy } from '../../../src/loader/strategy-loader.ts';
import { OPTIONS, Script } from '../scripted-run.ts';
import { leavingBehind, WAYS } from './left-behind.ts';

const AFTER_MS = 300;
const PATIENCE_MS = 10_000;
const [, , folder = ''] = process.argv;
const script = new Script();
script.market().at(1_000, { level: [0, 'Against', 2, 50] });

async function heardAfter(way: string): Promise<{ readonly halts: number; readonly heard: string }> {
  const file = join(folder, `way-${Object.values(WAYS).indexOf(way)}.js`);
  writeFileSync(file, leavingBehind(way, AFTER_MS));
  const heard = new Promise<string>((resolve) => outliveGuests(resolve));
  const loaded = await loadStrategy(file);
  if (loaded.kind === 'fault') throw new Error(`${way}: ${loaded.fault.code} ${loaded.fault.why}`);
  const { plugin, params, guest } = loaded;
  const { collector } = await simulate({
    options: OPTIONS,
    source: script.source(),
    instances: [newInstance({ index: 0, plugin, params, wallet: 0, signals: new Map(), guest })],
    bound: 'central',
    transcript: new Transcript(''),
    watchGuests,
    onSlice: () => false,
  });
  const collecting = setInterval(() => globalThis.gc?.(), 20);
  const patience = new Promise<string>((resolve) => setTimeout(() => resolve('nothing'), PATIENCE_MS).unref());
  const report = { halts: collector.halts.length, heard: await Promise.race([heard, patience]) };
  clearInterval(collecting);
  return report;
}

const reports: Record<string, unknown> = {};
for (const [name, way] of Object.entries(WAYS)) reports[name] = await heardAfter(way);
process.stdout.write(JSON.stringify(reports));
